"""Certificates of format 1 about packings, releases and learners, translated into format 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any

from ccsim.certificates import encode_integers
from ccsim.errors import DomainError
from ccsim.format_1.table import Translator
from ccsim.kernel.reader import Matrix, fraction, integer, law
from ccsim.learning.packing.sizes import exclusion

__all__ = ["KINDS"]


def _in_one_unit(laws: Sequence[Sequence[Fraction]]) -> tuple[int, list[list[int | str]]]:
    """Return laws as integers, and what each sums to."""
    unit = lcm(*(p.denominator for law in laws for p in law))
    if any(sum(law) != 1 for law in laws):
        raise DomainError("probabilities must sum to 1")
    return unit, [encode_integers(int(p * unit) for p in law) for law in laws]


def _packing(certificate: dict[str, Any]) -> dict[str, Any]:
    """Translate `packing`: the best exponents are listed."""
    statement = {**certificate["statement"]}
    statement["hypotheses"] = statement.pop("pool")
    lower = certificate["lower"]
    if statement["lower"] == 0 and lower is not None:
        lower = {"trivial": {}}
    elif lower is not None:
        C, last = Matrix.read(certificate["instance"], "concept class"), statement["lower"] - 1
        targets, center = list(lower["targets"]), lower["center"]
        targets.insert(0, targets.pop(center if center >= 0 else len(targets)))
        _, laws = _in_one_unit([[*map(fraction, weights)] for _, weights in targets])
        known = [
            (C.rows[f], law(weights, C.width))
            for (f, _), weights in zip(targets, laws, strict=True)
        ]
        growths = [
            1 + _distance(known[0], other) * (fraction(statement["factor"]) - 1)
            for other in known[1:]
        ]
        best, bits = exclusion(Counter(growths), integer(last), fraction(statement["failure"]))
        lower = {
            "packing": {
                "samples": last,
                "targets": [[f, law] for (f, _), law in zip(targets, laws, strict=True)],
                "exchanged": encode_integers(best[g] for g in growths),
                "bits": bits,
            }
        }
    kind = "private_sample_complexity"
    return certificate | {"format": 2, "kind": kind, "statement": statement, "lower": lower}


def _distance(first: tuple[int, list[int]], second: tuple[int, list[int]]) -> Fraction:
    """Return the statistical distance of labelled examples; both laws have one unit."""
    (f, D), (g, E) = first, second
    shared = (min(p, q) for x, (p, q) in enumerate(zip(D, E, strict=True)) if not (f ^ g) >> x & 1)
    return 1 - Fraction(sum(shared), sum(D))


def _release(certificate: dict[str, Any]) -> dict[str, Any]:
    """Translate `release`: the best exponent is listed."""
    statement, lower = certificate["statement"], certificate["lower"]
    if lower is not None and statement["lower"] == 1:
        lower = {"trivial": {}}
    elif lower is not None:
        last, factor = integer(statement["lower"] - 1), fraction(statement["factor"])
        replaced = ceil(2 * fraction(statement["accuracy"]) * last)
        others = {factor: max(len(lower["points"]) - 1, 1)}
        best, bits = exclusion(others, replaced, fraction(statement["failure"]))
        proof = {"records": last, "points": lower["points"], "exchanged": best[factor]}
        lower = {"points": proof | {"bits": bits}}
    return certificate | {"format": 2, "lower": lower}


def _private_failure(certificate: dict[str, Any]) -> dict[str, Any]:
    """Translate `private_failure`: all numbers become integers, trees are listed in preorder."""
    statement, lower, upper = (certificate[key] for key in ("statement", "lower", "upper"))
    width = len(certificate["instance"]["points"])
    if lower == {} and statement["lower"] == "0":  # any target shows it
        even = {"targets": [[0, [1] * width]], "weights": [1], "flows": []}
        lower = {"flows": even}
    elif lower is not None:
        lower = {"flows": _flows(lower, statement["samples"], fraction(statement["factor"]))}
    if upper is not None:
        laws = [{_function(h): fraction(p) for h, p in law} for law in upper["laws"]]
        if width.bit_length() > 4:
            raise DomainError("too many points")
        full = [[law.get(h, Fraction(0)) for h in range(1 << width)] for law in laws]
        trees = [_preorder(tree) for tree in upper["subdivisions"]]
        upper = {"learner": {"laws": _in_one_unit(full)[1], "trees": trees}}
    return certificate | {"format": 2, "lower": lower, "upper": upper}


def _flows(lower: dict[str, Any], samples: int, factor: Fraction) -> dict[str, Any]:
    """Write chances of samples, and flows between them, in one unit."""
    if type(samples) is not int or not 0 <= samples < 1 << 12:
        raise DomainError("too many examples")
    targets, flows = lower["targets"], lower["flows"]
    shares = [fraction(w) for *_, w in targets]
    unit, laws = _in_one_unit([[*map(fraction, law)] for _, law, _ in targets])
    sent = [fraction(y) * unit**samples / factor.denominator for *_, y in flows]
    scale = lcm(*(p.denominator for p in (*shares, *sent)))
    return {
        "targets": [[f, law] for (f, *_), law in zip(targets, laws, strict=True)],
        "weights": encode_integers(int(w * scale) for w in shares),
        "flows": [
            [i, j, _function(h), *encode_integers([int(y * scale)])]
            for (i, j, h, _), y in zip(flows, sent, strict=True)
        ],
    }


def _function(row: str) -> int:
    return int(row[::-1], 2)


def _preorder(tree: Any) -> list[Any]:  # noqa: ANN401 - a JSON value
    nodes: list[Any] = []
    left = [tree]
    while left:
        node = left.pop()
        if node is None:
            nodes.append(None)
        else:
            a, b, first, second = node
            nodes.append([a, b])
            left += [second, first]
    return nodes


KINDS: dict[str, Translator] = {
    "packing": _packing,
    "release": _release,
    "private_failure": _private_failure,
}
