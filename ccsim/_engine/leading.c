/* Sets up to a group of permutations: one of each orbit. */
#include "engine.h"

/* Where a search stands; all of it belongs to the caller. */
typedef struct {
    i64 count, depth, members, row; /* of sets found; of rows in the set; the set; the row to try */
} State;

/* Go on listing the sets whose number, read as a bit mask, no element of a group makes larger.
 *
 * The bit of the image of row x under element g is moved[x, g].  Without its lowest row such a set
 * is one again, so that all are found by adding lower and lower rows.  `images` has room for those
 * of rows + 1 sets, `added` for so many rows.  Answer YES at the end, FAILED if there are more than
 * `most`, PAUSED after `work` images. */
EXPORT i32 ccsim_leading_sets(const i64 *moved, i64 order, i64 most, i64 work, State *s,
                              i64 *images, i64 *added, i64 *found) {
    for (; work > 0; s->row--) {
        if (s->row < 0) {
            if (!s->depth) return YES;
            s->row = added[--s->depth], s->members ^= (i64)1 << s->row, work--;
            continue;
        }
        const i64 *image = images + s->depth * order, *move = moved + s->row * order;
        i64 grown = s->members | (i64)1 << s->row, *grown_images = images + (s->depth + 1) * order;
        i64 g = 0;
        for (; g < order; g++) {
            grown_images[g] = image[g] | move[g];
            if (grown_images[g] > grown) break;
        }
        work -= g + 1;
        if (g < order) continue;
        if (s->count == most) return FAILED;
        found[s->count++] = grown, added[s->depth++] = s->row, s->members = grown;
    }
    return PAUSED;
}
