"""Certificates that are kept while claims run, for the report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ccsim.certificates import Certificate, Certificates
from proofs_check.claims.claim import Instance, Verdict
from proofs_check.claims.evidence import heard
from proofs_check.outcome import Shown

__all__ = ["Keeper", "keeping"]

_MOST = 4
"""Certificates of an instance that are kept."""
_LARGEST = 60_000
"""Characters of a certificate that is kept."""


class Keeper:
    """The results of the most informative instance of a claim."""

    def __init__(self, results: list[object] | None) -> None:
        self._results = results
        self._best: tuple[tuple[object, ...], str, list[object]] | None = None

    def hear(self, instance: Instance) -> None:
        """Keep the results for this instance if it is more informative than earlier ones.

        Failures come first, then instances with small slack. Without a slack, later (larger)
        instances come first. Instances that could not fail come last.
        """
        if self._results is None:
            return
        results = list({id(result): result for result in self._results}.values())
        self._results.clear()
        slack = instance.slack
        fails = instance.verdict is Verdict.FAILS
        if fails and self._best is not None and not self._best[0][0]:
            return
        rank = (
            not fails,
            not instance.at_risk,
            slack is None,
            slack if slack is not None else 0,
        )
        if results and (
            self._best is None or rank < self._best[0] or (rank == self._best[0] and slack is None)
        ):
            self._best = rank, instance.name, results

    def shown(self) -> Shown | None:
        """Return the kept certificates; None if there are none."""
        if self._best is None:
            return None
        _, name, results = self._best
        texts = list[str]()
        for result in results:
            write = getattr(result, "certificate", None)
            found = None if write is None else write()
            if isinstance(found, Certificate | Certificates):
                texts.append(found.to_json())
        kept = [text for text in dict.fromkeys(texts) if len(text) <= _LARGEST][:_MOST]
        return Shown(name, tuple(kept)) if kept else None


@contextmanager
def keeping(*, wanted: bool) -> Iterator[Keeper]:
    """Yield a keeper that receives the decided instances of one claim."""
    if not wanted:
        yield Keeper(None)
        return
    with heard() as results:
        yield Keeper(results)
