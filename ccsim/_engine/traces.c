/* The search for shattered sets by the numbers of different rows in their cells.
 *
 * Level l has l columns and 2^l cells: the rows with one labelling of these columns.  A row is cut
 * to the columns that may still be chosen; rows that are then equal are one trace.  `more` further
 * columns need 2^more traces in every cell, and each of them leaves half as many on both sides,
 * which is counted for 64 columns at once. */
#include "engine.h"

enum { FIRST_CELLS = 16 }; /* that are put in the order of their sizes */

typedef struct {
    i64 words, rows, size, mask; /* of a row; of the table; of the set; of the hash table's slots */
    u64 *traces;                 /* levels by rows by words */
    i64 *cells;                  /* levels by 2^size by 2: where the traces begin and end */
    u64 *left;                   /* levels by words: the columns still to try */
    i64 *free;                   /* how many they were when the traces were last cut to them */
    i64 *chosen, *level;
    i64 *slots, *stamps;         /* a slot with an old stamp is free; the new stamp is the last */
} Traces;

static u64 *traces_at(const Traces *t, i64 level, i64 at) {
    return t->traces + (level * t->rows + at) * t->words;
}
static i64 *cells_at(const Traces *t, i64 level) { return t->cells + (level << t->size) * 2; }

static i64 count(const u64 *set, i64 words) {
    i64 found = 0;
    for (i64 w = 0; w < words; w++) found += popcount(set[w]);
    return found;
}

/* Cut traces to the columns left, in place, each once; return their number. */
static i64 merge(Traces *t, u64 *part, i64 number, const u64 *left) {
    i64 words = t->words, filled = 0, stamp = ++t->stamps[t->mask + 1];
    for (i64 i = 0; i < number; i++) {
        const u64 *from = part + i * words;
        u64 *to = part + filled * words, key = 0;
        for (i64 w = 0; w < words; w++) {
            to[w] = from[w] & left[w];
            key = (key ^ to[w]) * 0x9E3779B97F4A7C15u;
            key ^= key >> 29;
        }
        i64 slot = (i64)(key & (u64)t->mask), known = 0;
        for (; t->stamps[slot] == stamp && !known; slot = known ? slot : (slot + 1) & t->mask)
            known = !memcmp(part + t->slots[slot] * words, to, sizeof(u64) * words);
        if (!known) t->slots[slot] = filled++, t->stamps[slot] = stamp;
    }
    return filled;
}

/* Copy traces, those with label 0 on a column first; return how many these are. */
static i64 parted(const u64 *source, i64 number, i64 words, i64 column, u64 *target) {
    i64 zeros = 0, ones = number - 1, word = column / 64;
    for (i64 i = 0; i < number; i++, source += words) {
        i64 place = source[word] & bit(column) ? ones-- : zeros++;
        memcpy(target + place * words, source, sizeof(u64) * words);
    }
    return zeros;
}

/* Return the columns that are counted at least so often, at least once. */
static u64 at_least(const u64 *digits, i64 used, i64 least) {
    u64 reached = ~(u64)0;
    for (i64 i = 0; i < used || least >> i; i++) {
        u64 digit = i < used ? digits[i] : 0;
        reached = least >> i & 1 ? digit & reached : digit | reached;
    }
    return reached;
}

/* Return the columns of a word that leave 2^(more - 1) of the traces on both sides. */
static u64 balanced(const u64 *part, i64 number, i64 words, i64 more) {
    if (more < 2) {
        u64 some = 0, every = ~(u64)0;
        for (i64 i = 0; i < number; i++) some |= part[i * words], every &= part[i * words];
        return more ? some & ~every : ~(u64)0;
    }
    u64 digits[64]; /* digit i of the counts of all columns */
    i64 used = 0, least = (i64)1 << (more - 1);
    for (i64 i = 0; i < number; i++) {
        u64 carry = part[i * words];
        for (i64 j = 0; carry; j++) {
            if (j == used) digits[used++] = 0;
            u64 both = digits[j] & carry;
            digits[j] ^= carry, carry = both;
        }
    }
    return at_least(digits, used, least) & ~at_least(digits, used, number - least + 1);
}

/* Cut the traces to the columns left; return the work, negative if a cell has too few. */
static i64 shrink(Traces *t, i64 level, i64 more) {
    i64 work = 0, *cells = cells_at(t, level);
    for (i64 cell = 0; cell < (i64)1 << level; cell++) {
        i64 begin = cells[2 * cell], end = cells[2 * cell + 1];
        i64 number = merge(t, traces_at(t, level, begin), end - begin, t->left + level * t->words);
        work += (end - begin) * t->words;
        if (number < (i64)1 << more) return -work - 1;
        cells[2 * cell + 1] = begin + number;
    }
    return work + 1;
}

/* Put some of the smallest cells first. */
static void sort_cells(Traces *t, i64 level) {
    i64 number = (i64)1 << level, *cells = cells_at(t, level);
    for (i64 place = 0; place < number - 1 && place < FIRST_CELLS; place++) {
        i64 smallest = place, moved[2];
        for (i64 i = place + 1; i < number; i++)
            if (cells[2 * i + 1] - cells[2 * i] < cells[2 * smallest + 1] - cells[2 * smallest])
                smallest = i;
        memcpy(moved, cells + 2 * place, sizeof moved);
        memcpy(cells + 2 * place, cells + 2 * smallest, sizeof moved);
        memcpy(cells + 2 * smallest, moved, sizeof moved);
    }
}

/* Split all cells by a column, with `more` to follow; return the work, negative if it is in vain.
 *
 * What is left to choose shrinks to the columns that split every part well enough. */
EXPORT i64 ccsim_traces_extend(Traces *t, i64 level, i64 column, i64 more) {
    i64 words = t->words, filled = 0, work = 0, *cells = cells_at(t, level);
    i64 *below = cells_at(t, level + 1);
    u64 *left = t->left + (level + 1) * words;
    memcpy(left, left - words, sizeof(u64) * words);
    for (i64 cell = 0; cell < (i64)1 << level; cell++) {
        i64 begin = cells[2 * cell], all = cells[2 * cell + 1] - begin;
        u64 *target = traces_at(t, level + 1, filled);
        i64 zeros = parted(traces_at(t, level, begin), all, words, column, target);
        work += 2 * all * words;
        for (i64 side = 0; side < 2; side++, below += 2) {
            i64 number = side ? all - zeros : zeros;
            const u64 *part = side ? target + zeros * words : target;
            if (number < (i64)1 << more) return -work - 1;
            for (i64 w = 0; w < words; w++)
                if (left[w]) left[w] &= balanced(part + w, number, words, more);
            if (count(left, words) < more) return -work - 1;
            below[0] = filled, filled += number, below[1] = filled;
        }
    }
    t->chosen[level] = column;
    t->free[level + 1] = count(left - words, words);
    sort_cells(t, level + 1);
    return work + 1;
}

/* Search on below level `base`; give the work that was done. */
EXPORT i32 ccsim_traces_advance(Traces *t, i64 base, i64 most_work, i64 *work) {
    i64 words = t->words;
    *work = 0;
    while (*work < most_work) {
        i64 level = *t->level, more = t->size - level, done = 1, last = words - 1;
        u64 *left = t->left + level * words;
        i64 free = count(left, words);
        if (free >= more && 8 * free <= 7 * t->free[level])
            done = shrink(t, level, more), t->free[level] = free;
        *work += (done < 0 ? -done : done) + words;
        if (free < more || done < 0) {
            if (level == base) return NO;
            --*t->level;
            continue;
        }
        while (!left[last]) last--;
        i64 column = 64 * last + 63 - __builtin_clzll(left[last]);
        left[last] ^= bit(column);
        done = ccsim_traces_extend(t, level, column, more - 1);
        *work += done < 0 ? -done : done;
        if (done < 0) continue;
        if (level + 1 == t->size) return YES;
        *t->level = level + 1;
    }
    return PAUSED;
}
