"""Symmetries of a matrix, compared with their definition, and protocols averaged over them."""

# ruff: noqa: S311 - seeds, not secrets

import json
import math
from fractions import Fraction
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from ccsim import kernel
from ccsim.communication import (
    CommunicationProblem,
    DeterministicProtocol,
    PublicCoinProtocol,
    augmented_index,
    equality,
    greater_than,
    index,
)
from ccsim.communication.protocols.tables import SymmetricProtocol, protocol_certificate
from ccsim.communication.protocols.two_party import error_table
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry, cell_orbits, symmetries_of


def group(generators, shape):
    """Return all elements of the generated group, as (row images, column images, flips)."""
    n, m = shape
    one = (tuple(range(n)), tuple(range(m)), 0)
    found = [one]
    seen = {one}
    for sigma, tau, flips in found:
        for g in generators:
            flipped = sum(1 << y for y in range(m) if (flips >> y ^ g.flips >> tau[y]) & 1)
            image = (
                tuple(g.rows[x] for x in sigma),
                tuple(g.columns[y] for y in tau),
                flipped,
            )
            if image not in seen:
                seen.add(image)
                found.append(image)
    return seen


def symmetries_by_definition(matrix):
    """Return all (sigma, tau, flips) with f(sigma x, tau y) = f(x, y) xor flip(y)."""
    n, m = len(matrix), len(matrix[0])
    found = set()
    for sigma, tau in product(permutations(range(n)), permutations(range(m))):
        choices = []
        for y in range(m):
            pairs = [(matrix[x][y], matrix[sigma[x]][tau[y]]) for x in range(n)]
            choices.append(
                [
                    flip
                    for flip in (0, 1)
                    if all(
                        (a is None) == (b is None) and (a is None or b == a ^ flip)
                        for a, b in pairs
                    )
                ]
            )
        for flips in product(*choices):
            found.add((sigma, tau, sum(flip << y for y, flip in enumerate(flips))))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_generators_generate_all_symmetries_and_nothing_else(seed):
    rng = Random(seed)
    n, m = rng.randint(1, 4), rng.randint(1, 4)
    entries = [0, 1] if seed % 3 else [0, 1, None]
    matrix = [[rng.choice(entries) for _ in range(m)] for _ in range(n)]
    ones = [sum(1 << y for y, v in enumerate(row) if v) for row in matrix]
    defined = [sum(1 << y for y, v in enumerate(row) if v is not None) for row in matrix]
    generators = symmetries_of(ones, m, defined)
    assert group(generators, (n, m)) == symmetries_by_definition(matrix)


@pytest.mark.parametrize(
    ("problem", "orbits"),
    [
        (equality(6), 2),
        (index(4), 1),
        (augmented_index(4), 4),
        (greater_than(7), 25),  # x, y -> n - y, n - x fixes one cell
    ],
)
def test_orbits_of_inputs_are_as_many_as_the_papers_problems_have(problem, orbits):
    generators = symmetries_of(problem.ones, len(problem.bob), problem.promise)
    moves = [[(cell, g.cell(*cell)) for cell in problem.inputs()] for g in generators]
    firsts = list(orbits_of(problem.inputs(), moves).values())
    assert len(set(firsts)) == orbits
    numbers = cell_orbits(problem.inputs(), generators, (len(problem.alice), len(problem.bob)))
    assert numbers == [list(dict.fromkeys(firsts)).index(first) for first in firsts]


def test_the_inverse_undoes_a_symmetry():
    for g in symmetries_of(augmented_index(3).ones, 7, augmented_index(3).promise):
        for ones in range(1 << 7):
            assert g.inverse().mask(g.mask(ones)) == ones
        assert g.inverse().inverse() == g


@pytest.mark.parametrize(
    ("symmetry", "reason"),
    [
        (Symmetry((1, 0, 2), (0, 1, 2), 0), "row 0 must be mapped to those of row 1"),
        (Symmetry((0, 1, 2), (0, 1, 2), 1), "row 0 must be mapped to those of row 0"),
        (Symmetry((0, 1), (0, 1, 2), 1), "on 2 x 3 matrices, not on 3 x 3"),
    ],
)
def test_what_is_no_symmetry_is_refused(symmetry, reason):
    with pytest.raises(CertificateError, match=reason):
        symmetry.verify(equality(3).ones, 3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (((0, 0), (0,), 0), "rows must be a permutation of 0 to 1"),
        (((0, 1), (1,), 0), "columns must be a permutation of 0 to 0"),
        (((0, 1), (0,), 2), r"flips must be at least 0 and below 2\*\*1, not 2"),
    ],
)
def test_malformed_symmetries_are_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        Symmetry(*arguments)


# --- Protocols averaged over symmetries ----------------------------------------------------------


def symmetric_protocol(problem, seed, messages=2, components=2):
    rng = Random(seed)
    n, m = len(problem.alice), len(problem.bob)
    tables = [
        DeterministicProtocol(
            tuple(rng.randrange(messages) for _ in range(n)),
            tuple(rng.randrange(1 << m) for _ in range(messages)),
            m,
        )
        for _ in range(components)
    ]
    mixture = PublicCoinProtocol.mixture((Fraction(1, components), table) for table in tables)
    return SymmetricProtocol(mixture, symmetries_of(problem.ones, m, problem.promise))


FLIPPED = CommunicationProblem.from_matrix([[0, 1, 0], [1, None, 0], [1, 0, 1], [0, None, 1]])


@pytest.mark.parametrize(
    "problem", [equality(4), greater_than(4), index(2), augmented_index(2), FLIPPED]
)
@pytest.mark.parametrize("seed", range(3))
def test_the_error_is_the_average_over_orbits_and_that_of_the_explicit_mixture(problem, seed):
    protocol = symmetric_protocol(problem, seed)
    assert protocol.symmetries
    errors = error_table(protocol, problem)
    assert errors == error_table(protocol.to_public_coin(), problem)
    base = error_table(protocol.base, problem)
    moves = [[(cell, g.cell(*cell)) for cell in base] for g in protocol.symmetries]
    leader = orbits_of(base, moves)
    for cell, error in errors.items():
        orbit = [other for other in base if leader[other] == leader[cell]]
        assert error == sum(base[other] for other in orbit) / len(orbit)
    certificate = json.loads(protocol_certificate(protocol, problem).to_json())
    kernel.check(certificate)


def test_runs_are_as_frequent_as_the_probabilities():
    protocol, rng = symmetric_protocol(FLIPPED, 5), np.random.default_rng(0)
    for x, y in product(range(4), range(3)):
        ones = sum(protocol.run(x, y, rng).answer for _ in range(400))
        assert math.isclose(ones / 400, protocol.output_probability(x, y), abs_tol=0.1)


def test_too_many_images_are_refused(monkeypatch):
    monkeypatch.setattr("ccsim.communication.protocols.tables.MAX_IMAGES", 100)
    split = DeterministicProtocol((0,) * 10 + (1,) * 10, (0, 0), 20)
    protocol = SymmetricProtocol(split.to_public_coin(), symmetries_of(equality(20).ones, 20))
    with pytest.raises(InstanceTooLargeError, match="at most 100 images"):
        protocol.to_public_coin()


ALTERED = [
    (
        lambda p: p["symmetries"][0]["rows"].__setitem__(slice(0, 2), [2, 1]),
        r"statement\.protocol\.symmetries\[0\]\.rows: an index occurs twice",
    ),
    (
        lambda p: p["symmetries"][0]["rows"].sort(),
        r"statement\.protocol\.symmetries\[0\]: .* must be mapped to those of column \d",
    ),
    (
        lambda p: p["symmetries"][1].__setitem__("flips", "1000"),
        r"statement\.protocol\.symmetries\[1\]: .* must be mapped to those of column \d",
    ),
    (lambda p: p["symmetries"].clear(), "the bound that is proved is"),
    (lambda p: p.pop("symmetries"), r"statement\.protocol: key 'symmetries' is missing"),
]


@pytest.mark.parametrize(("change", "reason"), ALTERED)
def test_altered_symmetries_are_rejected_with_their_place(change, reason):
    problem = equality(4)
    split = DeterministicProtocol((0, 0, 1, 1), (0b0001, 0b0000), 4).to_public_coin()
    protocol = SymmetricProtocol(split, symmetries_of(problem.ones, 4))
    certificate = json.loads(protocol_certificate(protocol, problem).to_json())
    kernel.check(certificate)
    change(certificate["statement"]["protocol"])
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(certificate)


def test_symmetries_of_another_problem_are_played_as_they_stand():
    protocol = symmetric_protocol(equality(3), 1)
    assert error_table(protocol, greater_than(3)) == error_table(
        protocol.to_public_coin(), greater_than(3)
    )
