"""Inputs of a problem: distributions on them, and the weights of errors on each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any

from .reader import *
from .rules import *

Cell = tuple[int, int]
Drawn = list[tuple[int, int]]  # messages, or sets of inputs that Bob accepts, with their weights
Parts = Iterable[tuple[int, list[Drawn], list[Drawn]]]  # weights, and tables of Alice and Bob


def distribution(value: object, it: Quantity) -> dict[Cell, int]:
    """Read weights of inputs inside the promise, each at least 1, as an input distribution."""
    listed = [(it.instance.cell([x, y]), integer(w, 1)) for x, y, w in each(entries, value, 3)]
    spend(10 * len({x for (x, _), _ in listed}) * len({y for (_, y), _ in listed}))
    require(listed, "at least one input must be listed")
    require(len(found := dict(listed)) == len(listed), "no input may be listed twice")
    return found


Distribution = Annotated[dict[Cell, int], distribution]


def signed(F: Matrix, weights: dict[Cell, int]) -> tuple[list[list[int]], int]:
    """Return the positive weights of inputs, negated for the value 0, and their sum."""
    xs, ys = (sorted({cell[i] for cell in weights}) for i in (0, 1))
    rows = [[weights.get((x, y), 0) * (F.rows[x] >> y & 1 or -1) for y in ys] for x in xs]
    return rows, sum(weights.values())


def added(values: Iterable[Fraction]) -> Fraction:
    """Return the sum of fractions; count steps by the sizes of the denominators."""
    found = [*values]
    bits = sum(map(int.bit_length, different(value.denominator for value in found).values()))
    spend(len(found) * (10 + ((bits >> 6) ** 2 >> 4)))
    return sum(found, Fraction(0))


def averaged(errors: dict[Cell, Any], symmetries: Sequence[Symmetry]) -> dict[Cell, Any]:
    """Return the mean error over the orbit of each input, which a random symmetry attains."""
    moves, means = [g.cell for g in symmetries], dict[Cell, Any]()
    for cell in (c for c in errors if moves and c not in means):
        cells = orbit(cell, moves)
        means |= dict.fromkeys(cells, added(map(errors.__getitem__, cells)) / len(cells))
    return means or errors


def spread(subset: int, width: int, digits: int) -> int:
    """Return an integer with `digits` hexadecimal digits for each index: 1 for members, else 0."""
    spend(20 + (width * digits >> 1))
    zero = "0" * digits
    text = f"{subset:b}".replace("1", "-").replace("0", zero)
    return int(text.replace("-", zero[1:] + "1"), 16)


def weights_of_ones(parts: Parts, totals: list[int], width: int) -> Iterator[list[int]]:
    """Yield for each input of Alice the weights with which Bob answers 1 on each of his inputs."""
    digits = 1 + (max(totals, default=0).bit_length() >> 2)
    size, sums = width * digits, [0] * len(totals)
    for w, alice, bob in parts:
        answers = [[(w * q, spread(S, width, digits)) for q, S in law] for law in bob]
        spend(sum(map(len, alice)) * max(map(len, bob)) * (5 + (size >> 4) * (1 + (digits >> 9))))
        for x, sent in enumerate(alice):
            for p, m in sent:
                for q, lanes in answers[m]:
                    sums[x] += p * q * lanes
    for lanes in sums:
        spend(20 + width * (40 + ((digits >> 4) ** 2 >> 4)) + (size >> 1))  # also for fractions
        text = f"{lanes:x}".rjust(size, "0")
        yield [int(text[i - digits : i], 16) for i in range(size, 0, -digits)]
