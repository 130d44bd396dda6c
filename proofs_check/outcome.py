"""Outcomes of claims: instances, variants, a verdict in words, and an exit status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Any

from proofs_check.claims.claim import Claim, Instance, Size, Verdict, verdict_of
from proofs_check.claims.table import CLAIMS
from proofs_check.claims.variants import Margin

__all__ = ["ExitStatus", "Outcome", "Shown", "VariantOutcome", "exit_status"]


class ExitStatus(IntEnum):
    """Exit statuses of ``proofs-check``; 1 is the status of Python after a crash."""

    OK = 0
    USAGE = 2
    NOT_DECIDED = 3
    REJECTED = 4
    UNEXPECTED = 5


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """Outcome of one variant.

    Attributes
    ----------
    statement : str
        The changed statement.
    strength : str
        The replaced ingredients with old and new values.
    margin : Margin
        Factor by which the claim is strengthened.
    instance : Instance or None
        The first instance on which the variant fails or, for an erratum, on which the corrected
        statement does not hold.
    sharp : bool
        Whether the variant fails or, for an erratum, the corrected statement holds.
    """

    statement: str
    strength: str
    margin: Margin
    instance: Instance | None
    sharp: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The certificates for one instance of a claim.

    Attributes
    ----------
    instance : str
        The first failing instance, otherwise the tightest, otherwise the largest one.
    certificates : tuple of str
        Texts of the files, without the largest ones.
    """

    instance: str
    certificates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of one claim.

    Attributes
    ----------
    key : str
        The claim.
    size : Size
    instances : tuple of Instance
    seconds : float
        Wall-clock time, for display.
    rejected : str or None
        Message of a rejected certificate, which stopped the claim.
    undecided : str or None
        Another reason why the run of this claim stopped early.
    variants : tuple of VariantOutcome
        Outcomes of the variants.
    shown : Shown or None
        Certificates for one instance, if they were kept.
    """

    key: str
    size: Size
    instances: tuple[Instance, ...]
    seconds: float
    rejected: str | None = None
    undecided: str | None = None
    variants: tuple[VariantOutcome, ...] = ()
    shown: Shown | None = None

    @property
    def claim(self) -> Claim:
        """The claim that was run."""
        return CLAIMS[self.key]

    @property
    def verdict(self) -> Verdict:
        """The computed verdict.

        It is *fails* or *not decided* also if the run stopped early, if only finite consequences of
        the statement were decided, or if a variant holds.
        """
        verdict = verdict_of(self.instances)
        doubtful = self._stopped or self.claim.reason or self.blunt
        return Verdict.NOT_DECIDED if verdict is Verdict.HOLDS and doubtful else verdict

    @property
    def blunt(self) -> list[VariantOutcome]:
        """The variants that must fail but hold or, for an erratum, must hold but do not."""
        return [variant for variant in self.variants if not variant.sharp]

    @property
    def at_risk(self) -> list[Instance]:
        """The instances that could have failed."""
        return [instance for instance in self.instances if instance.at_risk]

    @property
    def _stopped(self) -> bool:
        return self.rejected is not None or self.undecided is not None

    @property
    def expected(self) -> bool:
        """Whether the verdict is the recorded one and the run was complete."""
        if self.verdict is not self.claim.recorded or self.rejected is not None or self.blunt:
            return False
        if self.verdict is not Verdict.NOT_DECIDED:
            return True
        return not self._stopped and all(i.verdict is Verdict.HOLDS for i in self.instances)

    @property
    def wording(self) -> str:
        """The verdict in words, with the number of instances."""
        number = len(self.at_risk)
        on = f"on {number} instance" + ("" if number == 1 else "s")
        if self.rejected is not None:
            return "certificate rejected"
        if self.blunt:
            return "variant holds too" if self.claim.recorded is not Verdict.FAILS else "unclear"
        if self.verdict is Verdict.NOT_DECIDED:
            finite = self.claim.reason and self.expected and number
            return f"not decided; consequences hold {on}" if finite else "not decided"
        if self.verdict is Verdict.FAILS:
            failed = sum(i.verdict is Verdict.FAILS for i in self.instances)
            return f"fails on {failed} of {number}" + (" (erratum)" if self.expected else "")
        return f"holds after correction {on}" if self.claim.corrects else f"holds {on}"

    @property
    def tightest(self) -> Instance | None:
        """The instance with the least slack, among those with a slack."""
        measured = [i for i in self.at_risk if i.slack is not None]
        return min(measured, key=lambda i: i.slack or Fraction(0), default=None)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome for scripts."""
        return {
            "claim": self.key,
            "number": self.claim.number,
            "verdict": self.verdict.value,
            "recorded": self.claim.recorded.value,
            "as_recorded": self.expected,
            "size": self.size.name.lower(),
            "instances": len(self.at_risk),
            "could_not_fail": len(self.instances) - len(self.at_risk),
            "slack": None if self.tightest is None else str(self.tightest.slack),
            "margin": _factor(self.claim.margin),
            "margin_of": self.claim.margin.cause,
            "reason": self.claim.reason or None,
            "seconds": round(self.seconds, 3),
            "rejected": self.rejected,
            "undecided": self.undecided,
            "variants": [
                {
                    "statement": m.statement,
                    "replaced": m.strength,
                    "factor": _factor(m.margin),
                    "as_it_must": m.sharp,
                    "instance": None if m.instance is None else m.instance.name,
                    "detail": None if m.instance is None else m.instance.detail,
                }
                for m in self.variants
            ],
            "details": [
                {
                    "instance": i.name,
                    "verdict": i.verdict.value,
                    "detail": i.detail,
                    "slack": None if i.slack is None else str(i.slack),
                }
                for i in self.instances
            ],
        }


def fate(verdict: Verdict, on: str | None) -> str:
    """Return a phrase that states whether a variant must fail or hold, and whether it does.

    ``on`` is the instance on which the variant fails, with its detail, or None.
    """
    if verdict is Verdict.FAILS:
        became = "and holds on all instances" if on is None else f"but does not hold on {on}"
        return f"It must hold, {became}"
    return "It must fail, " + ("but fails on no instance" if on is None else f"and fails on {on}")


def _factor(margin: Margin) -> str | None:
    return None if margin.factor is None else str(margin.factor)


def exit_status(outcomes: Iterable[Outcome]) -> ExitStatus:
    """Return the exit status of a run; rejected precedes unexpected, which precedes undecided."""
    finished = list(outcomes)
    if any(outcome.rejected is not None for outcome in finished):
        return ExitStatus.REJECTED
    unexpected = [outcome for outcome in finished if not outcome.expected]
    if any(outcome.verdict is not Verdict.NOT_DECIDED for outcome in unexpected):
        return ExitStatus.UNEXPECTED
    return ExitStatus.NOT_DECIDED if unexpected else ExitStatus.OK
