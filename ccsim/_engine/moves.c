/* Partitions of the rows of a matrix that no move of a single row to another class improves. */
#include "engine.h"

/* Return what a row adds to the sum of the absolute values of a class. */
static i64 gain(const i32 *restrict balance, const i32 *restrict row, i64 columns) {
    i64 total = 0;
    for (i64 y = 0; y < columns; y++) {
        i32 before = balance[y], after = before + row[y];
        total += (after < 0 ? -after : after) - (before < 0 ? -before : before);
    }
    return total;
}

static void shift(i32 *restrict balance, const i32 *restrict row, i64 columns, i32 sign) {
    for (i64 y = 0; y < columns; y++) balance[y] += sign * row[y];
}

/* Move rows to the class where they gain most, in the given order, until nothing is better or the
 * sweeps are over.  The sums of the rows of each class are written to balances.  The absolute
 * values of all weights must sum to less than 2^30. */
EXPORT void ccsim_moves_improve(const i32 *weights, i64 rows, i64 columns, i64 messages,
                                const i64 *order, i64 sweeps, i64 *classes, i32 *balances) {
    memset(balances, 0, sizeof(i32) * messages * columns);
    for (i64 x = 0; x < rows; x++)
        shift(balances + classes[x] * columns, weights + x * columns, columns, 1);
    for (i64 moved = 1; moved && sweeps > 0; sweeps--) {
        moved = 0;
        for (i64 i = 0; i < rows; i++) {
            i64 x = order[i], home = classes[x], best = home;
            const i32 *row = weights + x * columns;
            shift(balances + home * columns, row, columns, -1);
            i64 most = gain(balances + home * columns, row, columns);
            for (i64 c = 0; c < messages; c++) {
                i64 found = gain(balances + c * columns, row, columns);
                if (found > most) most = found, best = c;
            }
            shift(balances + best * columns, row, columns, 1);
            classes[x] = best, moved |= best != home;
        }
    }
}
