"""Cheapest partitions up to symmetry: the search, the proofs, and what is rejected as a proof."""

# ruff: noqa: S311 - seeds, not secrets

import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

from ccsim import kernel
from ccsim.classes import lines
from ccsim.communication.distributional import distributional_error
from ccsim.communication.hard_distribution import HardDistribution, least_expected_error
from ccsim.communication.minimax import minimax_error
from ccsim.communication.partitions.costs import least_cost
from ccsim.communication.partitions.proof import PartitionProof
from ccsim.communication.partitions.search import PartitionSearch, partition_proof_for
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.problem import CommunicationProblem, evaluation_problem
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.kernel import partitions as kernel_partitions
from ccsim.symmetry.groups import group_of
from ccsim.symmetry.matrix import Symmetry, symmetries_of
from ccsim.symmetry.subsets import ClassOrbits

# --- Classes up to symmetry ----------------------------------------------------------------------


def moved(members, permutation):
    return sum(1 << image for x, image in enumerate(permutation) if members >> x & 1)


@pytest.mark.parametrize("seed", range(12))
def test_leaders_are_one_set_of_each_orbit(seed):
    rng = Random(seed)
    rows = rng.randint(1, 7)
    generators = [tuple(rng.sample(range(rows), rows)) for _ in range(rng.randint(0, 2))]
    orbits = ClassOrbits(rows, generators)
    every = {frozenset(moved(S, g) for g in orbits.group) for S in range(1 << rows)}
    assert {frozenset(orbits.images(int(S)).tolist()) for S in orbits.leaders} == every
    assert len(orbits.leaders) == len(every)


@pytest.mark.parametrize("seed", range(6))
def test_a_group_holds_all_products_of_its_generators(seed):
    rng = Random(seed)
    generators = [tuple(rng.sample(range(4), 4)) for _ in range(2)]
    group = set(group_of(4, generators, 24))
    assert group <= set(permutations(range(4)))
    assert all(tuple(h[x] for x in g) in group for g in group for h in generators)
    assert set(generators) <= group


def test_too_many_classes_up_to_symmetry_are_refused_with_the_limits():
    for rows, reason in ((26, "25 rows"), (21, "1024 profiles")):
        with pytest.raises(InstanceTooLargeError, match=f"{reason}.* more of {rows} rows"):
            ClassOrbits(rows, [])
    half_turn = tuple(range(12, 24)) + tuple(range(12))
    swaps = [(1, 0, *range(2, 24)), half_turn]
    with pytest.raises(InstanceTooLargeError, match="more of 24 rows"):
        ClassOrbits(24, swaps)


# --- The search ----------------------------------------------------------------------------------


def turning(rng, turns, kinds):
    """A problem and a distribution that a rotation of the columns by one leaves as they are."""
    values = [[rng.choice([0, 1, None]) for _ in range(turns)] for _ in range(kinds)]
    values[0][0] = 1
    shares = [[rng.randint(1, 6) for _ in range(turns)] for _ in range(kinds)]
    rows = [[row[(y - x) % turns] for y in range(turns)] for row in values for x in range(turns)]
    mu = HardDistribution.from_integers(
        (turns * kind + x, y, shares[kind][(y - x) % turns])
        for kind in range(kinds)
        for x in range(turns)
        for y in range(turns)
        if rows[turns * kind + x][y] is not None
    )
    rotation = Symmetry(
        tuple(turns * kind + (x + 1) % turns for kind in range(kinds) for x in range(turns)),
        tuple((y + 1) % turns for y in range(turns)),
        0,
    )
    return CommunicationProblem.from_matrix(rows), mu, rotation


@pytest.mark.parametrize("seed", range(8))
def test_rows_that_are_sent_one_after_another_cost_what_all_partitions_do(seed, monkeypatch):
    for name in ("_FEW_CHOICES", "_ROWS_OF_TWO", "_ROWS_OF_TABLES"):
        monkeypatch.setattr(f"ccsim.communication.partitions.costs.{name}", -1)
    rng, k = Random(seed), 2 + seed % 2
    rows = [
        {y: rng.choice((-2, -1, 1, 2)) for y in range(3) if rng.random() < 0.6} for _ in range(6)
    ]

    def cost(partition):
        cells = [(partition[x], y, w) for x, row in enumerate(rows) for y, w in row.items()]
        sums = {(m, y): [0, 0] for m, y, _ in cells}
        for m, y, w in cells:
            sums[m, y][w > 0] += abs(w)
        return sum(map(min, sums.values()))

    assert least_cost(rows, k) == min(map(cost, product(range(k), repeat=len(rows))))


CASES = [(seed, *shape) for seed in range(4) for shape in ((5, 1), (7, 1), (3, 2), (4, 2))]


def signed_matrix(problem, mu):
    rows = mu.signed_rows(problem)
    return list(rows), [[row.get(y, 0) for y in range(len(problem.bob))] for row in rows.values()]


@pytest.mark.parametrize(("seed", "turns", "kinds"), CASES)
def test_the_search_up_to_symmetry_finds_the_least_cost(seed, turns, kinds):
    problem, mu, rotation = turning(Random(seed), turns, kinds)
    rows, weights = signed_matrix(problem, mu)
    moves = [tuple(rows.index(rotation.rows[x]) for x in rows)]
    for k in range(2, len(rows)):
        least = cheapest_classes(weights, k)[0]
        found = PartitionSearch(weights, k, ClassOrbits(len(rows), moves))
        assert found.relaxed <= found.lower == found.cost == least
        assert cost_of(weights, found.classes) == least
        alone = PartitionSearch(weights, k, ClassOrbits(len(rows), []))
        assert alone.relaxed == alone.cost == least  # each set has a profile of its own


def cost_of(weights, classes):
    def cheaper(column, m):
        inside = [w for w, n in zip(column, classes, strict=True) if n == m]
        return min(sum(w for w in inside if w > 0), -sum(w for w in inside if w < 0))

    return sum(cheaper(c, m) for c in zip(*weights, strict=True) for m in set(classes))


def test_weights_beyond_64_bits_are_searched_exactly():
    problem, mu, rotation = turning(Random(3), 5, 1)
    rows, weights = signed_matrix(problem, mu)
    for scale in (10**25, 10**400):
        large = [[w * scale for w in row] for row in weights]
        found = PartitionSearch(large, 3, ClassOrbits(len(rows), [rotation.rows]))
        assert found.cost == found.lower == scale * cheapest_classes(weights, 3)[0]


def test_a_search_that_is_too_long_leaves_bounds(monkeypatch):
    monkeypatch.setattr("ccsim.communication.partitions.search.MAX_NODES", 0)
    monkeypatch.setattr("ccsim.communication.partitions.search._TRIES", 1)
    bounded = 0
    for seed in range(20):
        problem, mu, rotation = turning(Random(seed), 7, 1)
        rows, weights = signed_matrix(problem, mu)
        found = PartitionSearch(weights, 3, ClassOrbits(len(rows), [rotation.rows]))
        assert found.lower <= cheapest_classes(weights, 3)[0] <= found.cost
        bounded += found.lower < found.cost
    assert bounded


# --- The proofs ----------------------------------------------------------------------------------


def certificate_for(problem, mu, k, proof):
    made = json.loads(distributional_error(problem, mu, k).certificate().to_json())
    made["lower"] = {"partitions": proof.to_json()}
    return made


@pytest.fixture
def proof_of(monkeypatch):
    """How a problem's least error is proved by partitions, however few rows it has."""
    monkeypatch.setattr("ccsim.communication.partitions.search.ROWS_RECOMPUTED", 0)
    monkeypatch.setattr("ccsim.communication.partitions.search.ROWS_OF_TWO_RECOMPUTED", 0)
    return partition_proof_for


@pytest.mark.parametrize(("seed", "turns", "kinds"), CASES)
def test_proofs_by_partitions_are_accepted_for_the_least_error_and_nothing_more(
    seed, turns, kinds, proof_of
):
    problem, mu, rotation = turning(Random(seed), turns, kinds)
    rows, weights = signed_matrix(problem, mu)
    for k in range(2, len(rows)):
        least = least_expected_error(problem, mu, k)
        proof = proof_of(problem, mu, k, least, (rotation,))
        proof.check(problem, mu, k, least)
        made = certificate_for(problem, mu, k, proof)
        kernel.check(made)
        more = least + Fraction(1, mu.total)
        with pytest.raises(CertificateError, match=r"the partition costs|the profiles prove"):
            proof.check(problem, mu, k, more)
        relaxed = PartitionSearch(weights, k, ClassOrbits(len(rows), [rotation.rows])).relaxed
        made["lower"]["partitions"]["partition"] = None
        if relaxed < least * mu.total:
            with pytest.raises(CertificateError, match="the profiles prove an error of"):
                replace(proof, partition=None).check(problem, mu, k, least)
            with pytest.raises(kernel.Rejected, match=r"the least expected error is"):
                kernel.check(made)
        else:
            kernel.check(made)


def worse_partitions(rng, weights, k):
    least = cheapest_classes(weights, k)[0]
    drawn = (tuple(rng.randrange(k) for _ in weights) for _ in range(20))
    return [classes for classes in drawn if cost_of(weights, classes) > least]


@pytest.mark.parametrize(("seed", "turns", "kinds"), CASES[:12])
def test_a_partition_that_is_not_the_cheapest_is_rejected(seed, turns, kinds):
    rng = Random(seed)
    problem, mu, rotation = turning(rng, turns, kinds)
    _, weights = signed_matrix(problem, mu)
    for k in (2, 3):
        for classes in worse_partitions(rng, weights, k)[:5]:
            proof = PartitionProof((rotation,), classes)
            made = certificate_for(problem, mu, k, proof)
            with pytest.raises(kernel.Rejected, match=r"partition: one with the class \[.*costs"):
                kernel.check(made)
            stated = Fraction(cost_of(weights, classes), mu.total)
            with pytest.raises(CertificateError, match="the profiles prove an error of"):
                proof.check(problem, mu, k, stated)


# --- Lines over Z_3, with every fact altered once ------------------------------------------------

PROBLEM = evaluation_problem(lines(3))


@pytest.fixture
def three(proof_of):
    """The least error of lines over Z_3 with 3 messages, proved by partitions."""
    result = minimax_error(PROBLEM, 3)
    generators = symmetries_of(PROBLEM.ones, len(PROBLEM.bob))
    proof = proof_of(PROBLEM, result.distribution, 3, result.value, generators)
    return replace(result, potentials=(), partitions=proof)


def test_lines_over_z3_are_proved_by_partitions(three):
    three.check()
    made = json.loads(three.certificate().to_json())
    assert set(made["lower"]) == {"distribution", "partitions"}
    assert kernel.check(made).endswith(f"exactly {three.value}")


def shifted(weights):
    """Move half a unit of weight from one input to another."""
    return [[x, y, 2 * w + (i == 0) - (i == 1)] for i, (x, y, w) in enumerate(weights)]


def shift_weight(made):
    distribution = made["lower"]["distribution"]
    distribution["weights"] = shifted(distribution["weights"])
    distribution["total"] *= 2


def flip_bit(made):
    row = made["upper"]["protocol"]["components"][0]["bob"][0]
    made["upper"]["protocol"]["components"][0]["bob"][0] = "10"[int(row[0])] + row[1:]


def swap_rows(made):
    rows = made["lower"]["partitions"]["symmetries"][0]["rows"]
    rows[0], rows[1] = rows[1], rows[0]


def enter(key, value):
    def change(made):
        made["lower"]["partitions"][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (shift_weight, r"^lower\.partitions\.symmetries\[0\]: \(\d, \d\) and \(.*differ in weight"),
        (flip_bit, r"^upper\.protocol: the error on input \(\d, \d\) is"),
        (swap_rows, r"^lower\.partitions\.symmetries\[0\]\.rows: row \d does not go to row \d"),
        (enter("partition", [0] * 9), r"^lower\.partitions\.partition: one with the class \[.*\]"),
        (enter("partition", [0] * 8), r"^lower\.partitions\.partition: must have 9 entries, not 8"),
        (
            enter("partition", [3] * 9),
            r"^lower\.partitions\.partition\[0\]: must be an index below 3",
        ),
        (enter("extra", 0), r"^lower\.partitions: unknown key 'extra'"),
        (lambda made: made["lower"].update(potentials=[]), r"^lower: unknown key 'partitions'"),
    ],
)
def test_an_altered_proof_by_partitions_is_rejected_with_its_place(three, change, reason):
    made = json.loads(three.certificate().to_json())
    change(made)
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(made)


def test_the_results_own_check_rejects_what_is_no_proof(three):
    uneven = HardDistribution.from_integers(shifted(three.distribution.weights))
    with pytest.raises(CertificateError, match=r"a symmetry moves input \(\d, \d\) to .* weight"):
        replace(three, distribution=uneven).check()
    wrong = Symmetry((1, 0, *range(2, 9)), tuple(range(9)), 0)
    for proof, reason in (
        (replace(three.partitions, symmetries=(wrong,)), "row 0 is not mapped to row 1"),
        (replace(three.partitions, partition=(0,) * 8), "gives each of 9 rows a class from 0 to 2"),
        (replace(three.partitions, partition=(3,) * 9), "gives each of 9 rows a class from 0 to 2"),
    ):
        with pytest.raises(CertificateError, match=reason):
            replace(three, partitions=proof).check()


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("MAX_ROWS", r"^lower\.partitions: 9 rows have weight, at most 1 may"),
        ("MAX_ELEMENTS", r"^lower\.partitions\.symmetries: there are more than 1 images"),
        ("MAX_PROFILES", r"^lower\.partitions\.symmetries: there are 10 profiles, at most 1 are"),
        ("MAX_ORBITS", r"^lower\.partitions\.symmetries: there are more than 1 classes up to"),
        ("MAX_CLASSES", r"^lower\.partitions\.partition: \d+ classes leave room for a cheaper"),
        ("MAX_CASES", r"^lower\.partitions\.partition: more than 1 partial partitions are left"),
    ],
)
def test_what_is_too_large_to_compare_is_rejected(three, limit, reason, monkeypatch):
    made = json.loads(three.certificate().to_json())
    made["lower"]["partitions"]["partition"] = [0, 0, 0, 0, 1, 1, 1, 2, 2]
    monkeypatch.setattr(kernel_partitions, limit, 1)
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(made)


def test_more_messages_than_inputs_make_no_work(three):
    made = json.loads(three.certificate().to_json())
    made["lower"]["partitions"]["partition"] = None
    made["statement"]["messages"] = 10**30
    with pytest.raises(kernel.Rejected, match="the error that is forced is 0, not the stated"):
        kernel.check(made)


# --- Lines over Z_5 ------------------------------------------------------------------------------


def test_four_messages_err_63_in_215_times_on_lines_over_z5():
    result = minimax_error(evaluation_problem(lines(5)), 4)
    assert result.value == Fraction(63, 215)
    claim = kernel.check(json.loads(result.certificate().to_json()))
    assert claim.endswith("with 4 messages, public coins: exactly 63/215")


@pytest.mark.slow
@pytest.mark.parametrize(("messages", "value"), [(2, "17/45"), (3, "1201/3625"), (8, "99/475")])
def test_least_errors_of_lines_over_z5_have_both_proofs(messages, value):
    result = minimax_error(evaluation_problem(lines(5)), messages)
    assert result.value == Fraction(value)
    result.check()
    claim = kernel.check(json.loads(result.certificate().to_json()))
    assert claim.endswith(f"exactly {value}")
