"""Certificates of format 1 about privacy of listed laws, translated into format 2."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from ccsim.certificates import encode_integers
from ccsim.format_1.table import Translator
from ccsim.kernel import Rejected
from ccsim.privacy.encoding import enclosure, encode_polynomial, integral

__all__ = ["KINDS"]


def privacy(certificate: dict[str, Any]) -> dict[str, Any]:
    """Translate laws in fractions."""
    laws = []
    for listed in certificate["instance"]["laws"]:
        law = [_fraction(p) for p in listed]
        if sum(law) != 1 or min(law) < 0:
            raise Rejected("the weights must sum to 1, not {}", sum(law))
        unit = lcm(*(p.denominator for p in law))
        laws.append(encode_integers(int(p * unit) for p in law))
    return _translated(certificate, None, laws, certificate["statement"]["factor"])


def exponential_privacy(certificate: dict[str, Any]) -> dict[str, Any]:
    """Translate laws in powers of a root of e, or of a fraction."""
    instance, stated = certificate["instance"], certificate["statement"]
    laws = [integral([_polynomial(w) for w in law]) for law in instance["laws"]]
    base = None if "base" not in instance else _fraction(instance["base"])
    factor = _quotient(stated["factor"], ["1"])
    bounds = [_bound(stated[side]) for side in ("lower", "upper") if stated[side] is not None]
    t = enclosure(instance["root"], base, laws, [factor, *bounds])
    return _translated(certificate, t, [list(map(encode_polynomial, law)) for law in laws], factor)


def _translated(
    certificate: dict[str, Any],
    t: dict[str, Any] | None,
    laws: list[Any],
    factor: Any,  # noqa: ANN401
) -> dict[str, Any]:
    old, stated = certificate["instance"], certificate["statement"]
    if set(stated) != {"factor", "lower", "upper"}:
        raise Rejected("statement must have the keys factor, lower and upper")
    lower, upper = (_bound(stated[side]) for side in ("lower", "upper"))
    instance = {key: part for key, part in old.items() if key not in _OLD_KEYS} | {
        "t": t,
        "laws": laws,
    }
    if old["type"] == "mechanism of qualities":
        functions = [[_fraction(v) for v in q] for q in old["qualities"]]
        unit = lcm(*(v.denominator for q in functions for v in q))
        instance["qualities"] = [encode_integers(int(v * unit) for v in q) for q in functions]
        instance["unit"] = encode_integers([unit])[0]
    else:
        instance |= old.get("neighbours", {"public": 0, "groups": None})
    below, above = certificate["lower"], certificate["upper"]
    if below == {} and lower == "0":
        below = {"database": 0, "neighbour": 0, "event": []}
    if below is not None:
        below = {"event": below | {"bound": lower}}
        below["event"]["outcomes"] = below["event"].pop("event")
    if above not in (None, {}):
        raise Rejected("upper must have no keys")
    return {
        "format": 2,
        "kind": "privacy",
        "instance": instance,
        "statement": {"factor": factor, "delta": None, "lower": lower, "upper": upper},
        "lower": below,
        "upper": None if above is None else {"all_neighbours": {"bound": upper}},
        "made_by": certificate["made_by"],
    }


_OLD_KEYS = {"neighbours", "root", "base", "qualities"}


def _fraction(text: object) -> Fraction:
    if not isinstance(text, str):
        raise Rejected("must be a fraction, not {}", text)
    return Fraction(text)


def _polynomial(listed: Any) -> list[Fraction]:  # noqa: ANN401 - any JSON value
    return [_fraction(c) for c in listed]


def _quotient(over: Any, under: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON values
    top, bottom = integral([_polynomial(over), _polynomial(under)])
    return {"over": encode_polynomial(top), "under": encode_polynomial(bottom)}


def _bound(stated: Any) -> Any:  # noqa: ANN401 - any JSON value
    return _quotient(stated["over"], stated["under"]) if isinstance(stated, dict) else stated


KINDS: dict[str, Translator] = {"privacy": privacy, "exponential_privacy": exponential_privacy}
