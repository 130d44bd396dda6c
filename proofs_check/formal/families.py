"""Classes and problems by their definitions in `rocq/families/ByDefinition.v`, without a table.

Main definitions: `Definition`, `definition`, `check_instance`. A theorem about the table of a
certificate implies a theorem about the family if Rocq verifies that both are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ccsim.classes import ConceptClass
from ccsim.communication import CommunicationProblem
from ccsim.errors import DomainError
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.texts.calls import parse_call
from proofs_check.formal.terms import listed

__all__ = ["Definition", "check_instance", "cube_dimension", "definition", "weights"]

_WEIGHTS = re.compile(r"\(?(-?\d+(?:,-?\d+)*)\)?>=(-?\d+)")


@dataclass(frozen=True, slots=True)
class Definition:
    """Definition of a class or a problem, with a lemma for its equality to a table.

    Attributes
    ----------
    term : str
        Term of the class or problem.
    lemma : str
        Lemma that the term equals a table if a computation confirms it.
    """

    term: str
    lemma: str


@dataclass(frozen=True, slots=True)
class _Family:
    """A family of numbered concepts: their number, and the function of a number."""

    count: str
    value: str


_NUMBERED: Mapping[str, Callable[..., _Family]] = MappingProxyType(
    {
        "all_functions": lambda n: _Family(f"(2 ^ {n})", "digits"),
        "decision_stumps": lambda p: _Family(f"{p}", "coordinate"),
        "lines": lambda p: _Family(f"({p} * {p})", f"(line {p})"),
        "parities": lambda n: _Family(f"(2 ^ {n})", f"(parity {n})"),
        "points": lambda b: _Family(f"(2 ^ {b})", "single_point"),
        "thresholds": lambda b: _Family(f"(2 ^ {b})", "threshold"),
    }
)
"""Classes whose concepts have numbers."""

_PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "augmented_index": "augmented_index_problem",
        "equality": "equality_problem",
        "greater_than": "greater_than",
        "index": "index_problem",
    }
)


def definition(text: str, instance: Mapping[str, Any]) -> Definition:
    """Return the definition for an INSTANCE text and a certificate of a class or problem.

    Parameters
    ----------
    text : str
        INSTANCE text, such as ``"lines:p=3"``.
    instance : mapping
        Instance of the certificate, which must be the table of this family; see `check_instance`.

    Raises
    ------
    DomainError
        If there is no definition.
    UnreadableInputError
        If the text is not an INSTANCE text.

    Examples
    --------
    >>> from ccsim import lines
    >>> definition("lines:p=3", lines(3).to_json()).term
    '(first (3 * 3) (line 3))'
    """
    name, values = parse_call(text)
    is_problem = instance["type"] == "communication problem"
    if is_problem and name in _PROBLEMS:
        return Definition(_PROBLEMS[name], "agrees_spec")
    if name in _NUMBERED:
        it = _NUMBERED[name](*values.values())
        if is_problem:
            return Definition(f"(evaluation {it.value})", "agrees_spec")
        return Definition(f"(first {it.count} {it.value})", "first_listed")
    if not is_problem and name == "intervals":
        return Definition(f"(intervals {values['n']})", "intervals_listed")
    if not is_problem and (d := cube_dimension(text)):
        found = weights(parse_class(text))
        rows = listed("({}, {})".format(*found[row]) for row in instance["rows"]) + "%Z"
        return Definition(f"(halfspace {d})", f"(halfspaces_listed {d} {rows})")
    known = [*_NUMBERED, "intervals", "halfspaces with b=1"]
    raise DomainError(
        f"{text}: the theory does not define this {'problem' if is_problem else 'class'}; "
        f"it defines {', '.join(sorted([*known, *_PROBLEMS]))}"
    )


def cube_dimension(text: str) -> int:
    """Return ``d`` if a text denotes the halfspaces on ``{0,1}^d``, and otherwise 0.

    Examples
    --------
    >>> cube_dimension("halfspaces:b=1,d=5"), cube_dimension("halfspaces:b=2,d=2")
    (5, 0)
    """
    name, values = parse_call(text)
    return values.get("d", 0) if name == "halfspaces" and values.get("b") == 1 else 0


def weights(halfspaces: ConceptClass) -> dict[str, tuple[str, str]]:
    """Return the weights (lowest digit first) and the threshold of each halfspace, by its text row.

    Examples
    --------
    >>> from ccsim import halfspaces
    >>> weights(halfspaces(1, 2))["0100"]
    ('[1; -1]', '1')
    """
    found = {}
    for row, name in zip(halfspaces.rows, halfspaces.concepts, strict=True):
        match = _WEIGHTS.fullmatch(str(name))
        if match is None:
            raise DomainError(f"halfspaces: {name!r} is not a list of weights with a threshold")
        vector = match[1].split(",")[::-1]
        text = format(row, f"0{len(halfspaces.points)}b")[::-1]
        found[text] = f"[{'; '.join(vector)}]", f"({match[2]})" if match[2][0] == "-" else match[2]
    return found


def check_instance(text: str, instance: Mapping[str, Any]) -> ConceptClass | CommunicationProblem:
    """Return the instance of a text after checking that a certificate is for its table.

    Parameters
    ----------
    text : str
    instance : mapping
        Instance of the certificate. Concepts of a class may have any order.

    Raises
    ------
    DomainError
        If the certificate is for another table, or for neither a class nor a problem.
    UnreadableInputError, InstanceTooLargeError
        If the text is not an INSTANCE text of a family.

    Examples
    --------
    >>> from ccsim import lines
    >>> print(check_instance("points:b=1", {**lines(2).to_json(), "rows": ["01", "10"]}))
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: points:b=1: the certificate is for a different instance
    """
    kind = instance.get("type")
    if text.startswith("@") or kind not in {"concept class", "communication problem"}:
        raise DomainError(f"{text}: --by-definition needs a family of classes or problems")
    parse_instance(text)
    member = (parse_class if kind == "concept class" else parse_problem)(text)
    ours, theirs = member.to_json(), instance
    sides = ("points",) if kind == "concept class" else ("alice", "bob")
    rows = (set if kind == "concept class" else list)(ours["rows"])
    if any(len(ours[side]) != len(theirs[side]) for side in sides) or rows != type(rows)(
        theirs["rows"]
    ):
        raise DomainError(f"{text}: the certificate is for a different instance")
    return member
