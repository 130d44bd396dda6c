/* The search for shattered sets by the numbers of rows in their cells.
 *
 * Level l has l columns and 2^l cells, the sets of rows with one labelling of these columns: cell i
 * of level l is number 2^l - 1 + i.  The first number[l] of the columns left[l] may come next. */
#include "engine.h"

typedef struct {
    i64 words, width, size; /* of a column; of a level; of the set that is sought */
    const u64 *columns;     /* the rows with label 1 */
    u64 *cells;
    i64 *left, *number, *chosen, *level;
    u64 *room;              /* as many words as there are cells */
} Stack;

/* Count the rows in both of two sets. */
static inline i64 common(const u64 *a, const u64 *b, i64 words) {
    i64 found = 0;
    for (i64 w = 0; w < words; w++) found += __builtin_popcountll(a[w] & b[w]);
    return found;
}

/* Write both sides of a cell, label 1 first, and how many rows they have. */
static void cut(const u64 *cell, const u64 *column, u64 *sides, i64 *rows, i64 words) {
    i64 ones = 0, zeros = 0;
    for (i64 w = 0; w < words; w++) {
        sides[w] = cell[w] & column[w], sides[words + w] = cell[w] & ~column[w];
        ones += __builtin_popcountll(sides[w]), zeros += __builtin_popcountll(sides[words + w]);
    }
    rows[0] = ones, rows[1] = zeros;
}

static int by_value(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

/* Split the cells of a level by a column, small ones first. */
static void split(Stack *s, i64 level, const u64 *column, const i64 *rows) {
    i64 words = s->words, number = (i64)2 << level;
    const u64 *cells = s->cells + ((number >> 1) - 1) * words;
    u64 *below = s->cells + (number - 1) * words, *order = s->room;
    for (i64 i = 0; i < number; i++) order[i] = (u64)rows[i] << 32 | (u64)i;
    qsort(order, (size_t)number, sizeof(u64), by_value);
    for (i64 i = 0; i < number; i++, below += words) {
        i64 side = (i64)(order[i] & 0xFFFFFFFFu);
        const u64 *cell = cells + (side >> 1) * words, flip = side & 1 ? ~(u64)0 : 0;
        for (i64 w = 0; w < words; w++) below[w] = cell[w] & (column[w] ^ flip);
    }
}

/* Take a column, with `more` to follow; return the work, negative if it is in vain. */
EXPORT i64 ccsim_cells_extend(Stack *s, i64 level, i64 column, i64 more) {
    i64 words = s->words, work = 1, kept = 0, number = s->number[level], cells = (i64)1 << level;
    const u64 *c = s->columns + column * words, *cell = s->cells + (cells - 1) * words;
    const i64 *left = s->left + level * s->width;
    i64 *left_then = s->left + (level + 1) * s->width, cut_so_far = 0;
    s->chosen[level] = column;
    if (!more) return work;
    u64 *sides = s->cells + (2 * cells - 1) * words; /* of the next level, not yet in order */
    i64 half = (i64)1 << (more - 1), *rows = (i64 *)s->room + 2 * cells;
    for (i64 i = 0; i < number; i++) {
        if (kept + number - i < more) return -work;
        const u64 *other = s->columns + left[i] * words;
        i64 side = 0;
        for (; side < 2 * cells; side++) {
            if (side >> 1 == cut_so_far) {
                i64 at = cut_so_far++;
                cut(cell + at * words, c, sides + 2 * at * words, rows + 2 * at, words);
                work += words;
            }
            i64 ones = common(sides + side * words, other, words);
            work += side & 1 ? 0 : words;
            if (ones < half || ones > rows[side] - half) break;
        }
        if (side == 2 * cells) left_then[kept++] = left[i];
    }
    s->number[level + 1] = kept;
    if (kept < more) return -work;
    split(s, level, c, rows);
    return work + words * cells;
}

/* Search on below level `base`; give the work that was done. */
EXPORT i32 ccsim_cells_advance(Stack *s, i64 base, i64 most_work, i64 *work) {
    *work = 0;
    while (*work < most_work) {
        i64 level = *s->level;
        if (s->number[level] < s->size - level) {
            if (level == base) return NO;
            --*s->level;
            continue;
        }
        i64 column = s->left[level * s->width + --s->number[level]];
        i64 done = ccsim_cells_extend(s, level, column, s->size - level - 1);
        *work += done < 0 ? -done : done;
        if (done < 0) continue;
        if (level + 1 == s->size) return YES;
        *s->level = level + 1;
    }
    return PAUSED;
}
