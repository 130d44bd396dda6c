/* Best pairs of partitions, for one type of numbers; `splits.c` includes this file for each type. */

static NUMBER NAME(modulus)(NUMBER a) { return a < 0 ? -a : a; }

/* Return the sum of the moduli of the balances, given those of each class of rows in each column. */
static NUMBER NAME(apart)(const NUMBER *sums, i64 size) {
    NUMBER gain = 0;
    for (i64 i = 0; i < size; i++) gain += NAME(modulus)(sums[i]);
    return gain;
}

/* Return the same where all columns are together. */
static NUMBER NAME(together)(const NUMBER *sums, i64 k, i64 columns) {
    NUMBER gain = 0;
    for (i64 i = 0; i < k; i++) {
        NUMBER sum = 0;
        for (i64 y = 0; y < columns; y++) sum += sums[i * columns + y];
        gain += NAME(modulus)(sum);
    }
    return gain;
}

/* Return the most that 2^halvings classes of columns gain.  There is room for 2^columns times k,
 * once and once numbers in the work space. */
static NUMBER NAME(in_classes)(const NUMBER *sums, i64 k, i64 columns, i64 halvings, NUMBER *room) {
    i64 sets = (i64)1 << columns;
    NUMBER *level = room, *next = room + sets, *held = room + 2 * sets, gain = 0;
    for (i64 i = 0; i < k; i++) held[i] = 0;
    level[0] = 0;
    for (i64 t = 1; t < sets; t++) {
        i64 y = lowest((u64)t), rest = t & (t - 1);
        for (i64 i = 0; i < k; i++) held[t * k + i] = held[rest * k + i] + sums[i * columns + y];
        level[t] = NAME(apart)(held + t * k, k);
    }
    for (i64 turn = 1; turn < halvings; turn++) {
        for (i64 t = 0; t < sets; t++) {
            i64 low = t & -t, rest = t ^ low, part = rest;
            next[t] = level[t];
            while (part) {
                part = (part - 1) & rest;
                NUMBER both = level[part | low] + level[rest ^ part];
                if (both > next[t]) next[t] = both;
            }
        }
        NUMBER *other = level;
        level = next, next = other;
    }
    for (i64 t = 0; t < sets; t++) {
        NUMBER both = level[t] + level[sets - 1 - t];
        if (both > gain) gain = both;
    }
    return gain;
}

/* Visit up to `steps` partitions of the rows, each the successor of the one before, as strings of
 * at most k classes, numbered in order of first appearance.
 *
 * `classes` is the first one to visit, and then the next one; `best` and `found` are the largest gain
 * so far and its partition.  The columns are in at most 2^halvings classes or, where halvings is
 * negative, each in its own.  Return YES at the end, PAUSED before it, or NO_MEMORY. */
static i32 NAME(visit)(const NUMBER *weights, i64 rows, i64 columns, i64 k, i64 halvings, i64 *classes,
                       NUMBER *best, i64 *found, i64 steps) {
    i64 size = k * columns, from = 0;
    NUMBER *sums = calloc((rows + 1) * size, sizeof(NUMBER));
    NUMBER *room = malloc(sizeof(NUMBER) * (halvings > 0 ? (k + 2) << columns : 1));
    i64 *used = calloc(rows + 1, sizeof(i64)); /* classes of the rows before */
    i32 state = sums && room && used ? PAUSED : NO_MEMORY;
    for (i64 step = 0; state == PAUSED && step < steps; step++) {
        for (i64 x = from; x < rows; x++) {
            NUMBER *after = sums + (x + 1) * size, *own = after + classes[x] * columns;
            memcpy(after, sums + x * size, sizeof(NUMBER) * size);
            for (i64 y = 0; y < columns; y++) own[y] += weights[x * columns + y];
            used[x + 1] = classes[x] + 1 > used[x] ? classes[x] + 1 : used[x];
        }
        const NUMBER *whole = sums + rows * size;
        NUMBER gain = halvings < 0    ? NAME(apart)(whole, size)
                      : halvings == 0 ? NAME(together)(whole, k, columns)
                                      : NAME(in_classes)(whole, k, columns, halvings, room);
        if (gain > *best) *best = gain, memcpy(found, classes, sizeof(i64) * rows);
        i64 x = rows - 1;
        while (x > 0 && (classes[x] == k - 1 || classes[x] == used[x])) classes[x--] = 0;
        if (x <= 0) state = YES;
        else classes[x]++, from = x;
    }
    free(sums), free(room), free(used);
    return state;
}
