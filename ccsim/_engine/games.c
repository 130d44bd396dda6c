/* The best mixture of equations between Bob's answers at the vertices of a case, in floats.
 *
 * What an equation gains and loses depends only on the vertices of the dependencies that it
 * combines: it fills a small table, a row for each choice of them.  A game of few equations against
 * few choices of vertices is solved by the simplex method; the best equation, and the worst choice
 * of vertices, join it until none is better. */
#include "engine.h"
#include <math.h>

#define ZERO 1e-9
#define LEAST 1e-7
#define CLOSE 1e-3 /* how near to the value of a game the ends are at which it counts as solved */
#define MOST_PIVOTS 200

typedef struct {
    i64 num, inputs, m, number, depth;  /* dependencies; inputs; columns; equations; their most
                                           dependencies */
    const i64 *sizes;           /* pairs of vertices of each dependency */
    const i64 *length, *used, *first, *minors;  /* of each equation the number of dependencies,
                                   these, the first input removed, and its minors */
    i64 num_corners, rows;
    i64 *starts, *corners;      /* where tables begin; all choices of vertices, a row each */
    double *gains, *losses;     /* by sign, row and column */
    double *scales;             /* the largest payoffs, by sign, equation and column */
    double target;              /* for which the game is played */
} Game;

static double positive(double a) { return a > 0 ? a : 0; }
static double least(double a, double b) { return b < a ? b : a; }

/* Return the row of all tables for an equation and a choice of vertices. */
static i64 row_of(const Game *g, i64 corner, i64 e) {
    const i64 *vertices = g->corners + corner * g->num, *used = g->used + e * g->depth;
    i64 place = 0;
    for (i64 j = 0; j < g->length[e]; j++) place = place * g->sizes[used[j]] + vertices[used[j]];
    return g->starts[e] + place;
}

/* What column (s E + e) m + y stands for: equation e of E for Bob's input y, negated if s = 1. */
static i64 equation_of(const Game *g, i64 column) { return column / g->m % g->number; }
static i64 offset_of(const Game *g, i64 column) {
    return column / g->m / g->number * g->rows * g->m + column % g->m;
}

/* Write the weights of inputs in each equation, row by row. */
static void combine(const Game *g, const double *vectors, i64 most, i64 *digits, double *found) {
    i64 n = g->inputs;
    memset(found, 0, sizeof(double) * g->rows * n);
    for (i64 e = 0; e < g->number; e++) {
        i64 length = g->length[e];
        const i64 *used = g->used + e * g->depth, *minors = g->minors + e * g->depth;
        for (i64 row = g->starts[e]; row < g->starts[e + 1]; row++) {
            double *out = found + row * n;
            for (i64 j = length - 1, rest = row - g->starts[e]; j >= 0; j--) {
                digits[j] = rest % g->sizes[used[j]];
                rest /= g->sizes[used[j]];
            }
            if (length == 1) {
                memcpy(out, vectors + (used[0] * most + digits[0]) * n, sizeof(double) * n);
                continue;
            }
            for (i64 j = 0; j < length; j++) {
                double factor = vectors[(used[j] * most + digits[j]) * n + g->first[e]];
                if (factor == 0) continue;
                if (j % 2) factor = -factor;
                i64 less = 0;
                for (i64 i = 0; i < length; i++)
                    if (i != j) less = less * g->sizes[used[i]] + digits[i];
                const double *minor = found + (g->starts[minors[j]] + less) * n;
                for (i64 z = 0; z < n; z++) out[z] += factor * minor[z];
            }
        }
    }
}

/* Write gains and losses of both signs, for each row of the tables and each column. */
static void pay(Game *g, const double *found, const i64 *values) {
    i64 m = g->m, other = g->rows * m;
    memset(g->gains, 0, sizeof(double) * 2 * other);
    memset(g->losses, 0, sizeof(double) * 2 * other);
    for (i64 r = 0; r < g->rows; r++)
        for (i64 z = 0; z < g->inputs; z++) {
            double w = found[r * g->inputs + z], high = positive(w), low = positive(-w);
            if (w == 0) continue;
            for (i64 y = 0, at = r * m; y < m; y++, at++) {
                if (values[z * m + y] == 1) {
                    g->gains[at] += w, g->gains[other + at] -= w;
                    g->losses[at] += high, g->losses[other + at] += low;
                } else if (values[z * m + y] == 0) {
                    g->losses[at] += low, g->losses[other + at] += high;
                } else {
                    g->gains[at] -= low, g->gains[other + at] -= high;
                }
            }
        }
}

/* Write the largest payoffs of equations; return the first that forces the target, or -1. */
static i64 first_alone(Game *g) {
    for (i64 e = 0; e < g->number; e++)
        for (i64 s = 0; s < 2; s++)
            for (i64 y = 0; y < g->m; y++) {
                double most = LEAST, worst = INFINITY, gain = INFINITY;
                for (i64 r = g->starts[e]; r < g->starts[e + 1]; r++) {
                    i64 at = (s * g->rows + r) * g->m + y;
                    double paid = g->gains[at] - g->target * g->losses[at];
                    if (fabs(paid) > most) most = fabs(paid);
                    worst = least(worst, paid), gain = least(gain, g->gains[at]);
                }
                i64 column = (s * g->number + e) * g->m + y;
                g->scales[column] = most;
                if (worst >= 0 && gain > LEAST) return column;
            }
    return -1;
}

/* Bring a column into the basis, and return whether it could be done. */
static int pivot(double *table, i64 *basis, i64 rows, i64 width, i64 entering) {
    i64 leaving = -1;
    double ratio = INFINITY;
    for (i64 i = 0; i < rows; i++) {
        const double *row = table + i * width;
        if (row[entering] > ZERO && row[width - 1] < ratio * row[entering])
            leaving = i, ratio = row[width - 1] / row[entering];
    }
    if (leaving < 0) return 0;
    double *chosen = table + leaving * width, by = chosen[entering];
    for (i64 j = 0; j < width; j++) chosen[j] /= by;
    for (i64 i = 0; i <= rows; i++) {
        double *row = table + i * width, factor = row[entering];
        if (i != leaving && factor != 0)
            for (i64 j = 0; j < width; j++) row[j] -= factor * chosen[j];
    }
    basis[leaving] = entering;
    return 1;
}

/* Write the strategies of a game whose rows are paid and whose columns pay; return its value. */
static double solve(const double *paid, i64 stride, i64 rows, i64 columns, double *table,
                    i64 *basis, double *mixed, double *part) {
    i64 width = columns + rows + 1;
    double low = INFINITY, sum = 0;
    for (i64 i = 0; i < rows; i++)
        for (i64 j = 0; j < columns; j++) low = least(low, paid[i * stride + j]);
    double shift = 1 - low, *last = table + rows * width;
    memset(table, 0, sizeof(double) * (rows + 1) * width);
    for (i64 i = 0; i < rows; i++) {
        double *row = table + i * width;
        for (i64 j = 0; j < columns; j++) row[j] = paid[i * stride + j] + shift;
        row[columns + i] = row[width - 1] = 1;
        basis[i] = columns + i;
    }
    for (i64 j = 0; j < columns; j++) last[j] = -1;
    for (i64 at = 0; at < MOST_PIVOTS; at++) {
        i64 entering = 0;
        for (i64 j = 1; j < width - 1; j++)
            if (last[j] < last[entering]) entering = j;
        if (last[entering] > -ZERO || !pivot(table, basis, rows, width, entering)) break;
    }
    double total = last[width - 1];
    for (i64 j = 0; j < columns; j++) part[j] = 0;
    for (i64 i = 0; i < rows; i++)
        if (basis[i] < columns) part[basis[i]] = positive(table[i * width + width - 1]) / total;
    for (i64 i = 0; i < rows; i++) sum += mixed[i] = positive(last[columns + i]);
    for (i64 i = 0; i < rows; i++) mixed[i] /= sum > 1e-300 ? sum : 1e-300;
    return 1 / total - shift;
}

/* Write what a mixture gains and loses at each choice of vertices. */
static void total(const Game *g, i64 num, const i64 *columns, const double *mixed, double *gain,
                  double *loss) {
    memset(gain, 0, sizeof(double) * g->num_corners);
    memset(loss, 0, sizeof(double) * g->num_corners);
    for (i64 i = 0; i < num; i++) {
        if (!(mixed[i] > 0)) continue;
        i64 e = equation_of(g, columns[i]), offset = offset_of(g, columns[i]);
        for (i64 c = 0; c < g->num_corners; c++) {
            i64 at = offset + row_of(g, c, e) * g->m;
            gain[c] += mixed[i] * g->gains[at], loss[c] += mixed[i] * g->losses[at];
        }
    }
}

/* Return the equation that is paid most by chances of choices of vertices; paid has 2 m places. */
static i64 best_answer(const Game *g, const double *chances, double *paid, double *most) {
    i64 m = g->m, column = -1;
    *most = -INFINITY;
    for (i64 e = 0; e < g->number; e++) {
        memset(paid, 0, sizeof(double) * 2 * m);
        for (i64 c = 0; c < g->num_corners; c++) {
            if (!(chances[c] > 0)) continue;
            i64 row = row_of(g, c, e);
            for (i64 s = 0; s < 2; s++) {
                i64 at = (s * g->rows + row) * m;
                for (i64 y = 0; y < m; y++)
                    paid[s * m + y] +=
                        chances[c] * (g->gains[at + y] - g->target * g->losses[at + y]);
            }
        }
        for (i64 s = 0; s < 2; s++)
            for (i64 y = 0; y < m; y++) {
                i64 place = (s * g->number + e) * m + y;
                if (paid[s * m + y] > *most * g->scales[place])
                    *most = paid[s * m + y] / g->scales[place], column = place;
            }
    }
    return column;
}

/* What a game is played with; lists have room for what joins. */
typedef struct {
    i64 room, num_columns, num_chosen;
    i64 *columns, *chosen, *basis;
    double *paid, *table, *mixed, *part;    /* of listed equations and choices of vertices */
    double *gain, *loss, *answers;
} Play;

/* Write the payoffs of equations and choices of vertices that are new. */
static void fill(const Game *g, const Play *p, i64 old_columns, i64 old_chosen) {
    for (i64 i = 0; i < p->num_columns; i++) {
        i64 e = equation_of(g, p->columns[i]), offset = offset_of(g, p->columns[i]);
        for (i64 j = i < old_columns ? old_chosen : 0; j < p->num_chosen; j++) {
            i64 at = offset + row_of(g, p->chosen[j], e) * g->m;
            p->paid[i * p->room + j] =
                (g->gains[at] - g->target * g->losses[at]) / g->scales[p->columns[i]];
        }
    }
}

/* Play for one target; return how many equations force more than the bound, or 0 if none do. */
static i64 play(const Game *g, Play *p, i64 rounds, double enough, double *bound, i64 *best,
                double *shares, double *chances) {
    i64 num = 0, old_columns = 0, old_chosen = 0;
    memset(chances, 0, sizeof(double) * g->num_corners);
    for (i64 at = 0; at < rounds; at++) {
        i64 i = p->num_columns, j = p->num_chosen, worst = 0;
        fill(g, p, old_columns, old_chosen);
        double value = solve(p->paid, p->room, i, j, p->table, p->basis, p->mixed, p->part);
        memset(chances, 0, sizeof(double) * g->num_corners);
        for (i64 c = 0; c < j; c++) chances[p->chosen[c]] = p->part[c];
        for (i64 c = 0; c < i; c++) p->mixed[c] /= g->scales[p->columns[c]];
        total(g, i, p->columns, p->mixed, p->gain, p->loss);
        double forced = INFINITY, high, net = INFINITY;
        for (i64 c = 0; c < g->num_corners; c++) {
            forced = least(forced, p->loss[c] > 0 ? p->gain[c] / p->loss[c] : 0);
            double here = p->gain[c] - g->target * p->loss[c];
            if (here < net) net = here, worst = c;
        }
        if (forced > *bound + LEAST) {
            *bound = forced, num = i;
            memcpy(best, p->columns, sizeof(i64) * i);
            memcpy(shares, p->mixed, sizeof(double) * i);
        }
        i64 better = best_answer(g, chances, p->answers, &high);
        if (*bound >= enough || high - net < CLOSE) break;
        old_columns = i, old_chosen = j;
        if (high > value + ZERO) p->columns[p->num_columns++] = better;
        if (net < value - ZERO) p->chosen[p->num_chosen++] = worst;
        if (p->num_columns == old_columns && p->num_chosen == old_chosen) break;
    }
    return num;
}

/* Play for the target, then for what is forced; return how many equations force that. */
static i64 play_all(Game *g, Play *p, i64 games, i64 rounds, double *bound, i64 *columns,
                    double *shares, double *chances) {
    double enough = g->target, unused;
    i64 num = 0, alone;
    for (i64 i = 0; i < 2 * g->number * g->m; i++) g->scales[i] = 1;
    for (i64 c = 0; c < g->num_corners; c++) chances[c] = 0;
    if ((alone = first_alone(g)) >= 0) {
        for (i64 c = 0; c < g->num_corners; c++) chances[c] = 1.0 / g->num_corners;
        *bound = enough, *columns = alone, *shares = 1;
        return 1;
    }
    if (!p->num_columns) {
        for (i64 j = 0; j < p->num_chosen; j++) chances[p->chosen[j]] = 1;
        p->columns[p->num_columns++] = best_answer(g, chances, p->answers, &unused);
    }
    for (i64 at = 0; at < games; at++) {
        double before = *bound;
        i64 found = play(g, p, rounds, enough, bound, columns, shares, chances);
        if (*bound > before) num = found;
        else if (g->target <= *bound) break;
        if (*bound >= enough) break;
        g->target = *bound;
        first_alone(g);
    }
    return num;
}

/* Return how many choices of vertices there are of the dependencies that an equation uses. */
static i64 table_size(const i64 *sizes, i64 length, const i64 *used) {
    i64 size = 1;
    for (i64 j = 0; j < length; j++) size *= sizes[used[j]];
    return size;
}

/* Find an error that a mixture of equations forces; return how many it has, or -1 without memory.
 *
 * vectors[d][i][z], for i < sizes[d] <= most, is the weight of input z at pair i of dependency d.
 * The bound is at first an error that is known to be forced: there is no mixture unless it is
 * surpassed.  The game begins with given columns and chosen choices of vertices, of which there is
 * one; columns and shares have room for games * rounds more than the longer list has, chances for
 * all choices of vertices. */
EXPORT i64 ccsim_games_best_equations(const double *vectors, i64 num, i64 most, i64 inputs,
                                      const i64 *sizes, const i64 *values, i64 m, i64 number,
                                      i64 depth, const i64 *length, const i64 *used,
                                      const i64 *first, const i64 *minors, double target, i64 games,
                                      i64 rounds, const i64 *given, i64 num_given,
                                      const i64 *chosen, i64 num_chosen, double *bound,
                                      i64 *columns, double *shares, double *chances) {
    i64 corners = 1, rows = 0, found = -1;
    i64 room = games * rounds + (num_given > num_chosen ? num_given : num_chosen);
    for (i64 d = 0; d < num; d++) corners *= sizes[d];
    for (i64 e = 0; e < number; e++) rows += table_size(sizes, length[e], used + e * depth);
    i64 *ints = malloc(sizeof(i64) * (number + 1 + corners * num + depth + 3 * room));
    double *tables = malloc(sizeof(double) * (4 * rows * m + rows * inputs + 4 * number * m));
    double *rooms = malloc(sizeof(double) * (room * room + (room + 1) * (2 * room + 1) + 2 * room +
                                             2 * corners));
    if (ints && tables && rooms) {
        i64 *starts = ints, *all = starts + number + 1, *digits = all + corners * num;
        double *losses = tables + 2 * rows * m, *weights = losses + 2 * rows * m;
        double *scales = weights + rows * inputs;
        Game g = {num,   inputs, m,    number, depth, sizes,  length, used,  first,
                  minors, corners, rows, starts, all,   tables, losses, scales, target};
        Play p = {.room = room, .num_columns = num_given, .num_chosen = num_chosen};
        p.columns = digits + depth, p.chosen = p.columns + room, p.basis = p.chosen + room;
        p.paid = rooms, p.table = p.paid + room * room;
        p.mixed = p.table + (room + 1) * (2 * room + 1), p.part = p.mixed + room;
        p.gain = p.part + room, p.loss = p.gain + corners, p.answers = scales + 2 * number * m;
        memcpy(p.columns, given, sizeof(i64) * num_given);
        memcpy(p.chosen, chosen, sizeof(i64) * num_chosen);
        starts[0] = 0;
        for (i64 e = 0; e < number; e++)
            starts[e + 1] = starts[e] + table_size(sizes, length[e], used + e * depth);
        for (i64 c = 0; c < corners; c++)
            for (i64 d = num - 1, rest = c; d >= 0; d--) {
                all[c * num + d] = rest % sizes[d];
                rest /= sizes[d];
            }
        combine(&g, vectors, most, digits, weights);
        pay(&g, weights, values);
        found = play_all(&g, &p, games, rounds, bound, columns, shares, chances);
    }
    free(ints), free(tables), free(rooms);
    return found;
}
