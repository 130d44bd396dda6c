"""Audits whose epsilon belongs to another field than the probabilities, by enumeration."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import mpmath
import pytest

from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.epsilon import Excess, fractions_near
from ccsim.exact.exponentials import exponential, power
from ccsim.learning import PrivateOccam
from ccsim.privacy import FunctionMechanism, audit, comparisons, privacy_curve
from proofs_check.__main__ import main as proofs_check

F = Fraction
ROOT = power(F(3), F(1, 2))
BASES = {
    "root of 3": ROOT,
    "cube root of 7/2": power(F(7, 2), F(1, 3)),
    "root of e": exponential(F(1, 2)),
}
EPSILONS = (
    *("0", "1/100003", "1/7", "99999/100003", "1", "7/3", "ln 2", "ln 5/3", "40", "2097152"),
    *("ln(2)/2", "1/2 + ln(2)/3", "1 + ln(6)/5"),
)
OCCAM = PrivateOccam(2, (1, 2), Epsilon.of("ln 3"))


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(400):
        yield


def high(value):
    """Return a number with 400 digits; the power is computed again."""
    if isinstance(value, int | Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    t = mpmath.e if value.base is None else high(value.base)
    t = mpmath.root(t, value.root)
    sums = [
        mpmath.fsum(high(F(int(c.p), int(c.q))) * t**i for i, c in enumerate(part.coeffs()))
        for part in (value.numerator, value.denominator)
    ]
    return sums[0] / sums[1]


def random_mechanism(base, seed):
    """Return a random mechanism on three records; for odd seeds, some outcomes are impossible."""
    rng = Random(f"{base} {seed}")  # noqa: S311 - a seed, not a secret
    weights = [base**k * rng.randint(1, 3) for k in range(-2, 3)]
    distributions = {
        record: Distribution.proportional(
            {o: rng.choice([*weights, *[0] * (seed % 2)]) for o in "abc"} | {"d": weights[0]}
        )
        for record in range(3)
    }
    return FunctionMechanism(range(3), lambda database: distributions[database[0]])


def excesses(mechanism, factor):
    """Return the excess of every event, for all ordered pairs of databases of one record."""
    for x, y in product(mechanism.records, repeat=2):
        p, q = mechanism.distribution((x,)), mechanism.distribution((y,))
        support = sorted({*p, *q})
        for size in range(len(support) + 1):
            for event in combinations(support, size):
                yield high(p.mass(event)) - factor * high(q.mass(event))


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 8), marks=pytest.mark.slow)])
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("base", BASES)
def test_audits_are_those_of_all_events(base, epsilon, seeds):
    bound = Epsilon.of(epsilon)
    factor = mpmath.exp(high(bound.rational)) * mpmath.root(high(bound.factor), bound.root)
    seen = set()
    for seed in seeds:
        mechanism = random_mechanism(BASES[base], seed)
        least = max(excesses(mechanism, factor))
        for delta in ("0", "1/9", "1/3"):
            found = audit(mechanism, bound, delta, 1)
            assert found.verdict == ("holds" if least <= high(F(delta)) else "fails")
            ends = found.least_delta.enclose(300) if found.least_delta else None
            if ends is None or isinstance(found.least_delta, Fraction):
                assert abs(high(F(found.least_delta)) - least) < mpmath.mpf(10) ** -80
            else:
                assert high(ends.lower) - mpmath.mpf(10) ** -80 <= least
                assert least <= high(ends.upper) + mpmath.mpf(10) ** -80
            if delta == "1/9":
                found.check()
            seen.add(type(found.least_delta).__name__)
    assert seen <= {"Fraction", "Exponential", "Excess"}


def test_the_kinds_of_least_deltas_are_all_met():
    mechanism = random_mechanism(ROOT, 0)
    curve = dict(zip(EPSILONS, privacy_curve(mechanism, EPSILONS, 1), strict=True))
    kinds = {epsilon: type(delta).__name__ for epsilon, (_, delta) in curve.items()}
    assert kinds["1/7"] == kinds["99999/100003"] == "Excess"
    assert kinds["ln 2"] == "Exponential"
    deltas = [delta for _, delta in (curve[e] for e in ("0", "1/100003", "1/7", "1", "7/3", "40"))]
    assert deltas == sorted(deltas, reverse=True)


@pytest.mark.parametrize(
    "near", [None, (F(1), F(1)), (F(1), F(2)), (F(13, 10), F(7, 5)), (F(0), F(3))]
)
def test_fractions_that_do_not_prove_the_excess_are_rejected(near):
    found = audit(OCCAM, "1/4", "1/4", 1)
    assert found.verdict == "holds"
    assert isinstance(found.least_delta, Excess)
    below, above = found.near
    assert below < Epsilon.of("1/4").exp() < above
    found.check()
    replace(found, near=fractions_near(found.epsilon, 100)).check()
    with pytest.raises(CertificateError):
        replace(found, near=near).check()


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": Epsilon.of("1/5")},
        {"epsilon": Epsilon.of("ln 2")},
        {"delta": F(1, 5)},
        {"factor": F(2)},
    ],
)
def test_another_result_is_rejected(change):
    found = audit(OCCAM, "1/4", "1/4", 1)
    with pytest.raises(CertificateError):
        replace(found, **change).check()


def test_another_excess_is_rejected():
    found = audit(OCCAM, "1/4", "1/10", 1)
    worst = found.worst
    others = (
        replace(worst, delta=F(1, 6)),
        replace(worst, delta=Excess(worst.probability, Epsilon.of("1/5"), worst.delta.other)),
        replace(worst, delta=Excess(worst.probability / 2, found.epsilon, worst.delta.other)),
        replace(worst, event=()),
        replace(worst, probability=worst.probability / 2),
    )
    for other in others:
        with pytest.raises(CertificateError):
            replace(found, worst=other).check()


@pytest.mark.parametrize("shift", [F(1, 2), F(-1, 5)])
def test_a_planted_fault_is_found(monkeypatch, shift):
    """Fractions near another power than that of epsilon do not pass the check."""
    wrong = lambda epsilon, bits: fractions_near(Epsilon(epsilon.rational + shift), bits)  # noqa: E731
    monkeypatch.setattr(comparisons, "fractions_near", wrong)
    for delta in ("0", "1/4"):
        with pytest.raises(
            CertificateError, match=r"near must be two fractions, one below and one above"
        ):
            audit(OCCAM, "1/4", delta, 1).check()


def nearly(ratio):
    """Return a mechanism with a given least factor; other probabilities contain roots of 3."""
    shares = F(1, 2), 1 / (2 * ratio)
    distributions = [
        Distribution.of({"a": share, "b": (1 - share) * (ROOT - 1), "c": (1 - share) * (2 - ROOT)})
        for share in shares
    ]
    return FunctionMechanism((0, 1), lambda database: distributions[database[0]])


@pytest.mark.parametrize(("bits", "verdict"), [(300, "decided"), (500, "not decided")])
def test_what_400_bits_do_not_tell_apart_is_undecided(bits, verdict):
    below, above = fractions_near(Epsilon.of("1/4"), bits)
    tried = [(audit(nearly(end), "1/4", 0, 1), end) for end in (below, above)]
    decided = ["holds", "fails"] if verdict == "decided" else [verdict] * 2
    assert [found.verdict for found, _ in tried] == decided
    for found, _ in tried:
        if verdict == "decided":
            found.check()
        else:
            assert (found.least_delta, found.factor, found.worst) == (None, None, None)
            assert "400 bits" in found.reason


def test_pairs_that_come_only_once_are_compared_at_all_precisions():
    ends = fractions_near(Epsilon.of("1/4"), 300)
    found = audit(nearly(ends[0]), "1/4", 0, iter([((0,), (1,)), ((1, 0), (0, 0))]))
    assert (found.verdict, found.pairs, len(found.neighbours)) == ("holds", 2, 2)
    found.check()


def test_a_stopped_audit_states_its_violation():
    ticks = iter(range(10**6))
    budget = Budget(9, clock=lambda: next(ticks) / 2)
    found = audit(random_mechanism(ROOT, 0), "1/4", 0, 6, time_limit=budget)
    assert (found.verdict, found.least_delta, found.factor) == ("fails", None, None)
    assert isinstance(found.witness.delta, Excess)
    found.check()


def test_an_epsilon_that_is_too_large_is_refused_in_one_line():
    assert audit(OCCAM, 1 << 21, 0, 1).verdict == "holds"
    with pytest.raises(DomainError, match="epsilon must be at most 2097152, not 2097153"):
        audit(OCCAM, (1 << 21) + 1, 0, 1)


def test_the_command_decides_every_epsilon_of_a_curve(capsys, tmp_path):
    asked = ("audit", "points:b=1", "--mechanism=exponential", "--samples=1", "--epsilon=ln 3")
    proof = tmp_path / "proof.json"
    assert main((*asked, "--curve=1,2,1/4", f"--certificate={proof}")) == 0
    shown = capsys.readouterr()
    assert "not decided" not in shown.out
    assert shown.err == ""
    curve = "1/4  3/2 - 1/2*3^(1/2) - e^(1/4) (-1/2 + 1/2*3^(1/2)) (0.163989)"
    assert " ".join(curve.split()) in " ".join(shown.out.split())
    assert proofs_check(["verify", str(proof)]) == 0
    capsys.readouterr()
    assert main((*asked, "--curve=2", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["curve"] == [{"epsilon": "2", "least_delta": "0"}]
