"""Compare the VC and dual VC dimensions of all classes on few points with their bounds.

    python benchmarks/dual_dimensions.py [--points N]

Permutations of the points and the exchange of both labels change neither dimension. The script
examines one class of each orbit under these symmetries and counts the whole orbit. Each dimension
is computed with a proof, which is checked. The output, in Markdown, is the number of classes for
each pair of dimensions, and the number of classes that violate Fact 4 of `pap`, Claim 3 of `pap`,
or the lemma of Sauer and Shelah.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from fractions import Fraction
from math import comb

from ccsim import ConceptClass, dual_vc_dimension, representative_domain, vc_dimension
from ccsim.exact.exponentials import enclose_log
from ccsim.symmetry.groups import ClassOrbits


def orbits(points: int) -> ClassOrbits:
    """Return the classes over the given number of points, up to the symmetries of this module."""
    rows = range(1 << points)
    places = list(range(points))
    moved = [places[1:] + places[:1], [*places[1::-1], *places[2:]]]
    moves = [tuple(sum((r >> x & 1) << t for x, t in enumerate(to)) for r in rows) for to in moved]
    return ClassOrbits(len(rows), [*moves, tuple(rows[::-1])])


def breaches(concept_class: ConceptClass, vc: int, dual: int) -> list[str]:
    """Return the names of the bounds that a class violates."""
    broken = []
    if dual >= 2 ** (vc + 1):
        broken.append("Fact 4")
    if len(concept_class) > sum(comb(len(concept_class.points), i) for i in range(vc + 1)):
        broken.append("Sauer-Shelah")
    size = len(representative_domain(concept_class))
    if dual == 0:
        too_large = size != 1
    else:
        log = enclose_log(Fraction(len(concept_class), dual))
        too_large = enclose_log(Fraction(size)).upper > dual * (1 + log.lower)
    return [*broken, *(["Claim 3"] if too_large else [])]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=4)
    points = parser.parse_args().points
    began, classes = time.process_time(), orbits(points)
    found, broken = Counter[tuple[int, int]](), Counter[str]()
    for mask in classes.leaders.tolist():
        if not mask:
            continue
        rows = [row for row in range(1 << points) if mask >> row & 1]
        known = ConceptClass.from_rows(rows, range(points))
        results = vc_dimension(known), dual_vc_dimension(known)
        for result in results:
            result.check()
        size = len(classes.images(mask))
        found[results[0].value, results[1].value] += size
        for name in breaches(known, results[0].value, results[1].value):
            broken[name] += size
    duals = sorted({dual for _, dual in found})
    print(f"| VC | {' | '.join(f'dual VC {dual}' for dual in duals)} |")  # noqa: T201
    print("| --- " * (len(duals) + 1) + "|")  # noqa: T201
    for vc in sorted({vc for vc, _ in found}):
        print(f"| {vc} | {' | '.join(str(found[vc, dual]) for dual in duals)} |")  # noqa: T201
    counts = f"{found.total()} classes in {len(classes.leaders) - 1} orbits"
    seconds = time.process_time() - began
    print(f"\n{counts}; broken: {dict(broken) or 'nothing'}; {seconds:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
