/* Loops over subsets of Alice's inputs, for partitions into cheap classes.
 *
 * Twice the cost of a class is the weight of its rows minus the sum of the absolute balances of its
 * columns.  Callers see to it that no sum leaves 64 bits, and that a call takes a fraction of a
 * second.  Of classes that cost the same the one with the smallest number, read as a bit mask, is
 * taken, so that numpy in its place gives the same partitions. */
#include "engine.h"

static i64 size_of(i64 a) { return a < 0 ? -a : a; }

/* Write the sums of the values of every subset of rows; `step` parts one row's value from the next. */
static void sum(const i64 *values, i64 rows, i64 step, i64 *sums) {
    sums[0] = 0;
    for (i64 x = 0; x < rows; x++) {
        i64 low = (i64)1 << x, value = values[x * step];
        for (i64 rest = 0; rest < low; rest++) sums[low + rest] = sums[rest] + value;
    }
}

/* Write the weight of the rows of every subset; return 0 without memory. */
EXPORT i32 ccsim_subsets_weigh(const i64 *weights, i64 rows, i64 columns, i64 *costs) {
    i64 *each = calloc(rows + 1, sizeof(i64));
    if (!each) return 0;
    for (i64 x = 0; x < rows; x++)
        for (i64 y = 0; y < columns; y++) each[x] += size_of(weights[x * columns + y]);
    sum(each, rows, 1, costs);
    free(each);
    return 1;
}

/* Take off what a range of columns balances in every subset; return 0 without memory. */
EXPORT i32 ccsim_subsets_balance(const i64 *weights, i64 rows, i64 columns, i64 start, i64 stop,
                                 i64 *costs) {
    i64 size = (i64)1 << rows, *balance = malloc(sizeof(i64) * size);
    if (!balance) return 0;
    for (i64 y = start; y < stop; y++) {
        sum(weights + y, rows, columns, balance);
        for (i64 s = 0; s < size; s++) costs[s] -= size_of(balance[s]);
    }
    free(balance);
    return 1;
}

/* Return the cost of a set; write the best class that holds its lowest row. */
EXPORT i64 ccsim_subsets_best_split(const i64 *costs, const i64 *level, i64 members, i64 *found) {
    i64 low = members & -members, rest = members ^ low, part = rest;
    i64 best = costs[members] + level[0];
    *found = members;
    while (part) {
        part = (part - 1) & rest;
        i64 cost = costs[part | low] + level[rest ^ part];
        if (cost <= best) *found = part | low, best = cost;
    }
    return best;
}

/* Write the least costs with one class more of the sets start, start + 2, ... < stop. */
EXPORT void ccsim_subsets_add_class(const i64 *costs, const i64 *level, i64 *result, i64 start,
                                    i64 stop) {
    for (i64 s = start; s < stop; s += 2) {
        i64 low = s & -s, rest = s ^ low, part = rest, best = costs[s] + level[0];
        while (part) {
            part = (part - 1) & rest;
            i64 cost = costs[part | low] + level[rest ^ part];
            if (cost < best) best = cost;
        }
        result[s] = best;
    }
}

/* Visit partitions number start, ..., stop - 1 into two classes, start at least 1.
 *
 * Each differs from the one before by one row, never the last one, so that no table is needed.
 * `sides` holds the balances of the class of the last row and of the other one; `found` the class
 * of the last row as a bit mask, the class of the first row in the best partition, and twice its
 * cost.  All are brought up to date. */
EXPORT void ccsim_subsets_two_classes(const i64 *restrict weights, i64 rows, i64 columns,
                                      i64 *restrict sides, i64 *restrict found, i64 start,
                                      i64 stop) {
    i64 *restrict inside = sides, *restrict outside = sides + columns;
    i64 total = 0, members = found[0], everything = ((i64)1 << rows) - 1;
    for (i64 i = 0; i < rows * columns; i++) total += size_of(weights[i]);
    for (i64 step = start; step < stop; step++) {
        i64 x = lowest((u64)step), rest = 0, flip = -(members >> x & 1); /* all ones: take it out */
        const i64 *w = weights + x * columns;
        members ^= (i64)1 << x;
        for (i64 y = 0; y < columns; y++) {
            i64 by = (w[y] ^ flip) - flip;
            inside[y] += by, outside[y] -= by;
            rest += size_of(inside[y]) + size_of(outside[y]);
        }
        i64 cost = total - rest;
        if (cost > found[2]) continue;
        i64 first = members & 1 ? members : everything ^ members;
        if (cost < found[2] || first < found[1]) found[1] = first, found[2] = cost;
    }
    found[0] = members;
}
