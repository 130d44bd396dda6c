"""The least failure over few points, compared with plain programs over all sets."""

import json
import random
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, count, permutations, product
from pathlib import Path

import pytest

from ccsim.budget import Budget
from ccsim.classes import ConceptClass, all_functions, points
from ccsim.cli.main import main
from ccsim.errors import DomainError
from ccsim.kernel import Rejected, check, read
from ccsim.programs.game import solve_integer_game
from ccsim.representation import (
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_curve,
    failure_game,
    failure_probability,
    float_game,
    least_failure,
    probabilistic_representation_size,
)
from ccsim.representation import failure as failing
from ccsim.representation import float_game as searched
from ccsim.representation.failure import FailingFamilies, Refutations, heavy_families
from ccsim.representation.failure_game import even_distribution, even_mixture, tight_distribution

THIRD = Fraction(1, 3)


def of_masks(masks, n):
    return ConceptClass.from_matrix([[mask >> x & 1 for x in range(n)] for mask in masks])


def ways_to_fail(n, error, largest):
    """Return the maximal families of point sets that are heavy under small integer weights."""
    found = set()
    for distribution in product(range(largest + 1), repeat=n):
        if any(distribution):
            heavy = frozenset(
                E
                for E in range(1 << n)
                if sum(w for x, w in enumerate(distribution) if E >> x & 1)
                > error * sum(distribution)
            )
            found.add(heavy)
    return {family for family in found if not any(family < other for other in found)}


def by_all_sets(masks, n, error, size, pool=None):
    """Return the value of the game between all sets of hypotheses and all ways to fail."""
    rows = [
        frozenset(E ^ mask for E in family)
        for mask in masks
        for family in ways_to_fail(n, error, 3)
    ]
    sets = list(combinations(range(1 << n) if pool is None else pool, size))
    return solve_integer_game([[int(row.issuperset(each)) for each in sets] for row in rows])[0]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("error", ["0", "1/4", "1/3", "3/8", "1/2", "1"])
def test_the_listed_families_are_those_of_small_weights(n, error):
    listed = heavy_families(n, Fraction(error))
    sets = {frozenset(E for E in range(1 << n) if mask >> E & 1) for mask in listed}
    assert sets == ways_to_fail(n, Fraction(error), 3)
    for mask, distribution in listed.items():
        for E in range(1 << n):
            weight = sum(w for x, w in enumerate(distribution) if E >> x & 1)
            assert (weight > Fraction(error) * sum(distribution)) == bool(mask >> E & 1)


@pytest.mark.parametrize("seed", range(12))
def test_random_classes_agree_with_the_plain_program(seed):
    rng = random.Random(seed)  # noqa: S311 - instances, no secrets
    n = rng.choice([2, 3, 3, 4])
    masks = rng.sample(range(1 << n), rng.randint(1, min(6, 1 << n)))
    error, size = Fraction(rng.choice(["1/4", "1/3", "3/8", "2/5", "0", "1/2"])), rng.choice([1, 2])
    result = least_failure(of_masks(masks, n), error, size)
    assert result.value == by_all_sets(masks, n, error, size)
    result.check()


@pytest.mark.parametrize("error", ["1/3", "1/2", "3/5"])
@pytest.mark.parametrize("seed", range(8))
def test_hypotheses_of_the_class_alone_agree_with_the_plain_program(seed, error):
    """Some optimal mixtures contain neighbourhoods that are not minimal in the pool."""
    rng = random.Random(seed)  # noqa: S311 - instances, no secrets
    masks = [1, 4, 6] if seed == 0 else rng.sample(range(8), rng.randint(2, 6))
    for size in (1, 2):
        found = least_failure(of_masks(masks, 3), error, size, masks)
        assert found.value == by_all_sets(masks, 3, Fraction(error), size, masks)
        found.check()


@pytest.mark.parametrize(
    ("masks", "n", "error", "size", "value"),
    [
        ([1, 2, 4, 7, 8, 11, 13, 14], 4, "3/8", 3, "7/24"),
        ([3, 5, 6, 9, 10, 12], 4, "1/3", 3, None),
        ([1, 2, 4, 8, 16], 5, "1/3", 3, "1/5"),
        ([1, 2, 4, 8, 16], 5, "1/3", 4, "2/25"),
        ([0, 1, 3, 7, 15, 31], 5, "1/3", 3, "5/19"),
        ([0, 1, 3, 7, 15, 31], 5, "1/3", 4, "10/117"),
    ],
)
def test_values_at_which_sizes_change(masks, n, error, size, value):
    result = least_failure(of_masks(masks, n), error, size)
    if value is None:
        value = by_all_sets(masks, n, Fraction(error), size)
    assert result.value == Fraction(value)
    result.check()
    altered = json.loads(result.certificate().to_json())
    lower = Fraction(altered["statement"]["lower"])
    altered["statement"]["upper"] = str(lower - Fraction(1, 10**6))
    with pytest.raises(Rejected):
        check(altered)


def test_the_size_is_decided_exactly_where_it_changes():
    five = of_masks([1, 2, 4, 8, 16], 5)
    for failure, size in (("1/5", 3), ("199999/1000000", 4), ("2/25", 4), ("799/10000", 5)):
        result = probabilistic_representation_size(five, THIRD, failure)
        assert result.value == size
        result.check()


@pytest.mark.parametrize("seed", range(10))
def test_failures_of_representations_agree_with_branching_over_sets(seed):
    rng = random.Random(seed)  # noqa: S311 - instances, no secrets
    n = rng.randint(1, 5)
    error = Fraction(rng.choice(["1/4", "1/3", "3/8", "2/5", "0", "1/2"]))
    C = of_masks(rng.sample(range(1 << n), min(3, 1 << n)), n)
    shares = [Fraction(rng.randint(1, 9)) for _ in range(6)]
    sets = [rng.sample(range(1 << n), rng.randint(1, min(3, 1 << n))) for _ in shares]
    R = ProbabilisticRepresentation.mixture(
        (share / sum(shares), HypothesisSet.from_rows(rows, n))
        for share, rows in zip(shares, sets, strict=True)
    )
    result = failure_probability(R, C, error)
    best = Fraction(0)
    for row in C.rows:
        best = max(best, FailingFamilies(R, row, error, best, 10**6).best)
    assert result.value == best
    result.check()


def test_a_family_that_is_not_listed_is_found(monkeypatch):
    """An incomplete list costs time, but the result remains correct."""
    C, R = points(2), least_failure(points(2), THIRD, 2).failure.representation
    whole = failure_probability(R, C, THIRD)
    for kept in (1, 4):
        some = dict(list(heavy_families(4, THIRD).items())[:kept])
        monkeypatch.setattr(failing, "heavy_families", lambda n, error, some=some: some)
        result = failure_probability(R, C, THIRD)
        assert result.value == whole.value
        result.check()


@pytest.mark.parametrize("error", ["1/4", "1/3", "2/5"])
def test_mixtures_refute_what_no_distribution_makes_heavy_and_nothing_else(error):
    """The same object answers all questions, so that later answers are images of earlier ones."""
    rng, n, bound = random.Random(7), 4, Fraction(error)  # noqa: S311 - instances, no secrets
    found, ways = Refutations(n, bound), ways_to_fail(n, bound, 3)
    for _ in range(150):
        heavy = rng.sample(range(1 << n), rng.randint(1, 6))
        weights = found.mixture(heavy)
        assert (weights is None) == any(family.issuperset(heavy) for family in ways)
        if weights is None:
            distribution = found.distribution(heavy)
            assert all(
                sum(distribution[x] for x in range(n) if E >> x & 1) > bound * sum(distribution)
                for E in heavy
            )
        else:
            assert min(weights) >= 0
            assert sum(weights) == 1
            by_point = [
                sum(w for w, E in zip(weights, heavy, strict=True) if E >> x & 1) for x in range(n)
            ]
            assert max(by_point) <= bound


def test_a_distribution_near_to_floats_is_exact_or_refused():
    rng = random.Random(3)  # noqa: S311 - instances, no secrets
    for _ in range(30):
        n = rng.randint(2, 6)
        matrix = [[rng.randint(0, 1) for _ in range(n)] for _ in range(n)]
        value, distribution, _, _ = solve_integer_game(matrix)
        rows = [i for i in range(n) if distribution[i]]
        paid = [sum(distribution[i] * matrix[i][j] for i in rows) for j in range(n)]
        part = [matrix[i] for i in rows]
        found = tight_distribution(part, [float(distribution[i]) for i in rows])
        assert found is not None
        assert found[0] == value == min(paid)
        for j in range(n):
            pays = sum(w * row[j] for w, row in zip(found[1], part, strict=True))
            assert (pays == value) if paid[j] == value else abs(pays - paid[j]) < Fraction(1, 10**4)
        assert sum(found[1]) == 1
    assert tight_distribution([[0, 1]], [1e-10]) is None  # the second column pays 1


def test_the_exact_game_needs_no_good_beginning(monkeypatch):
    few = dict(list(heavy_families(4, THIRD).items())[:2])
    monkeypatch.setattr(float_game, "heavy_families", lambda n, error: few)
    result = least_failure(points(2), THIRD, 2)
    assert result.value == by_all_sets([1, 2, 4, 8], 4, THIRD, 2)
    result.check()


def test_six_points_without_symmetries():
    C = of_masks([8, 11, 19, 47, 62], 6)
    result = least_failure(C, THIRD, 2)
    assert result.exact
    result.check()


def test_a_proof_up_to_symmetry_keeps_also_what_lies_in_larger_neighbourhoods():
    singletons = least_failure(of_masks([1, 2, 4, 8, 16, 32], 6), THIRD, 4)
    assert singletons.value == Fraction(1, 11)
    singletons.check()


def test_a_time_limit_leaves_bounds_that_are_proved():
    C = of_masks([1, 6, 9, 15, 22, 27, 34, 40, 45, 51, 57, 62], 6)
    result = least_failure(C, THIRD, 3, time_limit=0)
    assert 0 <= result.lower < result.upper <= 1
    result.check()


@cache
def hard_class():
    """Return a class with its least failure for sets of three hypotheses and error 1/3."""
    C = of_masks([1, 6, 9, 15, 22, 27, 34, 40, 45, 51, 57, 62], 6)
    return C, least_failure(C, THIRD, 3).value


@pytest.mark.parametrize("target", [Fraction(0), None, Fraction(99, 100)])
def test_time_that_ends_before_the_best_strategies_leaves_what_they_give(monkeypatch, target):
    C, value = hard_class()

    def cut_short(*arguments):  # each look at the clock is a second
        *others, _, sought = arguments
        return searched.near_optimum(*others, Budget(120, clock=count().__next__), sought)

    monkeypatch.setattr(failure_game, "near_optimum", cut_short)
    cut = failure_game.FailureGame(C, THIRD, None, 3, Budget())
    cut.play(target)
    assert cut.lower < value < cut.failure.upper < 1
    if target:  # the bound from above decides
        assert cut.failure.upper <= target
        assert cut.refutation is None
    else:  # only one from below decides 0, and without a target both are asked for
        assert cut.lower > 0
    cut.failure.check()


@pytest.mark.parametrize("large", [5, 10])
def test_a_game_that_is_solved_roughly_at_first_has_the_same_value(monkeypatch, large):
    C = of_masks([8, 11, 19, 47, 62, 5, 33], 6)
    value = least_failure(C, THIRD, 3).value
    solved = []

    def noted(self, budget, *, roughly):
        solve(self, budget, roughly=roughly)
        solved.append((roughly, self.corner))

    solve = float_game.RestrictedGame.solve
    monkeypatch.setattr(float_game.RestrictedGame, "solve", noted)
    monkeypatch.setattr(float_game, "_LARGE", large)
    result = least_failure(C, THIRD, 3)
    assert result.value == value
    result.check()
    roughly = [rough for rough, _ in solved]
    assert any(roughly)
    assert not roughly[-1]
    first = roughly.index(True)
    assert not any(roughly[:first])
    assert all(corner <= large for _, corner in solved[: first - 1])


def test_a_game_is_played_no_further_than_is_asked(monkeypatch):
    C = of_masks([8, 11, 19, 47, 62, 5, 33], 6)
    value = least_failure(C, THIRD, 3).value
    rounds = count()
    extend = float_game.FloatGame.extend

    def counted(self, *arguments):
        next(rounds)
        return extend(self, *arguments)

    monkeypatch.setattr(float_game.FloatGame, "extend", counted)
    played = []
    for target in (value * 2, value * Fraction(11, 10), value, None):
        before = next(rounds)
        asked = failure_game.FailureGame(C, THIRD, None, 3, Budget())
        asked.play(target)
        played.append(next(rounds) - before)
        assert asked.failure.upper <= (target or value)
        asked.failure.check()
        assert asked.lower <= value
    assert played == sorted(played)
    assert played[0] < played[1] < played[2] == played[3]


def test_the_curve_ends_where_no_set_fails_and_as_asked():
    curve = failure_curve(of_masks([1, 2, 4, 8, 16], 5), THIRD)
    assert [each.value for each in curve] == [
        Fraction(v) for v in ("7/10", "2/5", "1/5", "2/25", "0")
    ]
    curve.check()
    assert list(failure_curve(of_masks([1, 2, 4, 8, 16], 5), THIRD, 2)) == list(curve[:2])
    assert len(check(json.loads(curve.certificate().to_json())).splitlines()) == 5
    with pytest.raises(DomainError, match="most must be at least 1, not 0"):
        failure_curve(points(1), THIRD, 0)


def test_the_command_prints_the_curve_and_its_certificates(tmp_path, capsys):
    name = str(tmp_path / "curve.json")
    given = ["represent", "equality:n=5", "--error", "1/3", "--curve"]
    assert main([*given, "--json", "--certificate", name]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["failures"] == failure_curve("equality:n=5", "1/3").to_dict()
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| `represent --curve` |"))
    assert set(printed) == set(re.findall(r"`(\w+)`", row.split("|")[2]))
    assert "size 4: exactly 2/25" in check(read(name))
    assert main([*given, "--most", "2", "--proper"]) == 0
    assert capsys.readouterr().out.endswith("2 hypotheses  3/5 (0.6)\n")
    assert main([*given, "--time-limit", "0"]) == 3
    assert main([*given, "--most", "0"]) == 2


def test_a_class_with_symmetries_is_played_by_orbits():
    """The triples of six points have 1440 symmetries."""
    triples = of_masks([sum(1 << x for x in each) for each in combinations(range(6), 3)], 6)
    result = least_failure(triples, THIRD, 4)
    assert result.value == Fraction(1, 5)
    result.check()
    curve = failure_curve(triples, "1/4", 2)
    game = searched.FloatGame(triples, Fraction(1, 4), range(64), 2, ())
    apart = searched.near_optimum(game, Budget())
    assert abs(apart.lower - float(curve[1].value)) < 1e-6


@pytest.mark.parametrize(
    ("n", "error", "size", "value"), [(5, "2/5", 5, "1/20"), (6, THIRD, 3, "7/16")]
)
def test_all_functions_with_few_hypotheses(n, error, size, value):
    result = least_failure(all_functions(n), error, size)
    assert result.value == Fraction(value)
    if n == 6:  # by orbits of both sides: an exact game of all ways to fail takes half a minute
        assert len({*result.failure.representation.weights}) == 1


@pytest.mark.parametrize("seed", range(30))
def test_even_strategies_lose_nothing_where_groups_are_orbits(seed):
    """A rotation of order three permutes the rows and the columns of each block."""
    rng = random.Random(seed)  # noqa: S311 - instances, no secrets
    rows, columns = range(rng.randint(1, 3)), range(rng.randint(1, 3))
    block = {each: [rng.randint(0, 4) for _ in range(3)] for each in product(rows, columns)}
    payoff = [
        [block[i, j][(b - a) % 3] for j in columns for b in range(3)]
        for i, a in product(rows, range(3))
    ]
    value, distribution, _, _ = solve_integer_game(payoff)
    found, mixture = even_mixture(payoff, [3] * len(columns), Budget())
    paid = [sum(p * a for p, a in zip(mixture, row, strict=True)) for row in payoff]
    assert found == value == max(paid)
    orbits = [[3 * i, 3 * i + 1, 3 * i + 2] for i in rows if any(distribution[3 * i : 3 * i + 3])]
    used = [payoff[i] for each in orbits for i in each]
    near = [float(sum(distribution[i] for i in each)) / 3 for each in orbits for _ in each]
    outcome = even_distribution(used, near, [[*range(i, i + 3)] for i in range(0, len(used), 3)])
    assert outcome is not None
    assert outcome[0] == value
    assert len({*mixture[:3]}) == len({*outcome[1][:3]}) == 1


def test_even_strategies_lose_where_groups_are_no_orbits():
    assert even_mixture([[9, 0]], [2], Budget()) == (Fraction(9, 2), [Fraction(1, 2)] * 2)
    assert solve_integer_game([[9, 0]])[0] == 0


@pytest.mark.slow
def test_six_hypotheses_for_the_triples_of_six_points():
    triples = of_masks([sum(1 << x for x in each) for each in combinations(range(6), 3)], 6)
    result = least_failure(triples, THIRD, 6)
    assert result.value == Fraction(1, 30)
    result.check()


def test_orbits_have_the_same_weights_up_to_the_order_of_points():
    families = heavy_families(5, THIRD)
    for family, weights in families.items():
        for move in permutations(range(5)):
            image = sum(
                1 << sum(1 << move[x] for x in range(5) if E >> x & 1)
                for E in range(32) if family >> E & 1
            )  # fmt: skip
            moved = [0] * 5
            for x, weight in enumerate(weights):
                moved[move[x]] = weight
            assert families[image] == tuple(moved)


def test_progress_is_told_though_both_sides_meet_at_once():
    told = []
    result = least_failure("points:b=1", "1/4", 1, progress=lambda *bounds: told.append(bounds))
    assert told[-1] == (result.value, result.value)
