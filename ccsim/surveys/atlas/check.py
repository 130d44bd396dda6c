"""Rows of the atlas found once more by the engines, with certificates that the kernel checks."""

from __future__ import annotations

from ccsim.budget import Budget
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.surveys.atlas.measured import GROUPS, measured
from ccsim.surveys.atlas.quantities import write_span
from ccsim.surveys.atlas.table import Entry


@frozen
class Checked:
    """What came of it."""

    # quantities whose value, or bounds as good as those of the row, the kernel accepted
    certified: tuple[str, ...]
    weaker: tuple[str, ...]  # quantities with accepted bounds that allow the row, but are wider


def check_entry(entry: Entry, seconds: float | None = None) -> Checked:
    """Find the values of a class again, and hand every certificate to the kernel.

    Seconds for a class; up to a minute where bounds are not decided.
    """
    certified: list[str] = []
    weaker: list[str] = []
    for name, group in GROUPS.items():
        if entry.points > group.most_points and name != "dimensions":
            continue
        for quantity, found in measured(name, entry.instance, seconds).items():
            for result in found.results:
                result.check(Budget())
            if quantity not in entry.values:
                raise CertificateError(f"{entry.instance}: the atlas has no {quantity}")
            low, high = entry.values[quantity]
            below, above = found.span
            if (high is not None and below > high) or (above is not None and above < low):
                raise CertificateError(
                    f"{entry.instance}: {quantity} is {write_span((low, high))} in the atlas, "
                    f"but {write_span(found.span)}"
                )
            as_good = below >= low and (high is None or (above is not None and above <= high))
            (certified if as_good else weaker).append(quantity)
    return Checked(tuple(certified), tuple(weaker))
