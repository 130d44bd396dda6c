/* The VC dimension by the textbook: sets of points grow one point at a time while all labellings
 * occur.  Reads the numbers of concepts and points and the labels, a line for each concept. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int height, width, words, best;
static uint64_t *columns;

/* cells: the concepts with each labelling of the points so far */
static void grow(const uint64_t *cells, int size, int first) {
    if (size > best) best = size;
    uint64_t *split = malloc(sizeof(uint64_t) * words << (size + 1));
    for (int x = first; x < width; x++) {
        const uint64_t *column = columns + (size_t)x * words;
        int all = 1;
        for (int cell = 0; cell < 1 << size && all; cell++) {
            uint64_t ones = 0, zeros = 0;
            for (int w = 0; w < words; w++) {
                uint64_t part = cells[(size_t)cell * words + w];
                ones |= split[(size_t)(2 * cell) * words + w] = part & column[w];
                zeros |= split[(size_t)(2 * cell + 1) * words + w] = part & ~column[w];
            }
            all = ones && zeros;
        }
        if (all) grow(split, size + 1, x + 1);
    }
    free(split);
}

int main(void) {
    if (scanf("%d %d", &height, &width) != 2) return 2;
    words = height / 64 + 1;
    columns = calloc((size_t)width * words, sizeof(uint64_t));
    uint64_t *all = calloc(words, sizeof(uint64_t));
    for (int c = 0; c < height; c++) {
        all[c / 64] |= 1ULL << c % 64;
        for (int x = 0; x < width; x++) {
            int label;
            if (scanf("%1d", &label) != 1) return 2;
            if (label) columns[(size_t)x * words + c / 64] |= 1ULL << c % 64;
        }
    }
    best = -1;
    if (height) grow(all, 0, 0);
    printf("%d\n", best);
    return 0;
}
