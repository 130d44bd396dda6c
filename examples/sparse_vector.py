"""Noise programs for `ccsim audit`: which queries are at least a noisy threshold."""

from ccsim.privacy import mechanism


@mechanism
def sparse_vector(queries, noise):
    """Stop at the first query that reaches the threshold."""
    threshold = 1 + noise.geometric("1/4")
    for q in queries:
        if q + noise.geometric("1/2") >= threshold:
            yield True
            return
        yield False


@mechanism
def careless(queries, noise):
    """Answer all queries, as if each answer cost nothing."""
    threshold = 1 + noise.geometric("1/4")
    for q in queries:
        yield q + noise.geometric("1/4") >= threshold
