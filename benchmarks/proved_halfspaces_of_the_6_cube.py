"""Verify by a formally verified checker that the halfspaces on {0,1}^6 have dimension 22.

    python benchmarks/proved_halfspaces_of_the_6_cube.py FOLDER [--depth D]

The script writes the results of `halfspaces_of_the_6_cube.py` into a folder: a mistake tree of
depth 22 whose leaves are weights, and the refutation of depth 23 with moves of the cube. It then
builds the checker of `rocq/families/HalfspaceDimension.v` and runs it on the two files. Neither the
search nor the published number of threshold functions is trusted: the checker generates all rows
itself, by a rule that is proved to miss no halfspace. The script needs the tools of ``proofs-check
build`` and some gigabytes of memory.
"""

from __future__ import annotations

import argparse
import subprocess
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import halfspaces_of_the_6_cube as search
import numpy as np
import numpy.typing as npt

from proofs_check.formal.cube import word
from proofs_check.formal.rocq import build_cube_checker

CODES = {"Flip": 0, "Swap": 8, "Turn": 16}


def functions_with_weights() -> tuple[search.Words, npt.NDArray[np.int8]]:
    """Return the sorted threshold functions, with weights (lowest digit first) and thresholds."""
    ordered: dict[bytes, tuple[npt.NDArray[np.int64], int]] = {}
    for choice in combinations_with_replacement(range(9, -1, -1), search.N):
        values = search.CUBE @ np.array(choice)
        for threshold in (*np.unique(values), values.max() + 1):
            key = (values >= threshold).astype(np.uint8).tobytes()
            ordered.setdefault(key, (np.array(choice), int(threshold)))
    place = 1 << np.arange(search.N - 1, -1, -1)
    pairs = [(p, s) for p in permutations(range(search.N)) for s in search.CUBE]
    moves = np.array([(search.CUBE[:, p] ^ s) @ place for p, s in pairs])
    signs = np.array([s for _, s in pairs])
    targets = np.array([p for p, _ in pairs])
    found, proofs = [], []
    for function, (weights, threshold) in sorted(ordered.items()):
        images = np.packbits(np.frombuffer(function, np.uint8)[moves], axis=1, bitorder="little")
        rows, first = np.unique(images.view(np.uint64), return_index=True)
        changed = signs[first]
        moved = np.zeros((len(rows), search.N + 1), np.int8)
        turned = np.where(changed == 1, -1, 1) * weights
        np.put_along_axis(moved, search.N - 1 - targets[first], turned.astype(np.int8), axis=1)
        moved[:, search.N] = threshold - changed @ weights
        found.append(rows)
        proofs.append(moved)
    functions, first = np.unique(np.concatenate(found), return_index=True)
    return functions, np.concatenate(proofs)[first]


def write_tree(
    path: Path,
    points: search.Ints,
    depth: int,
    functions: search.Words,
    proofs: npt.NDArray[np.int8],
) -> None:
    """Write a tree in preorder: a point for each node, weights and a threshold for each leaf."""
    nodes = np.ones(len(functions), np.int64)
    for _ in range(depth):
        labels = functions >> points[nodes].astype(np.uint64) & np.uint64(1)
        nodes = 2 * nodes + labels.astype(np.int64)
    reached, first = np.unique(nodes, return_index=True)
    if len(reached) != 1 << depth:
        raise SystemExit("a leaf is reached by no threshold function")
    leaves = proofs[first]
    with path.open("wb") as stream:
        for leaf in range(1 << depth):  # what precedes a leaf: the nodes of which it is the first
            new = depth if leaf == 0 else (leaf & -leaf).bit_length() - 1
            node = (1 << depth) + leaf
            stream.write(bytes(points[node >> up] for up in range(new, 0, -1)))
            stream.write(leaves[leaf].tobytes())


def write_refutation(path: Path, refutation: search.Refutation, functions: search.Words) -> None:
    """Write every entry; each step has the moves that map the earlier entry to this side."""

    def chosen(depth: int, literals: list[int]) -> npt.NDArray[np.int64]:
        symmetries = refutation.symmetries if depth >= search.WHOLE else refutation.fewer
        index = search.first_image(symmetries, refutation.values, np.array(literals, np.int64))
        return np.array(symmetries[index], np.int64)

    with path.open("w", encoding="ascii") as stream:
        print(len(refutation.entries), file=stream)
        for depth, literals, steps in refutation.entries:
            space = search.agreeing(functions, literals)
            print(depth, len(literals), *literals, len(steps), file=stream)
            for x, (label, entry) in steps.items():
                side = search.shared(search.agreeing(space, [2 * x + label]))[0]
                below, served, _ = refutation.entries[entry]
                there = np.argsort(chosen(below, side))
                images = there[chosen(below, served)]
                moves = [CODES[name] + i for name, i in word(images.tolist(), search.N)]
                print(x, label, entry + 1, len(moves), *moves, file=stream)


def main() -> None:
    """Write the two files and check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--depth", type=int, default=22)
    parser.add_argument("--work", type=float, default=1e10, help="functions looked at")
    options = parser.parse_args()
    folder, depth = options.folder, options.depth
    tree, spaces = folder / "tree", folder / "spaces"
    if not spaces.exists():
        functions, proofs = functions_with_weights()
        print(f"{len(functions)} threshold functions", flush=True)  # noqa: T201
        points = np.zeros(1 << depth, np.int64)
        work = np.array([int(options.work)])
        if not search.grow(functions.copy(), 0, len(functions), depth, 1, points, work):
            raise SystemExit(f"no mistake tree of depth {depth} was found")
        write_tree(tree, points, depth, functions, proofs)
        print(f"a mistake tree of depth {depth} is written", flush=True)  # noqa: T201
        refutation = search.Refutation()
        if refutation.refute(functions, depth + 1) is None:
            raise SystemExit(f"depth {depth + 1} was not refuted")
        write_refutation(folder / "unfinished", refutation, functions)
        (folder / "unfinished").rename(spaces)
        print(f"{len(refutation.entries)} spaces are written", flush=True)  # noqa: T201
    program = build_cube_checker()
    subprocess.run([program, "6", str(depth), tree, spaces], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
