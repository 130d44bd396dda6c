/* Best splits of sets, and best pairs of partitions, for protocols in which both players speak.
 *
 * The gain of a protocol is the sum of the absolute balances of its leaves; its cost is half of the
 * difference between the total weight and the gain.  Callers see to it that no sum leaves 64 bits
 * (127 bits in the function named `wide`), and that a call takes a fraction of a second. */
#include "engine.h"

/* For the sets start, ..., stop - 1 of rows, write the most that two disjoint parts gain together,
 * for each of `width` sets of columns. */
EXPORT void ccsim_splits_best(const i64 *restrict gains, i64 width, i64 *restrict result, i64 start,
                              i64 stop) {
    for (i64 s = start; s < stop; s++) {
        i64 low = s & -s, rest = s ^ low, part = rest;
        i64 *restrict out = result + s * width;
        memcpy(out, gains + s * width, sizeof(i64) * width); /* the other part is empty */
        while (part) {
            part = (part - 1) & rest;
            const i64 *restrict a = gains + (part | low) * width;
            const i64 *restrict b = gains + (rest ^ part) * width;
            for (i64 t = 0; t < width; t++) {
                i64 both = a[t] + b[t];
                out[t] = both > out[t] ? both : out[t];
            }
        }
    }
}

#define NUMBER i64
#define NAME(part) part##_narrow
#include "pairs.h"
#undef NUMBER
#undef NAME

#define NUMBER __int128
#define NAME(part) part##_wide
#include "pairs.h"

/* Visit partitions; see `pairs.h`. */
EXPORT i32 ccsim_splits_partitions(const i64 *weights, i64 rows, i64 columns, i64 k, i64 halvings,
                                   i64 *classes, i64 *best, i64 *found, i64 steps) {
    return visit_narrow(weights, rows, columns, k, halvings, classes, best, found, steps);
}

/* Do the same with numbers of two words each, the lower one first. */
EXPORT i32 ccsim_splits_partitions_wide(const u64 *words, i64 rows, i64 columns, i64 k, i64 halvings,
                                        i64 *classes, u64 *best, i64 *found, i64 steps) {
    __int128 *weights = malloc(sizeof(__int128) * rows * columns);
    if (!weights) return NO_MEMORY;
    for (i64 i = 0; i < rows * columns; i++)
        weights[i] = (__int128)((unsigned __int128)words[2 * i + 1] << 64 | words[2 * i]);
    __int128 most = (__int128)((unsigned __int128)best[1] << 64 | best[0]);
    i32 state = visit_wide(weights, rows, columns, k, halvings, classes, &most, found, steps);
    best[0] = (u64)most, best[1] = (u64)((unsigned __int128)most >> 64);
    free(weights);
    return state;
}
