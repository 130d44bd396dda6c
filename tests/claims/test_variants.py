"""Variants must fail, instances that could not fail are not counted, and decisions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import CertificateError, DomainError, NotDecidedError, equality, minimax_error
from ccsim.exact import Interval, LogSum
from ccsim.exact.bounds import Bounds
from proofs_check import outcome as outcomes
from proofs_check.__main__ import main
from proofs_check.claims.claim import Kind, Size, Verdict, claim
from proofs_check.claims.decision import (
    above,
    all_of,
    at_least,
    at_most,
    below,
    equal,
    holds,
    undecided,
)
from proofs_check.claims.grid import case_name, grid, once, table
from proofs_check.claims.table import CLAIMS
from proofs_check.claims.variants import near, plus, times
from proofs_check.outcome import ExitStatus, exit_status
from proofs_check.runner import run_case, run_claim
from tests.cases import every

CLAIM_FILES = sorted((Path(__file__).resolve().parents[2] / "proofs_check/claims").rglob("*.py"))


def made(function, *, number="1", kind=Kind.LEMMA, over=None, **fields):
    return claim("t/x", number, "title", kind, over=over or grid(n=range(1, 4)), **fields)(function)


def outcome(monkeypatch, function, **fields):
    c = made(function, **fields)
    monkeypatch.setattr(outcomes, "CLAIMS", {c.key: c})
    return run_claim(c, Size.SMALL)


def squares(n, *, factor=1):
    """A natural number is at most its square."""
    return at_most(n, factor * n**2)


HALVED = near("At most half its square.", factor=times(Fraction(1, 2)))


def test_a_claim_whose_near_miss_fails_holds(monkeypatch):
    result = outcome(monkeypatch, squares, near=HALVED)
    assert result.verdict is Verdict.HOLDS
    assert result.expected
    (variant,) = result.variants
    assert variant.strength == "factor: 1 -> 1/2 (times 1/2)"
    assert (variant.instance.name, variant.instance.detail) == ("n=1", "1 > 1/2")
    assert result.to_json()["variants"][0]["as_it_must"]


def test_a_weakened_ingredient_lets_the_near_miss_hold_and_turns_the_claim(monkeypatch):
    def weakened(n, *, factor=100):
        """A natural number is at most a hundred times its square."""
        return at_most(n, factor * n**2)

    result = outcome(monkeypatch, weakened, near=HALVED)
    assert result.verdict is Verdict.NOT_DECIDED
    assert not result.expected
    assert result.wording == "variant holds too"
    assert exit_status([result]) is ExitStatus.NOT_DECIDED


def test_a_rejected_certificate_is_a_near_miss_that_fails(monkeypatch):
    def certified(n, *, limit=5):
        """Small numbers have certificates."""
        if n > limit:
            raise CertificateError(f"{n} has none")
        return holds(n > 0, "positive")

    result = outcome(monkeypatch, certified, near=near("Very small ones.", limit=plus(-3)))
    assert result.expected
    assert result.variants[0].instance.detail == "certificate rejected: 3 has none"


def test_an_erratum_fails_for_its_cause_alone(monkeypatch):
    def printed(n, *, factor=Fraction(1, 2)):
        """A number is at most half its square."""
        return at_most(n, factor * n**2)

    fields = {"recorded": Verdict.FAILS, "survives": "with 1 for 1/2", "kind": Kind.ERRATUM}
    repaired = outcome(monkeypatch, printed, near=near("1 for 1/2.", factor=times(2)), **fields)
    assert repaired.expected
    assert repaired.wording == "fails on 1 of 3 (erratum)"
    other = outcome(monkeypatch, printed, near=near("1/3.", factor=Fraction(1, 3)), **fields)
    assert not other.expected
    assert exit_status([other]) is ExitStatus.UNEXPECTED


def test_a_repair_that_could_not_fail_repairs_nothing(monkeypatch):
    def printed(n, *, bound=Fraction(1, 3)):
        """A probability is at most 1/3."""
        return at_most(Fraction(1, n), bound, trivial=1)

    fields = {"recorded": Verdict.FAILS, "survives": "no", "kind": Kind.ERRATUM}
    over = grid(n=[2, 3])
    repaired = outcome(
        monkeypatch, printed, near=near("1/2.", bound=Fraction(1, 2)), over=over, **fields
    )
    assert repaired.expected
    trivial = outcome(monkeypatch, printed, near=near("1.", bound=Fraction(1)), over=over, **fields)
    assert not trivial.expected


def test_instances_that_could_not_fail_are_not_counted(monkeypatch):
    def probability(n, *, bound=lambda n: Fraction(2, n)):
        """A probability."""
        return at_most(Fraction(1, n), bound(n), trivial=1)

    halved = near("Less.", bound=times(Fraction(1, 3)))
    result = outcome(monkeypatch, probability, near=halved)
    assert result.wording == "holds on 1 instance"
    assert result.to_json()["could_not_fail"] == 2
    trivial = outcome(monkeypatch, probability, near=halved, over=grid(n=[1, 2]))
    assert trivial.verdict is Verdict.NOT_DECIDED


def test_an_undecided_search_leaves_its_instance_open(monkeypatch):
    def search(n, *, factor=1):
        """Searched."""
        if n == 2:
            raise NotDecidedError("out of time")
        return at_most(n, factor * n)

    result = outcome(monkeypatch, search, near=near("Less.", factor=times(Fraction(1, 2))))
    assert [i.verdict.value for i in result.instances] == ["holds", "not decided", "holds"]
    assert result.verdict is Verdict.NOT_DECIDED


def test_a_decided_claim_needs_a_near_miss_for_every_ingredient():
    with pytest.raises(DomainError, match="must have a variant or be recorded as not decided"):
        made(squares)
    with pytest.raises(DomainError, match="replaces power, which is not an ingredient"):
        made(squares, near=near("No.", power=3))
    with pytest.raises(DomainError, match="does not change factor"):
        made(squares, near=near("No.", factor=times(1)))
    with pytest.raises(DomainError, match="must replace a keyword parameter"):
        near("No.")

    def two(n, *, factor=1, power=2):
        """Two ingredients."""
        return at_most(n, factor * n**power)

    with pytest.raises(DomainError, match="no variant for its ingredient power"):
        made(two, near=HALVED)
    with pytest.raises(DomainError, match="must have survives"):
        made(squares, near=HALVED, recorded=Verdict.FAILS)


def test_the_grid_of_a_claim_names_the_parameters_of_its_function():
    for over in (grid(m=[1]), grid(n=[1], m=[1]), once()):
        with pytest.raises(DomainError, match=r"the grid of claim t/x does not fit: .*'[nm]'"):
            made(squares, near=HALVED, over=over)


def test_one_case_runs_by_its_name(monkeypatch, capsys):
    c = made(squares, near=HALVED)
    monkeypatch.setattr(outcomes, "CLAIMS", {c.key: c})
    assert run_case(c, "n=3").instances[0].detail == "3 <= 9"
    with pytest.raises(DomainError, match="has no instance 'n=9'; it has 'n=1', 'n=2', 'n=3'"):
        run_case(c, "n=9")
    monkeypatch.undo()
    assert main(["run", "fx/ldim-line", "--case", "p=5"]) == 0
    assert "2 = 2" in capsys.readouterr().out
    assert main(["run", "--case", "p=5"]) == 2
    assert main(["run", "fx/ldim-line", "--case", "p=4"]) == 2
    assert "'p=2', 'p=3'" in capsys.readouterr().err


def test_show_prints_the_outcome_of_variants(capsys):
    assert main(["show", "fx/ldim-line"]) == 0
    assert (
        "variant LDim(Line_p) = 3. [dimension: 2 -> 3 (times 3/2)] It must fail, and fails on p=2"
        in (" ".join(capsys.readouterr().out.split()))
    )
    assert main(["show", "bns/prop-2.26-printed"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "[variant: printed -> corrected] It must hold, and holds on all instances" in shown
    assert "holds instead bns/prop-2.26: With noise 2/eps" in shown
    assert "one instance proofs-check run bns/prop-2.26-printed --case" in shown


def test_sizes_contain_the_smaller_ones():
    over = grid(p=[2, 3], k=[1]).medium(p=[5]).large(k=[7])
    names = [[case_name(case) for case in over.cases(size)] for size in Size]
    assert names[0] == ["p=2 k=1", "p=3 k=1"]
    assert names[1] == [*names[0], "p=5 k=1"]
    assert names[2] == [*names[1], "p=2 k=7", "p=3 k=7"]
    rows = table("a b", (1, 2)).medium((3, 4))
    assert list(rows.cases(Size.MEDIUM)) == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    assert list(once().cases(Size.SMALL)) == [{}]
    lazy = grid(n=lambda: range(2))
    assert len(list(lazy.cases(Size.SMALL))) == len(list(lazy.cases(Size.SMALL))) == 2
    with pytest.raises(DomainError, match="axes must be among p, k"):
        over.medium(q=[1])


@dataclass(frozen=True, slots=True)
class Found(Bounds[int]):
    lower: int
    upper: int | None
    quantity = "it"
    sound: bool = True

    def check(self) -> None:
        if not self.sound:
            raise CertificateError("altered")


@pytest.mark.parametrize(
    ("decision", "verdict"),
    [
        (at_most(Found(1, 3), 3), Verdict.HOLDS),
        (at_most(Found(1, 3), 2), Verdict.NOT_DECIDED),
        (at_most(Found(1, None), 9), Verdict.NOT_DECIDED),
        (at_most(Found(3, None), 2), Verdict.FAILS),
        (below(Found(1, 3), 3), Verdict.NOT_DECIDED),
        (below(Found(3, 3), 3), Verdict.FAILS),
        (at_least(Found(1, 3), 1), Verdict.HOLDS),
        (at_least(Found(1, 3), 2), Verdict.NOT_DECIDED),
        (at_least(Found(1, 3), 4), Verdict.FAILS),
        (above(Found(2, 3), 1), Verdict.HOLDS),
        (above(Found(2, 3), 3), Verdict.FAILS),
        (above(Found(2, 3), 2), Verdict.NOT_DECIDED),
        (equal(Found(2, 2), 2), Verdict.HOLDS),
        (equal(Found(2, 3), 2), Verdict.NOT_DECIDED),
        (equal(Found(2, 3), 4), Verdict.FAILS),
        (equal(Found(2, None), 1), Verdict.FAILS),
        (equal(Interval(Fraction(0), Fraction(1)), Found(2, 3)), Verdict.FAILS),
        (at_most(LogSum.log2(3), Interval(Fraction(3, 2), Fraction(2))), Verdict.NOT_DECIDED),
        (at_most(LogSum.log2(3), LogSum.log2(3)), Verdict.HOLDS),
        (below(LogSum.log2(3), LogSum.log2(3)), Verdict.FAILS),
        (undecided("why"), Verdict.NOT_DECIDED),
        (all_of([(1, at_most(0, 1)), (2, undecided("why"))]), Verdict.NOT_DECIDED),
        (all_of([(1, undecided("why")), (2, at_most(1, 0))]), Verdict.FAILS),
        (all_of([(1, at_most(0, 1, trivial=1))]), Verdict.NOT_DECIDED),
    ],
)
def test_decisions_about_intervals_decide_what_they_can(decision, verdict):
    assert decision.verdict is verdict
    if decision.slack is not None:
        assert decision.slack * (1 if verdict is Verdict.HOLDS else -1) >= 0


@pytest.mark.parametrize(
    ("decision", "at_risk"),
    [
        (at_most(0, 1, trivial=1), False),
        (at_most(0, Fraction(1, 2), trivial=1), True),
        (at_least(3, 0, trivial=0), False),
        (at_least(3, 1, trivial=0), True),
        (at_most(2, 1, trivial=1), True),  # what fails was at risk
        (holds(not [], "so").at_risk_if(condition=False), False),
        (holds(not [0], "so").at_risk_if(condition=False), True),
    ],
)
def test_bounds_that_hold_of_everything_are_no_risk(decision, at_risk):
    assert decision.at_risk is at_risk


def test_results_are_checked_before_they_decide():
    with pytest.raises(CertificateError, match="altered"):
        at_most(Found(1, 1, sound=False), 3)
    assert equal(minimax_error(equality(3), 2), Fraction(2, 9)).holds
    for wrong in (0.5, "1/2", True + 0.0):
        with pytest.raises(DomainError, match="compared values must be exact numbers"):
            at_most(wrong, 1)
    with pytest.raises(DomainError, match="True or False"):
        holds(1, "so")


@every("path", CLAIM_FILES)
def test_no_verdict_is_typed_by_hand(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            typed = any(isinstance(a, ast.Constant) and a.value is True for a in given)
            assert not (typed and name in ("holds", "Decision", "of")), f"line {node.lineno}"


def test_what_cannot_be_told_from_a_near_miss_says_why():
    for c in CLAIMS.values():
        if c.over is not None and not c.near:
            assert c.recorded is Verdict.NOT_DECIDED
            assert c.reason
