"""The sanitizers of ``ccsim sanitize``: how each is made, and run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from ccsim.budget import Budget
from ccsim.classes.given import as_class
from ccsim.cli.privacy.released import (
    MOST_BITS,
    Asked,
    RecordDomain,
    Released,
    Sanitizer,
    points_domain,
    thresholds_domain,
)
from ccsim.errors import DomainError
from ccsim.exact.probability import Randomness
from ccsim.instances import check_keys, parse_call
from ccsim.release.sanitizer import max_point_error, max_query_error, max_threshold_error
from ccsim.release.sanitizers.budget import (
    k_points_sample_size,
    san_points_sample_size,
    san_thresholds_sample_size,
)
from ccsim.release.sanitizers.frequent_points import PointSets, SanPoints
from ccsim.release.sanitizers.points import StabilityHistogram, histogram_sample_size
from ccsim.release.sanitizers.synthetic import SyntheticDatabase, synthetic_sizes
from ccsim.release.sanitizers.threshold_recursion import SanThresholds
from ccsim.release.sanitizers.thresholds import CountedTree, QuantileTree


def _histogram(asked: Asked, budget: Budget) -> Sanitizer:
    domain = points_domain(asked, budget)
    histogram = StabilityHistogram(range(domain.size), asked.epsilon, asked.delta)

    def draw(records: Sequence[int], rng: Randomness) -> Released:
        kept = histogram.draw(records, rng)
        shares = {int(str(x)): Fraction(count, len(records)) for x, count in kept}
        return Released(
            "shares",
            tuple(sorted(shares.items())),
            {"least_kept": histogram.least},
            lambda: max_point_error(records, shares, domain.last),
        )

    def needed() -> int:
        return histogram_sample_size(asked.accuracy, asked.failure, asked.epsilon, asked.delta)

    return Sanitizer(domain, (asked.epsilon, asked.delta), needed, draw)


def _tree(asked: Asked, budget: Budget) -> Sanitizer:
    domain = thresholds_domain(asked, budget)
    tree = QuantileTree(domain.last, asked.epsilon, asked.levels)

    def draw(records: Sequence[int], rng: Randomness) -> Released:
        released = tree.release(tree.draw(records, rng))
        return Released(
            "database",
            tuple(sorted(Counter(released).items())),
            {"levels": tree.levels},
            lambda: max_threshold_error(records, released, domain.last),
        )

    return Sanitizer(
        domain,
        (asked.epsilon, Fraction(0)),
        lambda: tree.sample_size(asked.accuracy, asked.failure),
        draw,
    )


def _counted(asked: Asked, budget: Budget) -> Sanitizer:
    domain = thresholds_domain(asked, budget)
    tree = CountedTree(domain.last, asked.epsilon)

    def draw(records: Sequence[int], rng: Randomness) -> Released:
        released = tree.release(tree.draw(records, rng), len(records))
        return Released(
            "database",
            tuple(released.items()),
            {"levels": tree.levels},
            lambda: max_threshold_error(records, released, domain.last),
        )

    def needed() -> int:
        raise DomainError(
            "no number of records is proved for counted-tree; measured: 10000 at 1/20"
        )

    return Sanitizer(domain, (asked.epsilon, Fraction(0)), needed, draw)


def _synthetic(asked: Asked, budget: Budget) -> Sanitizer:
    C = as_class(asked.instance, budget)
    size, needed = synthetic_sizes(C, asked.accuracy, asked.failure, asked.epsilon, asked.size)
    mechanism = SyntheticDatabase(C, asked.epsilon, size)
    domain = RecordDomain(len(C.points), C.points)

    def draw(records: Sequence[int], rng: Randomness) -> Released:
        named = [domain.name(record) for record in records]
        chosen = mechanism.draw(named, rng)
        copies = Counter(chosen)
        return Released(
            "database",
            tuple((i, copies[x]) for i, x in enumerate(C.points) if x in copies),
            {"size": size},
            lambda: max_query_error(C, named, chosen),
        )

    return Sanitizer(domain, (asked.epsilon, Fraction(0)), lambda: needed, draw)


def _san_points(asked: Asked, budget: Budget) -> Sanitizer:
    domain = points_domain(asked, budget)
    made = SanPoints.for_budget(
        domain.last, asked.accuracy, asked.failure, asked.epsilon, asked.delta
    )
    return _shares(domain, asked, made, 1)


def _k_points(asked: Asked, _: Budget) -> Sanitizer:
    name, given = parse_call(asked.instance)
    if name != "k_points":
        raise DomainError(f"{asked.instance}: this sanitizer is for k_points:b=...,k=...")
    check_keys(name, given, ["b", "k"], ["b", "k"])
    bits, k = given["b"], given["k"]
    if not 1 <= bits <= MOST_BITS:
        raise DomainError(f"bits must lie between 1 and {MOST_BITS}, not {bits}")
    if not 1 <= k <= 1 << bits:
        raise DomainError(f"k must be from 1 to the number of points, not {k}")
    domain = RecordDomain(1 << bits)
    made = SanPoints.for_budget(
        domain.last, asked.accuracy / k, asked.failure, asked.epsilon, asked.delta
    )
    return _shares(domain, asked, PointSets(made, k), k)


def _shares(domain: RecordDomain, asked: Asked, made: SanPoints | PointSets, k: int) -> Sanitizer:
    def draw(records: Sequence[int], rng: Randomness) -> Released:
        run = made.sanitize(records, rng)
        return Released(
            "shares",
            tuple(sorted(run.released.items())),
            {"rounds": len(run.estimates) + run.bottoms, "bottoms": run.bottoms},
            lambda: run.error,
        )

    def needed() -> int:
        given = asked.accuracy, asked.failure, asked.epsilon, asked.delta
        return san_points_sample_size(*given) if k == 1 else k_points_sample_size(*given, k)

    return Sanitizer(domain, made.privacy, needed, draw)


def _san_thresholds(asked: Asked, budget: Budget) -> Sanitizer:
    domain = thresholds_domain(asked, budget)
    given = asked.accuracy, asked.failure, asked.epsilon, asked.delta
    made = SanThresholds.for_budget(domain.last, *given)

    def draw(records: Sequence[int], rng: Randomness) -> Released:
        with budget.heard():
            run = made.sanitize(records, rng)
        more = {
            "calls": len(run.calls),
            "allowed": run.allowed,
            "intervals": [[domain.name(a), domain.name(b)] for a, b in run.partition],
            "unreached": [[domain.name(a), domain.name(b)] for a, b in run.unreached],
        }
        return Released("database", tuple(sorted(run.released.items())), more, lambda: run.error)

    def needed() -> int:
        return san_thresholds_sample_size(*given, max(1, domain.last.bit_length()))

    return Sanitizer(domain, made.privacy, needed, draw)


SANITIZERS: Mapping[str, Callable[[Asked, Budget], Sanitizer]] = MappingProxyType(
    {
        "blum-ligett-roth": _synthetic,
        "counted-tree": _counted,
        "k-points": _k_points,
        "quantile-tree": _tree,
        "san-points": _san_points,
        "san-thresholds": _san_thresholds,
        "stability-histogram": _histogram,
    }
)
"""What makes each sanitizer."""
