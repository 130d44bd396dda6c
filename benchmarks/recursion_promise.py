"""Find the factor by which the promise of Lemma 3.14 can be lowered for given functions.

    python benchmarks/recursion_promise.py [--random N]

Every step has epsilon 1, delta 1/10^6 and beta 1/10, and alpha is 1/20. The functions have a range
of 2^64 points; N random functions are added. The failure at the promise itself is exact. The factor
is found by bisection to a precision of 1 %. The table is printed to standard output, in Markdown.
"""

from __future__ import annotations

import argparse
from fractions import Fraction

from ccsim.learning.sample_size import log_star
from proofs_check.claims.beimel_nissim_stemmer.constructions.promises import step_promise
from proofs_check.claims.beimel_nissim_stemmer.rec_concave.promises import (
    MILLIONTH,
    NAMES,
    ONE,
    TENTH,
    exact_failure,
    shape,
)

ALPHA = Fraction(1, 20)
MOST = 1 << 14


def factor(name: str, depth: int) -> tuple[int, Fraction, float]:
    """Return the promise, the failure at the promise, and the factor by which it can be divided."""
    calls = min(depth, log_star(shape(name, ALPHA)[0]))
    promise = step_promise(ALPHA, TENTH, ONE, MILLIONTH, shape(name, ALPHA)[0], calls)
    allowed = 2 * TENTH * calls

    def failure(divisor: Fraction | int) -> Fraction:
        lowered = max(1, int(promise / divisor))
        return exact_failure(name, ALPHA, lowered, calls, ONE, MILLIONTH).upper

    low, high = Fraction(1), Fraction(MOST)
    while high - low > low / 100:
        middle = (low + high) / 2
        low, high = (middle, high) if failure(middle) <= allowed else (low, middle)
    return promise, failure(1), float(low)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--random", type=int, default=100)
    asked = parser.parse_args()
    print("| N | function | promise | failure there | allowed | factor |")  # noqa: T201
    print("|---" * 6 + "|")  # noqa: T201
    for depth in (1, 2, 3):
        rows = [(name, factor(name, depth)) for name in NAMES]
        drawn = [factor(str(seed), depth) for seed in range(asked.random)]
        most = max(failure for _, failure, _ in drawn)
        worst = min(drawn, key=lambda found: found[2])
        rows.append((f"{asked.random} random, worst", (worst[0], most, worst[2])))
        for name, (promise, failure, found) in rows:
            shown = f"{float(failure):.2g} | {float(2 * TENTH * depth):.2g} | {found:.0f}"
            print(f"| {depth} | {name} | {promise} | {shown} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
