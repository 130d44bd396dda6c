/* Inner products with the random words that numpy's generator PCG64 draws next. */
#include "engine.h"

typedef unsigned __int128 u128;

#define HALVES(high, low) ((u128)(high) << 64 | (low))
static const u64 FACTOR_HIGH = 0x2360ED051FC65DA4u, FACTOR_LOW = 0x4385DF649FCCF645u;

/* The state after so many draws: the draw is an affine map, whose powers are found by squaring. */
static u128 after(u128 state, u128 increment, u64 draws) {
    u128 times = HALVES(FACTOR_HIGH, FACTOR_LOW), more = increment;
    for (; draws; draws >>= 1) {
        if (draws & 1) state = state * times + more;
        more *= times + 1, times *= times;
    }
    return state;
}

/* Write for each row of so many vectors whether all their inner products with a mask are 0.
 *
 * Word w of vector v is draw w * vectors + v, so that there is one stream of draws for each word;
 * `streams` has room for two words each.  `source` is the state and the increment, high halves
 * first. */
EXPORT void ccsim_draws_zeros(const u64 *source, const u64 *mask, i64 words, i64 rows, i64 count,
                              u64 *streams, uint8_t *zeros) {
    const u128 factor = HALVES(FACTOR_HIGH, FACTOR_LOW);
    u128 state = HALVES(source[0], source[1]), increment = HALVES(source[2], source[3]);
    for (i64 w = 0; w < words; w++, state = after(state, increment, (u64)(rows * count)))
        streams[2 * w] = (u64)(state >> 64), streams[2 * w + 1] = (u64)state;
    for (i64 r = 0; r < rows; r++) {
        i32 ones = 0;
        for (i64 i = 0; i < count; i++) {
            u64 folded = 0;
            for (i64 w = 0; w < words; w++) {
                u128 next = HALVES(streams[2 * w], streams[2 * w + 1]) * factor + increment;
                u64 high = (u64)(next >> 64), low = (u64)next, mixed = high ^ low, turn = high >> 58;
                streams[2 * w] = high, streams[2 * w + 1] = low;
                folded ^= (mixed >> turn | mixed << (-turn & 63)) & mask[w];
            }
            ones |= popcount(folded) & 1;
        }
        zeros[r] = !ones;
    }
}
