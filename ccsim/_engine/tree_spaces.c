/* Steps on version spaces: sides, keys and splits. */
#include "trees.h"

#define M1 0x9E3779B97F4A7C15u
#define M2 0xD6E8FEB86659FD93u
#define M3 0xC2B2AE3D27D4EB4Fu

u64 image_of(const Engine *e, i32 element, u64 shared) {
    const i32 *move = e->moves + (size_t)element * 2 * e->num;
    u64 image = 0;
    for (; shared; shared &= shared - 1) image |= (u64)1 << move[lowest(shared)];
    return image;
}

u64 least_image(const Engine *e, u64 shared, i32 *element) {
    u64 least = shared;
    *element = 0;
    for (i32 i = 1; i < e->num_moves; i++) {
        u64 image = image_of(e, i, shared);
        if (image < least) least = image, *element = i;
    }
    return least;
}

/* The label that all concepts have on a point, or -1. */
i32 shared_label(const Engine *e, const Level *l, i32 x) {
    const u64 *col = column(e, x);
    u64 zeros = 0, ones = 0;
    for (i32 i = 0; i < l->num_active; i++) {
        u64 v = l->words[i], c = col[l->active[i]];
        ones |= v & c, zeros |= v & ~c;
        if (zeros && ones) return -1;
    }
    return ones != 0;
}

/* Add a word of concepts to a key. */
static inline void add_to_key(const Engine *e, i32 w, u64 v, u64 *a, u64 *b) {
    u64 t = (v ^ e->salts[w]) * M1, some = -(u64)(v != 0);
    t = (t ^ t >> 32) * M2;
    *a += t & some, *b += (t ^ t >> 29) * M3 & some;
}

/* Write a set of concepts into a level. */
void put_words(Engine *e, i32 level, const u64 *words) {
    Level *l = e->levels + level;
    u64 a = 0, b = 0;
    i32 k = 0, size = 0;
    for (i32 w = 0; w < e->width; w++) {
        if (!words[w]) continue;
        add_to_key(e, w, words[w], &a, &b);
        l->active[k] = w, l->words[k++] = words[w];
        size += popcount(words[w]);
    }
    l->num_active = k, l->size = size, l->a = a, l->b = b;
}

/* Write one side of a point of a level into the next level. */
void put_side(Engine *e, i32 level, i32 x, i32 label) {
    const Level *above = e->levels + level;
    Level *l = e->levels + level + 1;
    const u64 *col = column(e, x), flip = label ? 0 : ~(u64)0;
    u64 a = 0, b = 0;
    i32 k = 0, size = 0;
    for (i32 i = 0; i < above->num_active; i++) {
        i32 w = above->active[i];
        u64 v = above->words[i] & (col[w] ^ flip);
        add_to_key(e, w, v, &a, &b);
        l->active[k] = w, l->words[k] = v;
        k += v != 0;
        size += popcount(v);
    }
    l->num_active = k, l->size = size, l->a = a, l->b = b;
}

/* The key that one side of a point has, which is not written. */
void key_of_side(const Engine *e, const Level *l, i32 x, i32 label, u64 *a, u64 *b) {
    const u64 *col = column(e, x), flip = label ? 0 : ~(u64)0;
    *a = *b = 0;
    for (i32 i = 0; i < l->num_active; i++) {
        i32 w = l->active[i];
        add_to_key(e, w, l->words[i] & (col[w] ^ flip), a, b);
    }
}

/* Say whether going through the ones of the concepts costs at most so much. */
i32 lists_are_cheaper(const Engine *e, const Level *l, i64 cost) {
    i64 total = 2 * (i64)l->size;
    if (!e->starts) return 0;
    for (i32 i = 0; i < l->num_active; i++) {
        if (total > cost) return 0;
        for (u64 v = l->words[i]; v; v &= v - 1) {
            i32 c = 64 * l->active[i] + lowest(v);
            total += 2 * (e->starts[c + 1] - e->starts[c]);
        }
    }
    return total <= cost;
}

/* Count the concepts with label 1 on some points, going through the ones of concepts. */
void count_by_lists(Engine *e, const Level *l, const i32 *points, i32 num) {
    for (i32 j = 0; j < num; j++) e->counts[points[j]] = 0;
    for (i32 i = 0; i < l->num_active; i++)
        for (u64 v = l->words[i]; v; v &= v - 1) {
            i32 c = 64 * l->active[i] + lowest(v);
            for (i32 j = e->starts[c]; j < e->starts[c + 1]; j++) e->counts[e->ones[j]]++;
        }
}

i32 ones_on(const Engine *e, const Level *l, i32 x) {
    const u64 *col = column(e, x);
    i32 ones = 0;
    if (l->num_active == e->width) {
        for (i32 w = 0; w < e->width; w++) ones += popcount(l->words[w] & col[w]);
        return ones;
    }
    for (i32 i = 0; i < l->num_active; i++) ones += popcount(l->words[i] & col[l->active[i]]);
    return ones;
}

/* List the points with 2^(depth - 1) concepts on each side; return the work done.
 *
 * At depth 2 the first such point is enough: two concepts always have a tree of depth 1. */
i64 find_splits(Engine *e, i32 level, i32 depth, const i32 *candidates, i32 num) {
    Level *l = e->levels + level;
    i32 need = (i32)1 << (depth - 1), size = l->size, m = 0, k = 0;
    i64 work = (i64)l->num_active * num;
    i32 by_lists = lists_are_cheaper(e, l, work);
    if (by_lists) count_by_lists(e, l, candidates, num);
    for (i32 j = 0; j < num; j++) {
        i32 x = candidates[j], ones = by_lists ? e->counts[x] : ones_on(e, l, x);
        i32 small = ones < size - ones ? ones : size - ones;
        l->candidates[k] = x;
        k += small >= 2;  /* fewer never do at any depth below */
        if (small >= need) {
            l->points[m] = x, l->ones[m++] = ones;
            if (depth == 2) break;
        }
    }
    l->num_candidates = k, l->num_splits = m;
    return work;
}

/* Sort numbers, those below 2^32 in their upper halves first. */
void sort_keys(u64 *keys, u64 *room, i32 num) {
    u64 *from = keys, *to = room;
    if (num <= 16) {
        for (i32 i = 1; i < num; i++) {
            u64 key = keys[i];
            i32 j = i;
            for (; j && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
            keys[j] = key;
        }
        return;
    }
    for (i64 step = 1; step < num; step *= 2) {
        for (i64 start = 0; start < num; start += 2 * step) {
            i64 i = start, middle = start + step < num ? start + step : num;
            i64 j = middle, end = start + 2 * step < num ? start + 2 * step : num;
            for (i64 k = start; k < end; k++)
                to[k] = i < middle && (j == end || from[i] <= from[j]) ? from[i++] : from[j++];
        }
        u64 *other = from;
        from = to, to = other;
    }
    if (from != keys) memcpy(keys, from, sizeof(u64) * num);
}

/* Put the best balanced points first. */
void sort_splits(Engine *e, i32 level) {
    Level *l = e->levels + level;
    i32 m = l->num_splits;
    u64 *keys = e->sorting;
    if (m < 2) return;
    for (i32 j = 0; j < m; j++) {
        u64 larger = l->ones[j] > l->size - l->ones[j] ? l->ones[j] : l->size - l->ones[j];
        keys[j] = larger << 32 | (u64)l->points[j] << 1 | (2 * l->ones[j] > l->size);
    }
    sort_keys(keys, keys + m, m);
    for (i32 j = 0; j < m; j++) {
        i32 larger = (i32)(keys[j] >> 32);
        l->points[j] = (i32)((keys[j] & 0xFFFFFFFFu) >> 1);
        l->ones[j] = keys[j] & 1 ? larger : l->size - larger;
    }
}
