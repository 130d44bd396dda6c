/* A few version spaces whose refutations serve a whole level.
 *
 * A version space without a tree of some depth refutes all its subsets, and all subsets of its
 * images.  Every step needs one of two sides refuted, so the sides that are proved must contain one
 * side of each step.  The fewest are hard to find; they are taken greedily.
 *
 * A set is given by the literals that all its elements share, and lies in another if it shares all
 * literals of that.  Chosen sets are filed under their two rarest literals. */
#include "trees.h"

typedef struct {
    i32 width;
    i64 num_files;
    i32 *under;             /* the file of each set */
    i32 *starts, *filled;   /* where a file begins, and how many sets are in it */
    i32 *first;             /* how many sets in files have a literal as the lower of the two */
    i32 *owners;            /* the sets on file, */
    u64 *literals;          /* and what they share */
    i32 *found;
} Files;

static i32 members(const u64 *literals, i32 width, i32 *found) {
    i32 m = 0;
    for (i32 k = 0; k < width; k++)
        for (u64 v = literals[k]; v; v &= v - 1) found[m++] = 64 * k + lowest(v);
    return m;
}

static i64 file_of(i32 i, i32 j) { return (i64)64 * i + j % 64; }

static void free_files(Files *f) {
    free(f->under), free(f->starts), free(f->filled), free(f->first);
    free(f->owners), free(f->literals), free(f->found);
    memset(f, 0, sizeof(Files));
}

/* Make room for all sets. */
static i32 empty_files(Files *f, const Sides *s) {
    i32 width = s->width, *counts = calloc((size_t)64 * width, sizeof(i32));
    f->width = width, f->num_files = (i64)64 * 64 * width;
    f->under = malloc(sizeof(i32) * (s->num + 1));
    f->starts = calloc(f->num_files + 1, sizeof(i32));
    f->filled = calloc(f->num_files, sizeof(i32));
    f->first = calloc((size_t)64 * width, sizeof(i32));
    f->owners = malloc(sizeof(i32) * (s->num + 1));
    f->literals = malloc(sizeof(u64) * width * (s->num + 1));
    f->found = malloc(sizeof(i32) * 64 * width);
    if (!counts || !f->under || !f->starts || !f->filled || !f->first || !f->owners ||
        !f->literals || !f->found)
        return free(counts), 0;
    for (i64 i = 0; i < s->num; i++) {
        i32 m = members(s->literals + i * width, width, f->found);
        for (i32 p = 0; p < m; p++) counts[f->found[p]]++;
    }
    for (i64 i = 0; i < s->num; i++) {
        i32 m = members(s->literals + i * width, width, f->found), a = -1, b = -1;
        for (i32 p = 0; p < m; p++) {
            i32 literal = f->found[p];
            if (a < 0 || counts[literal] < counts[a]) b = a, a = literal;
            else if (b < 0 || counts[literal] < counts[b]) b = literal;
        }
        if (a < 0) a = 0;  /* it shares nothing, and so lies in nothing but itself */
        if (b < 0) b = a;
        f->under[i] = (i32)(a < b ? file_of(a, b) : file_of(b, a));
        f->starts[f->under[i] + 1]++;
    }
    for (i64 i = 0; i < f->num_files; i++) f->starts[i + 1] += f->starts[i];
    free(counts);
    return 1;
}

static void put(Files *f, const Sides *s, i32 set) {
    i32 file = f->under[set], i = f->starts[file] + f->filled[file]++;
    f->first[file / 64]++;
    f->owners[i] = set;
    memcpy(f->literals + (size_t)i * f->width, s->literals + (size_t)set * f->width,
           sizeof(u64) * f->width);
}

/* A set on file that contains a set, or -1. */
static i32 find_holder(const Files *f, const u64 *literals) {
    i32 width = f->width, m = members(literals, width, f->found), *found = f->found;
    for (i32 p = 0; p < m; p++) {
        if (!f->first[found[p]]) continue;
        for (i32 q = p; q < m; q++) {
            i64 file = file_of(found[p], found[q]);
            for (i32 i = f->starts[file], end = i + f->filled[file]; i < end; i++) {
                const u64 *held = f->literals + (size_t)i * width;
                i32 k = 0;
                while (k < width && !(held[k] & ~literals[k])) k++;
                if (k == width) return f->owners[i];
            }
        }
    }
    return -1;
}

/* A set on file that contains an image of a set, or -1, and which image. */
static void find_image(const Engine *e, const Files *f, const u64 *literals, i32 *serving) {
    serving[0] = find_holder(f, literals), serving[1] = 0;
    for (i32 i = 1; i < e->num_moves && serving[0] < 0; i++) {
        u64 image = image_of(e, i, literals[0]); /* one word where there are symmetries */
        serving[0] = find_holder(f, &image), serving[1] = i;
    }
    if (serving[0] < 0) serving[1] = 0;
}

/* File the chosen sets that lie in no other, and note which one each of them lies in. */
static i32 put_maximal(const Engine *e, Files *f, const Sides *s, const i32 *order,
                       const unsigned char *chosen, i32 *serving) {
    free_files(f);
    if (!empty_files(f, s)) return 0;
    for (i64 i = 0; i < s->num; i++) {
        i32 set = order[i];
        if (!chosen[set]) continue;
        find_image(e, f, s->literals + (size_t)set * s->width, serving + 2 * set);
        if (serving[2 * set] < 0) put(f, s, set), serving[2 * set] = set;
    }
    return 1;
}

/* Choose one side of each step that the sides on file do not serve.
 *
 * A side that size decides comes first, then one that serves many steps. */
static i32 choose(const Engine *e, const Sides *s, Files *f, unsigned char *chosen) {
    i64 *counts = malloc(sizeof(i64) * (s->num + 1)), m = 0;
    u64 *left = malloc(sizeof(u64) * 2 * (s->num_steps + 1));
    if (!counts || !left) return free(counts), free(left), 0;
    for (i64 i = 0; i < s->num; i++) counts[i] = s->by_size[i] ? s->num_steps : 0;
    for (i64 j = 0; j < s->num_steps; j++) {
        const i32 *step = s->steps + 6 * j;
        i32 a = step[2], b = step[3];
        if (a < 0 || b < 0 || chosen[a] || chosen[b]) continue;
        left[m++] = (u64)j;
        counts[a]++, counts[b]++;
    }
#define BEST(step) \
    (counts[(step)[2]] != counts[(step)[3]] ? counts[(step)[2]] > counts[(step)[3]] \
                                            : s->origin[4 * (i64)(step)[2] + 3] < \
                                                  s->origin[4 * (i64)(step)[3] + 3])
    for (i64 i = 0; i < m; i++) {
        const i32 *step = s->steps + 6 * (i64)left[i];
        i64 most = 2 * s->num_steps - counts[BEST(step) ? step[2] : step[3]];
        left[i] |= (u64)most << 32;
    }
    sort_keys(left, left + m, (i32)m);
    for (i64 i = 0; i < m; i++) {
        const i32 *step = s->steps + 6 * (i64)(left[i] & 0xFFFFFFFFu);
        i32 serving[2];
        find_image(e, f, s->literals + (size_t)step[2] * s->width, serving);
        if (serving[0] < 0)
            find_image(e, f, s->literals + (size_t)step[3] * s->width, serving);
        if (serving[0] >= 0) continue;
        i32 best = BEST(step) ? step[2] : step[3];
        put(f, s, best);
        chosen[best] = 1;
    }
    free(counts), free(left);
    return 1;
}

/* Find for each side a chosen one that contains an image of it, or -1, and which image.
 *
 * Chosen are the sides without which some step has none, unless they lie in others, and then those
 * that serve most steps.  `order` lists the sides by falling size. */
i32 cover(const Engine *e, const Sides *s, const i32 *order, i32 *serving) {
    Files f = {0};
    unsigned char *chosen = calloc(s->num + 1, 1);
    i32 done = chosen != NULL;
    for (i64 j = 0; done && j < s->num_steps; j++) {
        const i32 *step = s->steps + 6 * j;
        if (step[2] < 0 || step[3] < 0) chosen[step[2] > step[3] ? step[2] : step[3]] = 1;
    }
    done = done && put_maximal(e, &f, s, order, chosen, serving) && choose(e, s, &f, chosen) &&
           put_maximal(e, &f, s, order, chosen, serving);
    for (i64 i = 0; done && i < s->num; i++)
        if (!chosen[i]) find_image(e, &f, s->literals + i * s->width, serving + 2 * i);
    free(chosen);
    free_files(&f);
    return done;
}
