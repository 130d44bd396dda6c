"""Run claims, one after another or on several cores."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from difflib import get_close_matches
from multiprocessing import active_children, get_context

from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.kernel import Rejected
from proofs_check.claims.claim import Claim, Instance, Size, Verdict
from proofs_check.claims.grid import case_name
from proofs_check.claims.table import CLAIMS
from proofs_check.claims.variants import Variant
from proofs_check.keeping import keeping
from proofs_check.outcome import Outcome, VariantOutcome

__all__ = ["choose_claims", "run_case", "run_claim", "run_claims", "run_variant"]

_ENDING = frozenset((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Where numerical libraries read how many threads they may start."""


def choose_claims(keys: Iterable[str], paper: str | None) -> list[Claim]:
    """Return the claims with the given keys (default: all), or only those of a given paper.

    Raises
    ------
    DomainError
        If a key is unknown or no claim is chosen.

    Examples
    --------
    >>> [claim.key for claim in choose_claims(["fx/lemma-9"], None)]
    ['fx/lemma-9']
    """
    chosen = list(keys)
    for key in chosen:
        if key not in CLAIMS:
            close = get_close_matches(key, CLAIMS, 3)
            hint = f"did you mean {' or '.join(close)}? " if close else ""
            raise DomainError(f"unknown claim {key!r}; {hint}'proofs-check list' prints all keys")
    claims = [CLAIMS[key] for key in chosen] or list(CLAIMS.values())
    papers = sorted({claim.paper for claim in CLAIMS.values()})
    if paper is not None and paper not in papers:
        raise DomainError(f"unknown paper {paper!r}; known: {', '.join(papers)}")
    left = [claim for claim in claims if paper in (None, claim.paper)]
    if not left:
        raise DomainError(f"none of the chosen claims belongs to paper {paper!r}")
    return left


def run_claim(claim: Claim, size: Size, *, keep: bool = False) -> Outcome:
    """Run one claim; rejected certificates and undecided searches are part of the outcome.

    The variants are also run, on the small grid, each until an instance decides it. The
    outcome has certificates if they are to be kept.
    """
    start = time.perf_counter()
    instances: list[Instance] = []
    variants: list[VariantOutcome] = []
    rejected = undecided = None
    shown = None
    try:
        with keeping(wanted=keep) as keeper:
            for instance in claim.instances(size):
                instances.append(instance)
                keeper.hear(instance)
        shown = keeper.shown()
    except (CertificateError, Rejected) as error:
        rejected = str(error)
    except NotDecidedError as error:
        undecided = str(error)
    else:
        variants.extend(run_variant(claim, variant) for variant in claim.near)
    seconds = time.perf_counter() - start
    return Outcome(
        claim.key, size, tuple(instances), seconds, rejected, undecided, tuple(variants), shown
    )


def run_variant(claim: Claim, variant: Variant) -> VariantOutcome:
    """Run a variant until its first failure; a rejected certificate counts as a failure.

    The variant of an erratum is run until the first instance on which it does not hold. It must
    hold on at least one instance that could have failed.
    """
    erratum = claim.recorded is Verdict.FAILS
    replaced = variant.ingredients(claim.ingredients)
    strength = variant.strength(claim.ingredients)
    found: Instance | None = None
    at_risk = False
    try:
        for instance in claim.instances(Size.SMALL, replaced):
            at_risk = at_risk or instance.at_risk
            fails = instance.verdict is Verdict.FAILS
            if (instance.verdict is not Verdict.HOLDS) if erratum else fails:
                found = instance
                break
    except (CertificateError, Rejected) as error:
        found = Instance(
            "a result of the small grid", Verdict.FAILS, f"certificate rejected: {error}"
        )
    sharp = (found is None and at_risk) if erratum else (found is not None)
    return VariantOutcome(
        variant.statement, strength, variant.margin(claim.ingredients), found, sharp
    )


def run_case(claim: Claim, name: str) -> Outcome:
    """Run one instance of a claim, given by its name, without the variants.

    Raises
    ------
    DomainError
        If no grid of the claim contains the instance.
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


def _run_key(key: str, size: Size, keep: bool) -> Outcome:  # noqa: FBT001 - of a process
    return run_claim(CLAIMS[key], size, keep=keep)


def run_claims(
    claims: Iterable[Claim],
    size: Size,
    jobs: int = 1,
    *,
    keep: bool = False,
) -> Iterator[Outcome]:
    """Run claims and yield their outcomes in order.

    Parameters
    ----------
    claims : iterable of Claim
    size : Size
        Grid of instances.
    jobs : int
        Number of processes; 1 for the current process.
    keep : bool
        Whether outcomes contain their certificates.

    A rejected certificate and an undecided check are recorded in the outcome. Other exceptions are
    programming errors and are not caught.
    """
    if jobs == 1:
        for claim in claims:
            yield run_claim(claim, size, keep=keep)
        return
    keys = [claim.key for claim in claims]
    with _for_processes(jobs):  # Python's own, which cleans up after them
        pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    with pool:
        try:
            with _for_processes(jobs):
                outcomes = [pool.submit(_run_key, key, size, keep) for key in keys]
            for outcome in outcomes:
                yield outcome.result()
        except BaseException:
            for process in active_children():
                process.kill()
            raise


@contextmanager
def _for_processes(jobs: int) -> Iterator[None]:
    """Return a context in which started processes inherit blocked signals and a share of the cores.

    A signal may be sent to all processes; the main process handles it and ends the others.
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
