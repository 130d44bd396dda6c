"""What ``ccsim learn`` says of a learned threshold, and of what RecConcave did to find it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ccsim.cli.output import (
    NOT_PRIVATE,
    float_bounds,
    noise_data,
    rounded_up,
    show_coins,
    show_fraction,
)
from ccsim.exact.epsilon import Probability
from ccsim.exact.intervals import Interval
from ccsim.learning.learners.thresholds import LearnedThreshold
from ccsim.privacy.mechanisms.recursive_concave import (
    RecursionTrace,
    TracedCall,
    TracedFamily,
    stretches,
)

Lines = list[tuple[str, str]]
"""Names and texts."""

_WIDTH = 50
"""Columns of a text beside its name, so that a line has at most 80."""
_MOST = 12
"""Stretches of a function that are shown."""


def learned_answer(target: str, learned: LearnedThreshold) -> tuple[dict[str, Any], Lines]:
    """Return the JSON object and the lines for a threshold that was learned from one sample."""
    ends = learned.failure
    data: dict[str, Any] = {
        "target": target,
        "place": learned.concept.place,
        "empirical_error": str(learned.empirical_error),
        "failure": float_bounds(ends.lower, ends.upper),
        "consistent": learned.consistent,
    }
    text = (
        f"1 below {learned.concept.place}, empirical error "
        f"{show_fraction(learned.empirical_error)}; above {learned.target} with "
        f"probability at most {rounded_up(ends.upper)}, proved"
    )
    lines = [(f"sample: {target}", text)]
    if not learned.consistent:
        lines.append(("  promise", "void: no threshold labels all of the sample correctly"))
    if learned.trace is not None:
        data["trace"] = trace_data(learned.trace)
        lines += show_trace(learned.trace)
    return data, lines


def answer_on_records(
    learned: LearnedThreshold, seed: int | None, *, with_error: bool
) -> tuple[dict[str, Any], Lines]:
    """Return the private output on records: the place; and the rest only if it is asked for."""
    all_of_it, lines = learned_answer("the records", learned)
    private = {key: all_of_it.pop(key) for key in ("target", "place")}
    guarantee = f"epsilon = {learned.epsilon}, delta = {learned.delta}, if one record is replaced"
    data = {"one_sample": [private]} | noise_data(guarantee, seed, ["one_sample"])
    told = [("coins", show_coins(seed)), ("rule", f"1 below {learned.concept.place}")]
    if not with_error:
        return data, told
    data["not_private"] = [*data["not_private"], "error"]
    return data | {"error": all_of_it}, [*told, *lines, ("", NOT_PRIVATE)]


def trace_data(trace: RecursionTrace) -> list[dict[str, Any]]:
    """Return the calls as JSON objects, the outermost first."""
    return [
        {
            "last": call.last,
            "extended": call.extended,
            "promise": str(call.promise),
            "accuracy": str(call.accuracy),
            "lengths": [str(v) for v in call.lengths],
            "inner": [str(v) for v in call.inner],
            "handed": None if call.handed is None else str(call.handed),
            "choices": [
                {
                    "k": choice.k,
                    "probability": _ends(choice.probability),
                    "families": [_family_data(family) for family in choice.families],
                }
                for choice in call.choices
            ],
            "domain": [list(interval) for interval in call.domain],
            "output": call.output,
        }
        for call in trace.calls
    ]


def _family_data(family: TracedFamily) -> dict[str, Any]:
    return {
        "interval": None if family.interval is None else list(family.interval),
        "lead": None if family.lead is None else str(family.lead),
        "probability": _ends(family.probability),
        "released": family.released,
    }


def _ends(probability: Probability) -> list[float]:
    """Return the ends of what the learners trace, which compute in intervals."""
    if not isinstance(probability, Interval):
        raise TypeError(f"{probability!r} is no interval")
    return float_bounds(probability.lower, probability.upper)


def show_trace(trace: RecursionTrace) -> Lines:
    """Return the lines for the calls, the outermost first; each fits in 80 columns."""
    lines: Lines = []
    for number, call in enumerate(trace.calls, 1):
        for name, text in _call_lines(number, call):
            for i, part in enumerate(textwrap.wrap(text, _WIDTH)):
                lines.append((f"  {name}" if i == 0 else "", part))
    return lines


def _call_lines(number: int, call: TracedCall) -> Iterator[tuple[str, str]]:
    until = "" if call.extended == call.last else f", extended to {_place(call.extended)}"
    yield (
        f"call {number}",
        f"range 0 .. {_place(call.last)}{until}, promise r = {_short(call.promise)}, "
        f"alpha = {_short(call.accuracy)}",
    )
    if call.handed is not None:
        yield f"  L(0..{len(call.lengths) - 1})", _stretched(call.lengths)
        yield f"  q(0..{len(call.inner) - 1})", _stretched(call.inner)
        yield "  R", f"{_short(call.handed)}, the promise of call {number + 1}"
    for choice in call.choices:
        chance = _ends(choice.probability)[0]
        yield "  k", f"{choice.k}, returned with probability {chance:.3g}"
        for name, family in zip("AB", choice.families, strict=True):
            yield f"  family {name}", _family_text(family)
    drawn = " and ".join(f"{_place(a)} .. {_place(b)}" for a, b in call.domain)
    yield "  last step", f"draws from {drawn}: {call.output}"


def _family_text(family: TracedFamily) -> str:
    if family.interval is None:
        return "empty"
    first, last = family.interval
    said = "released" if family.released else "nothing"
    if family.lead is None:
        return f"{_place(first)} .. {_place(last)} alone, released"
    chance = _ends(family.probability)[0]
    return (
        f"{_place(first)} .. {_place(last)} leads by {_short(family.lead)}; A_dist, which releases "
        f"with probability {chance:.3g}: {said}"
    )


def _stretched(values: tuple[Fraction, ...]) -> str:
    runs = [
        f"{_short(value)} at {first}" + ("" if first == last else f"..{last}")
        for first, last, value in stretches(values)
    ]
    more = [f"{len(runs) - _MOST} more values (--json has all)"] if len(runs) > _MOST else []
    return ", ".join(runs[:_MOST] + more)


def _place(place: int) -> str:
    """Return a place, a power of two from 2^20 on as such."""
    log = place.bit_length() - 1
    return f"2^{log}" if log >= 20 and place == 1 << log else str(place)


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 12 else f"{float(value):.6g}"
