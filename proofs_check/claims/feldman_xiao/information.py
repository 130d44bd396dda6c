"""Section 5.1, appendix A and section 7: entropy, divergence, and short messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias

import numpy as np

from ccsim.exact import Distribution, Epsilon, LogSum
from ccsim.exact.exponentials import rational
from ccsim.information import (
    collision_entropy,
    conditional_entropy,
    entropy,
    fano_bound,
    guessing_error,
    min_entropy,
    mutual_information,
    relative_entropy,
    statistical_distance,
)
from ccsim.privacy import ExponentialMechanism, Mechanism, RandomizedResponse, audit
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator, partitions, random_weights
from proofs_check.claims.variants import near, plus, times

JUST_BELOW = Fraction(999, 1000)

Measure: TypeAlias = Callable[[Distribution[Any]], LogSum]


@cache
def _tables(shape: str) -> tuple[Distribution[Any], ...]:
    """Return the joint distributions that a text denotes.

    ``2x3/4`` denotes all 2 x 3 tables of denominator 4, ``3x4/50`` denotes 50 random 3 x 4 tables.
    """
    rows, columns, number = map(int, shape.replace("/", "x").split("x"))
    cells, rng = rows * columns, np.random.default_rng(0)
    distributions = distributions_with_denominator(cells, number)
    if number > 4 * cells:
        distributions = (random_weights(rng, cells, sparse=cells > 12) for _ in range(number))
    starts = range(0, cells, columns)
    return tuple(
        Distribution.from_table([w[i : i + columns] for i in starts]) for w in distributions
    )


@claim(
    "fx/eq-5.1",
    "section 5.1 and eq. (5.1) of the full version, as read",
    "Entropies, and mutual information as expected divergence",
    Kind.LEMMA,
    over=grid(tables=["2x2/6", "2x3/4", "3x4/50"]).medium(tables=["2x2/12", "2x3/6", "3x4/300"]),
    near=[
        near("H_inf(X) <= 0.999 H_2(X).", collision=times(JUST_BELOW)),
        near("H_2(X) <= 0.999 H(X).", shannon=times(JUST_BELOW)),
        near(
            "The statement with the divergence KL(X|Y=y || uniform).",
            reference=lambda x: Distribution.uniform(x.outcomes),
        ),
        near("I(X;Y) = H(X) - 0.999 H(X|Y).", left=times(JUST_BELOW)),
    ],
)
def entropies(
    tables: str,
    *,
    collision: Measure = collision_entropy,
    shannon: Measure = entropy,
    left: Callable[..., LogSum] = conditional_entropy,
    reference: Callable[[Distribution[Any]], Distribution[Any]] = lambda x: x,
) -> Decision:
    """H_inf(X) <= H_2(X) <= H(X), and I(X;Y) = H(X) - H(X|Y) = H(Y) - H(Y|X) is the mean over y of
    KL(X|Y=y || X)."""

    def cases(distribution: Distribution[Any]) -> Iterator[tuple[str, Decision]]:
        yield "H_inf", at_most(min_entropy(distribution), collision(distribution))
        yield "H_2", at_most(collision_entropy(distribution), shannon(distribution))
        x, told = distribution.marginal(0), mutual_information(distribution, (0,), (1,))
        yield "X", equal(told, entropy(x) - left(distribution, (0,), (1,)))
        yield "Y", equal(told, entropy(distribution.marginal(1)) - left(distribution, (1,), (0,)))
        parts = ((weight, part.marginal(0)) for _, weight, part in distribution.given(1))
        mean = (weight * relative_entropy(part, reference(x)) for weight, part in parts)
        yield "divergence", equal(told, sum(mean, LogSum()))

    return all_of(
        (distribution.weights, all_of(cases(distribution))) for distribution in _tables(tables)
    )


@claim(
    "fx/eq-5.1-distance",
    "section 5.1 of the full version, as read",
    "Two definitions of statistical distance",
    Kind.LEMMA,
    over=grid(points=[2, 3], denominator=[4]).medium(points=[4]).large(points=[4], denominator=[6]),
    near=[
        near("The largest difference is 0.501 times the sum.", half=times(Fraction(501, 500))),
        near(
            "The distance is the largest difference over events that omit at least two points.",
            largest=plus(-2),
        ),
    ],
)
def distances(
    points: int,
    denominator: int,
    *,
    half: Fraction = Fraction(1, 2),
    largest: Callable[[int], int] = lambda points: points,
) -> Decision:
    """Half the sum of |p(x) - q(x)| is the largest p(E) - q(E) over events E."""
    distributions = list(distributions_with_denominator(points, denominator))
    events = [e for r in range(largest(points) + 1) for e in combinations(range(points), r)]

    def decide(p: Sequence[Fraction], q: Sequence[Fraction]) -> Decision:
        best = max(sum((p[i] - q[i] for i in event), Fraction(0)) for event in events)
        stated = half * sum(abs(a - b) for a, b in zip(p, q, strict=True))
        ours = statistical_distance(Distribution.from_weights(p), Distribution.from_weights(q))
        return all_of([("the sum", equal(stated, best)), ("ccsim", equal(ours, best))])

    return all_of((pair, decide(*pair)) for pair in product(distributions, repeat=2))


def _hints(distributions: str) -> Iterable[Distribution[Any]]:
    """Return joint distributions: of a uniform X and a function of X, or those of `_tables`."""
    kind, n = distributions.split(" of ") if " of " in distributions else (distributions, "0")
    if kind == "any function":
        return (Distribution.uniform(enumerate(m)) for m in partitions(int(n), int(n)))
    if kind == "all but two":
        return [Distribution.uniform((x, min(x, int(n) - 2)) for x in range(int(n)))]
    return _tables(distributions)


@claim(
    "fx/lemma-5.1",
    "Lemma 5.1 of the full version, as read",
    "A short message leaves most of the min-entropy",
    Kind.LEMMA,
    over=grid(
        distributions=[
            *(f"any function of {n}" for n in (3, 4, 5)),
            "all but two of 60",
            "10x3/200",
        ]
    ).medium(distributions=["any function of 6", "any function of 7", "10x3/1200"]),
    near=[
        near("The statement with one value fewer.", values=plus(-1)),
        near("The probability is at most 0.98 2^-t.", chance=times(Fraction(98, 100))),
    ],
)
def short_message(
    distributions: str,
    *,
    values: Callable[[int], int] = lambda number: number,
    chance: Callable[[Fraction], Fraction] = lambda power: 1 / power,
) -> Decision:
    """If Y takes at most 2^s values, then for every t > 0 the probability over y that H_inf(X|Y=y)
    < H_inf(X) - s - t is less than 2^-t. As a function of t, this probability changes only where
    2^t equals max_x P(x|y) / (2^s max_x P(x)) for some y. Checked just below these values, where
    the limit 2^-t may be attained.
    """

    def cases(distribution: Distribution[Any]) -> Iterator[tuple[object, Decision]]:
        parts = [
            (weight, max(part.marginal(0).weights)) for _, weight, part in distribution.given(1)
        ]
        if len(parts) > 1:
            scale = values(len(parts)) * max(distribution.marginal(0).weights)
            jumps = [(most / scale, weight) for weight, most in parts]
            for power in {jump for jump, _ in jumps if jump > 1}:
                bad = sum((weight for jump, weight in jumps if jump >= power), Fraction(0))
                yield (distribution.weights, f"2^t={power}"), at_most(bad, chance(power), trivial=1)

    return all_of(case for distribution in _hints(distributions) for case in cases(distribution))


@claim(
    "fx/lemma-5.2",
    "Lemma 5.2 of the full version, as read",
    "Pinsker's inequality",
    Kind.LEMMA,
    over=table("points denominator", (2, 12), (2, 20), (3, 5)).medium((2, 30), (3, 7)),
    near=near("The inequality with 2.02 in place of 2.", constant=times(Fraction(101, 100))),
)
def pinsker(points: int, denominator: int, *, constant: Fraction = Fraction(2)) -> Decision:
    """The statistical distance of two distributions is at most sqrt(ln(2)/2 KL) with KL in bits,
    that is, 2 distance^2 <= KL in nats."""
    distributions = [
        Distribution.from_weights(w) for w in distributions_with_denominator(points, denominator)
    ]
    pairs = [
        (p, q) for p, q in product(distributions, repeat=2) if p != q and len(q.weights) == points
    ]

    def decide(p: Distribution[Any], q: Distribution[Any]) -> Decision:
        square, nats = statistical_distance(p, q) ** 2, relative_entropy(p, q).enclose_nats()
        return at_most(constant * square, nats)

    return all_of((pair, decide(*pair)) for pair in pairs)


@claim(
    "fx/lemma-A.1",
    "Lemma A.1 of the full version, as read",
    "Fano's inequality for one bit",
    Kind.LEMMA,
    over=grid(tables=["2x2/6", "2x3/4"]).medium(tables=["2x2/7", "2x4/5", "2x5/300"]),
    near=[
        near("H(X|Y) <= 0.999 H(eps).", bound=times(JUST_BELOW)),
        near("The inequality with 0.999 eps in place of eps.", error=times(JUST_BELOW)),
    ],
)
def fano(
    tables: str,
    *,
    bound: Callable[[Fraction], LogSum] = fano_bound,
    error: Callable[..., Fraction] = guessing_error,
) -> Decision:
    """If a bit X is guessed from Y with error eps <= 1/2, then H(X|Y) <= H(eps). Checked for the
    least error of any guess."""
    return all_of(
        (
            distribution.weights,
            at_most(
                conditional_entropy(distribution, (0,), (1,)),
                bound(error(distribution, (0,), (1,))),
            ),
        )
        for distribution in _tables(tables)
    )


@claim(
    "fx/eq-1.1",
    "eq. (1.1) in appendix A of the full version, as read",
    "Chain rule for augmented index",
    Kind.LEMMA,
    over=table("d messages", (1, 2), (2, 4), (3, 2)).medium((3, 3)).large((3, 8)),
    near=[
        near("The statement without conditioning on the earlier bits.", known=lambda _i: ()),
        near("I(M; x) <= 0.999 log2 k.", length=times(JUST_BELOW)),
        near("H(eps) >= 1 - 0.999 log2(k)/d.", lost=times(JUST_BELOW)),
    ],
    uses=["fx/lemma-A.1"],
)
def chain_rule(
    d: int,
    messages: int,
    *,
    known: Callable[[int], Sequence[int]] = range,
    length: Callable[[int], LogSum] = LogSum.log2,
    lost: Callable[[int, int], LogSum] = lambda k, d: LogSum.log2(k) * Fraction(1, d),
) -> Decision:
    """For a message M with k values about d uniform bits, the sum of I(M; x_i | x_1...x_{i-1})
    equals I(M; x) <= log2 k. Hence H(eps) >= 1 - log2(k)/d for the mean eps of the least errors of
    guessing x_i from M and x_1...x_{i-1}."""
    strings = list(product((0, 1), repeat=d))

    def decide(blocks: tuple[int, ...]) -> Decision:
        distribution = Distribution.uniform((*x, m) for x, m in zip(strings, blocks, strict=True))
        told = mutual_information(distribution, tuple(range(d)), (d,))
        parts = (mutual_information(distribution, (i,), (d,), tuple(known(i))) for i in range(d))
        errors = (guessing_error(distribution, (i,), (*known(i), d)) for i in range(d))
        k, eps = max(blocks) + 1, sum(errors, Fraction(0)) / d
        chain, most = equal(sum(parts, LogSum()), told), at_most(told, length(k))
        mean = at_least(fano_bound(eps), 1 - lost(k, d))
        return all_of([("chain rule", chain), ("length", most), ("mean error", mean)])

    return all_of((blocks, decide(blocks)) for blocks in partitions(2**d, messages))


@cache
def _told(name: str, values: int, n: int, ratio: str, prior: str) -> tuple[LogSum, LogSum]:
    """Return the mutual information of output and database, and the audited alpha, both in bits."""
    domain, epsilon = tuple(range(values)), Epsilon.of(f"ln {ratio}")
    mechanism: Mechanism[Any, Any] = RandomizedResponse(domain, epsilon)
    if name == "frequent value":
        mechanism = ExponentialMechanism(domain, domain, lambda x, o: x.count(o), epsilon)
    databases = [(x,) * n for x in domain]
    weights: Sequence[Fraction] = [Fraction(1, values)] * values
    if prior == "random":
        databases = list(product(domain, repeat=n))
        weights = random_weights(np.random.default_rng(n), len(databases), least=1)
    prior_distribution = Distribution.of(dict(zip(databases, weights, strict=True)))
    distribution = prior_distribution.then(
        lambda x: mechanism.distribution(x).map(lambda o: (x, o))
    )
    audited = recheck(audit(mechanism, f"ln {ratio}", 0, neighbours=n))
    return mutual_information(distribution, (0,), (1,)), LogSum.log2(
        rational(audited.factor or Fraction(0))
    )


@claim(
    "fx/sec-7-mi",
    "section 7 of the full version, as read",
    "Privacy bounds mutual information",
    Kind.REMARK,
    over=table(
        "mechanism values n ratio prior",
        ("randomized response", 16, 1, "64", "equal records"),
        ("randomized response", 2, 3, "3", "random"),
        ("randomized response", 3, 2, "5/4", "random"),
        ("frequent value", 2, 16, "25/16", "equal records"),
        ("frequent value", 2, 4, "4", "random"),
        ("frequent value", 3, 3, "9/4", "random"),
    ),
    near=[
        near(
            "The mutual information is at most 0.42 of the bound.",
            constant=times(Fraction(42, 100)),
        ),
        near("The bound for one record holds for all records.", records=lambda _n: 1),
    ],
    uses=["fx/eq-5.1"],
)
def privacy_bounds_information(
    mechanism: str,
    values: int,
    n: int,
    ratio: str,
    prior: str,
    *,
    constant: Fraction = Fraction(1),
    records: Callable[[int], int] = lambda n: n,
) -> Decision:
    """The output of an alpha-private mechanism on n records has mutual information at most alpha n
    log2(e) with the database, under every prior. Checked with the exact alpha of mechanisms."""
    told, alpha = _told(mechanism, values, n, ratio, prior)
    return at_most(told, alpha * constant * records(n))
