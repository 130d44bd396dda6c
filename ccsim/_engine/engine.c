/* Which sources the library was compiled from. */
#include "engine.h"

#ifndef CCSIM_SOURCES
#define CCSIM_SOURCES "unknown"
#endif

/* The digest of all files of this folder in C, as the build gives it. */
EXPORT const char *ccsim_engine_sources(void) { return CCSIM_SOURCES; }
