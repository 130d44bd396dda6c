"""Statements about privacy, for weights that are integers or polynomials in e^(1/r) or a root."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_check.formal.terms import integers, listed, naturals, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def privacy(c: Mapping[str, Any]) -> Statement:
    """State bounds on the least factor, or on the least delta, of a mechanism."""
    instance, statement = c["instance"], c["statement"]
    in_powers = instance["t"] is not None
    data, shape = _laws(instance)
    which, near = _neighbours(instance)
    asked, given = ("factor", "delta") if statement["factor"] is None else ("delta", "factor")
    outcomes = len(instance["outcomes"])
    at, amount = ("_at", _quotient) if in_powers else ("", _amount)
    shape = f"({near}) {outcomes} {shape}"
    target = _target(instance["t"])
    if in_powers:
        shape = f"{target} {shape}"
    value = amount(statement[given])
    low, high = (statement[side] for side in ("lower", "upper"))
    if low == "infinity":
        at_least = f"no_factor{at} {shape} {value}"
    else:
        at_least = f"{asked}_at_least{at} {shape} {value} {low and amount(low)}"
    if high == "infinity":
        at_most, exactly = "True", None
    else:
        bound = high and amount(high)
        both = f"{bound} {value}" if asked == "factor" else f"{value} {bound}"
        at_most, exactly = (
            f"private{at} {shape} {both}",
            f"least_{asked}{at} {shape} {value} {bound}",
        )
    if in_powers:
        least = f"({asked.title()}_at {_ratio(statement[given])})"
        weighted = f"In_powers {target} {int(instance['t']['bits'])}%nat laws {least}"
    else:
        weighted = f"Rational laws ({asked.title()}_for {value})"
    return Statement(
        module="Mixture Databases Privacy Mechanisms",
        kind="privacy",
        data=data,
        question=f"Audited {outcomes} ({which}) ({weighted})",
        bound=lambda v: "(@None ratio)" if v == "infinity" else f"(Some {_ratio(v)})",
        at_least=at_least,
        at_most=at_most,
        exactly=exactly,
    )


def release_probability(c: Mapping[str, Any]) -> Statement:
    """State the largest probability of releasing the more frequent of two points."""
    t, statement = c["instance"]["t"], c["statement"]
    factor, delta, lead = (statement[key] for key in ("factor", "delta", "lead"))
    if t is None:
        step = f"private_step {_amount(factor)} {_amount(delta)}"
        promise = f"Rational_promise {_amount(factor)} {_amount(delta)}"
    else:
        step = f"private_step_at {_target(t)} {_quotient(factor)} {_quotient(delta)}"
        bits = f"{int(t['bits'])}%nat"
        promise = f"Promise_at {_target(t)} {bits} {_ratio(factor)} {_ratio(delta)}"
    return Statement(
        module="ReleaseChance",
        kind="release_probability",
        data=(),
        question=f"({promise}, {int(lead)}%N)",
        bound=rational,
        at_least="False",
        at_most=f"released_at_most ({step}) {int(lead)}%Z {{v}}",
    )


def _laws(instance: Mapping[str, Any]) -> tuple[tuple[tuple[str, str, str], ...], str]:
    """Return the data, and the output distributions as a function of the database."""
    laws, data = instance["laws"], []
    if instance["t"] is None:
        data.append(("laws", "list (list Z)", listed(laws, _law)))
        law = "(fun i => share (nth i laws []))"
    else:
        terms = listed(laws, lambda p: listed(p, lambda w: integers(_coefficients(w))))
        data.append(("laws", "list (list (list Z))", terms))
        law = "(fun i => law_in_powers (nth i laws []))"
    if "qualities" in instance:
        functions = listed(instance["qualities"], integers)
        data.append(("qualities", "list (list Z)", functions))
    return tuple(data), law


def _target(t: Mapping[str, Any] | None) -> str:
    """Return the number in whose powers the distributions are written."""
    if t is None:
        return ""
    root = int(t["root"])
    base = t["base"]
    return f"(Exponential {root})" if base is None else f"(Root {root} {rational(base)}%Q)"


def _neighbours(instance: Mapping[str, Any]) -> tuple[str, str]:
    """Return the set of databases, and the neighbour relation."""
    if instance.get("pairs") is not None:
        pairs = listed(instance["pairs"], lambda p: f"({p[0]}, {p[1]})") + "%nat"
        return f"Pairs {pairs}", f"listed {pairs}"
    if "qualities" in instance:
        unit, growth = instance["unit"], instance["growth"]
        limit = "None" if growth is None else f"(Some {int(growth)}%nat)"
        return f"Qualities {unit} {limit} qualities", f"among qualities (close {unit} {limit})"
    groups = instance["groups"]
    given = "None" if groups is None else f"(Some {naturals(groups)})"
    group = "(fun _ => O)" if groups is None else f"(fun x => nth x {naturals(groups)} O)"
    if instance["type"] == "mechanism of sizes":
        how = str(instance["change"]).capitalize().replace(" ", "_")
        records, sizes = len(instance["records"]), f"{instance['least']} {instance['most']}"
        if instance["symmetric"]:
            which, near = f"true {records}", f"(multisets {records}) {sizes}) (changed_multiset"
        else:
            which, near = f"false {records}", f"(sequences {records}) {sizes}) (changed"
        return f"Sizes {which} {sizes} {how} {given}", f"among (of_sizes {near} {how} {group})"
    size = f"{len(instance['records'])} {instance['size']}"
    if instance["symmetric"]:
        return f"Multisets {size} {given}", f"among (multisets {size}) (exchanged {group})"
    public = instance["public"]
    return (
        f"Sequences {size} {public} {given}",
        f"among (sequences {size}) (replaced {group} {public})",
    )


def _constant(value: Any) -> int:  # noqa: ANN401 - a JSON value
    """Return a constant polynomial."""
    return int(value) if not isinstance(value, list) else int(value[0]) if value else 0


def _law(law: list[Any]) -> str:
    return integers(map(_constant, law))


def _coefficients(value: Any) -> list[int]:  # noqa: ANN401 - a JSON value
    """Return the coefficients of a polynomial."""
    return [int(c) for c in value] if isinstance(value, list) else [int(value)]


def _parts(value: Any) -> tuple[str, str]:  # noqa: ANN401 - a JSON value
    """Return the numerator and the denominator of a quotient or a fraction, as polynomials."""
    if isinstance(value, dict):
        over, under = value["over"], value["under"]
        return integers(_coefficients(over)), integers(_coefficients(under))
    found = Fraction(value)
    return integers([found.numerator]), integers([found.denominator])


def _quotient(value: Any) -> str:  # noqa: ANN401 - a JSON value
    over, under = _parts(value)
    return f"(quotient {over} {under})"


def _ratio(value: Any) -> str:  # noqa: ANN401 - a JSON value
    over, under = _parts(value)
    return f"({over}, {under})"


def _amount(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a fraction, or a quotient that is not reduced."""
    if isinstance(value, dict):
        return f"({_constant(value['over'])} # {_constant(value['under'])})%Q"
    return f"{rational(value)}%Q"


WORDS = {"privacy": privacy, "release_probability": release_probability}
