"""``ccsim release``: answers to all queries of a class, with the help of public records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates.files import write_text_atomically
from ccsim.cli.output import (
    NOT_PRIVATE,
    noise_data,
    report,
    show_coins,
    show_fraction,
    time_limit_option,
)
from ccsim.cli.parameters import EPSILON, INPUT, INSTANCE, OUTPUT, Command, Integer, Rational
from ccsim.cli.privacy.domains import Records, queries_of, query_of
from ccsim.exact import Epsilon
from ccsim.exact.probability import randomness
from ccsim.instances.records import read_records
from ccsim.release.queries.multiplicative_weights import FORMS
from ccsim.release.queries.public_data import METHODS, QueryRelease, WeightsOptions, release_queries
from ccsim.release.queries.query_classes import (
    QueryClass,
    largest_error,
)

_SHOWN = 5


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option("--private", type=INPUT, metavar="FILE", help="Private records, one per line.")
@click.option(
    "--public", type=INPUT, metavar="FILE", help="Public records (no privacy protection)."
)
@click.option(
    "--column", metavar="NAME", help="Column that contains the records, in a file with a header."
)
@click.option("--epsilon", type=EPSILON, metavar="E", help="Privacy parameter, e.g. 1/2 or 'ln 3'.")
@click.option(
    "--delta",
    type=Rational(0, 1),
    default="1/1000000",
    show_default=True,
    metavar="D",
    help="Privacy parameter delta; 0 requires larger noise.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="pap",
    show_default=True,
    help="Method of the release.",
)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="worst-query",
    show_default=True,
    help="Rule that selects badly answered queries.",
)
@click.option("--rounds", type=Integer(1), metavar="T", help="Number of rounds (pap, private).")
@click.option(
    "--public-share",
    type=Rational(0, 1),
    default="0",
    metavar="P",
    help="Share of the public records in the initial weights.",
)
@click.option(
    "--query", "asked", multiple=True, metavar="Q", help="Query to answer; may be repeated."
)
@click.option(
    "--error",
    "with_error",
    is_flag=True,
    help="Also print the largest error; NOT PRIVATE.",
)
@click.option(
    "--out", type=OUTPUT, metavar="FILE", help="Write synthetic records to FILE, one per line."
)
@click.option(
    "--synthetic",
    type=Integer(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Number of synthetic records.",
)
@click.option(
    "--seed",
    type=Integer(0),
    metavar="N",
    help="Seed of a demonstration; the output is NOT PRIVATE.",
)
@time_limit_option("Stop after S seconds without a release.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def release(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    private: str | None,
    public: str | None,
    column: str | None,
    epsilon: str | None,
    delta: Fraction,
    method: str,
    form: str,
    rounds: int | None,
    public_share: Fraction,
    asked: Sequence[str],
    with_error: bool,
    out: str | None,
    synthetic: int,
    seed: int | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Answer all queries of INSTANCE on private records, with the help of public records.

    INSTANCE is thresholds:b=B with B from 1 to 64 (queries x < t for t from 0 to 2^B),
    intervals:n=N, boxes:b=B,d=D (queries such as [[0,3],[2,7]]), halfspaces:b=B,d=D (queries such
    as [1,-2,3] for x - 2 y >= 3), or any small class, whose queries are its concepts. A record of
    a grid is a line such as "3 4". An answer is the mean of +1 (label 1) and -1 (label 0), from -1
    to 1. The number of private records is public. Neighbouring databases differ in one private
    record; the privacy guarantee does not depend on the public records.

    The method pap runs private multiplicative weights on the cells of a cover that the public
    records determine; histogram adds noise to the counts of these cells. The methods private and
    public use only one of the two files. The form sparse-vector is the one in the paper.
    """
    budget = Budget(time_limit)
    _check(method, private, public, epsilon, with_error=with_error)
    domain, queries = queries_of(instance, budget)
    secret = _read(private, domain, column, budget)
    known = _read(public, domain, column, budget)
    rng, options = randomness(seed), WeightsOptions(form, rounds, Fraction(1, 4), public_share)
    bound = Epsilon.of(epsilon if epsilon is not None else 0)
    with budget.heard():
        if method == "private":
            made = queries.private(secret, bound, delta, rng, options)
        else:
            made = release_queries(
                queries.cover(known), secret, bound, delta, rng, method=method, options=options
            )
    data = _data(instance, made, queries, (len(secret), len(known)), seed)
    wanted = [query_of(text, domain, queries) for text in asked]
    data["asked"] = [{"query": q, "answer": made.answer(q)} for q in wanted]
    lines = _lines(data, made)
    if with_error:
        worst, error = largest_error(queries, made, secret)
        data["error"] = {"query": worst, "error": error}
        lines.append(("largest error", f"{error:.4g}, at query {_shown(worst)}"))
        data["not_private"] = [*data["not_private"], "error"]
        lines.append(("", NOT_PRIVATE))
    if out is not None:
        drawn = made.synthetic(synthetic, rng)
        write_text_atomically(out, "".join(f"{_line(record)}\n" for record in drawn))
        lines.append(("written to", out))
    report(data, lines, as_json=as_json)


def _line(record: Any) -> str:  # noqa: ANN401
    """Return a record as a line of a file."""
    return " ".join(map(str, record)) if isinstance(record, tuple) else str(record)


def _check(
    method: str, private: str | None, public: str | None, epsilon: str | None, *, with_error: bool
) -> None:
    """Refuse a method if one of its required inputs is missing."""
    if public is None and method != "private":
        raise click.UsageError(f"the method {method} needs --public FILE")
    if private is None and (method != "public" or with_error):
        raise click.UsageError("give --private FILE, the private records")
    if epsilon is None and method != "public":
        raise click.UsageError(f"the method {method} needs --epsilon E")


def _read(path: str | None, domain: Records, column: str | None, budget: Budget) -> list[Any]:
    if path is None:
        return []
    numbers = read_records(path, domain.reader(), domain.expected, column, budget)
    return [domain.name(number) for number in numbers]


def _data(
    instance: str,
    made: QueryRelease[Any, Any],
    queries: QueryClass[Any, Any],
    sizes: tuple[int, int],
    seed: int | None,
) -> dict[str, Any]:
    account, estimate = made.accounting, made.estimate
    rounds: dict[str, Any] = {}
    if account is not None:
        basic = account.basic
        rounds = {
            "form": account.round.form,
            "rounds": account.rounds,
            "choice": str(account.round.choice),
            "noise": account.round.noise.deviation,
            "rho": float(account.rho),
            "basic_epsilon": None if basic is None else float(basic),
        }
    kept = zip(made.cover.kept, made.answers, strict=True)
    return {
        "instance": instance,
        "method": made.method,
        "epsilon": str(made.epsilon),
        "delta": str(made.delta),
        **_noise(made, seed),
        "seed": seed,
        "private": sizes[0],
        "public": sizes[1],
        "concepts": made.cover.concepts,
        "cells": made.cover.cells,
        **rounds,
        "estimate": asdict(estimate),
        "answers": [{"query": concept, "answer": answer} for concept, answer in kept],
    }


def _noise(made: QueryRelease[Any, Any], seed: int | None) -> dict[str, Any]:
    """Return the JSON keys that describe the privacy of the answers."""
    if made.method == "public":
        return noise_data("no private records were used", None)
    stated = f"epsilon = {made.epsilon}, delta = {show_fraction(made.delta)}"
    outputs = ("answers", "asked", "estimate")
    return noise_data(f"{stated}, if one private record is replaced", seed, outputs)


def _shown(query: Any) -> str:  # noqa: ANN401
    """Return a query in readable form."""
    return json.dumps(query) if isinstance(query, tuple) else show_label(query)


def _lines(data: dict[str, Any], made: QueryRelease[Any, Any]) -> list[tuple[str, str]]:
    lines = [
        ("release", f"{data['method']} of {data['instance']}"),
        ("privacy", data["privacy"]),
        ("coins", show_coins(data["seed"])),
        ("records", f"{data['private']} private, {data['public']} public"),
        (
            "cover",
            f"{counted(data['concepts'], 'concept', 'concepts')}, "
            f"{counted(data['cells'], 'cell', 'cells')}",
        ),
    ]
    if "rounds" in data:
        basic = data["basic_epsilon"]
        total = "" if basic is None else f"; by basic composition epsilon = {basic:.3g}"
        lines.append(
            (
                "rounds",
                f"{data['rounds']} of {data['form']}, noise with standard deviation "
                f"{data['noise']:.3g} on {data['private']} records, rho = {data['rho']:.3g}{total}",
            )
        )
    parts = [f"{name} {value:.2g}" for name, value in data["estimate"].items() if value is not None]
    lines.append(("estimated error", ", ".join(parts)))
    shown = data["asked"] or data["answers"][:_SHOWN]
    more = "" if data["asked"] or len(data["answers"]) <= _SHOWN else ", ..."
    listed = ", ".join(f"{_shown(entry['query'])}: {entry['answer']:.4g}" for entry in shown)
    lines.append(("answers", f"{listed}{more}"))
    return lines
