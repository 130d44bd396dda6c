/* Refutations with one entry for each orbit of version spaces, level by level.
 *
 * A version space is known by its closure, the literals that all its concepts share; the image of
 * that under a symmetry is the closure of the image.  Of the sides of a point one is preferred that
 * has an entry already, up to symmetry, and then the one that leaves fewer points undecided. */
#include "trees.h"

#define LITERALS 64

/* The elements of a group on literals, the ones with short words first. */
typedef struct {
    i32 num_literals, num, room, most;
    unsigned char *moves;  /* images of all literals, element by element */
    i32 *before, *by;      /* element and generator that give each of them; -1 for the identity */
    i32 *slots;            /* open hash table of their numbers, -1 where free */
    i64 num_slots;
} Elements;

/* A closure, and the version space and the element that it is an image of. */
typedef struct {
    u64 closure;
    i32 space, element;    /* space -1 where free */
} Image;

/* A level of a refutation: its version spaces, and those of the next level with all images.
 *
 * `origins` are the version space above and the literal that gives each of the next ones, `steps`
 * the version space, the literal, the next one that refutes this side, and the element. */
typedef struct {
    i32 depth, num, num_steps, num_chosen;
    i32 *steps, *origins;
    u64 *spaces, *chosen;
    i32 at, step_room, room;
    Image *images;
    i64 num_images, num_slots;
} Orbits;

static u64 key_of(const unsigned char *move, i32 num) {
    u64 key = 0;
    for (i32 i = 0; i < num; i++) key = mixed(key ^ (move[i] + 1));
    return key;
}

EXPORT void ccsim_trees_elements_freed(Elements *g) {
    if (!g) return;
    free(g->moves), free(g->before), free(g->by), free(g->slots);
    free(g);
}

/* Enter a permutation; NO if it is there already. */
static i32 entered(Elements *g, const unsigned char *move, i32 before, i32 by) {
    i32 n = g->num_literals;
    i64 mask = g->num_slots - 1, i = (i64)(key_of(move, n) & (u64)mask);
    for (; g->slots[i] >= 0; i = (i + 1) & mask)
        if (!memcmp(g->moves + (size_t)g->slots[i] * n, move, n)) return NO;
    memcpy(g->moves + (size_t)g->num * n, move, n);
    g->before[g->num] = before, g->by[g->num] = by;
    g->slots[i] = g->num++;
    return YES;
}

/* List the elements that generators give, or so many of them; NULL where there is no memory. */
EXPORT Elements *ccsim_trees_elements(const unsigned char *generators, i32 num, i32 num_literals,
                                      i32 most) {
    Elements *g = calloc(1, sizeof(Elements));
    unsigned char identity[LITERALS], move[LITERALS];
    if (!g) return NULL;
    g->num_literals = num_literals, g->most = most, g->num_slots = 4;
    while (g->num_slots < 2 * (i64)most) g->num_slots *= 2;
    g->moves = malloc((size_t)most * num_literals + 1);
    g->before = malloc(sizeof(i32) * (most + 1)), g->by = malloc(sizeof(i32) * (most + 1));
    g->slots = malloc(sizeof(i32) * g->num_slots);
    if (!g->moves || !g->before || !g->by || !g->slots) return ccsim_trees_elements_freed(g), NULL;
    memset(g->slots, -1, sizeof(i32) * g->num_slots);
    for (i32 i = 0; i < num_literals; i++) identity[i] = (unsigned char)i;
    entered(g, identity, -1, -1);
    for (i32 at = 0; at < g->num; at++)
        for (i32 k = 0; k < num && g->num < most; k++) {
            const unsigned char *from = g->moves + (size_t)at * num_literals;
            const unsigned char *by = generators + (size_t)k * num_literals;
            for (i32 i = 0; i < num_literals; i++) move[i] = by[from[i]];
            entered(g, move, at, k);
        }
    return g;
}

static Image *place(const Orbits *o, u64 closure) {
    i64 mask = o->num_slots - 1, i = (i64)(mixed(closure) & (u64)mask);
    while (o->images[i].space >= 0 && o->images[i].closure != closure) i = (i + 1) & mask;
    return o->images + i;
}

static i32 grow_images(Orbits *o) {
    Image *old = o->images;
    i64 num = o->num_slots;
    o->num_slots = num ? 4 * num : 1 << 10;
    o->images = malloc(sizeof(Image) * o->num_slots);
    if (!o->images) return o->images = old, o->num_slots = num, 0;
    for (i64 i = 0; i < o->num_slots; i++) o->images[i].space = -1;
    for (i64 i = 0; i < num; i++)
        if (old[i].space >= 0) *place(o, old[i].closure) = old[i];
    free(old);
    return 1;
}

/* Enter a version space with its orbit; of the elements that give an image the first counts. */
static i32 add(Engine *e, const Elements *g, Orbits *o, i32 literal, u64 closure, i64 most_images) {
    if (o->num_chosen == o->room) {
        o->room = o->room ? 2 * o->room : 64;
        i32 *origins = realloc(o->origins, sizeof(i32) * 3 * o->room);
        if (origins) o->origins = origins;
        u64 *chosen = realloc(o->chosen, sizeof(u64) * o->room);
        if (chosen) o->chosen = chosen;
        if (!origins || !chosen) return 0;
    }
    i32 *origin = o->origins + 3 * o->num_chosen;
    origin[0] = o->at, origin[1] = literal, origin[2] = 0;
    o->chosen[o->num_chosen] = closure;
    i32 num = o->num_images > most_images ? 1 : g->num; /* later ones serve themselves only */
    e->work -= 16 * (i64)num;
    for (i32 k = 0; k < num; k++) {
        const unsigned char *move = g->moves + (size_t)k * g->num_literals;
        u64 image = 0;
        for (u64 v = closure; v; v &= v - 1) image |= (u64)1 << move[lowest(v)];
        if (2 * o->num_images >= o->num_slots && !grow_images(o)) return 0;
        Image *found = place(o, image);
        if (found->space >= 0) continue;
        found->closure = image, found->space = o->num_chosen, found->element = k;
        o->num_images++;
    }
    o->num_chosen++;
    return 1;
}

/* The literals that all concepts of a level share, beside those known. */
static u64 closed(const Engine *e, const Level *l, u64 shared) {
    for (i32 x = 0; x < e->num; x++) {
        if (shared >> 2 * x & 3) continue;
        i32 label = shared_label(e, l, x);
        if (label >= 0) shared |= (u64)(1 + label) << 2 * x;
    }
    return shared;
}

/* How many points have so many concepts of level 2 on each side. */
static i32 undecided(Engine *e, i32 need) {
    const Level *above = e->levels + 1, *l = above + 1;
    i32 num = 0;
    for (i32 j = 0; j < above->num_candidates; j++) {
        i32 ones = ones_on(e, l, above->candidates[j]);
        num += ones >= need && ones <= l->size - need;
    }
    return num;
}

/* Refute one side of a point of level 1, by an image of one that has an entry if there is one. */
static i32 refute_point(Engine *e, const Elements *g, Orbits *o, i32 x, i64 most_images) {
    u64 closures[2], above = o->spaces[o->at];
    i32 rests[2], depth = o->depth - 1, need = depth ? (i32)1 << (depth - 1) : 1;
    i32 *step = o->steps + 4 * o->num_steps;
    for (i32 label = 0; label < 2; label++) {
        put_side(e, 1, x, label);
        closures[label] = closed(e, e->levels + 2, above | (u64)(1 + label) << 2 * x);
        rests[label] = undecided(e, need);
    }
    i32 first = rests[1] < rests[0], side = -1;
    for (i32 k = 0; k < 2 && side < 0; k++)
        if (o->num_slots && place(o, closures[first ^ k])->space >= 0) side = first ^ k;
    for (i32 k = 0; k < 2 && side < 0; k++) {
        i32 label = first ^ k, answer = rests[label] ? -1 : NO;
        if (answer < 0) {
            put_side(e, 1, x, label);
            answer = has(e, 2, depth);
        }
        if (answer == PAUSED) return PAUSED;
        if (answer != NO) continue;
        if (!add(e, g, o, 2 * x + label, closures[label], most_images)) return NO_MEMORY;
        side = label;
    }
    if (side < 0) return FAILED;
    const Image *found = place(o, closures[side]);
    step[0] = o->at, step[1] = 2 * x + side, step[2] = found->space, step[3] = found->element;
    o->num_steps++;
    return NO;
}

EXPORT void ccsim_trees_orbits_ended(Orbits *o) {
    if (!o) return;
    free(o->steps), free(o->origins), free(o->spaces), free(o->chosen), free(o->images);
    free(o);
}

/* Begin the refutation of a depth for a class of at most 32 columns. */
EXPORT Orbits *ccsim_trees_orbits_begun(Engine *e, i32 depth) {
    Orbits *o = calloc(1, sizeof(Orbits));
    if (!o || !make_levels(e, depth + 1)) return free(o), NULL;
    o->depth = depth, o->num = 1;
    o->spaces = calloc(1, sizeof(u64));
    return o->spaces ? o : (free(o), NULL);
}

/* Refute the version spaces of the level from `at` on; YES at the end of it. */
EXPORT i32 ccsim_trees_orbits_expand(Engine *e, const Elements *g, Orbits *o, i64 work,
                                     i64 most_images) {
    for (e->work = work; o->at < o->num; o->at++) {
        if (o->num_steps + e->num > o->step_room) {
            o->step_room = 2 * (o->num_steps + e->num);
            i32 *larger = realloc(o->steps, sizeof(i32) * 4 * o->step_room);
            if (!larger) return NO_MEMORY;
            o->steps = larger;
        }
        i32 first_step = o->num_steps;
        put_shared(e, o->spaces + o->at, 1, 0);
        e->work -= 16 * find_splits(e, 1, o->depth, e->all, e->num) + 1000;
        Level *l = e->levels + 1;
        if (o->depth < 2 ? l->size > 1 : o->depth == 2 && l->num_splits) return FAILED;
        for (i32 j = 0; j < l->num_splits; j++) {
            i32 answer = refute_point(e, g, o, l->points[j], most_images);
            if (answer != NO) {
                o->num_steps = first_step;
                return answer;
            }
        }
        if (e->work <= 0) return o->at++, PAUSED;
    }
    return YES;
}

/* Go on to the version spaces that were chosen. */
EXPORT void ccsim_trees_orbits_deeper(Orbits *o) {
    free(o->spaces), free(o->images), free(o->steps), free(o->origins);
    o->spaces = o->chosen, o->num = o->num_chosen, o->depth--;
    o->chosen = NULL, o->images = NULL, o->steps = o->origins = NULL;
    o->num_chosen = o->num_steps = o->step_room = o->room = o->at = 0;
    o->num_images = o->num_slots = 0;
}
