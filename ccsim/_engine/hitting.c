/* Smallest sets of points that tell one concept from others: they meet all its differences.
 *
 * A point is taken of a difference that none meets yet, the one that is left fewest points; what
 * has been tried is not taken again beside it.  The search may be paused and gone on with. */
#include "engine.h"

#define FEW 2 /* differences looked at, times two for each point that may be taken */
#define MOST_INSIDE 32 /* the differences that others are compared with, to leave these out */

typedef struct {
    i32 num_rows, num_points, width; /* concepts, points, words of these */
    u64 *rows;
    i32 num_sets, words;             /* differences, and words of these, */
    u64 *sets, *hits;                /* the smallest first; for each point those that it meets */
    i32 *counts, *sizes, *starts, *order;
    i32 size, level, first;          /* of the search; whether it begins */
    u64 *rest, *allowed, *left;      /* at each level: sets not met, points that may be taken, */
    i32 *taken;                      /* and are still to be tried; the point that is tried */
} Hitting;

static void free_levels(Hitting *h) {
    free(h->rest), free(h->allowed), free(h->left), free(h->taken);
    h->rest = h->allowed = h->left = NULL, h->taken = NULL;
}

EXPORT void ccsim_singling_freed(Hitting *h) {
    if (!h) return;
    free_levels(h);
    free(h->rows), free(h->sets), free(h->hits);
    free(h->counts), free(h->sizes), free(h->starts), free(h->order);
    free(h);
}

/* Take the concepts, each of so many words of 64 points. */
EXPORT Hitting *ccsim_singling_made(const u64 *rows, i32 num_rows, i32 num_points) {
    Hitting *h = calloc(1, sizeof(Hitting));
    if (!h) return NULL;
    h->num_rows = num_rows, h->num_points = num_points, h->width = (num_points + 63) / 64;
    size_t words = (size_t)num_rows * h->width, sets = (size_t)(num_rows + 63) / 64;
    h->rows = malloc(sizeof(u64) * (words + 1)), h->sets = malloc(sizeof(u64) * (words + 1));
    h->hits = malloc(sizeof(u64) * (num_points * sets + 1));
    h->counts = malloc(sizeof(i32) * (num_points + 1));
    h->sizes = malloc(sizeof(i32) * (num_rows + 1));
    h->starts = malloc(sizeof(i32) * (num_points + 2));
    h->order = malloc(sizeof(i32) * (num_rows + 1));
    if (!h->rows || !h->sets || !h->hits || !h->counts || !h->sizes || !h->starts || !h->order)
        return ccsim_singling_freed(h), NULL;
    memcpy(h->rows, rows, sizeof(u64) * words);
    return h;
}

/* Order the rows by the sizes of their differences. */
static void sort_rows(Hitting *h) {
    memset(h->starts, 0, sizeof(i32) * (h->num_points + 2));
    for (i32 i = 0; i < h->num_rows; i++) h->starts[h->sizes[i] + 1]++;
    for (i32 k = 0; k < h->num_points; k++) h->starts[k + 1] += h->starts[k];
    for (i32 i = 0; i < h->num_rows; i++) h->order[h->starts[h->sizes[i]]++] = i;
}

static i32 is_inside(const u64 *set, const u64 *other, i32 width) {
    for (i32 w = 0; w < width; w++)
        if (set[w] & ~other[w]) return 0;
    return 1;
}

/* List the differences of a concept from those of `among`, without some that contain others. */
EXPORT i32 ccsim_singling_aimed(Hitting *h, i32 concept, const unsigned char *among) {
    i32 width = h->width;
    const u64 *row = h->rows + (size_t)concept * width;
    for (i32 i = 0; i < h->num_rows; i++) {
        h->sizes[i] = 0;
        for (i32 w = 0; among[i] && w < width; w++)
            h->sizes[i] += popcount(row[w] ^ h->rows[(size_t)i * width + w]);
    }
    sort_rows(h);
    h->num_sets = 0;
    for (i32 j = 0; j < h->num_rows; j++) {
        const u64 *other = h->rows + (size_t)h->order[j] * width;
        u64 *set = h->sets + (size_t)h->num_sets * width;
        if (!h->sizes[h->order[j]]) continue;
        for (i32 w = 0; w < width; w++) set[w] = row[w] ^ other[w];
        i32 i = 0, most = h->num_sets < MOST_INSIDE ? h->num_sets : MOST_INSIDE;
        while (i < most && !is_inside(h->sets + (size_t)i * width, set, width)) i++;
        h->num_sets += i == most;
    }
    h->words = (h->num_sets + 63) / 64;
    memset(h->hits, 0, sizeof(u64) * h->num_points * h->words);
    memset(h->counts, 0, sizeof(i32) * h->num_points);
    for (i32 i = 0; i < h->num_sets; i++)
        for (i32 w = 0; w < width; w++)
            for (u64 v = h->sets[(size_t)i * width + w]; v; v &= v - 1) {
                i32 x = 64 * w + lowest(v);
                h->hits[(size_t)x * h->words + i / 64] |= bit(i);
                h->counts[x]++;
            }
    return h->num_sets;
}

/* How many of some sets a point meets. */
static i32 met(const Hitting *h, const u64 *rest, i32 x) {
    const u64 *hits = h->hits + (size_t)x * h->words;
    i32 num = 0;
    for (i32 k = 0; k < h->words; k++) num += popcount(rest[k] & hits[k]);
    return num;
}

/* Write points that meet all differences, none of them in vain, and return their number: of a
 * smallest difference that is not met the point that meets most. */
EXPORT i32 ccsim_singling_greedy(Hitting *h, u64 *out) {
    u64 *rest = malloc(sizeof(u64) * (h->words + 1));
    i32 num = 0;
    if (!rest) return -1;
    memset(out, 0, sizeof(u64) * h->width);
    for (i32 k = 0; k < h->words; k++) rest[k] = ~(u64)0;
    if (h->num_sets % 64) rest[h->words - 1] = bit(h->num_sets) - 1;
    for (i32 k = 0; k < h->words; k++)
        while (rest[k]) {
            const u64 *first = h->sets + (size_t)(64 * k + lowest(rest[k])) * h->width;
            i32 best = -1, most = 0;
            for (i32 w = 0; w < h->width; w++)
                for (u64 v = first[w]; v; v &= v - 1) {
                    i32 x = 64 * w + lowest(v), often = met(h, rest, x);
                    if (often > most) best = x, most = often;
                }
            for (i32 j = 0; j < h->words; j++) rest[j] &= ~h->hits[(size_t)best * h->words + j];
            out[best / 64] |= bit(best), num++;
        }
    for (i32 x = 0; x < h->num_points; x++) {
        if (!(out[x / 64] & bit(x))) continue;
        out[x / 64] ^= bit(x), num--;
        for (i32 i = 0; i < h->num_sets; i++) {
            i32 w = 0;
            while (w < h->width && !(h->sets[(size_t)i * h->width + w] & out[w])) w++;
            if (w < h->width) continue;
            out[x / 64] |= bit(x), num++;
            break;
        }
    }
    free(rest);
    return num;
}

/* Begin a search for so many points that meet all differences. */
EXPORT i32 ccsim_singling_begun(Hitting *h, i32 size) {
    size_t levels = (size_t)size + 1;
    free_levels(h);
    h->rest = malloc(sizeof(u64) * (levels * h->words + 1));
    h->allowed = malloc(sizeof(u64) * (levels * h->width + 1));
    h->left = malloc(sizeof(u64) * (levels * h->width + 1));
    h->taken = malloc(sizeof(i32) * levels);
    if (!h->rest || !h->allowed || !h->left || !h->taken) return free_levels(h), 0;
    for (i32 k = 0; k < h->words; k++) h->rest[k] = ~(u64)0;
    if (h->num_sets % 64) h->rest[h->words - 1] = bit(h->num_sets) - 1;
    memset(h->allowed, -1, sizeof(u64) * h->width);
    h->size = size, h->level = 0, h->first = 1;
    return 1;
}

/* One of some points that is in all sets that are left, or -1. */
static i32 common(const Hitting *h, const u64 *rest, u64 *points) {
    for (i32 k = 0; k < h->words; k++)
        for (u64 v = rest[k]; v; v &= v - 1) {
            const u64 *set = h->sets + (size_t)(64 * k + lowest(v)) * h->width;
            u64 some = 0;
            for (i32 w = 0; w < h->width; w++) some |= points[w] &= set[w];
            if (!some) return -1;
        }
    for (i32 w = 0; w < h->width; w++)
        if (points[w]) return 64 * w + lowest(points[w]);
    return -1;
}

/* List what to try at a level: NO if nothing helps, YES if all sets are met. */
static i32 entered(Hitting *h, i64 *work) {
    const u64 *rest = h->rest + (size_t)h->level * h->words;
    const u64 *allowed = h->allowed + (size_t)h->level * h->width;
    u64 *left = h->left + (size_t)h->level * h->width;
    i32 more = h->size - h->level, fewest = h->num_points + 1, best = -1, apart = 0, any = 0;
    for (i32 k = 0; k < h->words && !any; k++) any = rest[k] != 0;
    if (!any) return YES;
    if (more == 0) return NO;
    memcpy(left, allowed, sizeof(u64) * h->width);
    if (more == 1) {
        i32 x = common(h, rest, left);
        *work += 8;
        if (x < 0) return NO;
        h->taken[h->level++] = x;
        return YES;
    }
    for (i32 w = 0; w < h->width; w++) left[w] = 0; /* what sets without common points use up */
    i32 looks = FEW << (more < 16 ? more : 16); /* first the smallest, which tell most */
    for (i32 k = 0; k < h->words && looks; k++)
        for (u64 v = rest[k]; v && looks; v &= v - 1, looks--) {
            const u64 *set = h->sets + (size_t)(64 * k + lowest(v)) * h->width;
            i32 num = 0;
            u64 touched = 0;
            for (i32 w = 0; w < h->width; w++)
                num += popcount(set[w] & allowed[w]), touched |= set[w] & allowed[w] & left[w];
            if (!touched) {
                for (i32 w = 0; w < h->width; w++) left[w] |= set[w] & allowed[w];
                if (++apart > more) return NO;
            }
            if (num < fewest) fewest = num, best = 64 * k + lowest(v);
            *work += h->width;
        }
    if (!fewest) return NO;
    for (i32 w = 0; w < h->width; w++) left[w] = h->sets[(size_t)best * h->width + w] & allowed[w];
    return PAUSED;
}

/* The point left at a level that is in most differences, or -1. */
static i32 next_point(const Hitting *h, const u64 *left) {
    i32 best = -1;
    for (i32 w = 0; w < h->width; w++)
        for (u64 v = left[w]; v; v &= v - 1) {
            i32 x = 64 * w + lowest(v);
            if (best < 0 || h->counts[x] > h->counts[best]) best = x;
        }
    return best;
}

/* Go on with a search for so much work; write the points if they are found. */
EXPORT i32 ccsim_singling_searched(Hitting *h, i64 most, u64 *out) {
    i64 work = 0;
    i32 answer = h->first ? entered(h, &work) : PAUSED;
    h->first = 0;
    while (answer == PAUSED && h->level >= 0) {
        if (work > most) return PAUSED;
        u64 *rest = h->rest + (size_t)h->level * h->words;
        u64 *allowed = h->allowed + (size_t)h->level * h->width;
        u64 *left = h->left + (size_t)h->level * h->width;
        i32 x = next_point(h, left);
        if (x < 0) {
            h->level--;
            continue;
        }
        left[x / 64] &= ~bit(x), allowed[x / 64] &= ~bit(x);
        h->taken[h->level++] = x;
        for (i32 k = 0; k < h->words; k++)
            rest[h->words + k] = rest[k] & ~h->hits[(size_t)x * h->words + k];
        memcpy(allowed + h->width, allowed, sizeof(u64) * h->width);
        work += h->words + 4 * h->width;
        answer = entered(h, &work);
        if (answer == NO) h->level--, answer = PAUSED;
    }
    if (answer != YES) return NO;
    memset(out, 0, sizeof(u64) * h->width);
    for (i32 i = 0; i < h->level; i++) out[h->taken[i] / 64] |= bit(h->taken[i]);
    return YES;
}
