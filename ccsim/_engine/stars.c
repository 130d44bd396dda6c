/* Stars, by the labels of a centre that is not chosen before: concepts that agree share them.
 *
 * At a level some points are chosen: the free concepts agree with the centre on all of them, and
 * for each point its own concepts differ from the centre there alone.  The search may be paused and
 * gone on with. */
#include "engine.h"

typedef struct {
    u64 *sets;                   /* the free concepts, and those of each point so far */
    const i32 *after;            /* points that may be chosen yet, */
    i32 num_after;
    i32 *order, *place;          /* those that fit; how many come up to one, 0 for the last ones */
    i32 *fits, num_order, num_fits, at; /* 2 point + label of the centre; the next one to try */
} Level;

typedef struct {
    i32 num_rows, num_points, words, size, level, room, answer;
    u64 *ones;                   /* for each point the concepts with label 1 */
    i32 *all;
    u64 *keys;
    Level *levels;
} Stars;

EXPORT void ccsim_stars_freed(Stars *s) {
    if (!s) return;
    for (i32 i = 0; i < s->room; i++) free(s->levels[i].sets), free(s->levels[i].order);
    free(s->levels), free(s->ones), free(s->all), free(s->keys);
    free(s);
}

/* Take for each point the concepts with label 1, 64 in a word. */
EXPORT Stars *ccsim_stars_made(const u64 *ones, i32 num_rows, i32 num_points) {
    Stars *s = calloc(1, sizeof(Stars));
    if (!s) return NULL;
    s->num_rows = num_rows, s->num_points = num_points, s->words = (num_rows + 63) / 64;
    size_t size = (size_t)num_points * s->words;
    s->ones = malloc(sizeof(u64) * (size + 1));
    s->all = malloc(sizeof(i32) * (num_points + 1));
    s->keys = malloc(sizeof(u64) * (num_points + 1));
    s->levels = calloc(num_points + 1, sizeof(Level));
    if (!s->ones || !s->all || !s->keys || !s->levels) return ccsim_stars_freed(s), NULL;
    memcpy(s->ones, ones, sizeof(u64) * size);
    for (i32 x = 0; x < num_points; x++) s->all[x] = x;
    return s;
}

static i32 make_level(Stars *s) {
    if (s->level < s->room) return 1;
    Level *l = s->levels + s->room;
    l->sets = malloc(sizeof(u64) * s->words * (s->room + 1));
    l->order = malloc(sizeof(i32) * 4 * s->num_points);
    if (!l->sets || !l->order) return free(l->sets), free(l->order), 0;
    l->place = l->order + s->num_points, l->fits = l->place + s->num_points;
    s->room++;
    return 1;
}

/* The concepts in a word that agree with the centre on a point, which has the last bit as label. */
static u64 same(const Stars *s, i32 fit, i32 w) {
    u64 ones = s->ones[(size_t)(fit >> 1) * s->words + w];
    return fit & 1 ? ones : ~ones;
}

/* Say whether each point so far has a concept that agrees with the centre on another one. */
static i32 leaves_all(const Stars *s, const Level *l, i32 fit) {
    for (i32 i = s->level; i > 0; i--) {
        const u64 *own = l->sets + (size_t)i * s->words;
        i32 w = 0;
        while (w < s->words && !(own[w] & same(s, fit, w))) w++;
        if (w == s->words) return 0;
    }
    return 1;
}

/* List what to try at a level: NO if nothing helps, YES if the first one ends the search. */
static i32 entered(Stars *s) {
    Level *l = s->levels + s->level;
    i32 more = s->size - s->level, total = 0, num = 0;
    for (i32 w = 0; w < s->words; w++) total += popcount(l->sets[w]);
    l->num_fits = l->at = 0;
    for (i32 j = 0; j < l->num_after; j++) {
        i32 x = l->after[j], ones = 0, best = 0;
        const u64 *column = s->ones + (size_t)x * s->words;
        for (i32 w = 0; w < s->words; w++) ones += popcount(l->sets[w] & column[w]);
        for (i32 label = 0; label < 2; label++) {
            i32 agree = label ? ones : total - ones;
            if (agree < more || agree == total || !leaves_all(s, l, 2 * x + label)) continue;
            l->fits[l->num_fits++] = 2 * x + label;
            best = agree > best ? agree : best;
        }
        if (more == 1 && best) return YES;
        if (!best) continue;
        u64 key = (u64)best << 32 | (u64)x; /* points that leave few concepts come first */
        i32 i = num++;
        for (; i && s->keys[i - 1] > key; i--) s->keys[i] = s->keys[i - 1];
        s->keys[i] = key;
    }
    if (num < more) return NO;
    l->num_order = num;
    for (i32 i = 0; i < num; i++) {
        l->order[i] = (i32)s->keys[i];
        l->place[l->order[i]] = i <= num - more ? i + 1 : 0;
    }
    return PAUSED;
}

static void write(const Stars *s, i32 *out) {
    const Level *l = s->levels + s->level;
    i32 w = 0;
    while (!(l->sets[w] & same(s, l->fits[0], w))) w++;
    *out++ = 64 * w + lowest(l->sets[w] & same(s, l->fits[0], w));
    for (i32 i = 0; i < s->level; i++) *out++ = s->levels[i].fits[s->levels[i].at - 1] >> 1;
    *out = l->fits[0] >> 1;
}

/* Take the next choice of a level; answer NO if nothing helps below, YES if the search ends. */
static i32 taken(Stars *s) {
    Level *l = s->levels + s->level;
    i32 fit = l->fits[l->at++], place = l->place[fit >> 1];
    s->level++;
    if (!make_level(s)) return NO_MEMORY;
    Level *next = l + 1;
    for (i32 i = 0; i < s->level; i++)
        for (i32 w = 0; w < s->words; w++)
            next->sets[i * s->words + w] = l->sets[i * s->words + w] & same(s, fit, w);
    for (i32 w = 0; w < s->words; w++)
        next->sets[s->level * s->words + w] = l->sets[w] & ~same(s, fit, w);
    next->after = l->order + place, next->num_after = l->num_order - place;
    return entered(s);
}

/* Begin a search for a star of a size from 1 to the number of points, below a path of choices by
 * their places, with the choices from `first` to before `last` that come next. */
EXPORT i32 ccsim_stars_begun(Stars *s, i32 size, const i32 *path, i32 depth, i32 first, i32 last) {
    s->size = size, s->level = 0;
    if (!make_level(s)) return 0;
    Level *l = s->levels;
    for (i32 w = 0; w < s->words; w++) l->sets[w] = ~(u64)0;
    if (s->num_rows % 64) l->sets[s->words - 1] = ((u64)1 << s->num_rows % 64) - 1;
    l->after = s->all, l->num_after = s->num_points;
    s->answer = entered(s);
    for (i32 i = 0; i < depth && s->answer == PAUSED; i++, l++) {
        l->at = path[i], l->num_fits = path[i] + 1;
        s->answer = taken(s);
    }
    if (s->answer == NO_MEMORY) return 0;
    if (s->answer == PAUSED) l->at = first, l->num_fits = last < l->num_fits ? last : l->num_fits;
    return 1;
}

/* Write, for each choice of a search that has begun, how many points are left after it, or -1 if
 * they are too few, and how many concepts stay free; return how many choices there are. */
EXPORT i32 ccsim_stars_left(const Stars *s, i32 *out) {
    const Level *l = s->levels + s->level;
    if (s->answer != PAUSED) return 0;
    for (i32 i = 0; i < l->num_fits; i++, out += 2) {
        i32 place = l->place[l->fits[i] >> 1];
        out[0] = place ? l->num_order - place : -1, out[1] = 0;
        for (i32 w = 0; w < s->words; w++) out[1] += popcount(l->sets[w] & same(s, l->fits[i], w));
    }
    return l->num_fits;
}

/* Go on with a search for so many choices of points, of which those that were not needed are left;
 * write the centre and the points of a star. */
EXPORT i32 ccsim_stars_searched(Stars *s, i32 *most, i32 *out) {
    i32 answer = s->answer;
    s->answer = PAUSED;
    while (answer == PAUSED && s->level >= 0) {
        Level *l = s->levels + s->level;
        if (l->at == l->num_fits) {
            s->level--;
            continue;
        }
        if (!l->place[l->fits[l->at] >> 1]) {
            l->at++;
            continue;
        }
        if (*most <= 0) return PAUSED;
        --*most;
        answer = taken(s);
        if (answer == NO) s->level--, answer = PAUSED;
    }
    if (answer == NO_MEMORY) return NO_MEMORY;
    if (answer == YES) return write(s, out), YES;
    return NO;
}
