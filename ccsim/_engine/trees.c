/* Begin and end: the essential columns of a class, and room for its levels. */
#include "trees.h"

#define FIRST_SLOTS ((i64)1 << 12)
#define DENSE 6       /* a label 1 in so many is often, */
#define MANY (1 << 20) /* and so many of them take long to list */

static void free_levels(Engine *e) {
    for (i32 i = 0; i < e->num_levels; i++) {
        free(e->levels[i].active), free(e->levels[i].words), free(e->levels[i].points);
    }
    free(e->levels);
    e->levels = NULL, e->num_levels = 0;
}

/* Make room for a search of a depth. */
i32 make_levels(Engine *e, i32 depth) {
    i32 num = depth + 3;
    if (e->num_levels >= num) return 1;
    free_levels(e);
    e->levels = calloc(num, sizeof(Level));
    if (!e->levels) return 0;
    e->num_levels = num;
    for (i32 i = 0; i < num; i++) {
        Level *l = e->levels + i;
        l->active = malloc(sizeof(i32) * (e->width + 1));
        l->words = malloc(sizeof(u64) * (e->width + 1));
        l->points = malloc(sizeof(i32) * 3 * (e->num + 1));
        if (!l->active || !l->words || !l->points) return 0;
        l->ones = l->points + e->num + 1, l->candidates = l->ones + e->num + 1;
    }
    return 1;
}

EXPORT void ccsim_trees_freed(Engine *e) {
    if (!e) return;
    free_levels(e);
    free(e->columns), free(e->starts), free(e->ones), free(e->salts), free(e->counts);
    free(e->all), free(e->column_of), free(e->copy_starts), free(e->copies), free(e->slots);
    free(e->moves), free(e->back), free(e->sorting);
    free(e);
}

/* Transpose 64 words of 64 bits. */
static void transpose(u64 *block) {
    u64 mask = 0x00000000FFFFFFFFu;
    for (i32 j = 32; j; j >>= 1, mask ^= mask << j)
        for (i32 k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            u64 t = (block[k] >> j ^ block[k | j]) & mask;
            block[k] ^= t << j, block[k | j] ^= t;
        }
}

/* All columns of the rows, which are of so many words each. */
static u64 *transposed(const u64 *rows, i32 size, i32 stride, i32 width) {
    u64 *columns = malloc(sizeof(u64) * 64 * stride * width), block[64];
    if (!columns) return NULL;
    for (i32 w = 0; w < width; w++)
        for (i32 s = 0; s < stride; s++) {
            i32 num = size - 64 * w < 64 ? size - 64 * w : 64;
            for (i32 i = 0; i < 64; i++)
                block[i] = i < num ? rows[(size_t)(64 * w + i) * stride + s] : 0;
            transpose(block);
            for (i32 i = 0; i < 64; i++) columns[(size_t)(64 * s + i) * width + w] = block[i];
        }
    return columns;
}

/* Complement a column so that it has few ones, and at half of them a zero first; return whether. */
static i32 turned(u64 *col, i32 size, i32 width, i32 *ones) {
    *ones = 0;
    for (i32 w = 0; w < width; w++) *ones += popcount(col[w]);
    i32 flip = 2 * (i64)*ones > size || (2 * (i64)*ones == size && (col[0] & 1));
    if (!flip) return 0;
    for (i32 w = 0; w < width; w++) col[w] = ~col[w];
    if (size % 64) col[width - 1] &= ((u64)1 << size % 64) - 1;
    *ones = size - *ones;
    return 1;
}

/* Keep one of the columns that are equal, and none that is constant. */
static i32 essential(Engine *e) {
    i64 num_slots = 2;
    while (num_slots < 2 * (i64)e->num_points) num_slots *= 2;
    i32 *slots = malloc(sizeof(i32) * num_slots), *counts = calloc(e->num_points + 1, sizeof(i32));
    if (!slots || !counts) return free(slots), free(counts), 0;
    memset(slots, -1, sizeof(i32) * num_slots);
    for (i32 x = 0; x < e->num_points; x++) {
        u64 *col = e->columns + (size_t)x * e->width, key = 0;
        i32 ones, flip = turned(col, e->size, e->width, &ones);
        if (!ones) {
            e->column_of[x] = -2 - flip;
            continue;
        }
        for (i32 w = 0; w < e->width; w++) key = mixed(key ^ col[w]) + w;
        i64 i = (i64)(key & (u64)(num_slots - 1));
        while (slots[i] >= 0 && memcmp(column(e, slots[i]), col, sizeof(u64) * e->width))
            i = (i + 1) & (num_slots - 1);
        if (slots[i] < 0) {
            slots[i] = e->num++;
            memmove(e->columns + (size_t)slots[i] * e->width, col, sizeof(u64) * e->width);
        }
        e->column_of[x] = 2 * slots[i] + flip;
        counts[slots[i]]++;
    }
    for (i32 x = 0; x < e->num; x++) e->copy_starts[x + 1] = e->copy_starts[x] + counts[x];
    memcpy(counts, e->copy_starts, sizeof(i32) * (e->num + 1));
    for (i32 x = 0; x < e->num_points; x++)
        if (e->column_of[x] >= 0)
            e->copies[counts[e->column_of[x] >> 1]++] = 2 * x + (e->column_of[x] & 1);
    free(slots), free(counts);
    return 1;
}

/* List the ones of each concept, unless they are many and counting by words is faster. */
static i32 list_ones(Engine *e) {
    i64 total = 0;
    for (i64 i = 0; i < (i64)e->num * e->width; i++) total += popcount(e->columns[i]);
    if (total > MANY && DENSE * total > (i64)e->num * e->size) return 1;
    e->starts = calloc((size_t)e->size + 2, sizeof(i32));
    if (!e->starts) return 0;
    i32 *next = e->starts + 1; /* filled as starts, one place on */
    for (i32 x = 0; x < e->num; x++)
        for (i32 w = 0; w < e->width; w++)
            for (u64 v = column(e, x)[w]; v; v &= v - 1) next[64 * w + lowest(v) + 1]++;
    for (i32 c = 0; c < e->size; c++) next[c + 1] += next[c];
    e->ones = malloc(sizeof(i32) * ((size_t)next[e->size] + 1));
    if (!e->ones) return 0;
    for (i32 x = 0; x < e->num; x++)
        for (i32 w = 0; w < e->width; w++)
            for (u64 v = column(e, x)[w]; v; v &= v - 1) e->ones[next[64 * w + lowest(v)]++] = x;
    return 1;
}

/* Return what to search a class with, or NULL where there is no memory.
 *
 * Row c has its label on point x as bit x % 64 of word x / 64; rows must last as long. */
EXPORT Engine *ccsim_trees_made(const u64 *rows, i32 size, i32 num_points, i64 most_slots) {
    Engine *e = calloc(1, sizeof(Engine));
    i32 stride = (num_points + 63) / 64;
    if (!e) return NULL;
    e->rows = rows, e->size = size, e->num_points = num_points, e->width = (size + 63) / 64;
    e->columns = transposed(rows, size, stride, e->width);
    e->column_of = malloc(sizeof(i32) * (num_points + 1));
    e->copy_starts = calloc(num_points + 2, sizeof(i32));
    e->copies = malloc(sizeof(i32) * (num_points + 1));
    e->salts = malloc(sizeof(u64) * (e->width + 1));
    e->num_slots = FIRST_SLOTS, e->most_slots = most_slots;
    e->slots = calloc((size_t)2 * FIRST_SLOTS, sizeof(u64));
    e->num_moves = 1;
    if (!e->columns || !e->column_of || !e->copy_starts || !e->copies || !e->salts || !e->slots ||
        !essential(e) || !list_ones(e))
        return ccsim_trees_freed(e), NULL;
    e->counts = malloc(sizeof(i32) * (e->num + 1));
    e->all = malloc(sizeof(i32) * (e->num + 1));
    e->sorting = malloc(sizeof(u64) * 2 * (e->num + 1));
    if (!e->counts || !e->all || !e->sorting) return ccsim_trees_freed(e), NULL;
    for (i32 x = 0; x < e->num; x++) e->all[x] = x;
    for (i32 w = 0; w < e->width; w++) e->salts[w] = mixed((u64)w + 0x1234567u) | 1;
    return e;
}

/* Let refutations be up to symmetry; only for at most 32 columns. */
EXPORT i32 ccsim_trees_moved(Engine *e, i32 num, const i32 *moves, const i32 *back) {
    free(e->moves), free(e->back);
    e->moves = malloc(sizeof(i32) * num * 2 * e->num);
    e->back = malloc(sizeof(i32) * num * num);
    if (!e->moves || !e->back) return e->num_moves = 1, 0;
    memcpy(e->moves, moves, sizeof(i32) * num * 2 * e->num);
    memcpy(e->back, back, sizeof(i32) * num * num);
    e->num_moves = num;
    return 1;
}

/* Write for each point its column as 2 x + flip, or -2 - label for a constant one. */
EXPORT void ccsim_trees_copied(const Engine *e, i32 *columns) {
    memcpy(columns, e->column_of, sizeof(i32) * e->num_points);
}
