/* Which distribution of Alice, or which answer of Bob, of a case should be cut, in floats. */
#include "engine.h"
#include <math.h>

typedef signed char i8;

#define NEVER 1e-12
#define LONGER 1.5

static double positive(double a) { return a > 0 ? a : 0; }

static double distance(const double *a, const double *b, i64 k) {
    double most = 0;
    for (i64 j = 0; j < k; j++) most = fabs(a[j] - b[j]) > most ? fabs(a[j] - b[j]) : most;
    return most;
}

/* Write the share of each vertex of an input of Alice, and the sum of the answers with it. */
static void mean(i64 num, const double *shares, const i8 *vertices, const i8 *high, i64 n, i64 size,
                 i64 k, const double *ends, double *parts, double *sums) {
    memset(parts, 0, sizeof(double) * k);
    memset(sums, 0, sizeof(double) * k * size);
    for (i64 p = 0; p < num; p++, high += size) {
        double *sum = sums + vertices[p * n] * size;
        parts[vertices[p * n]] += shares[p];
        for (i64 i = 0; i < size; i++) sum[i] += shares[p] * ends[high[i] == 1 ? size + i : i];
    }
}

/* Replace an edge by the longest one of the simplex if that is much longer. */
static void lengthen(const double *law, i64 size, i64 k, i64 *edge) {
    double longest = LONGER * distance(law + edge[0] * k, law + edge[1] * k, k);
    for (i64 j = 0; j < size; j++)
        for (i64 i = 0; i < j; i++) {
            double length = distance(law + i * k, law + j * k, k);
            if (length > longest) longest = length, edge[0] = i, edge[1] = j;
        }
}

/* Write the gains of the best edge and of the best answer, and where these are: the input of Alice
 * or -1, two vertices, the input of Bob and the message.  Return 0 without memory.
 *
 * signed_weights are negative where the value is 0; edges that are no longer than finest are not
 * cut.  The mixture has num corners. */
EXPORT i64 ccsim_gains_best_cut(const double *signed_weights, i64 n, i64 m, i64 k,
                                const double *laws, const i8 *sizes, const double *ends, i64 num,
                                const double *shares, const i8 *vertices, const i8 *high,
                                double finest, double *best, i64 *places) {
    i64 size = m * k;
    double *sums = malloc(sizeof(double) * (k * size + 2 * size + k));
    if (!sums) return 0;
    double *worth = sums + k * size, *gains = worth + size, *parts = gains + size;
    memset(worth, 0, sizeof(double) * size);
    best[0] = 0, places[0] = -1, places[1] = places[2] = 0;
    for (i64 x = 0; x < n; x++) {
        mean(num, shares, vertices + x, high, n, size, k, ends, parts, sums);
        memset(gains, 0, sizeof(double) * size);
        for (i64 j = 0; j < k; j++)
            for (i64 i = 0; i < j; i++) {
                if (!(parts[i] > NEVER && parts[j] > NEVER)) continue;
                const double *a = laws + (x * k + i) * k, *b = laws + (x * k + j) * k;
                double total = 0;
                for (i64 at = 0; at < size; at++) {
                    double apart = parts[j] * sums[i * size + at] - parts[i] * sums[j * size + at];
                    double step = a[at % k] - b[at % k];
                    double gain = signed_weights[x * m + at / k] * step * apart;
                    gains[at] += gain;
                    total += positive(gain);
                }
                if (total > best[0] && distance(a, b, k) > finest)
                    best[0] = total, places[0] = x, places[1] = i, places[2] = j;
            }
        for (i64 i = 0; i < size; i++) worth[i] += positive(gains[i]);
    }
    if (places[0] >= 0) lengthen(laws + places[0] * k * k, sizes[places[0]], k, places + 1);
    i64 place = 0;
    for (i64 i = 1; i < size; i++)
        if (worth[i] > worth[place]) place = i;
    best[1] = worth[place], places[3] = place / k, places[4] = place % k;
    free(sums);
    return 1;
}
