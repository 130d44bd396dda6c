"""Measure the searches for smallest representations: size, search, check, certificate.

    python benchmarks/representation.py [--set small|large|failures] [--time-limit S]

A check writes the certificate and passes it to the kernel, in the same run. Instances are INSTANCE
texts: ``equality:n=8`` is the class of the 8 points, ``greater_than:n=6`` the class of the
thresholds on 6 points. The table is printed to standard output.
"""

from __future__ import annotations

import argparse
import time

from ccsim import (
    ConceptClass,
    deterministic_representation_size,
    least_failure,
    probabilistic_representation_size,
)
from ccsim.instances import parse_class
from ccsim.representation import DeterministicSizeResult, ProbabilisticSizeResult

DETERMINISTIC = {
    "small": ["equality:n=5", "equality:n=6", "greater_than:n=6", "all_functions:n=3", "lines:p=2"],
    "large": ["equality:n=7", "equality:n=8", "parities:n=3", "intervals:n=4", "k_points:b=2,k=2"],
}
PROBABILISTIC = {
    "small": ["equality:n=3", "equality:n=4", "thresholds:b=2", "all_functions:n=2", "lines:p=2"],
    "large": ["equality:n=5", "greater_than:n=5", "all_functions:n=3", "intervals:n=3"],
}
ERRORS = ("1/4", "1/3")
FAILURES = [
    ("some_functions:n=3,chosen=15", "1/3"),
    ("equality:n=5", "1/3"),
    ("greater_than:n=5", "1/3"),
    ("random:m=8,n=5,seed=1", "3/8"),
    ("parities:n=2", "2/5"),
    ("equality:n=6", "1/3"),
    ("random:m=5,n=6,seed=1", "1/3"),
]
"""Classes and errors of curves of least failures, in processor seconds for each number."""


def measure(C: ConceptClass, error: str, failure: str | None, time_limit: float) -> list[str]:
    """Return the cells of one row of the table."""
    started = time.perf_counter()
    result: DeterministicSizeResult | ProbabilisticSizeResult
    if failure is None:
        result = deterministic_representation_size(C, error, time_limit=time_limit)
    else:
        result = probabilistic_representation_size(C, error, failure, time_limit=time_limit)
    searched = time.perf_counter()
    result.check()
    checked = time.perf_counter()
    text = result.certificate().to_json()
    size = f"{result.size}" if result.exact else f"{result.lower}..{result.upper}"
    seconds = (searched - started, checked - searched)
    parameters = error if failure is None else f"{error}, {failure}"
    return [C.name, parameters, size, *(f"{s:.3f}" for s in seconds), f"{len(text)}"]


def measure_failures(time_limit: float) -> None:
    """Print least failure probabilities for up to four hypotheses."""
    print("| class | error | hypotheses | least failure | search s | check s | bytes |")  # noqa: T201
    print("|---|---|---|---|---|---|---|")  # noqa: T201
    for text, error in FAILURES:
        for size in range(1, 5):
            started = time.process_time()
            result = least_failure(text, error, size, time_limit=time_limit)
            searched = time.process_time()
            result.check()
            checked = time.process_time()
            value = f"{result.lower}" if result.exact else f"{result.lower} to {result.upper}"
            shown = value if len(value) < 30 else f"about {float(result.upper):.6f}"
            seconds = f"{searched - started:.2f} | {checked - searched:.2f}"
            characters = len(result.certificate().to_json())
            print(  # noqa: T201
                f"| {text} | {error} | {size} | {shown} | {seconds} | {characters} |", flush=True
            )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=("small", "large", "failures"), default="small")
    parser.add_argument("--time-limit", type=float, default=600)
    options = parser.parse_args()
    if options.set == "failures":
        measure_failures(options.time_limit)
        return
    print("| class | parameters | size | search s | check s | bytes |")  # noqa: T201
    print("|---|---|---|---|---|---|")  # noqa: T201
    measure(parse_class("equality:n=5"), "1/3", None, 60)  # imports, and what is cached
    runs = [(text, error, None) for text in DETERMINISTIC[options.set] for error in ERRORS]
    runs += [(text, "1/4", "1/4") for text in PROBABILISTIC[options.set]]
    for text, error, failure in runs:
        cells = measure(parse_class(text), error, failure, options.time_limit)
        print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
