/* Refutations, level by level: what the version spaces of a level may rest on.
 *
 * A level is given by the literals of its version spaces.  Of each point that splits one of them
 * in two large sides, a side without a tree is listed, or both; `cover` chooses few of these, and
 * they are the next level. */
#include "trees.h"

#define PROBES 8 /* points tried for a split of a side before all are */

/* A refutation that is being made.
 *
 * `steps` holds for each step the version space, the literal of the side that is refuted, the
 * version space of the next level that does it and the symmetry from there; `origins` the version
 * space above and the literal that gave each of the chosen sides first; `sizes` how many concepts
 * each has, or 0 where that alone refutes it. */
typedef struct {
    i32 depth, num, at, width;  /* of this level; the next version space; words of literals */
    i32 num_steps, num_chosen;
    i32 *steps, *origins;
    u64 *chosen, *spaces;
    i32 *chosen_sizes, *sizes;
    Sides sides;
} Refutation;

static i32 grown(void **array, i64 num, size_t size) {
    void *larger = realloc(*array, num * size);
    if (larger) *array = larger;
    return larger != NULL;
}

static i64 find_side(const Sides *s, const u64 *literals) {
    u64 key = 0;
    for (i32 k = 0; k < s->width; k++) key = mixed(key ^ literals[k]);
    i64 mask = s->num_slots - 1, i = (i64)(key >> 1) & mask;
    while (s->slots[i] >= 0 &&
           memcmp(s->literals + s->slots[i] * s->width, literals, sizeof(u64) * s->width))
        i = (i + 1) & mask;
    return i;
}

/* Make room for so many more sides and steps. */
static i32 make_room(Sides *s, i64 more) {
    if (s->num + more > s->room) {
        s->room = 2 * (s->num + more);
        s->num_slots = 4;
        while (s->num_slots < 2 * s->room) s->num_slots *= 2;
        if (!grown((void **)&s->literals, s->room, sizeof(u64) * s->width) ||
            !grown((void **)&s->origin, s->room, sizeof(i32) * 4) ||
            !grown((void **)&s->by_size, s->room, 1) ||
            !grown((void **)&s->slots, s->num_slots, sizeof(i64)))
            return 0;
        for (i64 i = 0; i < s->num_slots; i++) s->slots[i] = -1;
        for (i64 i = 0; i < s->num; i++) s->slots[find_side(s, s->literals + i * s->width)] = i;
    }
    if (s->num_steps + more > s->step_room) {
        s->step_room = 2 * (s->num_steps + more);
        return grown((void **)&s->steps, s->step_room, sizeof(i32) * 6);
    }
    return 1;
}

/* Say whether no point splits the version space of level 2 into sides that are large enough. */
static i32 is_decided_by_size(Engine *e, i32 depth) {
    const Level *above = e->levels + 1, *l = above + 1;
    i32 need = (i32)1 << (depth - 1), num = above->num_candidates;
    if (l->size < 2 * need) return 1;
    for (i32 j = 0; j < above->num_splits && j < PROBES; j++) {
        i32 ones = ones_on(e, l, above->points[j]);
        if (need <= ones && ones <= l->size - need) return 0;
    }
    i32 by_lists = lists_are_cheaper(e, l, (i64)l->num_active * num);
    if (by_lists) count_by_lists(e, l, above->candidates, num);
    for (i32 j = 0; j < num; j++) {
        i32 x = above->candidates[j], ones = by_lists ? e->counts[x] : ones_on(e, l, x);
        if (need <= ones && ones <= l->size - need) return 0;
    }
    return 1;
}

/* Return the number of the version space of level 2, entered if new, and a symmetry to it.
 *
 * `by_size` says whether size decides it, or -1 if that was not looked at. */
static i64 add_side(Engine *e, Refutation *r, i32 depth, i32 literal, i32 by_size, i32 *element) {
    Sides *s = &r->sides;
    const Level *l = e->levels + 2;
    u64 *row = s->literals + s->num * s->width;
    *element = 0;
    memcpy(row, r->spaces + (size_t)r->at * r->width, sizeof(u64) * r->width);
    i32 by_lists = lists_are_cheaper(e, l, (i64)l->num_active * e->num);
    if (by_lists) count_by_lists(e, l, e->all, e->num);
    for (i32 x = 0; x < e->num; x++) {
        if (row[x / 32] >> (2 * x % 64) & 3) continue;
        i32 label;
        if (!by_lists) label = shared_label(e, l, x);
        else if (e->counts[x] == 0) label = 0;
        else label = e->counts[x] == l->size ? 1 : -1;
        if (label >= 0) row[x / 32] |= (u64)(1 + label) << (2 * x % 64);
    }
    if (e->num_moves > 1) row[0] = least_image(e, row[0], element);
    i64 i = find_side(s, row);
    if (s->slots[i] < 0) {
        s->slots[i] = s->num;
        i32 *origin = s->origin + 4 * s->num;
        origin[0] = r->at, origin[1] = literal, origin[2] = *element, origin[3] = l->size;
        if (by_size < 0) by_size = is_decided_by_size(e, depth);
        s->by_size[s->num++] = (unsigned char)by_size;
    }
    return s->slots[i];
}

/* Enter the sides at a point that are seen to be refuted, and at least one.
 *
 * If nothing is known of both, the one with label `first` is looked at, and where that has a tree,
 * the other one has none. */
static i32 refute_sides(Engine *e, Refutation *r, i32 x, i32 first) {
    Sides *s = &r->sides;
    i32 *step = s->steps + 6 * s->num_steps, depth = r->depth - 1, answers[2] = {-1, -1};
    step[0] = r->at, step[1] = x, step[2] = step[3] = -1, step[4] = step[5] = 0;
    for (i32 label = 0; label < 2; label++) {
        put_side(e, 1, x, label);
        i32 by_size = -1;
        answers[label] = known(e, e->levels + 2, depth);
        by_size = answers[label] == YES ? 0 : is_decided_by_size(e, depth);
        if (by_size) answers[label] = NO;
        if (answers[label] == NO)
            step[2 + label] = (i32)add_side(e, r, depth, 2 * x + label, by_size, step + 4 + label);
    }
    if (answers[0] == YES && answers[1] == YES) return FAILED;
    if (step[2] < 0 && step[3] < 0) {
        i32 label = answers[0] == YES;
        if (answers[0] == answers[1]) {
            put_side(e, 1, x, first);
            i32 answer = has(e, 2, depth);
            if (answer == PAUSED) return PAUSED;
            label = answer == NO ? first : 1 - first;
        }
        put_side(e, 1, x, label);
        step[2 + label] = (i32)add_side(e, r, depth, 2 * x + label, -1, step + 4 + label);
    }
    s->num_steps++;
    return NO;
}

/* Keep the concepts of level 1 with a literal. */
static void keep(const Engine *e, Level *l, i32 literal) {
    const u64 *col = column(e, literal >> 1), flip = literal & 1 ? 0 : ~(u64)0;
    i32 m = 0, size = 0;
    for (i32 i = 0; i < l->num_active; i++) {
        i32 w = l->active[i];
        u64 v = l->words[i] & (col[w] ^ flip);
        l->active[m] = w, l->words[m] = v;
        m += v != 0;
        size += popcount(v);
    }
    l->num_active = m, l->size = size;
}

/* Write the so many concepts that share the literals of a version space into level 1.
 *
 * Ones are rarer than zeros, and few of the literals leave no other concepts. */
void put_shared(const Engine *e, const u64 *literals, i32 width, i32 size) {
    Level *l = e->levels + 1;
    const u64 ones = 0xAAAAAAAAAAAAAAAAu;
    l->num_active = e->width, l->size = e->size;
    for (i32 w = 0; w < e->width; w++) l->active[w] = w, l->words[w] = ~(u64)0;
    if (e->size % 64) l->words[e->width - 1] = ((u64)1 << e->size % 64) - 1;
    for (i32 label = 1; label >= 0; label--)
        for (i32 k = 0; k < width; k++) {
            u64 v = literals[k] & (label ? ones : ~ones);
            for (; v && l->size > size; v &= v - 1) keep(e, l, 64 * k + lowest(v));
        }
}

/* Refute the version spaces of the level from `at` on; YES at the end of it. */
EXPORT i32 ccsim_trees_expand(Engine *e, Refutation *r, i64 work) {
    e->work = work;
    for (i64 before = -1; r->at < r->num; before = r->at++) {
        if (!make_room(&r->sides, 2 * (i64)e->num + 1)) return NO_MEMORY;
        i64 first_step = r->sides.num_steps;
        if (r->sizes && !r->sizes[r->at]) continue;
        put_shared(e, r->spaces + (size_t)r->at * r->width, r->width,
                   r->sizes ? r->sizes[r->at] : e->size);
        Level *l = e->levels + 1;
        e->work -= 16 * find_splits(e, 1, r->depth, e->all, e->num) + 1000;
        sort_splits(e, 1);
        if (r->depth == 2 && l->num_splits) return FAILED;
        for (i32 j = 0; j < l->num_splits; j++) {
            i32 answer = refute_sides(e, r, l->points[j], 2 * l->ones[j] <= l->size);
            if (answer != NO) {
                r->sides.num_steps = first_step;
                return answer;
            }
        }
        if (e->work <= 0 && before >= 0) return r->at++, PAUSED;
    }
    return YES;
}

/* Choose what the level rests on; by falling size, because a large side serves many others. */
EXPORT i32 ccsim_trees_chosen(Engine *e, Refutation *r) {
    Sides *s = &r->sides;
    i64 num = s->num;
    u64 *keys = malloc(sizeof(u64) * 2 * (num + 1));
    i32 *order = malloc(sizeof(i32) * (num + 1)), *serving = malloc(sizeof(i32) * 2 * (num + 1));
    i32 *place = malloc(sizeof(i32) * (num + 1));
    r->steps = malloc(sizeof(i32) * 4 * (s->num_steps + 1));
    i32 done = keys && order && serving && place && r->steps;
    if (done) {
        for (i64 i = 0; i < num; i++)
            keys[i] = (u64)(0x7FFFFFFF - s->origin[4 * i + 3]) << 32 | (u64)i;
        sort_keys(keys, keys + num, (i32)num);
        for (i64 i = 0; i < num; i++) order[i] = (i32)keys[i];
        done = !num || cover(e, s, order, serving);
    }
    if (done) {
        for (i64 i = 0; i < num; i++) place[i] = -1;
        for (i64 j = 0; j < s->num_steps; j++) {
            const i32 *step = s->steps + 6 * j;
            i32 label = step[2] < 0 || serving[2 * step[2]] < 0, side = step[2 + label];
            i32 *out = r->steps + 4 * r->num_steps++;
            out[0] = step[0], out[1] = 2 * step[1] + label;
            out[2] = serving[2 * side];
            out[3] = step[4 + label] * e->num_moves + serving[2 * side + 1];
            out[3] = e->back ? e->back[out[3]] : 0;
            place[out[2]] = 0;
        }
        for (i64 i = 0; i < num; i++)
            if (place[order[i]] == 0) place[order[i]] = r->num_chosen++;
        for (i64 j = 0; j < r->num_steps; j++) r->steps[4 * j + 2] = place[r->steps[4 * j + 2]];
        r->origins = malloc(sizeof(i32) * 3 * (r->num_chosen + 1));
        r->chosen = malloc(sizeof(u64) * r->width * (r->num_chosen + 1));
        r->chosen_sizes = malloc(sizeof(i32) * (r->num_chosen + 1));
        done = r->origins && r->chosen && r->chosen_sizes;
        for (i64 i = 0; done && i < num; i++) {
            if (place[i] < 0) continue;
            memcpy(r->origins + 3 * place[i], s->origin + 4 * i, sizeof(i32) * 3);
            r->chosen_sizes[place[i]] = s->by_size[i] ? 0 : s->origin[4 * i + 3];
            memcpy(r->chosen + (size_t)r->width * place[i], s->literals + i * r->width,
                   sizeof(u64) * r->width);
        }
    }
    free(keys), free(order), free(serving), free(place);
    return done ? YES : NO_MEMORY;
}

static void free_level(Refutation *r) {
    Sides *s = &r->sides;
    free(s->literals), free(s->origin), free(s->by_size), free(s->slots), free(s->steps);
    free(r->steps), free(r->origins), free(r->spaces), free(r->sizes);
    memset(s, 0, sizeof(Sides));
    r->steps = r->origins = r->sizes = NULL, r->spaces = NULL;
}

EXPORT void ccsim_trees_ended(Refutation *r) {
    if (!r) return;
    free_level(r);
    free(r->chosen), free(r->chosen_sizes);
    free(r);
}

/* Begin the refutation of a depth for the whole class. */
EXPORT Refutation *ccsim_trees_begun(Engine *e, i32 depth) {
    Refutation *r = calloc(1, sizeof(Refutation));
    if (!r || !make_levels(e, depth + 1)) return free(r), NULL;
    r->depth = depth, r->num = 1, r->width = r->sides.width = (2 * e->num + 63) / 64;
    r->width = r->sides.width = r->width ? r->width : 1;
    r->spaces = calloc(r->width, sizeof(u64));
    if (!r->spaces) return free(r), NULL;
    return r;
}

/* Go on to the version spaces that were chosen. */
EXPORT void ccsim_trees_deeper(Refutation *r) {
    free_level(r);
    r->sides.width = r->width;
    r->spaces = r->chosen, r->chosen = NULL;
    r->sizes = r->chosen_sizes, r->chosen_sizes = NULL;
    r->num = r->num_chosen, r->depth--;
    r->at = r->num_steps = r->num_chosen = 0;
}
