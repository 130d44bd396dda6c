"""Measure simulations: processor time of many runs of every family of protocols.

    python benchmarks/simulation.py [--runs N] [--protocols NAME:key=value,... ...]

The inputs are random inputs with the worst-case error, for seed 0. The table is printed to standard
output.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from ccsim.communication.protocols.by_rules import simulate
from ccsim.instances.protocols import build_protocol

PROTOCOLS = (
    "equality:bits=256,repetitions=10",
    "equality_partition:n=2^256,messages=4,rejected=0",
    "equality_optimal:n=2^256,messages=4",
    "equality_optimal:n=509,messages=4",
    "equality_optimal:n=300,messages=4",
    "greater_than:bits=256",
    "index:d=256",
    "index_covering_code:r=8",
    "index_even_weight:d=256",
    "index_repetition:d=256",
    "index_reed_muller:m=4",
    "index_golay:",
    "augmented_index:d=256",
    "augmented_index_covering_code:r=8",
    "augmented_index_even_weight:d=256",
    "augmented_index_repetition:d=256",
    "augmented_index_reed_muller:m=4",
    "augmented_index_golay:",
    "lines:p=251",
    "lines_hashing:p=251,bits=3",
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10**7)
    parser.add_argument("--protocols", nargs="+", default=PROTOCOLS, metavar="PROTOCOL")
    options = parser.parse_args()
    say = lambda line: print(line, flush=True)  # noqa: E731, T201 - the table is the output
    say("| protocol | CPU seconds | 99% interval | exact error |\n|---|---|---|---|")
    for name in options.protocols:
        protocol = build_protocol(name)
        x, y = protocol.hard_input(np.random.default_rng(0))
        start = time.process_time()
        result = simulate(protocol, x, y, options.runs, seed=0)
        seconds = time.process_time() - start
        low, high = float(result.interval.lower), float(result.interval.upper)
        interval = f"[{low:.6f}, {high:.6f}]" + ("" if result.agrees else " NOT IN IT")
        say(f"| `{protocol.name}` | {seconds:.1f} | {interval} | {float(result.exact):.6f} |")


if __name__ == "__main__":
    main()
