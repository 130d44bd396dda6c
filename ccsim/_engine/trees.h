/* What the search for mistake trees in C works on.
 *
 * A version space is a set of concepts, by its words of 64 concepts that are not zero.  Literal
 * 2 x + b says that column x has label b. */
#ifndef CCSIM_TREES_H
#define CCSIM_TREES_H

#include "engine.h"

/* One version space on the way down; what follows the key is filled by find_splits. */
typedef struct {
    i32 *active;            /* which words are not zero, */
    u64 *words;             /* and they */
    i32 num_active, size;
    u64 a, b;               /* key into the memory */
    i32 *points, *ones;     /* the points to try, and how many concepts have label 1 there */
    i32 num_splits;
    i32 *candidates;        /* the points that may still split some subset */
    i32 num_candidates;
} Level;

typedef struct {
    u64 *slots;             /* memory: 112 bits of a key, lower and upper bound of the dimension */
    i64 num_slots, used, most_slots;
    i32 size, width, num_points, num;  /* concepts, words, points, essential columns */
    const u64 *rows;        /* as given; row c has (num_points + 63) / 64 words */
    u64 *columns;           /* each complemented if needed to have few ones */
    i32 *starts, *ones;     /* ones[starts[c]] .. ones[starts[c + 1] - 1] has concept c; or no lists */
    u64 *salts;
    i32 *counts, *all;      /* room for a count for each column; their numbers */
    i32 *column_of;         /* for each point 2 x + flip; -2 - label for a constant one */
    i32 *copy_starts, *copies;  /* 2 point + flip of the points that share each column */
    i32 num_moves;          /* symmetries, at least the identity */
    i32 *moves, *back;      /* image of each literal; element that undoes one after another */
    Level *levels;
    i32 num_levels;
    u64 *sorting;
    i64 work;
} Engine;

static inline const u64 *column(const Engine *e, i32 x) { return e->columns + (size_t)x * e->width; }

static inline u64 mixed(u64 v) {
    v = (v ^ v >> 32) * 0x9E3779B97F4A7C15u;
    v = (v ^ v >> 29) * 0xD6E8FEB86659FD93u;
    return v ^ v >> 32;
}

/* tree_spaces.c */
void put_words(Engine *e, i32 level, const u64 *words);
void put_side(Engine *e, i32 level, i32 x, i32 label);
void key_of_side(const Engine *e, const Level *l, i32 x, i32 label, u64 *a, u64 *b);
i64 find_splits(Engine *e, i32 level, i32 depth, const i32 *candidates, i32 num);
void sort_splits(Engine *e, i32 level);
i32 lists_are_cheaper(const Engine *e, const Level *l, i64 cost);
void count_by_lists(Engine *e, const Level *l, const i32 *points, i32 num);
i32 ones_on(const Engine *e, const Level *l, i32 x);
i32 shared_label(const Engine *e, const Level *l, i32 x);
u64 image_of(const Engine *e, i32 element, u64 shared);
u64 least_image(const Engine *e, u64 shared, i32 *element);
void sort_keys(u64 *keys, u64 *room, i32 num);

/* tree_search.c */
i32 known(const Engine *e, const Level *l, i32 depth);
i32 has(Engine *e, i32 level, i32 depth);
i32 make_levels(Engine *e, i32 depth);

/* tree_refutations.c */
void put_shared(const Engine *e, const u64 *literals, i32 width, i32 size);

/* tree_cover.c: sides as tree_refutations.c lists them */
typedef struct {
    i32 width;              /* words of literals */
    i64 num, room, num_steps, step_room, num_slots;
    u64 *literals;          /* shared by the side, or the least image of that */
    i32 *origin;            /* version space and literal that gave it first, symmetry, size */
    unsigned char *by_size; /* refuted by size alone */
    i64 *slots;             /* open hash table of numbers of sides, -1 where free */
    i32 *steps;             /* version space, point, the two sides or -1, symmetries to these */
} Sides;

i32 cover(const Engine *e, const Sides *sides, const i32 *order, i32 *serving);

#endif
