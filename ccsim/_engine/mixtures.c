/* The best mixture of protocols of a case, in floats, and the inputs that it errs on.
 *
 * In a case the distribution of each of Alice's inputs is a mixture of listed vertices, and each
 * answer of Bob lies in a range.  A corner is a protocol with a vertex for each of Alice's inputs
 * and an end for each answer.  The best mixture of corners is found by the simplex method; its
 * duals are weights of inputs. */
#include "engine.h"
#include <math.h>

typedef signed char i8;

#define ZERO 1e-9
#define SAME 1e-13
#define MOST_PIVOTS 600

typedef struct {
    i64 n, m, k;            /* inputs of Alice and of Bob, messages */
    const i8 *values;       /* n x m, negative outside the promise */
    const double *laws;     /* n x k x k: the vertices of each input of Alice, */
    const i8 *sizes;        /* and how many of them count */
    const double *ends;     /* 2 x m x k */
    double *slopes;         /* (n + 1) x m x k: of the answers, from the inputs before one */
    double *weighed;        /* n x m: weights, negative where the value is 1 */
    i8 *choice;             /* n */
    i64 num_cells, *cells;  /* places inside the promise */
} Case;

static double positive(double a) { return a > 0 ? a : 0; }

/* Write the errors of a corner on the cells. */
static void corner_errors(const Case *a, const i8 *vertices, const i8 *high, double *errors) {
    i64 m = a->m, k = a->k;
    for (i64 i = 0; i < a->num_cells; i++) {
        i64 x = a->cells[i] / m, y = a->cells[i] % m;
        const double *law = a->laws + (x * k + vertices[x]) * k;
        double p = 0;
        for (i64 j = 0; j < k; j++) p += law[j] * a->ends[(high[y * k + j] * m + y) * k + j];
        errors[i] = a->values[a->cells[i]] ? 1 - p : p;
    }
}

/* Return the least mean error of a corner, whose vertices are written. */
static double least_mean(const Case *a, const double *weights, i8 *corner) {
    i64 n = a->n, m = a->m, k = a->k, size = m * k, x = 0;
    double best = INFINITY, ones = 0;
    for (i64 i = 0; i < n * m; i++) {
        a->weighed[i] = a->values[i] == 1 ? -weights[i] : weights[i];
        ones += a->values[i] == 1 ? weights[i] : 0;
    }
    memset(a->choice, 0, n);
    memset(a->slopes, 0, sizeof(double) * size);
    while (x >= 0) {
        for (; x < n; x++) {
            const double *law = a->laws + (x * k + a->choice[x]) * k, *by = a->weighed + x * m;
            const double *before = a->slopes + x * size;
            double *after = a->slopes + (x + 1) * size;
            for (i64 y = 0; y < m; y++)
                for (i64 j = 0; j < k; j++) after[y * k + j] = before[y * k + j] + by[y] * law[j];
        }
        const double *slopes = a->slopes + n * size, *low = a->ends, *high = low + size;
        double mean = 0;
        for (i64 i = 0; i < size; i++) mean += slopes[i] * (slopes[i] > 0 ? low[i] : high[i]);
        if (mean < best) best = mean, memcpy(corner, a->choice, n);
        for (x = n - 1; x >= 0 && a->choice[x] + 1 >= a->sizes[x]; x--) a->choice[x] = 0;
        if (x >= 0) a->choice[x]++;
    }
    return best + ones;
}

/* Write Bob's best ends for Alice's vertices. */
static void answers(const Case *a, const double *weights, const i8 *corner, i8 *high) {
    i64 m = a->m, k = a->k;
    for (i64 y = 0; y < m; y++)
        for (i64 j = 0; j < k; j++) {
            double s = 0;
            for (i64 x = 0; x < a->n; x++) {
                double w = weights[x * m + y] * a->laws[(x * k + corner[x]) * k + j];
                s += a->values[x * m + y] == 1 ? -w : w;
            }
            high[y * k + j] = !(s > 0);
        }
}

/* Write the inverse of a basis of one corner, and return the place of its largest error.
 *
 * Row i < c of the program says that the mixture's error on cell i and a slack make up the largest
 * error, row c that shares sum to 1. */
static i64 first_basis(const double *errors, i64 c, double *inverse) {
    i64 top = 0, size = c + 1;
    for (i64 i = 1; i < c; i++)
        if (errors[i] > errors[top]) top = i;
    memset(inverse, 0, sizeof(double) * size * size);
    for (i64 i = 0; i < c; i++) {
        if (i != top) inverse[i * size + i] = 1, inverse[i * size + c] = errors[top] - errors[i];
        inverse[i * size + top] = -1;
    }
    inverse[top * size + c] = errors[top];
    inverse[c * size + c] = 1;
    return top;
}

/* Write the weights that prices stand for; return the slack of least weight below 0, or -1. */
static i64 duals(const Case *a, const double *prices, double *weights) {
    i64 entering = -1;
    double least = -ZERO, total = 0;
    for (i64 i = 0; i < a->num_cells; i++) {
        double weight = -prices[i];
        if (weight < least) least = weight, entering = i;
        weights[a->cells[i]] = positive(weight);
        total += positive(weight);
    }
    for (i64 i = 0; i < a->n * a->m; i++) weights[i] /= total;
    return entering;
}

/* Bring a column into the basis; return its row, or -1 if there is none. */
static i64 pivot(double *inverse, i64 top, const double *column, double *change, i64 size) {
    i64 leaving = -1, from = 0, to = size;
    double ratio = INFINITY;
    while (from + 1 < to && column[from] == 0) from++; /* columns of slacks have one entry */
    while (from + 1 < to && column[to - 1] == 0) to--;
    for (i64 i = 0; i < size; i++) {
        change[i] = 0;
        for (i64 j = from; j < to; j++) change[i] += inverse[i * size + j] * column[j];
        if (i == top || change[i] <= ZERO) continue;
        double r = positive(inverse[i * size + size - 1]) / change[i];
        if (r < ratio - SAME || (r < ratio + SAME && change[i] > change[leaving]))
            leaving = i, ratio = r;
    }
    if (leaving < 0) return leaving;
    double *row = inverse + leaving * size, by = change[leaving];
    for (i64 j = 0; j < size; j++) row[j] /= by;
    for (i64 i = 0; i < size; i++)
        if (i != leaving && change[i] != 0)
            for (i64 j = 0; j < size; j++) inverse[i * size + j] -= change[i] * row[j];
    return leaving;
}

/* Return the known corner of least mean error, or -1 if it is not below a number. */
static i64 cheapest(const double *known, i64 old, const double *prices, i64 c, double least) {
    i64 chosen = -1;
    for (i64 p = 0; p < old; p++, known += c) {
        double mean = 0;
        for (i64 i = 0; i < c; i++) mean += known[i] * -prices[i];
        if (mean < least) chosen = p, least = mean;
    }
    return chosen;
}

/* Improve a mixture until a goal is reached or it is the best; return the number of its corners.
 *
 * floats has room for c + 1 errors, shares and changes, n x m weights, old x c errors of known
 * corners and the inverse; bytes for a corner and c + 1 flags. */
static i64 improve(const Case *a, const double *goals, double *weights, i64 old,
                   const i8 *old_vertices, const i8 *old_high, double *bound, double *shares,
                   i8 *vertices, i8 *high, double *floats, i8 *bytes) {
    i64 n = a->n, answer_size = a->m * a->k, c = a->num_cells, size = c + 1;
    double *column = floats, *change = column + size, *trial = change + size;
    double *known = trial + n * a->m, *inverse = known + old * c;
    i8 *corner = bytes, *ends = corner + n, *is_corner = ends + answer_size;
    *bound = least_mean(a, weights, corner);
    if (*bound >= goals[0]) return 0;
    answers(a, weights, corner, ends);
    for (i64 p = 0; p < old; p++)
        corner_errors(a, old_vertices + p * n, old_high + p * answer_size, known + p * c);
    corner_errors(a, corner, ends, column);
    i64 top = first_basis(column, c, inverse), num = 0;
    memset(is_corner, 0, size);
    is_corner[c] = 1;
    memcpy(vertices + c * n, corner, n);
    memcpy(high + c * answer_size, ends, answer_size);
    memcpy(trial, weights, sizeof(double) * n * a->m);
    for (i64 at = 0; at < MOST_PIVOTS; at++) {
        const double *prices = inverse + top * size;
        double error = prices[c];
        i64 slack = duals(a, prices, trial);
        i64 chosen = slack < 0 ? cheapest(known, old, prices, c, error - ZERO) : -1;
        memset(column, 0, sizeof(double) * size);
        column[slack < 0 ? c : slack] = 1;
        if (chosen >= 0) {
            memcpy(column, known + chosen * c, sizeof(double) * c);
            memcpy(corner, old_vertices + chosen * n, n);
            memcpy(ends, old_high + chosen * answer_size, answer_size);
        } else if (slack < 0) {
            double mean = least_mean(a, trial, corner);
            if (mean > *bound) *bound = mean, memcpy(weights, trial, sizeof(double) * n * a->m);
            if (*bound >= goals[0] || mean >= error - ZERO ||
                (error - *bound <= goals[1] && error < goals[0]))
                break;
            answers(a, trial, corner, ends);
            corner_errors(a, corner, ends, column);
        }
        i64 leaving = pivot(inverse, top, column, change, size);
        if (leaving < 0) break;
        is_corner[leaving] = slack < 0;
        memcpy(vertices + leaving * n, corner, n);
        memcpy(high + leaving * answer_size, ends, answer_size);
    }
    for (i64 i = 0; i < size; i++) {
        if (!is_corner[i]) continue;
        shares[num] = positive(inverse[i * size + c]);
        memmove(vertices + num * n, vertices + i * n, n);
        memmove(high + num * answer_size, high + i * answer_size, answer_size);
        num++;
    }
    return num;
}

/* Find a mixture that errs less than a goal if a bound does; return the number of its corners.
 *
 * Write the bound, its weights in place of those that are tried first, and the shares and corners
 * of the mixture, of which there are at most as many as places in the table and 1.  The search
 * stops when the bound reaches goals[0], or when the error is below it and the bound nearer to
 * the error than goals[1].  -1 without memory. */
EXPORT i64 ccsim_mixtures_best_mixture(const i8 *values, i64 n, i64 m, i64 k, const double *laws,
                                       const i8 *sizes, const double *ends, const double *goals,
                                       double *weights, i64 old, const i8 *old_vertices,
                                       const i8 *old_high, double *bound, double *shares,
                                       i8 *vertices, i8 *high) {
    i64 c = 0, size = m * k, num = -1;
    for (i64 i = 0; i < n * m; i++) c += values[i] >= 0;
    double *slopes = malloc(sizeof(double) * ((n + 1) * size + n * m));
    double *floats = malloc(sizeof(double) * ((c + 1) * (c + 3) + n * m + old * c));
    i64 *cells = malloc(sizeof(i64) * (c + 1));
    i8 *bytes = malloc(2 * n + size + c + 1);
    if (slopes && floats && cells && bytes) {
        double *weighed = slopes + (n + 1) * size;
        Case a = {n, m, k, values, laws, sizes, ends, slopes, weighed, bytes, 0, cells};
        for (i64 i = 0; i < n * m; i++)
            if (values[i] >= 0) cells[a.num_cells++] = i;
        num = improve(&a, goals, weights, old, old_vertices, old_high, bound, shares, vertices,
                      high, floats, bytes + n);
    }
    free(slopes), free(floats), free(cells), free(bytes);
    return num;
}
