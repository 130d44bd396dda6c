"""Linear programs: outcomes are proved, agree with the vertices, and are rejected if altered."""

# ruff: noqa: S311 - seeds, not secrets

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import flint
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.programs import (
    InfeasibilityProof,
    LinearProgram,
    OptimalSolution,
    ProgramBounds,
    UnboundednessProof,
    solve_linear_program,
)
from ccsim.programs.game import GameProgram
from ccsim.programs.highs import SETTINGS, suggest
from ccsim.programs.integer_program import (
    Basis,
    Contradiction,
    Descent,
    IntegerProgram,
    Optimum,
    is_feasible,
    repaired,
    run_simplex,
)
from ccsim.programs.program import end_of_basis, solve_integer_program

HUGE = 10**30
SENSES = ["<=", "=", ">=", ">="]


def random_program(rng, scales=(1,)):
    """Return a small program of any outcome, with free, fixed and boxed variables."""
    n, m = rng.randint(0, 4), rng.randint(0, 4)

    def number():
        return rng.choice([0, 0, 1, -1, 2, -3, Fraction(1, 2), Fraction(-7, 3)]) * rng.choice(
            scales
        )

    lower = [rng.choice([0, 0, None, -2, Fraction(1, 3)]) for _ in range(n)]
    upper = [rng.choice([None, None, 1 if low is None else low, (low or 0) + 3]) for low in lower]
    rows = [([number() for _ in range(n)], rng.choice(SENSES), number()) for _ in range(m)]
    return LinearProgram.minimise([number() for _ in range(n)], rows, lower, upper)


def least_vertex(program):
    """Return the least value over the vertices of a program with boxed variables; None if empty.

    A non-empty bounded polyhedron has its minimum at a vertex, where as many independent
    constraints are tight as there are variables.
    """
    n = program.num_variables
    walls = [
        ([dict(row.terms).get(j, Fraction(0)) for j in range(n)], row.sense, row.bound)
        for row in program.constraints
    ]
    for j in range(n):
        unit = [Fraction(int(i == j)) for i in range(n)]
        walls += [(unit, ">=", program.lower[j]), (unit, "<=", program.upper[j])]
    values = []
    for chosen in combinations(walls, n):
        matrix = flint.fmpq_mat(
            n, n, [flint.fmpq(a.numerator, a.denominator) for w in chosen for a in w[0]]
        )
        if n and matrix.det() == 0:
            continue
        target = flint.fmpq_mat(
            n, 1, [flint.fmpq(w[2].numerator, w[2].denominator) for w in chosen]
        )
        x = [Fraction(int(v.p), int(v.q)) for v in (matrix.solve(target).entries() if n else [])]
        if all(obeys(sum(a * v for a, v in zip(w[0], x, strict=True)), *w[1:]) for w in walls):
            values.append(sum(c * v for c, v in zip(program.objective, x, strict=True)))
    return min(values, default=None)


def obeys(form, sense, bound):
    return {"<=": form <= bound, "=": form == bound, ">=": form >= bound}[sense]


@pytest.mark.parametrize("seed", range(60))
def test_least_value_is_that_of_the_least_vertex(seed):
    rng = Random(seed)
    program = random_program(rng)
    n = min(program.num_variables, 3)
    boxed = LinearProgram.minimise(
        program.objective[:n],
        [({j: a for j, a in r.terms if j < n}, r.sense, r.bound) for r in program.constraints],
        [rng.randint(-2, 0) for _ in range(n)],
        [rng.randint(0, 2) for _ in range(n)],
    )
    outcome = solve_linear_program(boxed)
    outcome.check()
    least = least_vertex(boxed)
    assert outcome.status == ("infeasible" if least is None else "optimal")
    assert least is None or outcome.value == least


@pytest.mark.parametrize("scales", [(1,), (1, HUGE, Fraction(1, HUGE))])
def test_every_outcome_is_proved_and_is_that_of_pivoting_without_the_float_solver(scales):
    rng, seen = Random(1), set()
    for _ in range(150):
        program = random_program(rng, scales)
        outcome = solve_linear_program(program)
        outcome.check()
        end = run_simplex(integers(program))
        assert end.is_proved(integers(program))
        kind = {Optimum: "optimal", Contradiction: "infeasible", Descent: "unbounded"}[type(end)]
        assert outcome.status == kind
        seen.add((outcome.status, outcome.method))
    every = set(product(("optimal", "infeasible", "unbounded"), ("basis", "pivoting")))
    assert {status for status, _ in seen} == {status for status, _ in every}
    assert seen == every or HUGE not in scales


def integers(program):
    """Return the program in integers, computed independently."""
    from math import lcm

    rows = program.constraints
    ends = [b for b in (*program.lower, *program.upper) if b is not None]
    unit = lcm(*(b.denominator for b in ends), *(r.bound.denominator for r in rows))
    scale = [lcm(*(a.denominator for _, a in r.terms)) for r in rows]
    cost = lcm(*(c.denominator for c in program.objective))

    def bounds(given, absent):
        return [
            *(None if b is None else int(b * unit) for b in given),
            *(
                None if r.sense == absent else int(r.bound * unit) * s
                for r, s in zip(rows, scale, strict=True)
            ),
        ]

    return IntegerProgram.from_rows(
        [{j: int(a * s) for j, a in r.terms} for r, s in zip(rows, scale, strict=True)],
        [int(c * cost) for c in program.objective],
        bounds(program.lower, "<="),
        bounds(program.upper, ">="),
    )


@pytest.mark.parametrize(
    ("objective", "constraints", "bounds", "value", "dual"),
    [
        ([2, 3], [([1, 1], ">=", "1/2"), ([3, 1], ">=", 1)], (0, None), 1, None),
        ([1], [([1], ">=", "1/3")], (None, None), Fraction(1, 3), (1,)),
        ([-1, -1], [([1, 1], "<=", 1)], (0, "2/3"), -1, (-1,)),
        ([-1, -1], [], ([0, 1], [2, 1]), -3, ()),
        ([0, 0], [({1: HUGE}, "=", 1)], (0, None), 0, (0,)),
        ([], [], (0, None), 0, ()),
        ([5], [], (3, 3), 15, ()),
        ([-5], [([1], ">=", -1)], (None, "-1/7"), Fraction(5, 7), (0,)),
    ],
)
def test_known_values_and_prices(objective, constraints, bounds, value, dual):
    outcome = solve_linear_program(LinearProgram.minimise(objective, constraints, *bounds))
    outcome.check()
    assert isinstance(outcome, OptimalSolution)
    assert outcome.value == value
    assert dual is None or outcome.dual == dual


def test_beale_cycling_example_ends():
    """Beale's program, on which the largest-coefficient rule with certain tie-breaking cycles."""
    program = LinearProgram.minimise(
        ["-3/4", 150, "-1/50", 6],
        [
            (["1/4", -60, "-1/25", 9], "<=", 0),
            (["1/2", -90, "-1/50", 3], "<=", 0),
            ([0, 0, 1, 0], "<=", 1),
        ],
    )
    outcome = solve_linear_program(program)
    outcome.check()
    assert outcome.value == Fraction(-1, 20)
    end = run_simplex(integers(program))
    assert end.pivots > 1
    assert end.is_proved(integers(program))


def test_klee_minty_cube_is_solved_from_its_worst_corner():
    """All ``2**d`` vertices lie on an increasing path; at the optimum, only the last is nonzero."""
    d = 6
    rows = [({**{j: 2 ** (i - j + 1) for j in range(i)}, i: 1}, "<=", 5**i) for i in range(d)]
    program = LinearProgram.minimise([-(2 ** (d - 1 - j)) for j in range(d)], rows)
    end = run_simplex(integers(program))
    assert end.is_proved(integers(program))
    assert solve_linear_program(program).value == -(5 ** (d - 1))


def test_sparse_and_dense_rows_are_the_same():
    sparse = LinearProgram.minimise([1, 1, 1], [({2: 1, 0: "1/2"}, ">=", 1)])
    assert sparse == LinearProgram.minimise([1, 1, 1], [(["1/2", 0, 1], ">=", 1)])
    assert str(sparse.constraints[0]) == "1/2 x0 + 1 x2 >= 1"


def test_transport_between_uniform_distributions_has_the_value_of_a_matching():
    """600 variables, 50 rows, every basis degenerate."""
    rng, m, n = Random(2), 20, 30
    cost = [rng.randint(0, 99) for _ in range(m * n)]
    rows = [({i * n + j: 1 for j in range(n)}, "=", Fraction(1, m)) for i in range(m)]
    rows += [({i * n + j: 1 for i in range(m)}, "=", Fraction(1, n)) for j in range(n)]
    outcome = solve_linear_program(LinearProgram.minimise(cost, rows))
    outcome.check()
    assert outcome.status == "optimal"
    assert all((60 * x).denominator == 1 for x in outcome.primal)  # a totally unimodular matrix


# Each rung of the ladder, alone and after one that fails.

INDISTINGUISHABLE = GameProgram(
    [[HUGE + 1, HUGE, 0], [HUGE, HUGE + 2, 3], [0, 3 * HUGE, HUGE], [HUGE, HUGE, -HUGE]]
).program


def test_basis_of_every_setting_of_the_float_solver_is_optimal_on_a_random_game():
    rng = Random(3)
    program = GameProgram([[rng.randint(-9, 9) for _ in range(12)] for _ in range(15)]).program
    bases = [suggestion.basis for suggestion in suggest(program)]
    assert len(bases) == len(SETTINGS)
    assert all(end_of_basis(program, basis).pivots == 0 for basis in bases)


def test_the_float_solver_accepts_every_range_of_numbers():
    for digits in (20, 300, 40_000):
        ten = 10**digits
        rows = [{0: ten + 1, 1: 1, 2: -1}, {0: 3, 1: ten, 2: -ten}, {0: 1, 1: 1}]
        program = IntegerProgram.from_rows(
            rows, [0, ten, -1], [0, 0, None, 0, 0, 1], [None] * 5 + [1]
        )
        assert len(list(suggest(program))) == len(SETTINGS)


def test_bases_of_the_other_player_are_bases_of_the_same_game():
    rng = Random(4)
    for m, n in [(5, 9), (9, 5), (7, 7)]:
        game = GameProgram([[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)])
        later = list(game.suggest())[len(SETTINGS) :]
        assert len(later) == len(SETTINGS)
        ends = [end_of_basis(game.program, suggestion.basis) for suggestion in later]
        assert all(end is not None for end in ends)
        assert len({game.read(end)[0] for end in ends}) == 1


def test_where_no_float_basis_is_optimal_the_ladder_ends_by_pivoting():
    program = integers(hard_program())
    assert all(end_of_basis(program, s.basis) is None for s in suggest(program))
    end = solve_integer_program(program, suggest(program))
    assert end.pivots > 0
    assert end.is_proved(program)


def test_pivoting_starts_from_any_basis_even_a_singular_one():
    rng = Random(5)
    rows = [[rng.randint(-3, 3) for _ in range(5)] for _ in range(6)]
    program = GameProgram(
        [*rows, rows[0], rows[1]]
    ).program  # columns that repeat: singular kernels
    ends = []
    for _ in range(60):
        size = rng.randint(0, program.rows)
        basis = Basis(
            tuple(sorted(rng.sample(range(program.columns), size))),
            tuple(sorted(rng.sample(range(program.rows), size))),
            frozenset(rng.sample(range(program.rows + program.columns), 3)),
        )
        start = repaired(program, basis)
        assert set(start.columns) <= set(basis.columns)
        assert set(start.tight) <= set(basis.tight)
        end = run_simplex(program, basis)
        assert end.is_proved(program)
        ends.append(Fraction(end.x[-1], end.x_scale))
    assert len(set(ends)) == 1


def test_given_up_pivoting_says_after_how_many_pivots():
    assert run_simplex(INDISTINGUISHABLE).pivots > 2
    with pytest.raises(NotDecidedError, match="undecided after 2 exact pivots"):
        run_simplex(INDISTINGUISHABLE, most_pivots=2)
    with pytest.raises(OutOfTimeError):
        run_simplex(INDISTINGUISHABLE, budget=Budget(0))


def hard_program():
    """Return a program with a bounded optimum that floats cannot find."""
    rows = [
        ([HUGE + 1, HUGE, 1], ">=", HUGE),
        ([HUGE, HUGE + 2, 3], ">=", HUGE + 1),
        ([1, 3 * HUGE, HUGE], ">=", 7),
    ]
    return LinearProgram.minimise([1, 1 + Fraction(1, HUGE), 2], rows, 0, 5)


@pytest.mark.parametrize("unit", [1, 1 << 61, 1 << 63])
def test_shifted_costs_stay_integers_where_machines_have_no_such(unit):
    """numpy converts 2^63 together with a negative number to floats."""
    program = IntegerProgram.from_rows([{0: 3}, {0: 2}], [-unit], [0, -2, 1], [4, 0, 2])
    outcome = run_simplex(program, Basis((0,), (0,)))
    assert isinstance(outcome, Contradiction)  # 3 x <= 0 and 2 x >= 1
    plain = IntegerProgram.from_rows(
        [{0: -1, 1: 3}, {0: -2}], [3 * unit, 2 * unit], [0, 0, -2, -2], [None, 4, None, None]
    )
    end = run_simplex(plain, Basis((0,), (0,)))
    assert isinstance(end, Optimum)
    assert (*end.x,) == (0, 0)


def test_at_the_time_limit_bounds_are_proved_that_enclose_the_optimum():
    program = hard_program()
    exact = solve_linear_program(program)
    exact.check()
    assert exact.method == "pivoting"
    bounds = solve_linear_program(program, time_limit=0)
    bounds.check()
    assert isinstance(bounds, ProgramBounds)
    assert bounds.lower is None or bounds.lower <= exact.value
    assert bounds.upper is None or exact.value <= bounds.upper


# Altered proofs

OPTIMAL = solve_linear_program(
    LinearProgram.minimise([2, 3], [([1, 1], ">=", 1), ([3, 1], "<=", 2)], 0, [5, None])
)
EMPTY = solve_linear_program(LinearProgram.minimise([1, 1], [([1, 1], "<=", -1), ([1, 0], "=", 0)]))
FALLING = solve_linear_program(LinearProgram.minimise([-1, 0], [([1, -1], "<=", 1)]))
BOUNDS = ProgramBounds(
    OPTIMAL.program, Fraction(0), Fraction(5), (Fraction(0), Fraction(5, 3)), (Fraction(0),) * 2
)


def fractions(*numbers):
    return tuple(Fraction(number) for number in numbers)


def test_unaltered_proofs_are_accepted():
    kinds = (OptimalSolution, InfeasibilityProof, UnboundednessProof, ProgramBounds)
    for outcome, kind in zip((OPTIMAL, EMPTY, FALLING, BOUNDS), kinds, strict=True):
        assert isinstance(outcome, kind)
        outcome.check()
    assert (OPTIMAL.value, OPTIMAL.primal) == (Fraction(5, 2), fractions("1/2", "1/2"))
    assert OPTIMAL.dual == fractions("7/2", "-1/2")


@pytest.mark.parametrize(
    ("outcome", "change", "reason"),
    [
        (OPTIMAL, {"value": Fraction(2)}, "the bound that is proved is 5/2, not the stated 2"),
        (OPTIMAL, {"primal": fractions(0, 1)}, "the bound that is proved is 3, not the stated 5/2"),
        (OPTIMAL, {"primal": fractions(1, 0)}, "a constraint is violated by 1"),
        (OPTIMAL, {"primal": fractions(0, 0)}, "a constraint is violated by -1"),
        (
            OPTIMAL,
            {"primal": fractions(-1, 5)},
            r"the value -1 of a variable lies outside its bounds",
        ),
        (OPTIMAL, {"primal": fractions(1)}, "primal must have 2 entries, not 1"),
        (
            OPTIMAL,
            {"primal": (0.5, 0.5)},
            r"primal of OptimalSolution must be tuple.Fraction, ....",
        ),
        (
            OPTIMAL,
            {"dual": fractions("5/2", 0)},
            "the bound that is proved is 0, not the stated 5/2",
        ),
        (
            OPTIMAL,
            {"dual": fractions(-1, 0)},
            r"price -1 has the wrong sign",
        ),
        (OPTIMAL, {"dual": fractions(1, 1)}, r"price 1 has the wrong sign"),
        (
            OPTIMAL,
            {"dual": fractions(4, 0)},
            "an unbounded variable must have reduced cost 0, not -1",
        ),
        (OPTIMAL, {"dual": fractions(0)}, "dual must have 2 entries, not 1"),
        (
            EMPTY,
            {"weights": fractions(0, 0)},
            "must imply 0 >= b > 0, not b = 0",
        ),
        (EMPTY, {"weights": fractions(1, 0)}, r"price 1 has the wrong sign"),
        (EMPTY, {"weights": fractions(-1)}, "dual must have 2 entries, not 1"),
        (FALLING, {"primal": fractions(2, 0)}, "a constraint is violated by 1"),
        (FALLING, {"ray": fractions(1, 0)}, r"a constraint is violated by 1"),
        (
            FALLING,
            {"ray": fractions(0, 1)},
            "the objective must decrease along the ray, not change at rate 0",
        ),
        (
            FALLING,
            {"ray": fractions(-1, -1)},
            r"the value -1 of a variable lies outside its bounds",
        ),
        (FALLING, {"ray": fractions(1)}, "each of 2 variables must have a value"),
        (BOUNDS, {"lower": Fraction(1)}, "the bound that is proved is 0, not the stated 1"),
        (BOUNDS, {"upper": Fraction(4)}, "the bound that is proved is 5, not the stated 4"),
        (BOUNDS, {"dual": None}, "the lower bound must be null exactly if its proof is null"),
        (BOUNDS, {"upper": None}, "the upper bound must be null exactly if its proof is null"),
    ],
)
def test_altered_proofs_are_rejected(outcome, change, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(outcome, **change).check()


def test_a_point_without_a_scale_obeys_nothing():
    program = IntegerProgram.from_rows([{0: 1, 1: 2}], [3, 1], [0, 0, 4], [None] * 3)
    assert is_feasible(program, [4, 0], 1)
    assert not is_feasible(program, [0, 0], 1)
    assert not is_feasible(program, [0, 0], 0)


@pytest.mark.parametrize("altered", [{"x": [0, 0]}, {"x_scale": 0}, {"y_scale": 7}, {"x": [9, 9]}])
def test_the_ladder_refuses_altered_optima(altered):
    program = IntegerProgram.from_rows([{0: 1, 1: 2}], [3, 1], [0, 0, 4], [None] * 3)
    end = run_simplex(program)
    assert end.is_proved(program)
    assert not replace(end, **altered).is_proved(program)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([0.5], []), r"objective\[0\] must be an exact number, not the float 0.5"),
        (({0: 1}, []), "objective must be a sequence with one coefficient for each variable"),
        (([1], [([1, 2], "<=", 1)]), r"constraints\[0\] must have 1 coefficients, not 2"),
        (
            ([1], [([1], "<", 1)]),
            r"constraints\[0\] must have one of the senses <=, =, >=, not '<'",
        ),
        (([1], [([1], "<=", 0.5)]), r"bound of constraints\[0\] must be an exact number"),
        (([1], [([True], "<=", 1)]), r"constraints\[0\]\[0\] must be an int"),
        (
            ([1], [({1: 1}, "<=", 1)]),
            r"constraints\[0\] must have indices of variables below 1, not 1",
        ),
        (([1], [({True: 1}, "<=", 1)]), r"must have indices of variables below 1, not True"),
        (([1], [([1], "<=")]), r"constraints\[0\] must be a triple"),
        (([1], [7]), r"constraints\[0\] must be a triple"),
        (([1], [], 2, 1), r"lower\[0\] must be at most upper\[0\], not 2 > 1"),
        (([1], [], [0, 0]), "lower must be one bound or a sequence of 1"),
        (([1], [], 0, [0.5]), r"upper\[0\] must be an exact number"),
        (([1], [], 0.5), "lower must be one bound or a sequence"),
    ],
)
def test_what_is_no_linear_program_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        LinearProgram.minimise(*arguments)
