"""What running claims gave: instances, variants, a verdict in words, and an exit status."""

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
    """Exit statuses of ``proofs-check``; 1 is what Python gives for a crash."""

    OK = 0
    USAGE = 2
    NOT_DECIDED = 3
    REJECTED = 4
    UNEXPECTED = 5


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """What running one variant gave.

    Attributes
    ----------
    statement : str
        What is said instead of the claim.
    strength : str
        Which ingredients are replaced by what.
    margin : Margin
        By which factor.
    instance : Instance or None
        The first instance that is not as hoped for the claim: of a variant the one on which it
        fails, of an erratum's weakened statement one on which that does not hold.
    sharp : bool
        Whether it came out as it must: a variant fails, an erratum's weakened statement holds.
    """

    statement: str
    strength: str
    margin: Margin
    instance: Instance | None
    sharp: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The certificates that one instance of a claim rests on.

    Attributes
    ----------
    instance : str
        The first one on which the claim fails, else the tightest one, else the largest.
    certificates : tuple of str
        Texts of files, of which the largest are left out.
    """

    instance: str
    certificates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What running one claim gave.

    Attributes
    ----------
    key : str
        The claim.
    size : Size
    instances : tuple of Instance
    seconds : float
        Wall-clock time, for display.
    rejected : str or None
        Message of a certificate that did not pass, which stopped the claim.
    undecided : str or None
        Why the run of this claim stopped early otherwise.
    variants : tuple of VariantOutcome
        Of the claim's variants.
    shown : Shown or None
        What the verdict on one instance rests on, where it was asked for.
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
        """The claim itself."""
        return CLAIMS[self.key]

    @property
    def verdict(self) -> Verdict:
        """The computed verdict.

        A run that stopped early decides nothing but a failure; nor does one on finite consequences
        of a statement that no finite computation decides, nor one whose variant holds as well.
        """
        verdict = verdict_of(self.instances)
        doubtful = self._stopped or self.claim.reason or self.blunt
        return Verdict.NOT_DECIDED if verdict is Verdict.HOLDS and doubtful else verdict

    @property
    def blunt(self) -> list[VariantOutcome]:
        """The variants that did not come out as they must."""
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
        """Whether the verdict is the one on record, with nothing left open on the way."""
        if self.verdict is not self.claim.recorded or self.rejected is not None or self.blunt:
            return False
        if self.verdict is not Verdict.NOT_DECIDED:
            return True
        return not self._stopped and all(i.verdict is Verdict.HOLDS for i in self.instances)

    @property
    def wording(self) -> str:
        """The verdict in words, with the number of instances that it rests on."""
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
        """The instance with the least slack, of those that have one."""
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
    """Say what must become of a variant of a claim with a verdict on record, and what does.

    ``on`` is the instance on which it fails, with its detail, or None.
    """
    if verdict is Verdict.FAILS:
        became = "and holds on all instances" if on is None else f"but does not hold on {on}"
        return f"It must hold, {became}"
    return "It must fail, " + ("but fails on no instance" if on is None else f"and fails on {on}")


def _factor(margin: Margin) -> str | None:
    return None if margin.factor is None else str(margin.factor)


def exit_status(outcomes: Iterable[Outcome]) -> ExitStatus:
    """Return the exit status of a run: rejected, then unexpected, then undecided, then fine."""
    finished = list(outcomes)
    if any(outcome.rejected is not None for outcome in finished):
        return ExitStatus.REJECTED
    unexpected = [outcome for outcome in finished if not outcome.expected]
    if any(outcome.verdict is not Verdict.NOT_DECIDED for outcome in unexpected):
        return ExitStatus.UNEXPECTED
    return ExitStatus.NOT_DECIDED if unexpected else ExitStatus.OK
