/* What all parts of the engine share: short names of types, and which functions it exports.
 *
 * Exported names begin with `ccsim_` and the part's name; everything else stays inside the library.
 * There is no global state.  Callers own what a function named `made` or `begun` returns, and
 * hand it to the one named `freed` or `ended`. */
#ifndef CCSIM_ENGINE_H
#define CCSIM_ENGINE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef uint64_t u64;
typedef int64_t i64;
typedef int32_t i32;

/* How a search answers; paused ones are to be called again. */
enum { NO, YES, PAUSED, FAILED, NO_MEMORY };

static inline i32 popcount(u64 v) { return __builtin_popcountll(v); }
static inline i32 lowest(u64 v) { return __builtin_ctzll(v); }
static inline u64 bit(i64 i) { return (u64)1 << i % 64; }

#endif
