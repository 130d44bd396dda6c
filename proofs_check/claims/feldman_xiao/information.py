"""Section 5.1, appendix A and section 7: entropy, divergence, and what a short message tells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from ccsim.exact import Law, LogSum
from ccsim.information import (
    collision_entropy,
    conditional_entropy,
    entropy,
    fano_bound,
    guessing_error,
    min_entropy,
    mutual_information,
    mutual_information_as_divergence,
    relative_entropy,
    statistical_distance,
)
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.grids import laws_with_denominator, partitions, random_weights

__all__ = ["CLAIMS"]

TABLES = {
    Size.SMALL: ((2, 2, 6), (2, 3, 4)),
    Size.MEDIUM: ((2, 2, 12), (2, 3, 6), (3, 3, 3)),
    Size.LARGE: ((2, 2, 24), (2, 3, 8), (3, 3, 5)),
}
"""Joint laws of two variables: rows, columns, denominator."""

RANDOM = {Size.SMALL: 50, Size.MEDIUM: 300, Size.LARGE: 2000}
"""Number of random laws beside the exhaustive ones."""


def _table(weights: tuple[Fraction, ...], columns: int) -> Law[Any]:
    return Law.from_table([weights[i : i + columns] for i in range(0, len(weights), columns)])


def _joint_laws(size: Size, seed: int) -> Iterator[tuple[str, list[Law[Any]]]]:
    """Yield families of joint laws of a row and a column, with their names."""
    for rows, columns, denominator in TABLES[size]:
        laws = laws_with_denominator(rows * columns, denominator)
        name = f"{rows}x{columns} tables with denominator {denominator}"
        yield name, [_table(weights, columns) for weights in laws]
    rng = np.random.default_rng(seed)
    laws_at_random = [_table(random_weights(rng, 12), 4) for _ in range(RANDOM[size])]
    yield f"random 3x4 tables, seed {seed}", laws_at_random


def entropies_and_information(size: Size) -> Iterator[Instance]:
    """Order the entropies, and compute the mutual information of every table in four ways."""
    for name, laws in _joint_laws(size, seed=0):
        yield Instance.tightest(
            f"min-entropy at most collision entropy on {name}",
            ((x.weights, min_entropy(x), collision_entropy(x)) for x in laws),
        )
        yield Instance.tightest(
            f"collision entropy at most entropy on {name}",
            ((x.weights, collision_entropy(x), entropy(x)) for x in laws),
        )
        yield Instance.all_of(
            f"information on {name}",
            ((law.as_mapping(), _four_ways_agree(law)) for law in laws),
            "H(X)-H(X|Y) = H(Y)-H(Y|X) = H(X)+H(Y)-H(XY) = E KL(X|Y=y || X), exactly",
        )


def _four_ways_agree(law: Law[Any]) -> bool:
    value = mutual_information(law, (0,), (1,))
    separate = entropy(law.marginal(0)) + entropy(law.marginal(1)) - entropy(law)
    return (
        value
        == mutual_information(law, (1,), (0,))
        == separate
        == mutual_information_as_divergence(law, (0,), (1,))
    )


def distance_definitions(size: Size) -> Iterator[Instance]:
    """Compare half the sum of differences with the best of all events, for pairs of laws."""
    points, denominator = {Size.SMALL: (3, 4), Size.MEDIUM: (4, 4), Size.LARGE: (4, 6)}[size]
    laws = list(laws_with_denominator(points, denominator))
    events = list(chain.from_iterable(combinations(range(points), r) for r in range(points + 1)))

    def agree(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> bool:
        best = max(sum((p[i] - q[i] for i in event), Fraction(0)) for event in events)
        return statistical_distance(Law.from_weights(p), Law.from_weights(q)) == best

    yield Instance.all_of(
        f"pairs of laws on {points} points with denominator {denominator}",
        (((p, q), agree(p, q)) for p, q in product(laws, repeat=2)),
        "both definitions of statistical distance agree",
    )


def _bad_messages(law: Law[Any]) -> Iterator[tuple[object, Fraction, Fraction]]:
    """Yield, for each jump of the probability in t, the total weight and its bound 2**-t.

    With N values of Y, the value y is bad at t when max P(x|y) > N 2**t max P(x). The weight of
    the bad values changes only at the thresholds, and just below one it must be at most 2**-t.
    """
    largest = max(law.marginal(0).weights)
    parts = list(law.given(1))
    thresholds = [
        (max(part.marginal(0).weights) / (len(parts) * largest), weight)
        for _, weight, part in parts
    ]
    for limit in {threshold for threshold, _ in thresholds if threshold > 1}:
        bad = sum((w for threshold, w in thresholds if threshold >= limit), Fraction(0))
        yield law.weights, bad, 1 / limit


def message_leaves_min_entropy(size: Size) -> Iterator[Instance]:
    """Every function of a uniform X on few points, and random joint laws; every t at once."""
    for n in range(3, {Size.SMALL: 6, Size.MEDIUM: 8, Size.LARGE: 9}[size]):
        functions = (Law.uniform((x, m[x]) for x in range(n)) for m in partitions(n, n))
        cases = chain.from_iterable(map(_bad_messages, functions))
        yield Instance.tightest(f"X uniform on {n} points, Y any function of X", cases)
    rng = np.random.default_rng(1)
    tables = [_table(random_weights(rng, 30, sparse=True), 3) for _ in range(4 * RANDOM[size])]
    cases = chain.from_iterable(map(_bad_messages, tables))
    yield Instance.tightest("random sparse 10x3 tables, seed 1", cases)


def pinsker(size: Size) -> Iterator[Instance]:
    """Compare twice the squared distance with the divergence in nats, for pairs of laws."""
    grids = {Size.SMALL: ((2, 12), (3, 5)), Size.MEDIUM: ((2, 30), (3, 7)), Size.LARGE: ((4, 7),)}
    for points, denominator in grids[size]:
        laws = [Law.from_weights(w) for w in laws_with_denominator(points, denominator)]
        full = [law for law in laws if len(law.weights) == points]
        pairs = ((p, q) for p in laws for q in full if p != q)
        slack, best, holds = None, "", True
        for p, q in pairs:
            squared = 2 * statistical_distance(p, q) ** 2
            divergence = relative_entropy(p, q)
            holds = holds and divergence.compare_nats(squared) >= 0
            margin = divergence.enclose_nats().lower - squared
            if slack is None or margin < slack:
                slack, best = margin, f"{float(squared):.4g} <= {float(margin + squared):.4g} nats"
        name = f"pairs of laws on {points} points with denominator {denominator}"
        decided = Instance.of(name, holds, f"tightest {best}")
        yield Instance(decided.name, decided.verdict, decided.detail, slack)


def fano(size: Size) -> Iterator[Instance]:
    """Guess a bit as well as possible from every joint law."""
    for columns, denominator in {
        Size.SMALL: ((2, 6), (3, 4)),
        Size.MEDIUM: ((2, 16), (3, 7), (4, 5)),
        Size.LARGE: ((2, 30), (3, 9), (4, 7)),
    }[size]:
        laws = (_table(w, columns) for w in laws_with_denominator(2 * columns, denominator))
        yield Instance.tightest(
            f"2x{columns} tables with denominator {denominator}",
            (
                (
                    law.weights,
                    conditional_entropy(law, (0,), (1,)),
                    fano_bound(guessing_error(law, (0,), (1,))),
                )
                for law in laws
            ),
        )


def _messages(size: Size) -> Iterator[tuple[int, int]]:
    """Yield pairs (d, largest number of messages) of the chain-rule step."""
    yield from ((1, 2), (2, 4), (3, 2))
    if size is not Size.SMALL:
        yield (3, 3)
    if size is Size.LARGE:
        yield (3, 8)


def chain_rule_step(size: Size) -> Iterator[Instance]:
    """Every deterministic message on d uniform bits: its information about each bit in turn."""
    for d, most in _messages(size):
        strings = list(product((0, 1), repeat=d))
        laws = [
            (
                Law.uniform((*x, m) for x, m in zip(strings, blocks, strict=True)),
                max(blocks) + 1,
            )
            for blocks in partitions(2**d, most)
        ]
        name = f"d={d}, at most {most} messages"
        steps = [
            (law, k, [mutual_information(law, (i,), (d,), tuple(range(i))) for i in range(d)])
            for law, k in laws
        ]
        everything = tuple(range(d))
        yield Instance.all_of(
            f"{name}: chain rule",
            (
                (law.outcomes, sum(parts, LogSum()) == mutual_information(law, everything, (d,)))
                for law, _, parts in steps
            ),
            "sum of I(M; x_i | x_<i) = I(M; x), exactly",
        )
        yield Instance.tightest(
            f"{name}: information at most the length",
            ((law.outcomes, sum(parts, LogSum()), LogSum.log2(k)) for law, k, parts in steps),
        )
        yield Instance.tightest(
            f"{name}: entropy of the mean error",
            (
                (
                    law.outcomes,
                    1 - LogSum.log2(k) * Fraction(1, d),
                    fano_bound(sum((_error(law, i, d) for i in range(d)), Fraction(0)) / d),
                )
                for law, k, _ in steps
            ),
        )


def _error(law: Law[Any], i: int, d: int) -> Fraction:
    return guessing_error(law, (i,), (*range(i), d))


def private_mechanisms(size: Size) -> Iterator[Instance]:
    """Random mechanisms on databases of n bits with their exact privacy, under random priors."""
    rng = np.random.default_rng(2)
    for n in (1, 2, 3):
        databases = list(product((0, 1), repeat=n))

        def cases(
            n: int = n, databases: list[tuple[int, ...]] = databases
        ) -> Iterator[tuple[object, LogSum, LogSum]]:
            for _ in range({Size.SMALL: 20, Size.MEDIUM: 100, Size.LARGE: 500}[size]):
                rows = {x: random_weights(rng, 3, least=1) for x in databases}
                ratio = max(
                    rows[x][o] / rows[y][o]
                    for x, y in product(databases, repeat=2)
                    if sum(a != b for a, b in zip(x, y, strict=True)) == 1
                    for o in range(3)
                )
                prior = random_weights(rng, len(databases), least=1)
                law = Law.of(
                    {
                        (x, o): p * rows[x][o]
                        for x, p in zip(databases, prior, strict=True)
                        for o in range(3)
                    }
                )
                yield (
                    f"e^alpha={ratio}",
                    mutual_information(law, (0,), (1,)),
                    n * LogSum.log2(ratio),
                )

        yield Instance.tightest(f"n={n} records", cases())


CLAIMS = (
    Claim(
        "fx/eq-5.1",
        "section 5.1 and eq. (5.1) of the full version",
        "Entropies, and mutual information as expected divergence",
        "H_inf(X) <= H_2(X) <= H(X), and I(X;Y) = H(X) - H(X|Y) = H(Y) - H(Y|X) is the mean over "
        "y of KL(X|Y=y || X).",
        Kind.LEMMA,
        entropies_and_information,
    ),
    Claim(
        "fx/eq-5.1-distance",
        "section 5.1 of the full version",
        "Two definitions of statistical distance",
        "Half the sum of |p(x) - q(x)| is the largest p(E) - q(E) over events E.",
        Kind.LEMMA,
        distance_definitions,
    ),
    Claim(
        "fx/lemma-5.1",
        "Lemma 5.1 of the full version",
        "A short message leaves most of the min-entropy",
        "If Y takes at most 2^s values, then for every t > 0 the probability over y that "
        "H_inf(X|Y=y) < H_inf(X) - s - t is less than 2^-t.",
        Kind.LEMMA,
        message_leaves_min_entropy,
    ),
    Claim(
        "fx/lemma-5.2",
        "Lemma 5.2 of the full version",
        "Pinsker's inequality",
        "The statistical distance of two laws is at most sqrt(ln(2)/2 KL) with KL in bits; decided "
        "as 2 distance^2 <= KL in nats.",
        Kind.LEMMA,
        pinsker,
    ),
    Claim(
        "fx/lemma-A.1",
        "Lemma A.1 of the full version",
        "Fano's inequality for one bit",
        "If a bit X is guessed from Y with error eps <= 1/2, then H(X|Y) <= H(eps); checked for "
        "the least error of any guess.",
        Kind.LEMMA,
        fano,
    ),
    Claim(
        "fx/eq-1.1",
        "eq. (1.1) in appendix A of the full version",
        "Chain rule for augmented index",
        "For a message M of k values on d uniform bits the sum of I(M; x_i | x_1...x_{i-1}) equals "
        "I(M; x) <= log2 k; hence H(eps) >= 1 - log2(k)/d for the mean eps of the least errors of "
        "guessing x_i from M and x_1...x_{i-1}.",
        Kind.LEMMA,
        chain_rule_step,
        uses=("fx/lemma-A.1",),
    ),
    Claim(
        "fx/sec-7-mi",
        "section 7 of the full version",
        "Privacy bounds mutual information",
        "The output of an alpha-private mechanism on n records has mutual information at most "
        "alpha n log2(e) with the database, under every prior; checked with the exact alpha of "
        "random mechanisms.",
        Kind.REMARK,
        private_mechanisms,
        uses=("fx/eq-5.1",),
    ),
)
