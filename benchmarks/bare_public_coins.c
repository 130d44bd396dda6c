/* The public-coin error of one-way protocols by column generation in floats: the number alone.
 *
 * The error is the value of a game: one player chooses an input, the other one a partition of
 * Alice's inputs into at most k messages with Bob's answers.  If Bob answers optimally, the cost of
 * a message under a distribution on inputs is a function of its set of Alice's inputs; a table over
 * all sets and the partitions of each set into 1, ..., k messages give the best protocol.  A dual
 * simplex method on a dense tableau adds protocols until none is better.  Reads the numbers of
 * Alice's and of Bob's inputs, k, and the values ('*' outside the promise), a line for each input of
 * Alice, at most 16; prints the error and the processor seconds of the search. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 16
#define TINY 1e-9

static int n, m, k, cells, width, height, room;
static char value[MOST][64];
static int place[MOST][64]; /* number of an input of the promise, or -1 */
static double *table;       /* rows: sum of gains * y + slack = 1; the last column is the side */
static double *objective;   /* reduced costs, then minus the sum of y */
static int *basis;
static double *cost, *best[MOST + 1]; /* of one message, and of at most j messages */
static int *cut[MOST + 1];            /* the first message */

static void pivot(int row, int column) {
    double *r = table + (size_t)row * room, scale = 1 / r[column];
    for (int j = 0; j <= width; j++) r[j] *= scale;
    for (int i = -1; i < height; i++) {
        double *t = i < 0 ? objective : table + (size_t)i * room, f = t[column];
        if (i == row || f == 0) continue;
        for (int j = 0; j <= width; j++) t[j] -= f * r[j];
        t[column] = 0;
    }
    basis[row] = column;
}

/* Insert a column for the slack of a new row before the side, which is the last column. */
static void add_row(const double *gain) {
    if (width + 2 > room || !(height & 63)) {
        int larger = width + 2 > room ? 2 * room : room;
        double *moved = calloc((size_t)(height + 64) * larger, sizeof(double));
        for (int i = 0; i < height; i++)
            memcpy(moved + (size_t)i * larger, table + (size_t)i * room, sizeof(double) * (width + 1));
        free(table);
        table = moved, room = larger;
        objective = realloc(objective, sizeof(double) * room);
        basis = realloc(basis, sizeof(int) * (height + 64));
    }
    for (int i = -1; i < height; i++) {
        double *t = i < 0 ? objective : table + (size_t)i * room;
        t[width + 1] = t[width], t[width] = 0;
    }
    double *t = table + (size_t)height * room;
    memset(t, 0, sizeof(double) * room);
    memcpy(t, gain, sizeof(double) * cells);
    t[width] = 1, t[width + 1] = 1;
    basis[height++] = width++;
    for (int i = 0; i < height - 1; i++) { /* express the row by the variables outside the basis */
        double f = t[basis[i]];
        if (f == 0) continue;
        const double *r = table + (size_t)i * room;
        for (int j = 0; j <= width; j++) t[j] -= f * r[j];
        t[basis[i]] = 0;
    }
}

static int dual_simplex(void) {
    for (int steps = 0; steps < 100000; steps++) {
        int row = -1, column = -1;
        double least = -TINY, ratio = INFINITY;
        for (int i = 0; i < height; i++) {
            double side = table[(size_t)i * room + width];
            if (side < least) least = side, row = i;
        }
        if (row < 0) return 1;
        const double *r = table + (size_t)row * room;
        for (int j = 0; j < width; j++) {
            if (r[j] > -TINY) continue;
            double q = objective[j] / -r[j];
            if (q < ratio - 1e-12 || (q < ratio + 1e-12 && r[j] < r[column])) ratio = q, column = j;
        }
        if (column < 0) return 0;
        pivot(row, column);
    }
    return 0;
}

/* Write the gains of the best protocol for the weights into `gain`; return the cost. */
static double price(const double *weight, double *gain) {
    int whole = (1 << n) - 1;
    for (int S = 1; S <= whole; S++) cost[S] = 0;
    for (int y = 0; y < m; y++) {
        static double zeros[1 << MOST], ones[1 << MOST];
        for (int S = 1; S <= whole; S++) {
            int x = __builtin_ctz(S), rest = S & (S - 1);
            double w = place[x][y] < 0 ? 0 : weight[place[x][y]];
            zeros[S] = zeros[rest] + (value[x][y] == '0' ? w : 0);
            ones[S] = ones[rest] + (value[x][y] == '1' ? w : 0);
            cost[S] += zeros[S] < ones[S] ? zeros[S] : ones[S];
        }
    }
    memcpy(best[1], cost, sizeof(double) << n);
    for (int S = 1; S <= whole; S++) cut[1][S] = S;
    for (int j = 2; j <= k; j++)
        for (int S = j < k ? 1 : whole; S <= whole; S++) {
            int low = S & -S, rest = S ^ low;
            double least = best[1][S];
            int first = S;
            for (int T = rest; T; T = (T - 1) & rest) { /* T is what the first message leaves */
                double c = cost[S ^ T] + best[j - 1][T];
                if (c < least) least = c, first = S ^ T;
            }
            best[j][S] = least, cut[j][S] = first;
        }
    for (int S = whole, j = k; S; j--) {
        int block = cut[j][S];
        S ^= block;
        for (int y = 0; y < m; y++) {
            double sides[2] = {0, 0};
            for (int x = 0; x < n; x++)
                if (block >> x & 1 && place[x][y] >= 0)
                    sides[value[x][y] - '0'] += weight[place[x][y]];
            char answer = sides[1] > sides[0] ? '1' : '0';
            for (int x = 0; x < n; x++)
                if (block >> x & 1 && place[x][y] >= 0) gain[place[x][y]] = value[x][y] == answer;
        }
    }
    return best[k][whole];
}

static double solve(void) {
    double *gain = malloc(sizeof(double) * (cells + 1)), *weight = malloc(sizeof(double) * cells);
    height = 0, width = cells, room = cells + 130;
    free(table), free(objective), free(basis);
    table = NULL, basis = NULL;
    objective = calloc(room, sizeof(double));
    unsigned random = 1;
    for (int i = 0; i < cells; i++) { /* slightly different costs, so that pivots do not cycle */
        random = random * 1664525u + 1013904223u;
        objective[i] = -1 - 1e-8 * (random >> 8) / (1 << 24);
    }
    for (int answer = '0'; answer <= '1'; answer++) { /* the protocols that always answer the same */
        int some = -1;
        for (int x = 0; x < n; x++)
            for (int y = 0; y < m; y++)
                if (place[x][y] >= 0) {
                    gain[place[x][y]] = value[x][y] == answer;
                    if (value[x][y] == answer) some = place[x][y];
                }
        add_row(gain);
        if (some >= 0) pivot(height - 1, some);
    }
    double error = 0;
    for (;;) {
        if (!dual_simplex()) return NAN;
        double sum = 0, total = objective[width];
        for (int i = 0; i < cells; i++) weight[i] = 0;
        for (int i = 0; i < height; i++)
            if (basis[i] < cells) weight[basis[i]] = table[(size_t)i * room + width];
        for (int i = 0; i < cells; i++) sum += weight[i] = weight[i] > 0 ? weight[i] : 0;
        for (int i = 0; i < cells; i++) weight[i] /= sum;
        error = 1 - 1 / total;
        if (price(weight, gain) > error - 1e-7) break;
        add_row(gain);
    }
    free(gain), free(weight);
    return error;
}

int main(void) {
    if (scanf("%d %d %d", &n, &m, &k) != 3 || n > MOST || m > 63) return 2;
    for (int x = 0; x < n; x++)
        if (scanf("%63s", value[x]) != 1) return 2;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++) place[x][y] = value[x][y] == '*' ? -1 : cells++;
    k = k < n ? k : n;
    cost = calloc(1 << n, sizeof(double));
    for (int j = 1; j <= k; j++)
        best[j] = calloc(1 << n, sizeof(double)), cut[j] = calloc(1 << n, sizeof(int));
    clock_t begun = clock(), end = begun;
    int times = 0;
    double error = 0;
    for (; end - begun < CLOCKS_PER_SEC / 20 || !times; times++) { /* a mean, where it is short */
        error = solve();
        end = clock();
    }
    printf("%.12f %.6f\n", error, (double)(end - begun) / CLOCKS_PER_SEC / times);
    return 0;
}
