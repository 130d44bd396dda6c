"""Packings of targets and of databases: lower bounds on the examples of private learners."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import inf, log

import numpy as np
import pytest

from ccsim import (
    CertificateError,
    ConceptClass,
    DomainError,
    HypothesisSet,
    InstanceTooLargeError,
    NotDecidedError,
    all_functions,
    intervals,
    learning_lower_bound,
    parities,
    points,
    private_sample_complexity,
    random_class,
    release_lower_bound,
    thresholds,
)
from ccsim.budget import Budget, OutOfTimeError
from ccsim.certificates import verify
from ccsim.cli.main import main
from ccsim.exact import Epsilon
from ccsim.learning import LearningPacking, PrivateOccam, packing_bound
from ccsim.learning.packing import samples_allowed
from proofs_check.claims.beimel_brenner.constructions.optimal_mechanism import (
    least_private_failure_on,
)
from proofs_check.claims.beimel_brenner.constructions.packing_sizes import packing_sample_size
from proofs_check.claims.beimel_brenner.release import useful_answers_overlap

F = Fraction


def error(distribution, first, second):
    return sum((p for x, p in enumerate(distribution) if (first ^ second) >> x & 1), F(0))


def sample_distributions(C, target, size):
    """Yield the samples of a target with their probabilities, in order."""
    concept, distribution = target
    for drawn in product([x for x, p in enumerate(distribution) if p], repeat=size):
        chance = F(1)
        for x in drawn:
            chance *= distribution[x]
        yield tuple((x, C.rows[concept] >> x & 1) for x in drawn), chance


def random_packing(rng, hypotheses):
    C = all_functions(3)
    targets = []
    for _ in range(3):
        shares = rng.integers(0, 4, size=3)
        shares[rng.integers(3)] += 1
        distribution = tuple(F(int(s), int(shares.sum())) for s in shares)
        targets.append((int(rng.integers(8)), distribution))
    accuracy = F(int(rng.integers(0, 7)), 12)
    return LearningPacking(C, hypotheses, accuracy, tuple(targets))


@pytest.mark.parametrize("listed", [False, True])
def test_a_packing_is_accepted_exactly_if_no_hypothesis_is_good_for_two_targets(listed):
    rng = np.random.default_rng(1)
    pool = HypothesisSet.from_rows([1, 2, 4, 7], 3) if listed else None
    verdicts = set()
    for _ in range(150):
        packing = random_packing(rng, pool)
        hypotheses = pool.rows if pool else range(8)
        good = [
            {
                h
                for h in hypotheses
                if error(distribution, h, packing.concept_class.rows[f]) <= packing.accuracy
            }
            for f, distribution in packing.targets
        ]
        disjoint = not any(a & b for a, b in combinations(good, 2))
        shared = packing.shared()
        assert (shared is None) == disjoint
        assert shared is None or good[shared[0]] & good[shared[1]]
        verdicts.add(disjoint)
    assert verdicts == {True, False}


@pytest.mark.parametrize("epsilon", ["ln 2", "ln(5/4)", "1", "1/10"])
def test_the_number_of_examples_is_the_least_that_satisfies_the_inequality(epsilon):
    bound = Epsilon.of(epsilon)
    growth = np.expm1(float(bound))
    for distances in ({F(1): 5}, {F(1, 3): 4, F(1, 2): 7}, {F(1, 50): 10**12}):
        for failure in (F(1, 10), F(1, 2), F(9, 10)):
            m = samples_allowed(distances, bound, failure)

            def excess(size, distances=distances, failure=failure):
                total = 0.0
                for t, n in distances.items():
                    g, likely = 1 + float(t) * growth, 1 - float(failure)
                    for _ in range(size):
                        likely = max(likely / g, 1 - (1 - likely) * g)
                    total += n * likely
                return total / float(failure) - 1

            assert excess(m) <= 1e-9
            assert m == 0 or excess(m - 1) > 1e-9


def test_equality_is_decided_exactly():
    # (5 - 1) (1 - 1/2) / 2^m = 1/2 at m = 2, and one hypothesis more needs one example more
    for least in (packing_sample_size, packed):
        assert least(5, Epsilon.of("ln 2"), F(1, 2)) == 2
        assert least(6, Epsilon.of("ln 2"), F(1, 2)) == 3


def packed(size, epsilon, failure):
    return samples_allowed({F(1): size - 1}, epsilon, failure)


def test_two_targets_need_as_many_examples_as_the_best_mechanism_has():
    """The best private mechanism on two databases at distance m fails with 1 / (2 g^(m/2))."""
    for factor in (2, 3):
        for m in (2, 4):
            least = least_private_failure_on(
                (0, 1), m, 2, [{((x,) * m, x): F(1)} for x in (0, 1)], F(factor)
            )
            assert least == F(1, 2 * factor ** (m // 2))
            assert packed(2, Epsilon.of(f"ln {factor}"), least) == m
            assert packed(2, Epsilon.of(f"ln {factor}"), least * F(99, 100)) == m + 1


def test_samples_of_near_targets_are_told_apart_slowly():
    """The inequality behind every packing, on exact distributions of a private mechanism."""
    C, epsilon = points(1), Epsilon.of("ln 4")
    learner = PrivateOccam(2, C.rows, epsilon)
    targets = [(0, (F(1), F(0))), (0, (F(1, 2), F(1, 2))), (1, (F(1, 4), F(3, 4)))]
    packing = LearningPacking(C, None, F(1, 4), tuple(targets))
    for size, i, j in product((1, 2, 3), range(3), range(3)):
        for h in C.rows:
            p, q = (
                sum(
                    w * learner.distribution(z)[h]
                    for z, w in sample_distributions(C, targets[k], size)
                )
                for k in (i, j)
            )
            assert q <= (1 + packing.distance(i, j) * (epsilon.exp() - 1)) ** size * p


@pytest.mark.parametrize("C", [points(1), points(2), thresholds(2)], ids=lambda C: C.name)
def test_no_private_learner_beats_its_packing(C):
    """Exact failures of the exponential mechanism with one example less than the bound."""
    failure, epsilon = F(1, 6), Epsilon.of("ln 4")
    bound = learning_lower_bound(C, "1/3", failure, epsilon, proper=True)
    assert bound.samples >= 2
    bound.check()
    learner = PrivateOccam(len(C.points), C.rows, epsilon)
    size = min(bound.samples - 1, 4)
    failures = []
    for concept, distribution in bound.packing.targets:
        missed = F(0)
        for sample, chance in sample_distributions(C, (concept, distribution), size):
            answers = learner.distribution(sample).items
            bad = (q for h, q in answers if error(distribution, h, C.rows[concept]) > F(1, 3))
            missed += chance * sum(bad, F(0))
        failures.append(missed)
    assert max(failures) > failure


def test_two_concepts_need_exactly_what_their_packing_says():
    for C in (points(1), all_functions(1)):
        exact = private_sample_complexity(C, "1/4", "1/10", "ln 3")
        bound = learning_lower_bound(C, "1/4", "1/10", "ln 3")
        assert exact.lower == exact.upper == bound.samples == 3


def test_a_bound_is_never_above_the_exact_number():
    for C, failure in ((points(1), "1/6"), (intervals(1), "1/6")):
        exact = private_sample_complexity(C, "1/4", failure, "ln 3")
        bound = learning_lower_bound(C, "1/4", failure, "ln 3")
        assert exact.upper is not None
        assert 1 <= bound.samples <= exact.upper


def test_minimal_classes_reach_the_bounds_of_the_paper():
    """Theorem 3.6, and Lemma 3.9 with a better constant."""
    for b in (2, 3, 4):
        bound = learning_lower_bound(points(b), "1/10", "1/10", 1, proper=True)
        printed = (log(2**b - 2) + log(0.9 / 0.1)) / (4 * 0.1)
        assert bound.samples >= packing_sample_size(2**b, Epsilon.of(1), F(1, 10))
        assert bound.samples >= printed
        bound.check()


def test_a_pool_of_all_functions_is_harder_to_pack():
    for C in (points(3), thresholds(3), parities(3)):
        proper, improper = (
            learning_lower_bound(C, "1/10", "1/10", 1, proper=p).samples for p in (True, False)
        )
        assert improper <= proper


def test_single_concepts_need_no_examples():
    C = ConceptClass.from_matrix([[0, 1]])
    for proper in (True, False):
        bound = learning_lower_bound(C, "1/10", "1/10", 1, proper=proper)
        assert (bound.samples, len(bound.packing.targets)) == (0, 1)
        bound.check()


def altered(bound, **fields):
    return replace(bound, **fields)


def test_altered_bounds_are_rejected():
    bound = learning_lower_bound(points(2), "1/10", "1/10", 1, proper=True)
    bound.check()
    for number in (bound.samples - 1, bound.samples - 7):
        altered(bound, samples=number).check()  # true, and excluded likewise
    with pytest.raises(CertificateError, match=r"^lower.packing: "):
        altered(bound, samples=bound.samples + 1).check()
    with pytest.raises(CertificateError, match="must be at least 0, not -1"):
        altered(bound, samples=-1).check()
    with pytest.raises(
        CertificateError, match=r"factor must be above 1 and be at least e\^\(1\), not 2"
    ):
        altered(bound, factor=F(2)).check()
    with pytest.raises(CertificateError, match="center must be one of"):
        altered(bound, center=len(bound.packing.targets)).check()
    improper = replace(bound.packing, hypotheses=None)
    with pytest.raises(CertificateError, match="a function has error at most"):
        altered(bound, packing=improper).check()
    larger = replace(bound.packing, hypotheses=HypothesisSet.from_rows([0, 1, 2], 4))
    with pytest.raises(CertificateError, match="a hypothesis has error at most"):
        altered(bound, packing=replace(larger, accuracy=F(1, 2))).check()
    with pytest.raises(
        CertificateError, match="some hypothesis is accurate for both targets 0 and 1"
    ):
        packing_bound(improper, "1/10", 1)


def test_a_packing_says_what_is_wrong_with_a_target():
    C, distribution = points(1), (F(1), F(0))
    with pytest.raises(DomainError, match="concept number below 2 and 2 probabilities, not 2"):
        LearningPacking(C, None, F(1, 4), ((2, distribution),))
    with pytest.raises(DomainError, match="distribution of target 0 must sum to 1"):
        LearningPacking(C, None, F(1, 4), ((0, (F(1), F(1))),))
    with pytest.raises(DomainError, match="there must be at least one target"):
        LearningPacking(C, None, F(1, 4), ())
    with pytest.raises(DomainError, match=r"of the class, not over 3"):
        LearningPacking(C, HypothesisSet((1,), 3), F(1, 4), ((0, distribution),))
    same = LearningPacking(
        C, HypothesisSet((2,), 2), F(1, 4), ((0, distribution), (0, distribution))
    )
    with pytest.raises(DomainError, match="must be positive and at most 1"):
        packing_bound(same, "1/4", 1)


@pytest.mark.parametrize("proper", [False, True])
def test_packings_of_large_classes_use_some_concepts(proper):
    C = random_class(600, 24, seed=1)
    found = learning_lower_bound(C, "1/8", "1/8", "1/2", proper=proper, time_limit=0)
    assert found.samples > 20
    assert found.hypotheses is None
    assert found.concept_class is C
    assert max(f for f, _ in found.packing.targets) > 512
    found.check()


def test_packings_have_limits_that_they_state():
    for limit, proper in ((8192, False), (1024, True)):
        wide = ConceptClass((*range(limit + 1),), (0,), (0,))
        with pytest.raises(InstanceTooLargeError, match=f"must have at most {limit} points, not"):
            learning_lower_bound(wide, "1/10", "1/10", 1, proper=proper)
    large = learning_lower_bound(points(2), F(1, 10**30), "1/10", 1, proper=True)
    assert 10**30 < large.samples < 10**31
    large.check()
    C = all_functions(1)
    with pytest.raises(DomainError, match="accuracy must be strictly between 0 and 1, not 0"):
        learning_lower_bound(C, 0, "1/10", 1)
    with pytest.raises(DomainError, match="failure must be strictly between 0 and 1, not 1"):
        learning_lower_bound(C, "1/10", 1, 1)
    with pytest.raises(DomainError, match="epsilon must be positive"):
        learning_lower_bound(C, "1/10", "1/10", 0)


@pytest.mark.parametrize("accuracy", [F(1, 10), F(1, 4), F(1, 3), F(1, 2)])
def test_databases_of_a_release_are_near_each_other_and_have_no_common_answers(accuracy):
    bound = release_lower_bound(points(2), accuracy, "1/10", "ln 2")
    bound.check()
    for m in range(1, bound.records + 1):
        databases = bound.databases(m)
        assert all(len(D) == m for D in databases)
        for first, second in combinations(databases, 2):
            assert not useful_answers_overlap(bound.concept_class, first, second, accuracy)
        [moved] = {sum(x != y for x, y in zip(databases[0], D, strict=True)) for D in databases[1:]}
        likely = max((1 - F(2**s, 10)) * F(2) ** (s - moved) for s in range(moved + 1))
        assert (3 * likely > F(1, 10)) == (m < bound.records)


def test_useful_answers_overlap_exactly_where_some_answers_do():
    C, accuracy = thresholds(1), F(1, 3)
    grid = [F(i, 24) for i in range(-8, 33)]
    for first, second in combinations_with_replacement([(0, 0), (0, 1), (1, 1)], 2):

        def near(answer, row, database):
            share = F(sum(row >> x & 1 for x in database), len(database))
            return abs(answer - share) < accuracy

        found = all(
            any(near(a, row, first) and near(a, row, second) for a in grid) for row in C.rows
        )
        assert useful_answers_overlap(C, first, second, accuracy) == found


def test_altered_release_bounds_are_rejected():
    bound = release_lower_bound(thresholds(3), "1/8", "1/10", 1)
    with pytest.raises(CertificateError, match="an index occurs twice"):
        replace(bound, points=(0, 0, 1)).check()
    with pytest.raises(CertificateError, match=r"^lower.points: "):
        replace(bound, records=bound.records + 1).check()
    with pytest.raises(CertificateError, match="must be at least 1, not 0"):
        replace(bound, records=0).check()
    replace(bound, records=bound.records - 1).check()  # true, and excluded likewise
    with pytest.raises(
        DomainError, match="must be positive and at most 1/2 for a release, not 2/3"
    ):
        release_lower_bound(thresholds(3), "2/3", "1/10", 1)


@pytest.mark.parametrize("task", ["learning", "proper", "release"])
def test_the_command_prints_the_bound(capsys, task):
    argv = ["packing", "points:b=3", "--accuracy", "1/10", "--failure", "1/10", "--epsilon", "1"]
    assert main([*argv, "--task", task, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    if task == "release":
        expected = release_lower_bound(points(3), "1/10", "1/10", 1).records
    else:
        proper = task == "proper"
        expected = learning_lower_bound(points(3), "1/10", "1/10", 1, proper=proper).samples
    assert data["lower"] == expected
    assert (data["instance"], data["task"], data["accuracy"]) == ("points:b=3", task, "1/10")
    assert main([*argv, "--task", task]) == 0
    assert f"at least {expected}" in capsys.readouterr().out


def test_the_command_keeps_the_labels_of_a_file(capsys, tmp_path):
    table = tmp_path / "class.csv"
    table.write_text(",north,south\nwet,0,1\ndry,1,0\n")
    argv = f"packing @{table} --accuracy 1/10 --failure 1/10 --epsilon 1 --task proper".split()
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "wet" in out
    assert "Pr(south)" in out


def test_the_command_refuses_what_is_out_of_range(capsys):
    argv = ["packing", "points:b=1", "--accuracy", "1/10", "--failure", "1/10", "--epsilon"]
    assert main([*argv, "0"]) == 2
    assert "epsilon must be positive, not 0" in capsys.readouterr().err


@pytest.mark.parametrize(("others", "failure"), [(1, "1/2"), (2, "2/3"), (3, "3/4")])
@pytest.mark.parametrize("epsilon", ["1", "ln 3", "1/7"])
def test_a_tie_without_examples_is_decided(others, failure, epsilon):
    # others (1 - failure) = failure: the packing excludes nobody
    assert samples_allowed({F(1): others}, Epsilon.of(epsilon), F(failure)) == 0
    assert samples_allowed({F(1): others}, Epsilon.of(epsilon), F(failure) - F(1, 10**40)) == 1


@pytest.mark.parametrize("task", ["learning", "proper", "release"])
@pytest.mark.parametrize(("b", "failure"), [(1, "1/2"), (2, "1/2"), (2, "2/3"), (2, "3/4")])
def test_the_command_ends_at_a_tie(task, b, failure, capsys):
    asked = ["--accuracy", "1/10", "--failure", failure, "--epsilon", "1", "--task", task]
    assert main(["packing", f"points:b={b}", *asked]) == 0
    assert "at least" in capsys.readouterr().out


def test_a_tie_with_examples_is_decided_for_rational_powers():
    # one example: max((1 - f) / 2, 1 - 2 f) = f at f = 1/3
    assert samples_allowed({F(1): 1}, Epsilon.of("ln 2"), F(1, 3)) == 1
    assert samples_allowed({F(1): 1}, Epsilon.of("ln 2"), F(1, 3) - F(1, 10**40)) == 2


def test_what_the_longest_balls_do_not_decide_is_not_decided(monkeypatch):
    monkeypatch.setattr("ccsim.learning.packing.MAX_PRECISION", 256)
    near = 1 / (1 + Epsilon.of("1").exp()).enclose(2000).upper  # nearly f = (1 - f) / e
    with pytest.raises(
        NotDecidedError, match=r"it is undecided with .* whether a packing excludes"
    ):
        samples_allowed({F(1): 1}, Epsilon.of("1"), near)


def test_time_runs_out_with_the_best_packing_found_by_then():
    none = learning_lower_bound(points(6), "1/10", "1/10", 1, proper=True, time_limit=0)
    none.check()
    whole = learning_lower_bound(points(4), "1/10", "1/10", 1, proper=True, time_limit=inf)
    assert none.samples <= whole.samples == 37
    for bound in (whole, learning_lower_bound(points(4), "1/10", "1/10", 1)):
        bound.check(inf)
        with pytest.raises(OutOfTimeError):
            bound.check(0)


def test_a_packing_without_time_says_what_needs_no_search(capsys):
    task = ("points:b=4", "--accuracy=1/10", "--failure=1/10", "--epsilon=1", "--json")
    assert main(["packing", *task, "--time-limit", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["targets"] == 2


@pytest.mark.parametrize("accuracy", ["1/" + "9" * 100, "1/1" + "0" * 3000])
@pytest.mark.parametrize("epsilon", ["1", "ln 3"])
def test_bounds_beyond_the_limit_are_refused_without_being_computed(accuracy, epsilon):
    for bound in (learning_lower_bound, release_lower_bound):
        with pytest.raises(InstanceTooLargeError, match="choose a larger accuracy or epsilon"):
            bound(points(2), accuracy, "1/10", epsilon)


def test_an_epsilon_whose_power_cannot_be_written_is_refused():
    for bound in (learning_lower_bound, release_lower_bound):
        with pytest.raises(
            InstanceTooLargeError, match=r"epsilon must be at most 8192 .* not 9000"
        ):
            bound(points(2), "1/10", "1/10", 9000)


def test_a_packing_that_is_not_checked_in_time_loses_targets(capsys, monkeypatch, tmp_path):
    """Regression: the command ended without a bound."""
    words = ["packing", "random:m=64,n=64,seed=1"]
    words += ["--accuracy", "1/8", "--failure", "1/8", "--epsilon", "1/2"]
    assert main([*words, "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("ccsim.cli.privacy.packing.time_to_check", lambda _: Budget(0))
    written = tmp_path / "proof.json"
    assert main([*words, "--json", "--certificate", f"{written}"]) == 0
    shown = capsys.readouterr()
    assert "the check of the lower bound was stopped" in shown.err
    assert 0 < json.loads(shown.out)["lower"] < whole["lower"]
    verify(json.loads(written.read_text()))
