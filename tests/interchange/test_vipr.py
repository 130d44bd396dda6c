"""VIPR files, checked by an independent reader of the published format."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from ccsim import CertificateError, DomainError, equality, minimax_error
from ccsim.interchange import game_program, protocol_game, to_vipr
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program

PUBLISHED = """% the example of the specification: an integer program, so that two lines are rounded
VER 1.0
VAR 2
x y
INT 2
0 1
OBJ min
2  0 1  1 1
CON 2 0
C1 G 1  2  0 4  1 1
C2 L 2  2  0 4  1 -1
RTP range 1 1
SOL 2
feas 2  0 1  1 2
opt 1  1 1
DER 4
C3 G -1/2  1  1 1   { lin 2  0 1/2  1 -1/2 } 3
C4 G 0     1  1 1   { rnd 1  2 1 } 4
C5 G 1/4   OBJ     { lin 2  0 1/4  3 3/4 } 5
C6 G 1     OBJ     { rnd 1  4 1 } 0
"""


class Refused(Exception):  # noqa: N818 - what a checker says
    """The file proves nothing."""


def need(holds, why):
    if not holds:
        raise Refused(why)


class Checker:
    """A checker of version 1.0 of the format without branching; it raises `Refused`."""

    def __init__(self, text):
        lines = [line for line in text.splitlines() if not line.startswith("%")]
        self.words = iter(" ".join(lines).split())
        self.constraints = []

    def word(self, *allowed):
        try:
            word = next(self.words)
        except StopIteration:
            raise Refused("the file ends early") from None
        need(not allowed or word in allowed, f"{word} is none of {allowed}")
        return word

    def number(self):
        word = self.word()
        try:
            return Fraction(word)
        except (ValueError, ZeroDivisionError):
            raise Refused(f"{word} is no number") from None

    def index(self, end):
        number = self.number()
        need(number.denominator == 1 and 0 <= number < end, f"{number} is no index")
        return int(number)

    def sparse(self, end, length=None):
        length = self.index(10**9) if length is None else length
        found = {}
        for _ in range(length):
            i = self.index(end)
            need(i not in found, "an index twice")
            found[i] = self.number()
        return found

    def constraint(self):
        self.word()  # its name
        sense = self.word("G", "L", "E")
        bound, first = self.number(), self.word()
        if first == "OBJ":
            form = self.objective
        else:
            need(first.isdigit(), "no length of a constraint")
            form = self.sparse(self.variables, int(first))
        return {j: a for j, a in form.items() if a}, sense, bound

    def combination(self, weights):
        form, bound, signs = {}, Fraction(0), set()
        for i, weight in weights.items():
            terms, sense, beta = self.constraints[i]
            bound += weight * beta
            for j, a in terms.items():
                form[j] = form.get(j, 0) + weight * a
            side = {"G": 1, "L": -1, "E": 0}[sense] * weight
            signs |= {(side > 0) - (side < 0)}
        need(not {-1, 1} <= signs, "the combination is not suitable")
        sense = "G" if 1 in signs else "L" if -1 in signs else "E"
        return {j: a for j, a in form.items() if a}, sense, bound

    def rounded(self, form, sense, bound):
        need(sense != "E", "an equation is not rounded")
        whole = all(a.denominator == 1 and j in self.integer for j, a in form.items())
        need(whole, "what is rounded is no integer")
        return form, sense, Fraction((math.ceil if sense == "G" else math.floor)(bound))

    def derivation(self):
        claimed = self.constraint()
        self.word("{")
        reason = self.word("lin", "rnd")
        known = self.combination(self.sparse(len(self.constraints)))
        if reason == "rnd":
            known = self.rounded(*known)
        self.word("}")
        self.word()  # how long it is needed
        need(dominates(known, claimed), "the derivation does not prove the constraint")
        self.constraints.append(claimed)

    def check(self):
        self.word("VER")
        self.word("1.0")
        self.word("VAR")
        self.variables = self.index(10**9)
        names = [self.word() for _ in range(self.variables)]
        need(len(set(names)) == len(names), "a name twice")
        self.word("INT")
        self.integer = {self.index(self.variables) for _ in range(self.index(10**9))}
        self.word("OBJ")
        minimise = self.word("min", "max") == "min"
        self.objective = self.sparse(self.variables)
        self.word("CON")
        number, bounds = self.index(10**9), self.index(10**9)
        self.constraints = [self.constraint() for _ in range(number)]
        need(bounds <= number, "more bounds than constraints")
        need(all(len(form) == 1 for form, *_ in self.constraints[:bounds]), "no bound")
        self.word("RTP")
        goal = self.word("range", "infeas")
        low, high = (self.word(), self.word()) if goal == "range" else (None, None)
        self.word("SOL")
        values = [self.solution() for _ in range(self.index(10**9))]
        self.word("DER")
        derived = self.index(10**9)
        for _ in range(derived):
            self.derivation()
        need(next(self.words, None) is None, "more after the end")
        last = self.constraints[-1] if derived else ({}, "E", Fraction(0))
        need(minimise, "this checker minimises")
        if goal == "infeas":
            need(is_absurd(last), "no contradiction")
            return "infeasible"
        if low != "-inf":
            form = {j: c for j, c in self.objective.items() if c}
            need(dominates(last, (form, "G", Fraction(low))), "the bound is not derived")
        if high != "inf":
            need(any(value <= Fraction(high) for value in values), "no solution as good")
        return low, high

    def solution(self):
        self.word()  # its name
        point = self.sparse(self.variables)
        for form, sense, bound in self.constraints:
            left = sum(a * point.get(j, 0) for j, a in form.items())
            holds = {"G": left >= bound, "L": left <= bound, "E": left == bound}
            need(holds[sense], "a solution is not feasible")
        need(
            all(point.get(j, 0).denominator == 1 for j in self.integer if j in point), "no integer"
        )
        return sum(c * point.get(j, 0) for j, c in self.objective.items())


def is_absurd(known):
    form, sense, bound = known
    return not form and {"G": bound > 0, "L": bound < 0, "E": bound != 0}[sense]


def dominates(known, claimed):
    if is_absurd(known):
        return True
    (form, sense, bound), (other, wanted, beta) = known, claimed
    if form != other:
        return False
    if wanted == "E":
        return sense == "E" and bound == beta
    if sense not in ("E", wanted):
        return False
    return bound >= beta if wanted == "G" else bound <= beta


def random_program(seed):
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    n = draw.randint(1, 5)

    def number():
        return Fraction(draw.randint(-6, 6), draw.randint(1, 4))

    rows = [
        ([number() for _ in range(n)], draw.choice(["<=", "=", ">="]), number())
        for _ in range(draw.randint(0, 4))
    ]
    lower = [draw.choice([None, 0, Fraction(-3, 2)]) for _ in range(n)]
    upper = [draw.choice([None, 2, Fraction(7, 3)]) for _ in range(n)]
    return LinearProgram.minimise([number() for _ in range(n)], rows, lower, upper)


def test_the_checker_accepts_the_published_example_and_no_stronger_one():
    assert Checker(PUBLISHED).check() == ("1", "1")
    for old, new in (
        ("RTP range 1 1", "RTP range 2 2"),
        ("lin 2  0 1/4", "lin 2  0 1/3"),
        ("C4 G 0 ", "C4 G 1 "),
        ("opt 1  1 1", "opt 1  1 1/2"),
        ("INT 2\n0 1", "INT 0"),
    ):
        assert old in PUBLISHED
        with pytest.raises(Refused):
            Checker(PUBLISHED.replace(old, new)).check()


def test_programs_of_every_kind_are_proved():
    ends = []
    for seed in range(60):
        outcome = solve_linear_program(random_program(seed))
        ends.append(outcome.status)
        if outcome.status == "unbounded":
            with pytest.raises(DomainError):
                to_vipr(outcome)
            continue
        proved = Checker(to_vipr(outcome)).check()
        if outcome.status == "infeasible":
            assert proved == "infeasible"
        else:
            assert proved == (str(outcome.value), str(outcome.value))
    assert min(map(ends.count, ("optimal", "infeasible", "unbounded"))) >= 5


@pytest.mark.parametrize(("n", "messages"), [(3, 2), (4, 2), (4, 3)])
def test_least_errors_are_proved_by_the_file_alone(n, messages):
    outcome = solve_linear_program(game_program(protocol_game(equality(n), messages)))
    value = str(minimax_error(equality(n), messages).value)
    assert Checker(to_vipr(outcome)).check() == (value, value)


def test_altered_files_are_refused():
    text = to_vipr(solve_linear_program(game_program(protocol_game(equality(3), 2))))
    head, tail = text.split("RTP range ")
    value = tail.split()[0]
    stronger = str(Fraction(value) + Fraction(1, 1000)), str(Fraction(value) - Fraction(1, 1000))
    altered = [f"{head}RTP range {tail.replace(f'{value} {value}', f'{stronger[0]} inf', 1)}"]
    altered.append(f"{head}RTP range {tail.replace(f'{value} {value}', f'-inf {stronger[1]}', 1)}")
    before, weights = text.split("{ lin ")
    numbers = weights.split()
    assert len(numbers) > 10
    for place in range(2, 1 + 2 * int(numbers[0]), 2):  # every weight of the derivation
        changed = [*numbers]
        changed[place] = str(Fraction(changed[place]) + 1)
        altered.append(f"{before}{{ lin {' '.join(changed)}")
    lines = text.splitlines()
    point = lines.index("SOL 1") + 1
    altered.append("\n".join([*lines[:point], "optimum 0", *lines[point + 1 :]]))
    altered += [text.replace("VER 1.0", "VER 2.0"), text[: len(text) // 2], f"{text} 1"]
    for each in altered:
        assert each != text
        with pytest.raises(Refused):
            Checker(each).check()


def test_what_is_not_proved_is_not_written():
    good = solve_linear_program(LinearProgram.minimise([1], [([1], ">=", 2)]))
    wrong = OptimalSolution(good.program, Fraction(3), good.primal, good.dual, good.method)
    with pytest.raises(CertificateError):
        to_vipr(wrong)
    with pytest.raises(DomainError):
        to_vipr("VER 1.0")
