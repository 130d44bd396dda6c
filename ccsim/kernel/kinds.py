"""The kinds of certificates: what each is checked by, and what is printed of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from . import (
    communication,
    dimensions,
    exponential_privacy,
    packings,
    privacy,
    private_failure,
    representation_sizes,
    representations,
)
from .files import Unreadable, read, shown_path
from .parts import Claim, Part, Rejected, show

__all__ = ["KINDS", "check", "main", "named"]

KINDS: dict[str, Callable[[Part, Part, Part, Part], Claim]] = {
    "matrix_game": communication.matrix_game,
    "vc_dimension": partial(dimensions.one_dimension, "vc"),
    "dual_vc_dimension": partial(dimensions.one_dimension, "dual_vc"),
    "littlestone_dimension": partial(dimensions.one_dimension, "littlestone"),
    "dimensions": dimensions.dimensions,
    "minimax_error": communication.minimax_error,
    "communication_complexity": communication.communication_complexity,
    "distributional_error": communication.distributional_error,
    "protocol_error": communication.protocol_error,
    "deterministic_representation": representations.deterministic,
    "deterministic_representation_size": representation_sizes.deterministic,
    "probabilistic_representation": representations.probabilistic,
    "probabilistic_representation_size": representation_sizes.probabilistic,
    "least_failure": representation_sizes.least_failure,
    "privacy": privacy.privacy,
    "exponential_privacy": exponential_privacy.exponential_privacy,
    "packing": packings.packing,
    "release": packings.release,
    "private_failure": private_failure.private_failure,
}


def check(certificate: object) -> str:
    """Check a JSON value as a certificate and say in one line what it proves, in its own words.

    `Rejected` at the first place where it breaks the format or does not prove its statement.

    >>> game = {"type": "matrix game", "payoff": [["1", "0"], ["0", "1"]]}
    >>> made = {"format": 1, "kind": "matrix_game", "instance": game, "made_by": "hand"}
    >>> made |= {"statement": {"lower": "1/2", "upper": "1/2"}}
    >>> made |= {"lower": {"row_strategy": ["1/2", "1/2"]}}
    >>> check(made | {"upper": {"column_strategy": ["1/2", "1/2"]}})
    'value of a 2 x 2 matrix game, sha256 7594b40052ccc715: exactly 1/2'
    """
    keys = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")
    version, kind, instance, statement, lower, upper, _ = Part(certificate).fields(*keys)
    version.require(version.integer(1) == 1, "must be 1, not {}", version.value)
    what, claim = KINDS[kind.choice(KINDS)](instance, statement, lower, upper)
    statement.require(claim, "claims neither a lower nor an upper bound")
    return f"{what}: {claim}"


def named(certificate: dict[str, Any]) -> str:
    """Quote the name that a file gives to its instance, which nothing verifies.

    >>> named({"instance": {"name": "thresholds:b=2"}})
    " [named 'thresholds:b=2' by the file]"
    """
    name = certificate["instance"].get("name")
    return f" [named {show(name)} by the file]" if name else ""


def main(paths: Sequence[str]) -> int:
    """Print one line for each file; return 0 if all are accepted, 4 if one is rejected, else 2."""
    status = 0 if paths else 2
    for path in paths:
        shown = shown_path(path)
        try:
            certificate = read(path)
            line = f"{shown}: proved: {check(certificate)}{named(certificate)}"
        except Rejected as error:
            line, status = f"{shown}: rejected: {error}", 4
        except Unreadable as error:
            line, status = f"unreadable: {error}", max(status, 2)
        sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    return status
