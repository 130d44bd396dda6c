"""Cheapest partitions up to symmetry: the search, the proofs, and rejected proofs."""

# ruff: noqa: S311 - seeds, not secrets

import json
from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest

from ccsim import kernel
from ccsim.classes import lines
from ccsim.communication.distributional import DistributionProof, distributional_error
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.minimax import minimax_error
from ccsim.communication.partitions.search import PartitionSearch
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.communication.problem import CommunicationProblem, evaluation_problem
from ccsim.errors import InstanceTooLargeError
from ccsim.symmetry import groups as leading
from ccsim.symmetry.groups import ClassOrbits, group_of, leading_sets
from ccsim.symmetry.matrix import Symmetry

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
def test_leading_sets_are_listed_alike_without_the_engine(seed, monkeypatch):
    rng = Random(seed)
    rows = rng.randint(1, 7)
    group = group_of(rows, [tuple(rng.sample(range(rows), rows)) for _ in range(2)], 1 << 14)
    bits = 1 << np.array(group, np.int64).T
    found = leading_sets(bits, 1 << 7)
    assert found[0] == 0
    assert not len(leading_sets(bits, len(found) - 1))
    monkeypatch.setattr(leading, "_SLICE", 1)  # pauses after every set that is tried
    assert leading_sets(bits, 1 << 7).tolist() == found.tolist()
    monkeypatch.setattr("ccsim.native.engine", lambda: None)
    assert leading_sets(bits, 1 << 7).tolist() == found.tolist()
    assert not len(leading_sets(bits, len(found) - 1))


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
        message = f"{rows} rows have too many classes.* {reason}"
        with pytest.raises(InstanceTooLargeError, match=message):
            ClassOrbits(rows, [])
    half_turn = tuple(range(12, 24)) + tuple(range(12))
    swaps = [(1, 0, *range(2, 24)), half_turn]
    with pytest.raises(InstanceTooLargeError, match="24 rows have too many classes"):
        ClassOrbits(24, swaps)


# --- The search ----------------------------------------------------------------------------------


def turning(rng, turns, kinds):
    """Return a problem and a distribution that are invariant under rotation of the columns."""
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
    made["lower"] = proof.proof()
    return made


def labelled(mu, partition, symmetries=(), kinds=1):
    """Return a proof with one label for each kind of row."""
    rows = sorted({x for x, *_ in mu.weights})
    labels = [(len(rows) + 1) ** (x * kinds // (rows[-1] + 1)) for x in rows]
    return DistributionProof(mu, tuple(symmetries), tuple(labels), partition)


@pytest.mark.parametrize(("seed", "turns", "kinds"), CASES)
def test_proofs_by_partitions_are_accepted_for_the_least_error_and_nothing_more(seed, turns, kinds):
    problem, mu, rotation = turning(Random(seed), turns, kinds)
    rows, weights = signed_matrix(problem, mu)
    for k in range(2, len(rows)):
        cost, classes = cheapest_classes(weights, k)
        least = Fraction(cost, mu.total)
        for symmetries in ((rotation,), ()):
            made = certificate_for(problem, mu, k, labelled(mu, tuple(classes), symmetries, kinds))
            assert kernel.check(made).endswith(f"exactly {least}")
            made["statement"]["lower"] = made["statement"]["upper"] = str(
                least + Fraction(1, mu.total)
            )
            with pytest.raises(kernel.Rejected, match=r"^lower: the bound that is proved is"):
                kernel.check(made)
            made = certificate_for(problem, mu, k, labelled(mu, None, symmetries, kinds))
            relaxed = PartitionSearch(weights, k, ClassOrbits(len(rows), [rotation.rows])).relaxed
            made["statement"]["lower"] = str(Fraction(relaxed, mu.total))
            kernel.check(made)


@pytest.mark.parametrize("seed", range(12))
def test_any_labels_prove_a_bound_that_partitions_do_not_beat(seed):
    rng = Random(seed)
    problem, mu, _ = turning(rng, 5, 1)
    _, weights = signed_matrix(problem, mu)
    for k in (2, 3):
        labels = tuple(rng.randrange(6) for _ in weights)
        cost, classes = cheapest_classes(weights, k)
        made = certificate_for(problem, mu, k, DistributionProof(mu, (), labels, tuple(classes)))
        assert kernel.check(made).endswith(f"exactly {Fraction(cost, mu.total)}")
        made["lower"]["partitions"]["partition"] = None
        made["statement"]["lower"] = "2"
        with pytest.raises(kernel.Rejected, match="the bound that is proved is") as rejected:
            kernel.check(made)
        proved = Fraction(str(rejected.value).split("proved is ")[1].split(",")[0])
        assert proved <= Fraction(cost, mu.total)


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
            made = certificate_for(problem, mu, k, labelled(mu, classes, (rotation,), kinds))
            with pytest.raises(
                kernel.Rejected, match=r"partitions: a partition with the class \[.*costs"
            ):
                kernel.check(made)


# --- Lines over Z_3, with every fact altered once ------------------------------------------------

PROBLEM = evaluation_problem(lines(3))


@pytest.fixture(scope="module")
def three():
    """Return the minimax error of lines over Z_3 with 3 messages."""
    return minimax_error(PROBLEM, 3)


def test_lines_over_z3_are_proved_by_partitions(three):
    three.check()
    made = json.loads(three.certificate().to_json())
    assert set(made["lower"]["hard_distribution"]["proof"]) == {"partitions"}
    assert kernel.check(made).endswith(f"exactly {three.value}")


def shift_weight(made):
    """Move half a unit of weight from one input to another."""
    weights = made["lower"]["hard_distribution"]["distribution"]
    weights[:] = [[x, y, 2 * w + (i == 0) - (i == 1)] for i, (x, y, w) in enumerate(weights)]


def flip_bit(made):
    row = made["upper"]["protocol"]["tables"]["components"][0]["bob"][0]
    made["upper"]["protocol"]["tables"]["components"][0]["bob"][0] = "10"[int(row[0])] + row[1:]


def partitions_of(made):
    return made["lower"]["hard_distribution"]["proof"]["partitions"]


def swap_rows(made):
    rows = partitions_of(made)["symmetries"][0]["rows"]
    rows[0], rows[1] = rows[1], rows[0]


def enter(key, value):
    return lambda made: partitions_of(made).update({key: value})


PLACE = r"^lower\.hard_distribution\.proof\.partitions"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (shift_weight, PLACE + r"\.symmetries: a symmetry must preserve the weights of inputs"),
        (flip_bit, r"^upper: the bound that is proved is"),
        (
            swap_rows,
            PLACE
            + r"\.symmetries\[0\]: the entries of column \d must be mapped to those of column \d",
        ),
        (enter("partition", [0] * 9), PLACE + r": a partition with the class \[.*\]"),
        (enter("partition", [0] * 8), PLACE + r"\.partition: must have 9 entries, not 8"),
        (enter("partition", [3] * 9), PLACE + r"\.partition\[0\]: must be an index below 3"),
        (enter("labels", [1] * 8 + [2]), PLACE + r"\.labels: must list a label .* and its images"),
        (
            enter("labels", [1] * 8),
            PLACE + r"\.labels: must list a label per row of positive weight",
        ),
        (enter("extra", 0), PLACE + r": unknown key 'extra'"),
    ],
)
def test_an_altered_proof_by_partitions_is_rejected_with_its_place(three, change, reason):
    made = json.loads(three.certificate().to_json())
    change(made)
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(made)


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("communication.MAX_ROWS", "9 rows have positive weight; the limit is 1"),
        ("partitions.MAX_SUMS", r"classes have \d+ different sums of labels; the limit is 1"),
    ],
)
def test_what_is_too_large_to_compare_is_rejected(three, limit, reason, monkeypatch):
    made = json.loads(three.certificate().to_json())
    monkeypatch.setattr(f"ccsim.kernel.{limit}", 1)
    with pytest.raises(kernel.Rejected, match=reason):
        kernel.check(made)


def test_more_messages_than_inputs_make_no_work(three):
    made = json.loads(three.certificate().to_json())
    partitions_of(made)["partition"] = None
    made["statement"]["messages"] = 10**15
    with pytest.raises(kernel.Rejected, match="the bound that is proved is 0, not the stated"):
        kernel.check(made)


# --- Lines over Z_5 ------------------------------------------------------------------------------


def test_four_messages_err_63_in_215_times_on_lines_over_z5():
    result = minimax_error(evaluation_problem(lines(5)), 4)
    assert result.value == Fraction(63, 215)
    claim = kernel.check(json.loads(result.certificate().to_json()))
    assert claim.endswith("messages 4, coins public: exactly 63/215")


@pytest.mark.slow
@pytest.mark.parametrize(("messages", "value"), [(2, "17/45"), (3, "1201/3625"), (8, "99/475")])
def test_least_errors_of_lines_over_z5_have_both_proofs(messages, value):
    result = minimax_error(evaluation_problem(lines(5)), messages)
    assert result.value == Fraction(value)
    result.check()
    claim = kernel.check(json.loads(result.certificate().to_json()))
    assert claim.endswith(f"exactly {value}")
