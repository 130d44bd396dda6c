"""Find the least degree-1 Fourier weight of the threshold functions of N bits.

    python benchmarks/degree_one_weight.py [--bits N]

The weight includes the constant coefficient. Permuting and negating variables changes neither the
weight nor the property of being a threshold function, so that ``w_1 >= ... >= w_N >= 0`` may be
assumed. Such a threshold function is regular: its value remains 1 if a bit is set or a one moves to
an earlier position. All regular functions are examined in order of increasing weight. For each
function, an exact linear program, checked by the kernel, either gives a threshold and weights or
proves that there are none. The search ends after the functions of the least weight, so that no
complete list of threshold functions is needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate

from ccsim.errors import NotDecidedError
from ccsim.programs import (
    InfeasibilityProof,
    LinearProgram,
    OptimalSolution,
    solve_linear_program,
)


def regular_functions(bits: int) -> Iterator[int]:
    """Yield every regular function as the mask of the inputs where it is 1."""
    inputs = range(1 << bits)
    counts = [tuple(accumulate(x >> i & 1 for i in range(bits))) for x in inputs]

    def below(x: int, y: int) -> bool:
        return all(a <= b for a, b in zip(counts[x], counts[y], strict=True))

    above = [sum(1 << y for y in inputs if y != x and below(x, y)) for x in inputs]
    under = [sum(1 << y for y in inputs if below(y, x)) for x in inputs]
    order = sorted(inputs, key=lambda x: -sum(counts[x]))  # nothing is above an earlier one
    stack = [(0, 0, 0)]
    while stack:
        i, ones, zeros = stack.pop()
        while i < len(order) and zeros >> order[i] & 1:
            i += 1
        if i == len(order):
            yield ones
            continue
        x = order[i]
        stack.append((i + 1, ones, zeros | under[x]))
        if above[x] & ~ones == 0:
            stack.append((i + 1, ones | 1 << x, zeros))


def chow(ones: int, masks: list[int], inputs: int) -> list[int]:
    """Return the sum of the values (-1 or 1), and for each bit the sum of values times bits."""
    return [inputs - 2 * (ones ^ mask).bit_count() for mask in masks]


def realisation(ones: int, bits: int) -> list[Fraction] | None:
    """Return a threshold and weights, or None if a linear program proves that there are none."""
    rows = [
        ([s, *(-s * (x >> i & 1) for i in range(bits))], "<=", -1)
        for x in range(1 << bits)
        for s in (1 if ones >> x & 1 else -1,)
    ]
    outcome = solve_linear_program(
        LinearProgram.minimise([0] + [1] * bits, rows, [None] + [0] * bits, [None] * (bits + 1))
    )
    outcome.check()
    if isinstance(outcome, OptimalSolution):
        return list(outcome.primal)
    if isinstance(outcome, InfeasibilityProof):
        return None
    raise NotDecidedError(f"a linear program is {outcome.status}")


def main() -> None:
    """Print the least weight."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bits", type=int, default=6, choices=range(1, 8))
    bits = parser.parse_args().bits
    inputs = 1 << bits
    masks = [(1 << inputs) - 1]
    masks += [sum(1 << x for x in range(inputs) if x >> i & 1) for i in range(bits)]
    listed = [(chow(ones, masks, inputs), ones) for ones in regular_functions(bits)]
    sys.stdout.write(f"{len(listed)} regular functions of {bits} bits\n")
    by_weight = sorted((sum(c * c for c in each), each, ones) for each, ones in listed)
    least = None
    for weight, each, ones in by_weight:
        if least is not None and weight > least:
            break
        found = realisation(ones, bits)
        least = weight if found is not None else least
        shown = "none, proved" if found is None else " ".join(map(str, found))
        value = Fraction(weight, inputs**2)
        sys.stdout.write(f"weight {value}, Chow parameters {each}: {shown}\n")


if __name__ == "__main__":
    main()
