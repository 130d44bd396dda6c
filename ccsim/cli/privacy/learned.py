"""Output of ``ccsim learn`` about a learner, and computed failure probabilities."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.appearance import show_label
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.cli.output import (
    NOT_PRIVATE,
    float_bounds,
    noise_data,
    rounded_up,
    show_coins,
    show_fraction,
)
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Probability
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import randomness
from ccsim.learning.learner import DrawnSample, Learner, LearningTrial, Target
from ccsim.learning.learners.points import ApproximatePointLearner, PointLearner, ProperPointLearner
from ccsim.learning.learners.public_points import LabelPrivateLearner
from ccsim.learning.learners.representation import RepresentationLearner, hard_two_points
from ccsim.learning.learners.thresholds import (
    LearnedThreshold,
    RecConcaveThresholdLearner,
    ThresholdLearner,
    proved_failure,
)
from ccsim.privacy.mechanisms.recursive_concave import (
    RecursionTrace,
    TracedCall,
    TracedFamily,
    stretches,
)

Answer = tuple[dict[str, Any], list[tuple[str, str]]]
"""Data for JSON, and lines for people."""
_MOST_ADDED = 1 << 16
"""Maximum number of samples for which the failure of the exponential mechanism is summed."""


def _above(learner: Learner) -> str:
    agnostic = isinstance(learner, RepresentationLearner) and learner.agnostic
    return " above the best concept's" if agnostic else ""


def describe(
    instance: str,
    name: str,
    learner: Learner,
    trials: Mapping[str, LearningTrial],
    privacy: str | None = None,
) -> Answer:
    """Return a description of a learner, its trials, and its privacy unless this is given."""
    guarantee = learner.privacy
    private = (
        "not private" if guarantee is None else f"epsilon = {guarantee[0]}, delta = {guarantee[1]}"
    )
    data: dict[str, Any] = {
        "instance": instance,
        "learner": name,
        "accuracy": str(learner.accuracy),
        "failure": str(learner.failure),
        "epsilon": None if guarantee is None else str(guarantee[0]),
        "delta": None if guarantee is None else str(guarantee[1]),
        "samples": learner.sample_size,
        "trials": [],
    }
    lines = [
        ("learner", f"{name} of {instance}"),
        ("privacy", privacy or private),
        (
            "guarantee",
            _unless(
                learner,
                f"error at most {learner.accuracy}{_above(learner)}, except with probability "
                f"{learner.failure}",
            ),
        ),
        ("samples", f"{learner.sample_size}"),
    ]
    if isinstance(learner, RepresentationLearner):
        data["hypotheses"] = learner.hypotheses
        data["agnostic"] = learner.agnostic
        sets = len(learner.representation.sets)
        drawn = "" if sets == 1 else f", in the largest of {sets} sets"
        lines.insert(1, ("hypotheses", f"{learner.hypotheses}{drawn}"))
    if isinstance(learner, LabelPrivateLearner):
        data |= {"private": learner.protected, "public": learner.sizes.public}
        lines[1] = ("privacy", f"{private}, for {learner.protected}")
        lines.append(("public points", f"{learner.sizes.public} (points of the first examples)"))
    for target, trial in trials.items():
        low, high = float_bounds(trial.interval.lower, trial.interval.upper)
        data["trials"].append(
            {
                "target": target,
                "runs": trial.runs,
                "seed": trial.seed,
                "failures": trial.failures,
                "failure_interval": [low, high],
                "confidence": str(trial.confidence),
                "largest_error": str(trial.largest),
                "average_error": str(trial.average),
            }
        )
        lines.append(
            (
                target,
                f"{trial.failures} of {trial.runs} runs failed (failure probability in "
                f"[{low:.3g}, {high:.3g}] with {float(100 * trial.confidence):g}% confidence), "
                f"largest error {show_fraction(trial.largest)}",
            )
        )
    return data, lines


def _unless(learner: Learner, guarantee: str) -> str:
    """Return the guarantee, or the reason why the learner's theorem does not give it."""
    if isinstance(learner, PointLearner | ThresholdLearner):
        try:
            check_theorem(learner)
        except DomainError as error:
            return f"none for {guarantee}: {error}"
    return guarantee


def check_theorem(learner: PointLearner | ThresholdLearner) -> None:
    """Refuse fewer examples than the learner's theorem requires."""
    if learner.sample_size < learner.theorem_size:
        raise DomainError(
            f"the theorem needs at least {learner.theorem_size} samples, not {learner.sample_size}"
        )


def answer_from_records(
    learner: ThresholdLearner,
    examples: Sequence[tuple[int, int]],
    seed: int | None,
    *,
    with_error: bool,
) -> Answer:
    """Learn a threshold from labelled points, and return the output."""
    learned = learner.learn(examples, randomness(seed))
    data, lines = answer_on_records(learned, seed, with_error=with_error)
    known, proved = _on_every_sample(learner)
    return known | data, proved + lines


def worst_answer(learner: Learner) -> Answer:
    """Return a learner's failure probability on its worst target, if this is fast to compute."""
    if not isinstance(learner, ApproximatePointLearner | ProperPointLearner):
        return {}, []
    if isinstance(learner, ProperPointLearner) and learner.sample_size > _MOST_ADDED:
        return {}, [("worst target", f"not computed for more than {_MOST_ADDED} samples")]
    worst = learner.worst_failure()
    data = {
        "mass": str(worst.mass),
        "wrong": worst.wrong,
        "failure": float_bounds(worst.failure.lower, worst.failure.upper),
    }
    proved = (
        f"failure probability at most {rounded_up(worst.failure.upper)} for all targets (proved); "
        f"largest if the point has mass {show_fraction(worst.mass)}"
    )
    return {"worst": data}, [("worst target", proved)]


def _on_every_sample(learner: ThresholdLearner) -> Answer:
    """Return the bound on the empirical error that is proved for all consistent samples, if any."""
    if not isinstance(learner, RecConcaveThresholdLearner) or learner.calls != 2:
        return {}, []
    bound = proved_failure(learner.run, learner.sample_size)
    if bound >= 1:
        return {"every_sample": 1.0}, []
    shown = (
        f"empirical error above {learner.accuracy / 2} with probability at most "
        f"{rounded_up(bound)} (proved)"
    )
    return {"every_sample": float_bounds(bound, bound)[1]}, [("every sample", shown)]


def answer_on_samples(
    learner: ThresholdLearner, targets: Mapping[str, Target], seed: int
) -> Answer:
    """Return, for each target, the hypothesis learned from one sample."""
    found: list[dict[str, Any]] = []
    lines: list[tuple[str, str]] = []
    for number, (name, target) in enumerate(targets.items()):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 0)))
        learned = learner.learn_sample(DrawnSample(target, learner.sample_size, rng), rng)
        data, shown = learned_answer(name, learned)
        found.append(data)
        lines += shown
    known, proved = _on_every_sample(learner)
    return known | {"one_sample": found}, proved + lines


def two_points(learner: RepresentationLearner, C: ConceptClass, budget: Budget) -> Answer:
    """Return rigorous bounds on the failure probability on the worst target with two points."""
    found, reason = None, "the time limit was reached"
    try:
        mass = min(learner.accuracy * 11 / 10, Fraction(1))
        with budget, budget.heard():
            found = hard_two_points(learner, C, mass)
    except InstanceTooLargeError as error:
        reason = str(error)
    if found is None:
        return {}, [("two points", f"not computed: {reason}")]
    target, failure = found
    names = [show_label(C.points[x]) for x in target.points]
    data = {
        "points": names,
        "labels": list(target.labels),
        "masses": [str(mass) for mass in target.masses],
        "failure": float_bounds(failure.lower, failure.upper),
    }
    shown = ", ".join(
        f"Pr({name} labelled {label}) = {mass}"
        for name, label, mass in zip(names, target.labels, target.masses, strict=True)
    )
    proved = f"failure probability at most {rounded_up(failure.upper)} (proved) for {shown}"
    return {"two_points": data}, [("two points", proved)]


_WIDTH = 50
"""Width of a text next to its name, so that a line has at most 80 columns."""
_MOST = 12
"""Number of steps of a function that are shown."""


def learned_answer(target: str, learned: LearnedThreshold) -> Answer:
    """Return the JSON object and the lines for a threshold learned from one sample."""
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
        f"probability at most {rounded_up(ends.upper)} (proved)"
    )
    lines = [(f"sample: {target}", text)]
    if not learned.consistent:
        lines.append(("  promise", "none, because no threshold labels the whole sample correctly"))
    if learned.trace is not None:
        data["trace"] = trace_data(learned.trace)
        lines += show_trace(learned.trace)
    return data, lines


def answer_on_records(learned: LearnedThreshold, seed: int | None, *, with_error: bool) -> Answer:
    """Return the output for records: the private threshold; non-private outputs only on request."""
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
    """Return the endpoints of the interval of a probability in a trace."""
    if not isinstance(probability, Interval):
        raise TypeError(f"the probability must be an interval, not {probability!r}")
    return float_bounds(probability.lower, probability.upper)


def show_trace(trace: RecursionTrace) -> list[tuple[str, str]]:
    """Return the lines for the calls, the outermost first; each line fits in 80 columns."""
    lines: list[tuple[str, str]] = []
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
    said = "released" if family.released else "not released"
    if family.lead is None:
        return f"{_place(first)} .. {_place(last)} is the only interval, released"
    chance = _ends(family.probability)[0]
    return (
        f"{_place(first)} .. {_place(last)} leads by {_short(family.lead)}; {said} by A_dist "
        f"(release probability {chance:.3g})"
    )


def _stretched(values: tuple[Fraction, ...]) -> str:
    runs = [
        f"{_short(value)} at {first}" + ("" if first == last else f"..{last}")
        for first, last, value in stretches(values)
    ]
    more = [f"{len(runs) - _MOST} more values (--json has all)"] if len(runs) > _MOST else []
    return ", ".join(runs[:_MOST] + more)


def _place(place: int) -> str:
    """Return a place as text; from 2^20 on, a power of two is written as such."""
    log = place.bit_length() - 1
    return f"2^{log}" if log >= 20 and place == 1 << log else str(place)


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 12 else f"{float(value):.6g}"
