"""Measure the VC and the dual VC dimension: search, check, and a textbook search in C.

    python benchmarks/vc_dimension.py [CLASS ...] [--limit SECONDS] [--textbook SECONDS]

For each class and each of the two dimensions, the script measures the processor time of the search
with its proof, of writing the certificate, and of the kernel's check, which reads it. Each
measurement runs in its own process; the time of the search includes loading compiled code. The
textbook search (`textbook_vc.c`, compiled by this script) lists all shattered sets and is stopped
at its limit of processor time. The table is printed to standard output.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np

from ccsim import ConceptClass, dual_vc_dimension, kernel, random_class, vc_dimension
from ccsim.classes.families.grids import balls_on_grid, boxes_on_grid, halfspaces_on_grid

SOLVE = {"VC": vc_dimension, "dual": dual_vc_dimension}


def sparse(concepts: int, points: int, density: float, seed: int) -> ConceptClass:
    """Return distinct random concepts whose average density of ones is ``density``."""
    bits = np.random.default_rng(seed).random((concepts, points)) < density
    rows = {sum(1 << int(x) for x in np.flatnonzero(row)) for row in bits}
    return ConceptClass.from_rows(sorted(rows), range(points))


def uneven(concepts: int, points: int, seed: int) -> ConceptClass:
    """Return random concepts with a different density of ones at each point."""
    random = np.random.default_rng(seed)
    bits = random.random((concepts, points)) < random.random(points) * 0.45 + 0.05
    rows = {sum(1 << int(x) for x in np.flatnonzero(row)) for row in bits}
    return ConceptClass.from_rows(sorted(rows), range(points))


def turned(points: int, orbits: int, seed: int) -> ConceptClass:
    """Return all rotations of random concepts on a circle of points."""
    random = np.random.default_rng(seed)
    rows = set()
    for _ in range(orbits):
        chosen = np.flatnonzero(random.random(points) < 0.4)
        rows |= {sum(1 << int(x + turn) % points for x in chosen) for turn in range(points)}
    return ConceptClass.from_rows(sorted(rows), range(points))


def union(*classes: ConceptClass) -> ConceptClass:
    """Return the class of all concepts of the given classes over the same points."""
    rows = set().union(*(C.rows for C in classes))
    return ConceptClass.from_rows(sorted(rows), classes[0].points)


CLASSES: dict[str, Callable[[], ConceptClass]] = {
    "random 250 x 60": lambda: random_class(250, 60, seed=1),
    "random 250 x 60, seed 2": lambda: random_class(250, 60, seed=2),
    "random 300 x 60": lambda: random_class(300, 60, seed=4),
    "density 0.3, 250 x 60": lambda: sparse(250, 60, 0.3, 7),
    "density 0.1, 1000 x 80": lambda: sparse(1000, 80, 0.1, 1),
    "density 0.2, 1000 x 80": lambda: sparse(1000, 80, 0.2, 2),
    "density 0.3, 1000 x 80": lambda: sparse(1000, 80, 0.3, 3),
    "densities 0.05 to 0.5, 1000 x 80": lambda: uneven(1000, 80, 10),
    "turns of 5 concepts on 60 points": lambda: turned(60, 5, 11),
    "balls on 8 x 8": lambda: balls_on_grid((8, 8)),
    "balls on 6 x 9": lambda: balls_on_grid((6, 9)),
    "halfspaces on 8 x 8": lambda: halfspaces_on_grid((8, 8)),
    "halfspaces on 3 x 3 x 4": lambda: halfspaces_on_grid((3, 3, 4)),
    "boxes on 8 x 8": lambda: boxes_on_grid((8, 8)),
    "random 500 x 50": lambda: random_class(500, 50, seed=4),
    "halfspaces and boxes on 8 x 8": lambda: union(
        halfspaces_on_grid((8, 8)), boxes_on_grid((8, 8))
    ),
}


def measured(name: str, dimension: str, limit: float) -> list[str]:
    """Return the cells of a row of the table, except the last."""
    solve = SOLVE[dimension]
    concept_class = CLASSES[name]()
    began = time.process_time()
    result = solve(concept_class, time_limit=limit)
    searched = time.process_time()
    text = result.certificate().to_json()
    written = time.process_time()
    try:
        kernel.check(json.loads(text))
        checked = f"{time.process_time() - written:.2f}"
    except kernel.Rejected:
        checked = "too long"
    value = f"{result.lower}" if result.exact else f"{result.lower} to {result.upper}"
    seconds = [f"{searched - began:.2f}", f"{written - searched:.2f}", checked]
    shape = f"{len(concept_class)} x {len(concept_class.points)}"
    return [name, shape, dimension, value, result.bound.method, *seconds]


def textbook(program: Path, name: str, dimension: str, limit: int) -> str:
    """Return the processor seconds of the textbook search, or ``> limit`` if it was stopped."""
    concept_class = CLASSES[name]()
    if dimension == "dual":
        concept_class = concept_class.dual()
    width = len(concept_class.points)
    lines = [f"{row:0{width}b}" for row in concept_class.rows]
    text = "\n".join([f"{len(lines)} {width}", *lines])
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        subprocess.run(  # noqa: S603 - a program of ours
            [str(program)],
            input=text.encode(),
            check=True,
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
    except subprocess.CalledProcessError:
        return f"> {limit}"
    return f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", nargs="*", metavar="CLASS", default=[*CLASSES])
    parser.add_argument("--limit", type=float, default=math.inf)
    parser.add_argument("--textbook", type=int, default=60)
    options = parser.parse_args()
    columns = ["class", "size", "dimension", "value", "proof", "search s", "write s", "check s"]
    print(f"| {' | '.join([*columns, 'textbook in C s'])} |")  # noqa: T201
    print("|---" * (len(columns) + 1) + "|")  # noqa: T201
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "textbook_vc"
        source = Path(__file__).with_suffix("").parent / "textbook_vc.c"
        compiler = shutil.which("cc") or "cc"
        command = [compiler, "-O3", "-march=native", str(source), "-o", str(program)]
        subprocess.run(command, check=True)  # noqa: S603 - a source of ours
        context = multiprocessing.get_context("spawn")
        for name, dimension in product(options.classes, SOLVE):
            with context.Pool(1) as pool:
                cells = pool.apply(measured, (name, dimension, options.limit))
            cells.append(textbook(program, name, dimension, options.textbook))
            print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
