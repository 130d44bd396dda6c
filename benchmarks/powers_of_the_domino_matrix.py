"""Bound the fractional partition numbers of the powers of the Domino matrix.

    python benchmarks/powers_of_the_domino_matrix.py [--most K] [--out FOLDER]

The output, in Markdown, has a row for each power: the number of types of ones, the bounds, a number
that is at least the root of the upper bound, and the seconds of processor time. The kernel checks
each certificate. With ``--out``, the certificates are written to a folder; if the bounds differ,
only the proof of the upper bound is written.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from math import comb
from pathlib import Path

from ccsim import fractional_partition_number

DOMINO = ["110", "111", "011"]


def types(k: int) -> int:
    """Return the number of types of ones of the k-th power.

    There are four classes of ones, and a transposition exchanges two of them. The multisets that it
    preserves contain both of these classes equally often.
    """
    fixed = sum(k - 2 * both + 1 for both in range(k // 2 + 1))
    return (comb(k + 3, 3) + fixed) // 2


def main() -> None:
    """Compute, check and print the bounds for each power."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--most", type=int, default=5, help="largest power")
    arguments.add_argument("--out", type=Path, help="folder for the certificates")
    given = arguments.parse_args()
    sys.stdout.write("| k | types | lower bound | upper bound | root at most | search | check |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|\n")
    for k in range(1, given.most + 1):
        start = time.process_time()
        result = fractional_partition_number(DOMINO, 1, k)
        searched = time.process_time()
        result.check()
        seconds = searched - start, time.process_time() - searched
        root = float(result.upper) ** (1 / k) + 1e-7
        ends = " | ".join(f"{float(end):.7f}" for end in (result.lower, result.upper))
        times = " | ".join(f"{each:.1f}" for each in seconds)
        sys.stdout.write(f"| {k} | {types(k)} | {ends} | {root:.7f} | {times} |\n")
        sys.stdout.flush()
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
            found = result.certificate()
            if not result.exact:
                statement = found.statement | {"lower": None}
                found = replace(found, statement=statement, lower=None)
            found.write(given.out / f"domino-{k}.json")


if __name__ == "__main__":
    main()
