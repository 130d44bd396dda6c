"""Privacy of a mechanism whose laws are rational."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccsim.errors import DomainError
from proofs_check.formal.terms import integers, listed, naturals, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def privacy(c: Mapping[str, Any]) -> Statement:
    """State what the least factor, or the least delta, of a mechanism is at least and at most."""
    instance, statement = c["instance"], c["statement"]
    if instance["t"] is not None:
        raise DomainError("privacy: theorems are written for rational laws")
    data = [("laws", "list (list Z)", listed(instance["laws"], _law))]
    if "qualities" in instance:
        functions = listed(instance["qualities"], integers)
        data.append(("qualities", "list (list Z)", functions))
    which, near = _neighbours(instance)
    asked, given = ("factor", "delta") if statement["factor"] is None else ("delta", "factor")
    outcomes = len(instance["outcomes"])
    shape = f"({near}) {outcomes} (fun i => share (nth i laws []))"
    value = _amount(statement[given])
    low, high = (statement[side] for side in ("lower", "upper"))
    if low == "infinity":
        at_least = f"no_factor {shape} {value}"
    else:
        at_least = f"{asked}_at_least {shape} {value} {low and _amount(low)}"
    if high == "infinity":
        at_most, exactly = "True", None
    else:
        bound = high and _amount(high)
        both = f"{bound} {value}" if asked == "factor" else f"{value} {bound}"
        at_most, exactly = f"private {shape} {both}", f"least_{asked} {shape} {value} {bound}"
    return Statement(
        module="Mixture Databases Privacy",
        kind="privacy",
        data=tuple(data),
        question=f"Mechanism {outcomes} ({which}) laws ({asked.title()}_for {value})",
        bound=lambda v: "(@None Q)" if v == "infinity" else f"(Some {_amount(v)})",
        at_least=at_least,
        at_most=at_most,
        exactly=exactly,
    )


def _neighbours(instance: Mapping[str, Any]) -> tuple[str, str]:
    """Return which databases there are, and the relation of being neighbours."""
    if instance.get("pairs") is not None:
        pairs = listed(instance["pairs"], lambda p: f"({p[0]}, {p[1]})") + "%nat"
        return f"Pairs {pairs}", f"listed {pairs}"
    if "qualities" in instance:
        unit, growth = instance["unit"], instance["growth"]
        limit = "None" if growth is None else f"(Some {int(growth)}%nat)"
        return f"Qualities {unit} {limit} qualities", f"among qualities (close {unit} {limit})"
    size, groups = f"{len(instance['records'])} {instance['size']}", instance["groups"]
    given = "None" if groups is None else f"(Some {naturals(groups)})"
    group = "(fun _ => O)" if groups is None else f"(fun x => nth x {naturals(groups)} O)"
    if instance["symmetric"]:
        return f"Multisets {size} {given}", f"among (multisets {size}) (exchanged {group})"
    public = instance["public"]
    return (
        f"Sequences {size} {public} {given}",
        f"among (sequences {size}) (replaced {group} {public})",
    )


def _constant(value: Any) -> int:  # noqa: ANN401 - a JSON value
    """Return a polynomial that has only its constant term."""
    return int(value) if not isinstance(value, list) else int(value[0]) if value else 0


def _law(law: list[Any]) -> str:
    return integers(map(_constant, law))


def _amount(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a fraction, or a quotient as it stands."""
    if isinstance(value, dict):
        return f"({_constant(value['over'])} # {_constant(value['under'])})%Q"
    return f"{rational(value)}%Q"


WORDS = {"privacy": privacy}
