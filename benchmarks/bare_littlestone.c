/* The Littlestone dimension by a bare search: the number alone, no proof.
 *
 * "Has this version space a tree of depth d?" for d = 1, 2, ..., with a hash table of the answers and
 * the usual pruning: a tree of depth d has 2^d leaves, so that both sides of a point must have half
 * of them; the most balanced point comes first, and its smaller side.  Reads the numbers of concepts
 * and points and the labels, a line for each concept; prints the dimension and the processor
 * seconds of the search and of reading. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

static int height, width, words;
static u64 *columns, *keys; /* keys: two words of hash, then lower and upper bound */
static long slots = 1 << 12, used;

static int *points[70], *order[70], *nonzero[70], num_nonzero[70];
static u64 *sets[70];

static u64 *slot_of(const u64 *table, long size, u64 a, u64 b) {
    long i = (long)(a & (u64)(size - 1));
    while (table[4 * i + 3] && (table[4 * i] != a || table[4 * i + 1] != b)) i = (i + 1) & (size - 1);
    return (u64 *)table + 4 * i;
}

static u64 *slot(u64 a, u64 b) {
    if (2 * used > slots) {
        u64 *larger = calloc(16 * slots, sizeof(u64));
        for (long i = 0; i < slots; i++)
            if (keys[4 * i + 3])
                memcpy(slot_of(larger, 4 * slots, keys[4 * i], keys[4 * i + 1]), keys + 4 * i, 32);
        free(keys);
        keys = larger, slots *= 4;
    }
    u64 *found = slot_of(keys, slots, a, b);
    if (!found[3]) {
        found[0] = a, found[1] = b, found[2] = 0, found[3] = 100;
        used++;
    }
    return found;
}

/* Write one side of a version space into the next level; return its size. */
static int side(int level, int x, int label) {
    const u64 *from = sets[level], *column = columns + (size_t)x * words;
    u64 *to = sets[level + 1], flip = label ? 0 : ~(u64)0;
    int size = 0, k = 0;
    for (int i = 0; i < num_nonzero[level]; i++) {
        int w = nonzero[level][i];
        u64 v = from[w] & (column[w] ^ flip);
        to[w] = v;
        nonzero[level + 1][k] = w;
        k += v != 0;
        size += __builtin_popcountll(v);
    }
    num_nonzero[level + 1] = k;
    return size;
}

static int by_balance(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

static int has(int level, int size, int depth, const int *candidates, int num) {
    if ((long)size < 1L << depth) return 0;
    if (depth <= 1) return 1;
    u64 a = 0, b = 0;
    for (int i = 0; i < num_nonzero[level]; i++) {
        int w = nonzero[level][i];
        u64 t = (sets[level][w] ^ (u64)(w + 1) * 0xA0761D6478BD642Fu) * 0x9E3779B97F4A7C15u;
        t = (t ^ t >> 32) * 0xD6E8FEB86659FD93u;
        a += t, b += (t ^ t >> 29) * 0xC2B2AE3D27D4EB4Fu;
    }
    u64 *known = slot(a, b);
    if ((int)known[2] >= depth) return 1;
    if ((int)known[3] < depth) return 0;
    int need = 1 << (depth - 1), k = 0, m = 0, *left = points[level], *best = order[level];
    for (int j = 0; j < num; j++) {
        const u64 *column = columns + (size_t)candidates[j] * words;
        int ones = 0, small;
        for (int i = 0; i < num_nonzero[level]; i++) {
            int w = nonzero[level][i];
            ones += __builtin_popcountll(sets[level][w] & column[w]);
        }
        small = ones < size - ones ? ones : size - ones;
        if (small >= 2) left[k++] = candidates[j];
        if (small >= need) {
            best[3 * m] = small, best[3 * m + 1] = candidates[j], best[3 * m++ + 2] = ones == small;
            if (depth == 2) break;
        }
    }
    int found = depth == 2 && m;
    if (depth > 2) {
        qsort(best, m, 3 * sizeof(int), by_balance);
        for (int j = 0; j < m && !found; j++) {
            int x = best[3 * j + 1], label = best[3 * j + 2];
            found = has(level + 1, side(level, x, label), depth - 1, left, k) &&
                    has(level + 1, side(level, x, 1 - label), depth - 1, left, k);
        }
    }
    known = slot(a, b);
    if (found && (int)known[2] < depth) known[2] = depth;
    if (!found && (int)known[3] >= depth) known[3] = depth - 1;
    if (!known[3]) known[3] = 100;
    return found;
}

int main(void) {
    if (scanf("%d %d ", &height, &width) != 2) return 2;
    words = height / 64 + 1;
    clock_t start = clock();
    columns = calloc((size_t)width * words + 1, sizeof(u64));
    keys = calloc(4 * slots, sizeof(u64));
    for (int l = 0; l < 70; l++) {
        points[l] = malloc(sizeof(int) * (width + 1)), order[l] = malloc(sizeof(int) * 3 * (width + 1));
        nonzero[l] = malloc(sizeof(int) * words), sets[l] = calloc(words, sizeof(u64));
    }
    for (int c = 0; c < height; c++) {
        sets[0][c / 64] |= (u64)1 << c % 64;
        for (int x = 0; x < width; x++)
            columns[(size_t)x * words + c / 64] |= (u64)(getchar_unlocked() == '1') << c % 64;
        if (getchar_unlocked() == EOF) break;
    }
    for (int w = 0; w < words; w++) if (sets[0][w]) nonzero[0][num_nonzero[0]++] = w;
    int *all = malloc(sizeof(int) * (width + 1)), num = 0, depth = height ? 0 : -1;
    for (int x = 0; x < width; x++) { /* a column that is equal to another one, or its complement */
        int again = 0;
        for (int y = 0; y < num && !again; y++) {
            int same = 1, other = 1;
            for (int w = 0; w < words && (same || other); w++) {
                u64 d = columns[(size_t)x * words + w] ^ columns[(size_t)all[y] * words + w];
                same = same && !d, other = other && d == sets[0][w];
            }
            again = same || other;
        }
        if (!again) all[num++] = x;
    }
    clock_t begun = clock(), end = begun;
    int times = 0;
    for (; end - begun < CLOCKS_PER_SEC / 20 || !times; times++) { /* a mean, where it is short */
        memset(keys, 0, sizeof(u64) * 4 * slots);
        used = 0, depth = height ? 0 : -1;
        while (height && has(0, height, depth + 1, all, num)) depth++;
        end = clock();
    }
    printf("%d %.6f %.6f\n", depth, (double)(end - begun) / CLOCKS_PER_SEC / times,
           (double)(begun - start) / CLOCKS_PER_SEC);
    return 0;
}
