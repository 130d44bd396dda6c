"""Statements about learners, private learners, sample complexities and private releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.formal.terms import booleans, integers, listed, masks, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]


def learner_failure(c: Mapping[str, Any]) -> Statement:
    """State the failure probability of a learner: its value on a target, and an upper bound."""
    m, n, a = _numbers(c)
    laws = ("laws", "list (list Z)", listed(c["statement"]["laws"], integers))
    shape = f"{m} {n} (tabulated {m} {n} laws) (table {m} (concepts rows)) {a}"
    return Statement(
        module="Representations LearnerTables LearnerFailure",
        kind="learner_failure",
        data=(_rows(c), laws),
        question=f"(Learning {m} rows {n} {a}, laws)",
        bound=rational,
        at_least=f"fails_on_a_target {shape} {{v}}",
        at_most=f"fails_at_most {shape} {{v}}",
    )


def private_failure(c: Mapping[str, Any]) -> Statement:
    """State the least worst-case failure probability of private learners."""
    m, n, a = _numbers(c)
    factor, delta = _privacy(c)
    shape = f"{m} {n} (table {m} (concepts rows)) all_functions {a} {factor} {delta}"
    return Statement(
        module="Representations LearnerFailure PrivateFailure",
        kind=c["kind"],
        data=(_rows(c),),
        question=f"(Learning {m} rows {n} {a}, {factor}, {delta})",
        bound=rational,
        at_least=f"failure_at_least {shape} {{v}}",
        at_most=f"learns_privately {shape} {{v}}",
        exactly=f"least_failure_of_learners {shape} {{v}}",
    )


def private_sample_complexity(c: Mapping[str, Any]) -> Statement:
    """State the sample complexity of private learners."""
    statement = c["statement"]
    m, pool = len(c["instance"]["points"]), statement.get("hypotheses")
    a, b = (rational(statement[key]) for key in ("accuracy", "failure"))
    factor, delta = _privacy(c)
    given = "None" if pool is None else "(Some hypotheses)"
    answers = "all_functions" if pool is None else f"(table {m} (concepts hypotheses))"
    data = [_rows(c)]
    if pool is not None:
        data.append(("hypotheses", "list (list bool)", listed(pool, booleans)))
    question = f"Needs {m} rows {given} {a} {b} {factor}"
    shape = f"{m} (table {m} (concepts rows)) {answers} {a} {factor} {delta} {b}"
    return Statement(
        module="Representations SampleComplexity",
        kind=c["kind"],
        data=tuple(data),
        question=f"({question}, {delta})" if "delta" in statement else question,
        bound=lambda v: f"{int(v)}%N",
        at_least=f"examples_at_least {shape} {{v}}",
        at_most=f"examples_suffice {shape} {{v}}",
        exactly=f"least_examples {shape} {{v}}",
    )


def release(c: Mapping[str, Any]) -> Statement:
    """State a lower bound on the records of private releases for all concepts."""
    statement, m = c["statement"], len(c["instance"]["points"])
    a, b, factor = (rational(statement[key]) for key in ("accuracy", "failure", "factor"))
    shape = f"{m} (table {m} (map bit rows)) {a} {factor} {b}"
    return Statement(
        module="Releases",
        kind="release",
        data=(("rows", "list N", masks(c["instance"]["rows"])),),
        question=f"Asked {m} rows {a} {b} {factor}",
        bound=lambda v: f"{int(v)}%N",
        at_least=f"records_at_least {shape} {{v}}",
        at_most="False",
    )


def _numbers(c: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return the number of points, the number of examples, and the accuracy as a term."""
    statement = c["statement"]
    return len(c["instance"]["points"]), int(statement["samples"]), rational(statement["accuracy"])


def _privacy(c: Mapping[str, Any]) -> tuple[str, str]:
    """Return the terms of e^epsilon and of delta; delta is 0 for pure privacy."""
    statement = c["statement"]
    return rational(statement["factor"]), rational(statement.get("delta", "0"))


def _rows(c: Mapping[str, Any]) -> tuple[str, str, str]:
    return ("rows", "list (list bool)", listed(c["instance"]["rows"], booleans))


WORDS = {
    "learner_failure": learner_failure,
    "private_failure": private_failure,
    "private_sample_complexity": private_sample_complexity,
    "approximate_private_failure": private_failure,
    "approximate_sample_complexity": private_sample_complexity,
    "release": release,
}
