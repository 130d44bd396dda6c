/* The search for mistake trees, and one of them.
 *
 * The memory is keyed by hashes and only guides: trees and refutations are read off the version
 * spaces themselves, so that a collision ends in a failure and never in a wrong proof. */
#include "trees.h"

#define UNBOUNDED 100 /* above every depth */

static i64 find(const Engine *e, u64 a, u64 b) {
    i64 mask = e->num_slots - 1, i = (i64)(a & (u64)mask);
    while (e->slots[2 * i + 1] && (e->slots[2 * i] != a || (e->slots[2 * i + 1] ^ b) >> 16))
        i = (i + 1) & mask;
    return i;
}

static i32 grow_memory(Engine *e) {
    u64 *old = e->slots;
    i64 num = e->num_slots;
    u64 *slots = calloc((size_t)8 * num, sizeof(u64));
    if (!slots) return 0;
    e->slots = slots, e->num_slots = 4 * num;
    for (i64 i = 0; i < num; i++)
        if (old[2 * i + 1]) {
            i64 j = find(e, old[2 * i], old[2 * i + 1]);
            e->slots[2 * j] = old[2 * i], e->slots[2 * j + 1] = old[2 * i + 1];
        }
    free(old);
    return 1;
}

/* Note what has been found out about a depth.  Bounds are stored as lower + 1 and upper. */
static void remember(Engine *e, const Level *l, i32 depth, i32 answer) {
    if (2 * e->used > e->num_slots && 4 * e->num_slots <= e->most_slots && !grow_memory(e))
        e->most_slots = e->num_slots;
    i64 i = find(e, l->a, l->b);
    u64 *slot = e->slots + 2 * i;
    if (!slot[1]) {
        if (e->used * 10 > e->num_slots * 9) return; /* full, and not allowed to grow */
        slot[0] = l->a, slot[1] = (l->b & ~(u64)0xFFFF) | 1 << 8 | UNBOUNDED;
        e->used++;
    }
    i32 lower = (i32)(slot[1] >> 8 & 0xFF) - 1, upper = (i32)(slot[1] & 0xFF);
    if (answer == YES && depth > lower) lower = depth;
    if (answer == NO && depth - 1 < upper) upper = depth - 1;
    slot[1] = (slot[1] & ~(u64)0xFFFF) | (u64)(lower + 1) << 8 | (u64)upper;
}

/* What memory says about a tree of a depth, which size does not decide: NO, YES, or -1. */
static i32 remembered(const Engine *e, u64 a, u64 b, i32 depth) {
    u64 found = e->slots[2 * find(e, a, b) + 1];
    if (!found) return -1;
    if ((i32)(found >> 8 & 0xFF) - 1 >= depth) return YES;
    return (i32)(found & 0xFF) < depth ? NO : -1;
}

/* What size and memory say about a tree of a depth: NO, YES, or -1. */
i32 known(const Engine *e, const Level *l, i32 depth) {
    if (l->size < (i64)1 << depth) return NO;
    if (depth <= 1) return YES; /* two different concepts differ on some point */
    return remembered(e, l->a, l->b, depth);
}

/* Decide whether the version space of a level has a tree of a depth: NO, YES or PAUSED. */
i32 has(Engine *e, i32 level, i32 depth) {
    Level *l = e->levels + level;
    i32 answer = known(e, l, depth);
    if (answer >= 0) return answer;
    const Level *above = l - 1;
    e->work -= find_splits(e, level, depth, above->candidates, above->num_candidates);
    if (depth == 2) {
        remember(e, l, depth, l->num_splits ? YES : NO);
        return l->num_splits ? YES : NO;
    }
    sort_splits(e, level);
    for (i32 p = 0; p < l->num_splits; p++) {
        i32 x = l->points[p], fewer = 2 * l->ones[p] <= l->size; /* the label of fewer concepts */
        if (e->work <= 0) return PAUSED;
        e->work -= 6 * (i64)l->num_active;
        put_side(e, level, x, fewer);
        answer = known(e, l + 1, depth - 1);
        if (answer < 0) {
            u64 a, b;
            key_of_side(e, l, x, !fewer, &a, &b);
            answer = remembered(e, a, b, depth - 1);
            if (answer != NO) answer = has(e, level + 1, depth - 1);
        }
        if (answer == YES) {
            put_side(e, level, x, !fewer);
            answer = has(e, level + 1, depth - 1);
        }
        if (answer == PAUSED) return PAUSED;
        if (answer == YES) {
            remember(e, l, depth, YES);
            return YES;
        }
    }
    remember(e, l, depth, NO);
    return NO;
}

/* Make room for a search of a depth, and write the whole class into level 1. */
static i32 put_everything(Engine *e, i32 depth) {
    u64 *words = make_levels(e, depth) ? calloc(e->width + 1, sizeof(u64)) : NULL;
    if (!words) return 0;
    Level *top = e->levels;
    for (i32 c = 0; c < e->size; c++) words[c / 64] |= (u64)1 << c % 64;
    put_words(e, 1, words);
    free(words);
    memcpy(top->candidates, e->all, sizeof(i32) * e->num);
    top->num_candidates = e->num;
    return 1;
}

/* Decide whether the class has a tree of a depth within so much work. */
EXPORT i32 ccsim_trees_decide(Engine *e, i32 depth, i64 work) {
    if (!put_everything(e, depth)) return NO_MEMORY;
    e->work = work;
    return has(e, 1, depth);
}

static i32 first_concept(const Level *l) { return 64 * l->active[0] + lowest(l->words[0]); }

/* The point of an inner node above two leaves, and these. */
static i32 *last_node(const Engine *e, const Level *l, i32 *out) {
    i32 c = first_concept(l), d, stride = (e->num_points + 63) / 64;
    u64 rest = l->words[0] & (l->words[0] - 1);
    if (rest) d = 64 * l->active[0] + lowest(rest);
    else d = 64 * l->active[1] + lowest(l->words[1]);
    const u64 *at_c = e->rows + (size_t)c * stride, *at_d = e->rows + (size_t)d * stride;
    for (i32 s = 0; s < stride; s++) {
        if (at_c[s] == at_d[s]) continue;
        i32 bit = lowest(at_c[s] ^ at_d[s]), label = at_c[s] >> bit & 1;
        *out++ = 64 * s + bit;
        *out++ = label ? d : c;
        *out++ = label ? c : d;
        return out;
    }
    return NULL;
}

static i32 grow(Engine *e, i32 level, i32 depth, i32 **out) {
    Level *l = e->levels + level;
    if (l->size < (i64)1 << depth) return FAILED;
    if (depth == 0) {
        *(*out)++ = first_concept(l);
        return YES;
    }
    if (depth == 1) {
        *out = last_node(e, l, *out);
        return *out ? YES : FAILED;
    }
    const Level *above = l - 1;
    find_splits(e, level, depth, above->candidates, above->num_candidates);
    sort_splits(e, level);
    for (i32 p = 0; p < l->num_splits; p++) {
        i32 x = l->points[p], answer = YES;
        for (i32 label = 0; label < 2 && answer == YES; label++) {
            put_side(e, level, x, label);
            answer = has(e, level + 1, depth - 1);
        }
        if (answer == PAUSED) return PAUSED;
        if (answer == NO) continue;
        i32 copy = e->copies[e->copy_starts[x]];
        *(*out)++ = copy >> 1;
        for (i32 label = 0; label < 2 && answer == YES; label++) {
            put_side(e, level, x, label ^ (copy & 1));
            answer = grow(e, level + 1, depth - 1, out);
        }
        return answer;
    }
    return FAILED;
}

/* Write the nodes in preorder of a tree of a depth that the class is known to have. */
EXPORT i32 ccsim_trees_tree(Engine *e, i32 depth, i64 work, i32 *out) {
    if (!put_everything(e, depth)) return NO_MEMORY;
    e->work = work;
    return grow(e, 1, depth, &out);
}

/* The number of version spaces that are remembered. */
EXPORT i64 ccsim_trees_used(const Engine *e) { return e->used; }
