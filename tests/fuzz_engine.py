"""Compare the answers of the engine in C to random questions with those of Python.

    python -m tests.fuzz_engine --rounds 1000
    python -m tests.fuzz_engine --rounds 40 --sanitize

Every part of the engine is used in each round. The answers must be equal, to the last bit of a
float; of mistake trees, the values must be equal, and the proofs are checked. A failing round is
printed with the number that repeats it (`--first`). With `--sanitize`, the library is compiled with
AddressSanitizer and UBSan; see `tests/sanitize_engine.py`.
"""

import argparse
import sys
from itertools import permutations
from unittest import mock

import numpy as np

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    native,
    recursive_teaching_dimension,
    star_number,
    teaching_dimension,
)
from ccsim.budget import Budget
from ccsim.classes.concept_class import columns
from ccsim.communication.interactive.messages import PairSearch
from ccsim.communication.interactive.trees import Limits, TreeSearch
from ccsim.communication.partitions import answers as medians
from ccsim.communication.partitions.search import improve_partition
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.private_coins.equations import best_equations
from ccsim.communication.private_coins.simplices import DistributionSearch
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.dimensions.littlestone import littlestone_dimension
from ccsim.dimensions.shattering import growing
from ccsim.dimensions.shattering.growing import counting_search, trace_search
from ccsim.dimensions.version_spaces import native as tree_search
from ccsim.measures import heavy_sets
from ccsim.representation.meeting import meeting_sets, meeting_tree
from ccsim.symmetry.groups import group_of, leading_sets
from protocols.hashing import InnerProductHash
from tests.communication.test_mixtures import cases, mixtures_and_cuts
from tests.communication.test_relations import random_games


def some_class(rng, height, width):
    """Return a random class with dense, sparse, repeated or complementary columns."""
    rows, points = int(rng.integers(1, height)), int(rng.integers(1, width))
    bits = rng.random((rows, points)) < rng.choice([0, 0.05, 0.3, 0.5, 0.9, 1], points)
    copied = rng.integers(points, size=points) if rng.random() < 0.3 else np.arange(points)
    bits = bits[:, copied] ^ (rng.random(points) < 0.2)
    if points < 20 and rng.random() < 0.2:  # symmetries
        bits = np.concatenate([np.roll(bits[:5], by, axis=1) for by in range(points)])
    bits = np.unique(bits, axis=0)
    return ConceptClass.from_rows(
        [sum(int(b) << x for x, b in enumerate(row)) for row in bits], range(points)
    )


def trees(rng):
    C = some_class(rng, 60, 12 if rng.random() < 0.8 else 90)
    n = int(rng.integers(6, 10))
    some = [int(row) for row in rng.integers(1, 1 << n, 9)]
    turned = {(row << k | row >> n - k) & (1 << n) - 1 for row in some for k in range(n)}
    limits = {"_FEW_ENTRIES": int(rng.integers(0, 9)), "_SLICE": 1 << int(rng.integers(4, 20))}
    with mock.patch.multiple(tree_search, **limits):  # so that it takes symmetries, and pauses
        for each in (C, ConceptClass.from_rows(sorted(turned), range(n))):
            result = littlestone_dimension(each, method="compiled")
            result.check()
            yield result.lower, result.upper


def shattered(rng):
    C = some_class(rng, 140, 140)
    width = len(C.points)
    turned = {(row << 1 | row >> width - 1) & (1 << width) - 1 for row in C.rows}
    turn = [[*range(1, width), 0]] if turned == set(C.rows) else []
    for size in (1, 2, 3, 4):
        for search in (
            counting_search(columns(C), len(C), size, turn),
            trace_search(C.rows, width, size, turn),
        ):
            yield search.find(Budget()), search.work


def teaching(rng):
    C = some_class(rng, 40, 12 if rng.random() < 0.8 else 80)
    for ask in (teaching_dimension, recursive_teaching_dimension):
        yield ask(C).certificate().to_json()
    C = some_class(rng, 90, 9)
    yield star_number(C).certificate().to_json()


def partitions(rng):
    rows, answers = int(rng.integers(2, 10)), int(rng.integers(1, 7))
    weights = rng.integers(-3, 4, (rows, answers))
    for messages in range(1, rows):
        yield cheapest_classes(weights.tolist(), messages)
    classes = rng.integers(3, size=rows)
    found = improve_partition(weights.astype(np.int32), 3, classes, rng.permutation(rows))
    yield classes.tolist(), found.tolist()
    generators = [tuple(rng.permutation(rows).tolist()) for _ in range(rng.integers(0, 3))]
    moved = 1 << np.array(group_of(rows, generators, 1 << 10), np.int64).T
    for most in (3, 1 << 10):
        yield leading_sets(moved, most).tolist()


def interactive(rng):
    shape, bits = rng.integers(1, 7, 2), int(rng.integers(5))
    scale = 1 << int(rng.choice([0, 58, 59, 60, 100, 130]))
    weights = [[int(w) * scale for w in row] for row in rng.integers(-9, 10, shape)]
    rounds = (None, 1, 2, 3)[rng.integers(4)]
    search = TreeSearch(weights, Limits(bits, rounds))
    yield search.gain, search.trees()
    search = PairSearch(weights, bits)
    yield search.gain, search.pairs(-1)


def answers(rng):
    rows, number, messages = (int(rng.integers(1, most)) for most in (30, 30, 6))
    messages = min(messages, number)
    errors = rng.integers(0, 9, (rows, number)) / 64.0 if rng.random() < 0.5 else None
    errors = rng.random((rows, number)) if errors is None else errors
    status = rng.choice([0, 0, 0, 1, 2], number).astype(np.int8)
    status[np.flatnonzero(status == 1)[messages:]] = 0
    potentials = errors.mean(axis=1)
    wanted = float(rng.random() * rows)
    found = medians.improve_potentials(errors, potentials, status, messages, wanted, 30)
    choices = rng.random((3, number)).argsort(axis=1)[:, :messages].copy()
    medians.swap_answers(errors, choices)
    yield [part.tolist() for part in (*found, potentials, choices)]


def meeting(rng):
    rows, number, size = (int(rng.integers(1, most)) for most in (80, 12, 4))
    holds = rng.random((rows, number)) < rng.choice([0.1, 0.5])
    weights = rng.integers(1, 50, rows)
    total = int(weights.sum())
    for target in (-1, total // 2, total):
        yield list(meeting_sets(holds, weights, size, target, Budget(), rising=True))
        yield sorted(meeting_sets(holds, weights, size, target, Budget()))
        yield meeting_tree(holds, weights, size, target, Budget())


def private_coins(rng):
    for found in mixtures_and_cuts(cases(3, 5, 6, int(rng.integers(1 << 30)))):
        yield [np.asarray(part).tolist() for part in found]


def games(rng):
    for given in random_games(3, int(rng.integers(1 << 30))):
        yield [np.asarray(part).tolist() for part in best_equations(*given)]
    values = rng.integers(0, 2, tuple(rng.integers(3, 6, 2)))
    problem = CommunicationProblem.from_matrix(values.tolist())
    reduced = reduce_problem(problem)
    matrix = reduced.values()
    if min(matrix.shape) > 2:
        search = DistributionSearch(reduced, matrix, 2, 0.33)
        search.grow(8)
        yield search.tree().bound(problem, 2)


def draws(rng):
    """Yield which rows of random vectors have inner products 0, and the next draw."""
    length, count, runs = int(rng.integers(1, 300)), int(rng.integers(1, 5)), 40
    hashing = InnerProductHash(length, count)
    for x in (0, 1, (1 << length) - 1, int.from_bytes(rng.bytes(38), "big") % (1 << length)):
        yield hashing.hashes_to_zero(x, runs, rng).tolist()
        yield int(rng.integers(1 << 63))


def heavy_rectangles(rng):
    k = int(rng.integers(1, 4))
    words = np.indices((2,) * k).reshape(k, -1)
    kinds = np.sort(2 * words[:, :, None] + words[:, None, :], axis=0)
    of = rng.integers(-9, 9, 4**k)
    weights = of[np.tensordot(4 ** np.arange(k), kinds, 1)]
    moves = [words[[*g]] for g in permutations(range(k))]
    moved = np.array([np.tensordot(2 ** np.arange(k)[::-1], one, 1) for one in moves], np.int32)
    limit, most = int(rng.integers(0, 40)), 1 << int(rng.integers(0, 8))
    with mock.patch.object(heavy_sets, "_SLICE", 1 << int(rng.integers(0, 20))):
        found, is_all = heavy_sets.heavy_sets(weights, moved, limit, most, Budget())
    yield found.tolist(), is_all


QUESTIONS = (
    *(games, trees, shattered, teaching, partitions, interactive, answers, meeting, private_coins),
    draws,
    heavy_rectangles,
)


def ask(number):
    """Compare all answers of a round with and without the engine; return those that differ."""
    differ = []
    for at, question in enumerate(QUESTIONS):
        in_c = list(question(np.random.default_rng((number, at))))
        with mock.patch.object(native, "engine", return_value=None):
            in_python = list(question(np.random.default_rng((number, at))))
        if in_c != in_python:
            differ.append(question.__name__)
    return differ


def main(arguments):
    """Run the given number of rounds; return 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--sanitize", action="store_true", help="watch memory and arithmetic")
    options = parser.parse_args(arguments)
    rounds = ["--rounds", str(options.rounds), "--first", str(options.first)]
    if options.sanitize:
        from tests.sanitize_engine import run

        return run(["-m", "tests.fuzz_engine", *rounds])
    failed = 0
    with mock.patch.object(growing, "_SLICE", 1 << 10):  # so that searches pause
        for number in range(options.first, options.first + options.rounds):
            for name in ask(number):
                failed += 1
                sys.stdout.write(f"round {number}: {name} differs from Python\n")
    sys.stdout.write(f"{options.rounds} rounds, {failed} differences\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
