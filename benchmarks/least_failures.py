"""Measure least failure probabilities of random and structured classes, with times.

    python benchmarks/least_failures.py [--limit S] [NUMBER ...]

Without numbers, all 77 instances are measured: random classes of 6 to 40 concepts on 5 and 6
points, and structured classes, each with a randomly drawn error and number of hypotheses. The table
is printed to standard output.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import combinations_with_replacement

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.representation import least_failure
from ccsim.representation.failure import heavy_families, refutations

ERRORS = ["1/3", "1/4", "2/5", "3/8", "1/6", "3/7", "1/5", "49/100", "4/9", "2/7", "1/8", "3/10"]
CONCEPTS = {5: (6, 8, 10, 12, 16, 20, 24, 28, 32), 6: (6, 8, 10, 12, 16, 20, 24, 28, 40)}
REPEATS = {5: 2, 6: 3}
Instance = tuple[str, list[int], int, str, int]


def _of_size(n: int, size: int) -> list[int]:
    return [mask for mask in range(1 << n) if mask.bit_count() == size]


def _even(n: int) -> list[int]:
    return [mask for mask in range(1 << n) if not mask.bit_count() % 2]


def structured() -> dict[str, tuple[list[int], int]]:
    """Return named classes: concepts as bit masks, and number of points."""
    ends = combinations_with_replacement(range(6), 2)
    return {
        "thresholds 5": ([(1 << i) - 1 for i in range(6)], 5),
        "thresholds 6": ([(1 << i) - 1 for i in range(7)], 6),
        "intervals 5": (sorted({(1 << j) - (1 << i) for i, j in ends}), 5),
        "pairs 5": (_of_size(5, 2), 5),
        "pairs 6": (_of_size(6, 2), 6),
        "triples 6": (_of_size(6, 3), 6),
        "even 6": (_even(6), 6),
        "even 5": (_even(5), 5),
        "cube 3, each point twice": ([mask * 9 for mask in range(8)], 6),
        "all 5": ([*range(32)], 5),
        "all 6": ([*range(64)], 6),
        "cyclic 6": (sorted({(11 << i | 11 >> 6 - i) & 63 for i in range(6)}), 6),
        "stars of K4": ([0b000111, 0b011001, 0b101010, 0b110100], 6),
        "singletons 6": ([1 << i for i in range(6)], 6),
        "ball 6": ([0, *(1 << i for i in range(6))], 6),
        "product of singletons": (sorted(1 << i | 8 << j for i in range(3) for j in range(3)), 6),
    }


def instances() -> list[Instance]:
    """Return the instances: name, concepts as bit masks, points, error, number of hypotheses."""
    rng = random.Random(202611)  # noqa: S311 - instances, no secrets
    found: list[Instance] = []
    for n, sizes in CONCEPTS.items():
        for m in sizes:
            for _ in range(REPEATS[n]):
                masks = sorted(rng.sample(range(1 << n), m))
                found.append(
                    (f"random {n}, m={m}", masks, n, rng.choice(ERRORS), rng.randint(1, 8))
                )
    for name, (masks, n) in structured().items():
        found += [(name, masks, n, rng.choice(ERRORS), rng.randint(2, 6)) for _ in range(2)]
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", type=int, nargs="*")
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_args()
    least_failure("points:b=1", "1/3", 1).check()  # imports
    print("| | class | error | hypotheses | least failure | search s | check s | bytes |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|")  # noqa: T201
    for number, (name, masks, n, error, size) in enumerate(instances()):
        if options.numbers and number not in options.numbers:
            continue
        heavy_families.cache_clear()
        refutations.cache_clear()
        C = ConceptClass.from_matrix([[mask >> x & 1 for x in range(n)] for mask in masks])
        started = time.process_time()
        budget = Budget(options.limit, clock=time.process_time)
        result = least_failure(C, error, size, time_limit=budget)
        searched = time.process_time()
        result.check()
        checked = time.process_time()
        low, high = float(result.lower), float(result.upper)
        shown = f"{result.lower}" if result.exact else f"{low:.4f} to {high:.4f}"
        if len(shown) > 30:
            shown = f"about {high:.6f}"
        seconds = f"{searched - started:.2f} | {checked - searched:.2f}"
        characters = len(result.certificate().to_json())
        print(  # noqa: T201
            f"| {number} | {name} | {error} | {size} | {shown} | {seconds} | {characters} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
