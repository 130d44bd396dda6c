/* Heavy rectangles of a product of equal matrices, one of each orbit of the coordinate permutations. */
#include "engine.h"

/* Where a search stands: the rows before `depth` are decided; `count` sets have been found, and
 * `nodes` cases entered. */
typedef struct {
    i64 depth, count, nodes;
} State;

enum { ENTER = 2, BACK = -1 }; /* what is next at a depth, besides the decisions 1 and 0 */

/* Return whether no permutation makes the decided rows lexicographically larger.
 *
 * Permutation g moves row g[i] to row i.  `tied` and `place` hold, for the permutations that may
 * still do so, their numbers and the first row whose images are not known to be equal. */
static i32 leads(const i32 *moved, i64 rows, const uint8_t *taken, i64 depth, const i32 *tied,
                 const i32 *place, i64 ties, i32 *new_tied, i32 *new_place, i64 *new_ties) {
    i64 kept = 0;
    for (i64 q = 0; q < ties; q++) {
        const i32 *image = moved + (i64)tied[q] * rows;
        i32 i = place[q], unequal = 0;
        for (; i < depth && image[i] < depth; i++)
            if (taken[image[i]] != taken[i]) {
                if (taken[image[i]]) return 0;
                unequal = 1;
                break;
            }
        if (!unequal && i < rows) new_tied[kept] = tied[q], new_place[kept++] = i;
    }
    *new_ties = kept;
    return 1;
}

/* Go on listing the sets of rows whose rectangle with the best columns weighs more than `limit`.
 *
 * The columns form groups; weights[i] has the sum of the weights in row i of each subset of each
 * group, and `above` the sums of the positive ones over row i and later rows.  Sets that a
 * permutation makes larger are left out.  The caller owns `sums` (rows + 1 times the sums of a row),
 * `tied` and `place` (rows + 1 times the permutations), `ties`, `next` (rows + 1) and `taken`.
 * Answer YES at the end, FAILED after `most` sets, PAUSED after `work` nodes. */
EXPORT i32 ccsim_powers_heavy(const i64 *weights, const i64 *above, i64 rows, i64 groups, i64 size,
                              const i32 *moved, i64 perms, i64 limit, i64 most, i64 work, State *s,
                              i64 *sums, i32 *tied, i32 *place, i64 *ties, int8_t *next,
                              uint8_t *taken, uint8_t *found) {
    i64 width = groups * size;
    while (work > 0) {
        i64 i = s->depth, *sum = sums + i * width;
        if (next[i] == ENTER) {
            i64 value = 0, bound = 0;
            const i64 *rest = above + i * width;
            for (i64 g = 0; g < groups; g++) {
                i64 one = 0, all = 0;
                for (i64 j = g * size; j < (g + 1) * size; j++) {
                    one = sum[j] > one ? sum[j] : one;
                    all = sum[j] + rest[j] > all ? sum[j] + rest[j] : all;
                }
                value += one, bound += all;
            }
            work--, s->nodes++;
            next[i] = bound > limit && i < rows ? 1 : BACK;
            if (value > limit && i && taken[i - 1]) {
                memcpy(found + s->count * rows, taken, i);
                memset(found + s->count * rows + i, 0, rows - i);
                if (++s->count == most) return FAILED;
            }
        } else if (next[i] == BACK) {
            if (!i) return YES;
            s->depth--;
        } else {
            taken[i] = next[i]--;
            if (!leads(moved, rows, taken, i + 1, tied + i * perms, place + i * perms, ties[i],
                       tied + (i + 1) * perms, place + (i + 1) * perms, ties + i + 1))
                continue;
            i64 *grown = sum + width;
            if (taken[i])
                for (i64 j = 0; j < width; j++) grown[j] = sum[j] + weights[i * width + j];
            else
                memcpy(grown, sum, width * sizeof *sum);
            next[++s->depth] = ENTER;
        }
    }
    return PAUSED;
}
