"""Noise programs in ``ccsim audit``: the compared query vectors, and enclosed results."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ccsim.certificates.files import read_json
from ccsim.cli.output import float_bounds, show_fraction
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.exact.intervals import Interval
from ccsim.instances.functions import read_domain
from ccsim.privacy import ProgramAudit, QueryNeighbours
from ccsim.privacy.noise_programs.program import CHANGES

_RULES = {change.replace(" ", "-"): change for change in CHANGES}
_CHOICES = f"{', '.join(_RULES)}, or @FILE with pairs of query vectors"
_MEANINGS = {
    "each": "every query changes by at most {}",
    "one direction": "every query changes by at most {}, all in one direction",
    "one query": "one query changes, by at most {}",
    "replacement": "some queries rise by at most {} in total, and others fall by as much",
    "total": "the changes sum to at most {}",
}


def query_neighbours(
    neighbours: str | None, queries: int | None, domain: str | None
) -> tuple[QueryNeighbours, dict[str, Any]]:
    """Return the query vectors to compare, and a description of them."""
    if neighbours is None:
        raise click.UsageError(f"give --neighbours for a noise program: {_CHOICES}")
    if neighbours.startswith("@"):
        if queries is not None or domain is not None:
            raise click.UsageError(
                "--queries and --domain cannot be used if --neighbours lists the pairs"
            )
        pairs = read_json(Path(neighbours[1:]), exact=True)
        if not isinstance(pairs, list):
            raise DomainError(f"{neighbours[1:]}: expected a list of pairs of query vectors")
        found = QueryNeighbours.of_pairs(pairs)
        return found, {"neighbours": f"listed in {neighbours[1:]}"}
    name, _, most = neighbours.partition(":")
    if name not in _RULES:
        raise click.UsageError(f"--neighbours of a noise program must be {_CHOICES}, not {name}")
    if most and not (most.isdecimal() and 0 < int(most) < 1 << 16):
        raise click.UsageError(f"--neighbours {name}:K must have a positive integer K, not {most}")
    if queries is None:
        raise click.UsageError("give --queries M: the number of queries of the noise program")
    values = () if domain is None else read_domain(domain)
    if not values or not all(isinstance(value, int) for value in values):
        raise click.UsageError(
            "give --domain LOW..HIGH, the integers that are values of a query, such as 0..2"
        )
    whole = [value for value in values if isinstance(value, int)]
    if sorted(whole) != list(range(min(whole), max(whole) + 1)):
        raise click.UsageError(
            f"--domain of a noise program must be consecutive integers, not {domain}"
        )
    change, step = _RULES[name], int(most or 1)
    found = QueryNeighbours.within(queries, min(whole), max(whole), change, step)
    data = {"queries": queries, "values": [min(whole), max(whole)]}
    return found, {"neighbours": _MEANINGS[change].format(step), **data}


def show_vector(vector: Sequence[Fraction | int]) -> str:
    """Return the printed form of a query vector."""
    return f"({', '.join(map(str, vector))})"


def enclosed_data(result: ProgramAudit) -> dict[str, Any]:
    """Return the enclosed parameters for JSON."""
    least = result.least_epsilon
    delta = result.least_delta
    return {
        "least_delta": None if delta is None else float_bounds(delta.lower, delta.upper),
        "least_factor": [_exact(f) for f in (result.least_factor, result.greatest_factor)],
        "least_epsilon": None if least is None else float_bounds(least.lower, least.upper),
    }


def _exact(factor: Real | None) -> str | None:
    return None if factor is None else str(factor)


def enclosed_lines(result: ProgramAudit) -> list[tuple[str, str]]:
    """Return the lines on the enclosed parameters."""
    rows = []
    if (delta := result.least_delta) is not None:
        rows.append((f"least delta at epsilon = {result.epsilon}", _between(delta)))
        if (least := result.least_epsilon) is not None:
            text = _between(least)
            if result.factor is not None:
                text += f", the logarithm of {result.factor}"
        elif result.least_factor is None:
            text = "none"
        else:
            text = f"at least {float(enclose_log(result.least_factor).lower):.6g}"
        rows.append((f"least epsilon at delta = {result.delta}", text))
    return rows


def _between(ends: Interval) -> str:
    """Return an interval in decimals that contains it, or the number if it is one."""
    if ends.lower == ends.upper:
        return show_fraction(ends.lower)
    low, high = float_bounds(ends.lower, ends.upper)
    short = f"{low:.9g}", f"{high:.9g}"
    return f"about {short[0]}" if short[0] == short[1] else f"{low:.9g} .. {high:.9g}"
