"""Mechanisms of the literature on testing differential privacy, as noise programs.

Continuous Laplace noise of scale ``k / epsilon`` is replaced by two-sided geometric noise of ratio
``e^(-epsilon / k)``. The epsilons are such that all ratios are rational: ``ln 16`` unless stated.
Run one with

    ccsim audit examples/published_mechanisms.py:noisy_max --queries 3 --domain 0..2
"""

from ccsim.privacy import argmax, mechanism

THRESHOLD = 1


@mechanism
def noisy_max(queries, noise):
    """Return the index of the largest noisy query (StatDP, noisy max 1a)."""
    return argmax([q + noise.geometric("1/4") for q in queries])


@mechanism
def noisy_max_value(queries, noise):
    """Return the largest noisy query itself (StatDP, noisy max 1b)."""
    return max(q + noise.geometric("1/4") for q in queries)


@mechanism
def noisy_max_one_sided(queries, noise):
    """Return the index of the largest query with one-sided noise (StatDP, noisy max 2a)."""
    return argmax([q + noise.one_sided_geometric("1/4") for q in queries])


@mechanism
def noisy_max_value_one_sided(queries, noise):
    """Return the largest query with one-sided noise (StatDP, noisy max 2b)."""
    return max(q + noise.one_sided_geometric("1/4") for q in queries)


@mechanism
def noisy_max_with_gap(queries, noise):
    """Return the index of the largest noisy query and its lead (Ding and others 2019)."""
    noisy = [q + noise.geometric("1/4") for q in queries]
    best = argmax(noisy)
    return best, noisy[best] - max(v for i, v in enumerate(noisy) if i != best)


@mechanism
def histogram(counts, noise):
    """Add noise of scale 1 / epsilon to each count."""
    return [c + noise.geometric("1/16") for c in counts]


@mechanism
def histogram_wrong_scale(counts, noise):
    """Add noise of scale epsilon instead of 1 / epsilon, for epsilon = 1/4 (StatDP)."""
    return [c + noise.discrete_laplace("1/4") for c in counts]


def sparse_vector(queries, threshold, draw, most):
    """Yield whether each noisy query reaches the threshold, until enough of them do."""
    found = 0
    for q in queries:
        above = q + draw() >= threshold
        if not above:
            yield False
            continue
        yield True
        found += 1
        if found == most:
            return


@mechanism
def sparse_vector_1(queries, noise):
    """Stop at the first answer above the threshold (Lyu, Su, Li, algorithm 1, c = 1)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    return (yield from sparse_vector(queries, threshold, lambda: noise.geometric("1/2"), 1))


@mechanism
def sparse_vector_2(queries, noise):
    """Draw a new threshold after each answer above it (algorithm 2, c = 2, epsilon = ln 256)."""
    threshold, found = THRESHOLD + noise.geometric("1/4"), 0
    for q in queries:
        if q + noise.geometric("1/2") >= threshold:
            yield True
            found += 1
            if found == 2:
                return
            threshold = THRESHOLD + noise.geometric("1/4")
        else:
            yield False


@mechanism
def sparse_vector_3(queries, noise):
    """Publish the noisy query that reached the threshold (algorithm 3, c = 1)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    for q in queries:
        noisy = q + noise.geometric("1/4")
        if noisy >= threshold:
            yield noisy
            return
        yield None


@mechanism
def sparse_vector_4(queries, noise):
    """Use noise whose scale ignores the number of answers (algorithm 4, c = 1)."""
    threshold = THRESHOLD + noise.geometric("1/2")
    return (yield from sparse_vector(queries, threshold, lambda: noise.geometric("1/8"), 1))


@mechanism
def sparse_vector_5(queries, noise):
    """Compare exact queries with a noisy threshold (algorithm 5)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    return (yield from sparse_vector(queries, threshold, lambda: 0, None))


@mechanism
def sparse_vector_6(queries, noise):
    """Answer all queries with noise of scale 2 / epsilon (algorithm 6)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    return (yield from sparse_vector(queries, threshold, lambda: noise.geometric("1/4"), None))


@mechanism
def numeric_sparse_vector(queries, noise):
    """Publish the query that reached the threshold with fresh noise (epsilon = ln 64)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    for q in queries:
        if q + noise.geometric("1/2") >= threshold:
            yield q + noise.geometric("1/4")
            return
        yield None


@mechanism
def gap_sparse_vector(queries, noise):
    """Publish by how much the noisy query exceeds the noisy threshold (Wang and others 2019)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    for q in queries:
        noisy = q + noise.geometric("1/2")
        if noisy >= threshold:
            yield noisy - threshold
            return
        yield None


@mechanism
def gap_to_exact_threshold(queries, noise):
    """Publish by how much the noisy query exceeds the exact threshold."""
    threshold = THRESHOLD + noise.geometric("1/4")
    for q in queries:
        noisy = q + noise.geometric("1/2")
        if noisy >= threshold:
            yield noisy - THRESHOLD
            return
        yield None


@mechanism
def adaptive_sparse_vector(queries, noise):
    """Try strong noise first, then weaker noise, and stop at the first answer (epsilon = ln 64)."""
    threshold = THRESHOLD + noise.geometric("1/4")
    for q in queries:
        strong = q + noise.geometric("1/2")
        if strong >= threshold + 2:
            yield "far above"
            return
        if q + noise.geometric("1/4") >= threshold:
            yield "above"
            return
        yield "below"


@mechanism
def parallel_sparse_vectors(queries, noise):
    """Run algorithms 3 and 4 side by side (DP-Sniper, SVT34Parallel)."""
    return tuple(sparse_vector_3.function(queries, noise)), tuple(
        sparse_vector_4.function(queries, noise)
    )


@mechanism
def partial_sum(queries, noise):
    """Return the noisy sum of all queries."""
    return sum(queries) + noise.geometric("1/16")


@mechanism
def prefix_sums(queries, noise):
    """Return the sums of the first noisy queries (CheckDP, PrefixSum)."""
    total = 0
    for q in queries:
        total = total + q + noise.geometric("1/16")
        yield total


@mechanism
def smart_sums(queries, noise):
    """Return noisy prefix sums with fresh noise for each block of two (epsilon = 2 ln 4)."""
    yield from smart_sum(queries, noise, forgets=True)


@mechanism
def bad_smart_sums(queries, noise):
    """Do not clear the sum of a block after using it (CheckDP, BadSmartSum)."""
    yield from smart_sum(queries, noise, forgets=False)


def smart_sum(queries, noise, *, forgets):
    """Yield prefix sums; the sum of a block is added with noise of its own."""
    shown = blocks = exact = 0
    for i, q in enumerate(queries, 1):
        if i % 2 == 0:
            blocks = blocks + exact + q + noise.geometric("1/4")
            shown = blocks
            exact = 0 if forgets else exact + q
        else:
            shown = shown + q + noise.geometric("1/4")
            exact = exact + q
        yield shown


@mechanism
def rappor_bit(bits, noise):
    """Report each bit truthfully with probability 3/4 (epsilon = ln 3 a bit)."""
    return tuple(b if noise.bernoulli("3/4") else 1 - b for b in bits)


@mechanism
def one_time_rappor(values, noise):
    """Report the three bits of a unary code, each truthfully with probability 3/4."""
    return tuple((values[0] == i) == noise.bernoulli("3/4") for i in range(3))


@mechanism
def truncated_geometric(queries, noise):
    """Clamp a noisy count to 0..5 (Balcer and Vadhan)."""
    return min(max(queries[0] + noise.geometric("1/16"), 0), 5)


@mechanism
def ranking(counts, noise):
    """Return the order of the noisy counts."""
    noisy = [c + noise.geometric("1/16") for c in counts]
    order = []
    while len(order) < len(noisy):
        left = [i for i in range(len(noisy)) if i not in order]
        order.append(left[argmax([noisy[i] for i in left])])
    return tuple(order)


@mechanism
def laplace_parallel(queries, noise):
    """Answer the same query eight times (DP-Sniper, LaplaceParallel; epsilon = ln 256)."""
    return [queries[0] + noise.geometric("1/2") for _ in range(8)]


@mechanism
def stable_histogram(counts, noise):
    """Publish noisy counts of at least 3 of the values that occur (delta = 1/6 at ln 4)."""
    for c in counts:
        noisy = c + noise.geometric("1/2") if c else None
        yield noisy if noisy is not None and noisy >= 3 else None
