"""The weights with which Bob answers 1: for all his inputs at once, as digits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .rules import spend

Drawn = list[tuple[int, int]]  # messages, or sets of inputs that Bob accepts, with their weights


def spread(subset: int, width: int, digits: int) -> int:
    """Return an integer with `digits` hexadecimal digits for each index: 1 for members, else 0."""
    spend(20 + (width * digits >> 1))
    zero = "0" * digits
    text = f"{subset:b}".replace("1", "-").replace("0", zero)
    return int(text.replace("-", zero[1:] + "1"), 16)


def weights_of_ones(
    parts: Iterable[tuple[int, list[Drawn], list[Drawn]]], totals: list[int], width: int
) -> Iterator[list[int]]:
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
