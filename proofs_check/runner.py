"""Running claims: one after another or on several cores, with every accident kept apart."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from multiprocessing import active_children, get_context
from typing import Any

from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.kernel import Rejected
from proofs_check.claims.claim import Claim, Instance, Size, Verdict, verdict_of
from proofs_check.claims.grid import case_name
from proofs_check.claims.near_miss import NearMiss
from proofs_check.claims.table import CLAIMS

__all__ = [
    "ExitStatus",
    "MissOutcome",
    "Outcome",
    "choose_claims",
    "exit_status",
    "run_case",
    "run_claim",
    "run_claims",
]

_ENDING = frozenset((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Where numerical libraries read how many threads they may start."""


class ExitStatus(IntEnum):
    """Exit statuses of ``proofs-check``; 1 is what Python gives for a crash."""

    OK = 0
    USAGE = 2
    NOT_DECIDED = 3
    REJECTED = 4
    UNEXPECTED = 5


@dataclass(frozen=True, slots=True)
class MissOutcome:
    """What running one near miss gave.

    Attributes
    ----------
    statement : str
        What is said instead of the claim.
    strength : str
        Which ingredients are replaced by what.
    instance : Instance or None
        The first instance that is not as hoped for the claim: of a near miss the one on which it
        fails, of an erratum's weakened statement one on which that does not hold.
    sharp : bool
        Whether it came out as it must: a near miss fails, an erratum's weakened statement holds.
    """

    statement: str
    strength: str
    instance: Instance | None
    sharp: bool


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
    misses : tuple of MissOutcome
        Of the claim's near misses.
    """

    key: str
    size: Size
    instances: tuple[Instance, ...]
    seconds: float
    rejected: str | None = None
    undecided: str | None = None
    misses: tuple[MissOutcome, ...] = ()

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return CLAIMS[self.key]

    @property
    def verdict(self) -> Verdict:
        """The computed verdict.

        A run that stopped early decides nothing but a failure; nor does one on finite consequences
        of a statement that no finite computation decides, nor one whose near miss holds as well.
        """
        verdict = verdict_of(self.instances)
        doubtful = self._stopped or self.claim.reason or self.blunt
        return Verdict.NOT_DECIDED if verdict is Verdict.HOLDS and doubtful else verdict

    @property
    def blunt(self) -> list[MissOutcome]:
        """The near misses that did not come out as they must."""
        return [miss for miss in self.misses if not miss.sharp]

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
            return "near miss holds too" if self.claim.recorded is not Verdict.FAILS else "unclear"
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
            "reason": self.claim.reason or None,
            "seconds": round(self.seconds, 3),
            "rejected": self.rejected,
            "undecided": self.undecided,
            "near_misses": [
                {
                    "statement": m.statement,
                    "replaced": m.strength,
                    "as_it_must": m.sharp,
                    "instance": None if m.instance is None else m.instance.name,
                    "detail": None if m.instance is None else m.instance.detail,
                }
                for m in self.misses
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


def choose_claims(keys: Iterable[str], paper: str | None) -> list[Claim]:
    """Return the claims with the given keys, or all; only those of one paper if it is given.

    Raises
    ------
    DomainError
        If a key is unknown, or nothing is left.

    Examples
    --------
    >>> [claim.key for claim in choose_claims(["fx/lemma-9"], None)]
    ['fx/lemma-9']
    """
    chosen = list(keys)
    for key in chosen:
        if key not in CLAIMS:
            raise DomainError(f"no claim {key!r}; `proofs-check list` shows the keys")
    claims = [CLAIMS[key] for key in chosen] or list(CLAIMS.values())
    papers = sorted({claim.paper for claim in CLAIMS.values()})
    if paper is not None and paper not in papers:
        raise DomainError(f"no paper {paper!r}; registered are {', '.join(papers)}")
    left = [claim for claim in claims if paper in (None, claim.paper)]
    if not left:
        raise DomainError(f"none of the chosen claims belongs to paper {paper!r}")
    return left


def run_claim(claim: Claim, size: Size) -> Outcome:
    """Run one claim; rejected certificates and undecided searches are part of the outcome.

    Its near misses are run too, on the small grid, each up to the instance that settles it.
    """
    start = time.perf_counter()
    instances: list[Instance] = []
    misses: list[MissOutcome] = []
    rejected = undecided = None
    try:
        instances.extend(claim.instances(size))
    except (CertificateError, Rejected) as error:
        rejected = str(error)
    except NotDecidedError as error:
        undecided = str(error)
    else:
        misses.extend(_run_miss(claim, miss) for miss in claim.near)
    seconds = time.perf_counter() - start
    return Outcome(claim.key, size, tuple(instances), seconds, rejected, undecided, tuple(misses))


def _run_miss(claim: Claim, miss: NearMiss) -> MissOutcome:
    """Run a near miss up to its first failure; a certificate that is rejected is one.

    That of an erratum is run up to the first instance on which it does not hold.
    """
    erratum = claim.recorded is Verdict.FAILS
    replaced = miss.ingredients(claim.ingredients)
    strength = miss.strength(claim.ingredients)
    found: Instance | None = None
    try:
        for instance in claim.instances(Size.SMALL, replaced):
            fails = instance.verdict is Verdict.FAILS
            if (instance.verdict is not Verdict.HOLDS) if erratum else fails:
                found = instance
                break
    except (CertificateError, Rejected) as error:
        found = Instance(
            "a result of the small grid", Verdict.FAILS, f"certificate rejected: {error}"
        )
    sharp = (found is None) if erratum else (found is not None)
    return MissOutcome(miss.statement, strength, found, sharp)


def run_case(claim: Claim, name: str) -> Outcome:
    """Run one instance of a claim, given by its name, without the near misses.

    Raises
    ------
    DomainError
        If no grid of the claim has it.
    """
    cases = () if claim.over is None else claim.over.cases(Size.LARGE)
    known = []
    for case in cases:
        if case_name(case) == name:
            start = time.perf_counter()
            rejected: str | None = None
            instances: tuple[Instance, ...] = ()
            try:
                instances = (claim.instance(case),)
            except (CertificateError, Rejected) as error:
                rejected = str(error)
            seconds = time.perf_counter() - start
            return Outcome(claim.key, Size.SMALL, instances, seconds, rejected)
        known.append(case_name(case))
    raise DomainError(f"{claim.key} has no instance {name!r}; it has {_some(known)}")


def _some(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:4])) or "none"
    return shown + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _run_key(key: str, size: Size) -> Outcome:
    return run_claim(CLAIMS[key], size)


def run_claims(
    claims: Iterable[Claim],
    size: Size,
    jobs: int = 1,
) -> Iterator[Outcome]:
    """Run claims and yield their outcomes in order.

    Parameters
    ----------
    claims : iterable of Claim
    size : Size
        Which grid of instances.
    jobs : int
        Number of processes; 1 runs in this one.

    Any other error of a check is a fault of the check, not a verdict, and is not caught.
    """
    if jobs == 1:
        for claim in claims:
            yield run_claim(claim, size)
        return
    keys = [claim.key for claim in claims]
    with _for_processes(jobs):  # Python's own, which cleans up after them
        pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    with pool:
        try:
            with _for_processes(jobs):
                outcomes = [pool.submit(_run_key, key, size) for key in keys]
            for outcome in outcomes:
                yield outcome.result()
        except BaseException:
            for process in active_children():
                process.kill()
            raise


@contextmanager
def _for_processes(jobs: int) -> Iterator[None]:
    """Hold back signals, and share the cores, while processes are started, which inherit both.

    A signal may be sent to all of them; the first one answers it and ends the others.
    """
    threads = str(max(1, (os.cpu_count() or 1) // jobs))
    names = [name for name in _THREADS if name not in os.environ]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    os.environ.update(dict.fromkeys(names, threads))
    try:
        yield
    finally:
        for name in names:
            del os.environ[name]
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_status(outcomes: Iterable[Outcome]) -> ExitStatus:
    """Return the exit status of a run: rejected, then unexpected, then undecided, then fine."""
    finished = list(outcomes)
    if any(outcome.rejected is not None for outcome in finished):
        return ExitStatus.REJECTED
    unexpected = [outcome for outcome in finished if not outcome.expected]
    if any(outcome.verdict is not Verdict.NOT_DECIDED for outcome in unexpected):
        return ExitStatus.UNEXPECTED
    return ExitStatus.NOT_DECIDED if unexpected else ExitStatus.OK
