/* Choices of Bob's answers: potentials of rows that bound them, and choices to begin with.
 *
 * Errors of all answers are listed row by row.  An answer is free, chosen or barred.  Floats guide;
 * nothing here decides. */
#include "engine.h"

enum { FREE, CHOSEN, BARRED };

static double least(double a, double b) { return a < b ? a : b; }
static double positive(double a) { return a > 0 ? a : 0; }

/* Write what each answer gains. */
static void gain(const double *errors, i64 rows, i64 answers, const double *trial, double *gains) {
    memset(gains, 0, sizeof(double) * answers);
    for (i64 x = 0; x < rows; x++, errors += answers)
        if (trial[x] > 0)
            for (i64 q = 0; q < answers; q++) gains[q] += positive(trial[x] - errors[q]);
}

/* List so many answers, chosen ones first, then free ones by falling gains; return their number. */
static i64 lead(const double *gains, const signed char *status, i64 answers, i64 most, i64 *order) {
    i64 chosen = 0, num;
    for (i64 q = 0; q < answers && chosen < most; q++)
        if (status[q] == CHOSEN) order[chosen++] = q;
    num = chosen;
    for (i64 q = 0; q < answers && chosen < most; q++) {
        if (status[q] != FREE || (num == most && gains[q] <= gains[order[num - 1]])) continue;
        i64 i = num < most ? num++ : num - 1;
        for (; i > chosen && gains[order[i - 1]] < gains[q]; i--) order[i] = order[i - 1];
        order[i] = q;
    }
    return num;
}

/* Change potentials along subgradients until they bound choices by what is wanted.
 *
 * Write how well each answer is branched on, and the best choice for the potentials; return how
 * many answers that has, or -1 without memory. */
EXPORT i64 ccsim_medians_improve_potentials(const double *errors, i64 rows, i64 answers,
                                            double *potentials, const signed char *status,
                                            i64 messages, double wanted, i64 steps, double *favour,
                                            i64 *chosen) {
    double *gains = malloc(sizeof(double) * (answers + 3 * rows));
    i64 *order = malloc(sizeof(i64) * (messages + 1)), num_chosen = 0;
    if (!gains || !order) return free(gains), free(order), -1;
    double *trial = gains + answers, *most = trial + rows, *covered = most + rows;
    double best = -1e300, step = 1;
    for (i64 x = 0; x < rows; x++) {
        most[x] = 2;
        for (i64 q = 0; q < answers; q++)
            if (status[q] == CHOSEN) most[x] = least(most[x], errors[x * answers + q]);
        trial[x] = least(potentials[x], most[x]);
    }
    memset(favour, 0, sizeof(double) * answers);
    for (i64 at = 0, idle = 0; at < steps; at++) {
        gain(errors, rows, answers, trial, gains);
        i64 num = lead(gains, status, answers, messages, order);
        double bound = 0, norm = 0;
        for (i64 x = 0; x < rows; x++) bound += trial[x], covered[x] = 0;
        for (i64 q = 0; q < answers; q++) favour[q] *= 0.9;
        for (i64 i = 0; i < num; i++) {
            const double *error = errors + order[i];
            i64 q = order[i], is_chosen = status[q] == CHOSEN;
            if (!is_chosen) bound -= gains[q], favour[q] += 0.1;
            for (i64 x = 0; x < rows; x++, error += answers)
                covered[x] += trial[x] > *error || (is_chosen && trial[x] == *error);
        }
        idle++;
        if (bound > best + 1e-12) {
            best = bound, idle = 0, num_chosen = num;
            memcpy(potentials, trial, sizeof(double) * rows);
            memcpy(chosen, order, sizeof(i64) * num);
        } else if (idle == 4) {
            step *= 0.6, idle = 0;
        }
        for (i64 x = 0; x < rows; x++)
            if (covered[x] != 0 || trial[x] < most[x]) norm += (1 - covered[x]) * (1 - covered[x]);
        if (best >= wanted || norm <= 0) break;
        double by = step * (wanted * 1.01 - bound) / norm; /* as far as would win what is missing */
        for (i64 x = 0; x < rows; x++)
            trial[x] = least(most[x], positive(trial[x] + by * (1 - covered[x])));
    }
    for (i64 q = 0; q < answers; q++) favour[q] *= 1.2 - favour[q];
    free(gains), free(order);
    return num_chosen;
}

/* Improve a choice by the best exchange of one answer; return whether there was one. */
static int exchange(const double *errors, i64 rows, i64 answers, i64 *choice, i64 messages,
                    double *gains, double *losses) {
    memset(gains, 0, sizeof(double) * answers);
    memset(losses, 0, sizeof(double) * answers * messages);
    for (i64 x = 0; x < rows; x++, errors += answers) {
        i64 near = 0;
        double first = 1e300, second = 1e300;
        for (i64 m = 0; m < messages; m++) {
            double error = errors[choice[m]];
            if (error < first) near = m, second = first, first = error;
            else second = least(second, error);
        }
        double *loss = losses + near * answers;
        for (i64 q = 0; q < answers; q++) {
            gains[q] += positive(first - errors[q]);
            loss[q] += positive(least(second, errors[q]) - first);
        }
    }
    i64 place = 0;
    double best = 1e300;
    for (i64 m = 0; m < messages; m++)
        for (i64 q = 0; q < answers; q++)
            if (losses[m * answers + q] - gains[q] < best)
                best = losses[m * answers + q] - gains[q], place = m * answers + q;
    if (best > -1e-12) return 0;
    choice[place / answers] = place % answers;
    return 1;
}

/* Improve choices by exchanging one answer as long as that helps; 0 without memory. */
EXPORT i64 ccsim_medians_swap_answers(const double *errors, i64 rows, i64 answers, i64 *choices,
                                      i64 num, i64 messages) {
    double *gains = malloc(sizeof(double) * answers * (messages + 1));
    if (!gains) return 0;
    for (i64 i = 0; i < num; i++)
        while (exchange(errors, rows, answers, choices + i * messages, messages, gains,
                        gains + answers)) {
        }
    free(gains);
    return 1;
}
