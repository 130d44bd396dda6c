"""Compare the times of searching for and checking certificates.

    python benchmarks/checking.py [--groups NAME ...] [--large]

A small instance of each question is first answered without being measured, so that compiled code is
loaded. The script then measures the processor time of the answer, and that of the kernel's check of
the parsed certificate, and prints a table. `docs/benchmarks-checking.md` contains such a table.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import ccsim
from ccsim import kernel
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy import ExponentialMechanism, RandomizedResponse, TruncatedGeometric

LN3, LN4 = Epsilon.of("ln 3"), Epsilon.of("ln 4")
Question = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Run:
    """A question whose answer has a certificate; ``large`` if only the large table contains it."""

    name: str
    ask: Question
    large: bool = False


def dimension(question: Callable[..., Any], *texts: str, large: bool = False) -> list[Run]:
    """Return the questions on one dimension of several classes."""
    word = question.__name__.removesuffix("_dimension").replace("_", " ")
    return [
        Run(f"{word}, {text}", partial(question, ccsim.parse_instance(text)), large)
        for text in texts
    ]


def littlestone() -> list[Run]:
    """Return the families of docs/benchmarks-littlestone.md."""
    ask = ccsim.littlestone_dimension
    return [
        *dimension(ask, "unions:n=8,k=2", "thresholds:b=10", "lines:p=23"),
        *dimension(ask, "unions:n=20,k=2", "halfspaces:b=1,d=4", "polynomials:p=11,k=2"),
        *dimension(ask, "unions:n=24,k=2", "polynomials:p=17,k=2", "lines:p=89", large=True),
        *dimension(ask, "unions:n=28,k=2", "halfspaces:b=1,d=5", large=True),
        Run("littlestone, random 60 x 30", lambda: ask(ccsim.random_class(60, 30, 0))),
    ]


def shattering() -> list[Run]:
    """Return VC and dual VC dimensions."""
    texts = ("unions:n=12,k=2", "halfspaces:b=1,d=4", "lines:p=13", "thresholds:b=8")
    found = dimension(ccsim.vc_dimension, *texts)
    found += dimension(ccsim.dual_vc_dimension, *texts)
    for size in (60, 100):
        C = ccsim.random_class(size, size, 1)
        found.append(Run(f"vc, random {size} x {size}", lambda C=C: ccsim.vc_dimension(C)))
        found.append(
            Run(f"dual vc, random {size} x {size}", lambda C=C: ccsim.dual_vc_dimension(C))
        )
    return found


def minimax() -> list[Run]:
    """Return minimax errors with each kind of coins."""
    F, L = ccsim.random_class(10, 10, 0), ccsim.lines(5)
    random, lines = ccsim.evaluation_problem(F), ccsim.evaluation_problem(L)
    asked = [
        ("equality n = 8", ccsim.equality(8), 3, "public", False),
        ("greater than n = 8", ccsim.greater_than(8), 3, "public", False),
        ("index d = 3", ccsim.index(3), 3, "public", False),
        ("augmented index d = 4", ccsim.augmented_index(4), 3, "public", False),
        ("random 10 x 10", random, 2, "public", False),
        ("random 10 x 10", random, 3, "public", False),
        ("greater than n = 12", ccsim.greater_than(12), 4, "public", True),
        ("equality n = 16", ccsim.equality(16), 4, "public", True),
        ("equality n = 16", ccsim.equality(16), 8, "public", True),
        ("lines over Z_5", lines, 4, "public", True),
        ("equality n = 6", ccsim.equality(6), 2, "private", False),
        ("index d = 2", ccsim.index(2), 3, "private", False),
        ("lines over Z_5", lines, 4, "deterministic", False),
    ]
    return [
        Run(
            f"error of {name}, {k} messages, {coins} coins",
            lambda F=problem, k=k, coins=coins: ccsim.minimax_error(F, k, coins),
            large,
        )
        for name, problem, k, coins, large in asked
    ]


def representations() -> list[Run]:
    """Return sizes of representations."""
    asked = [
        (text, error, large)
        for text, large in (("equality:n=6", False), ("intervals:n=4", True), ("lines:p=2", False))
        for error in ("1/4", "1/3")
    ]
    asked += [("equality:n=4", "1/4", "1/4", False), ("all_functions:n=3", "1/4", "1/4", True)]
    return [
        Run(
            f"{'probabilistic' if more else 'deterministic'} size, {text}, error {error}",
            partial(
                ccsim.probabilistic_representation_size
                if more
                else ccsim.deterministic_representation_size,
                ccsim.parse_instance(text),
                error,
                *more,
            ),
            large,
        )
        for text, error, *more, large in asked
    ]


def votes(database: tuple[str, ...], answer: str) -> int:
    """Return the number of records that are equal to the answer."""
    return sum(record == answer for record in database)


def privacy() -> list[Run]:
    """Return the audits."""
    response = RandomizedResponse((0, 1), LN3)
    return [
        Run("audit, randomized response, 6 bits", lambda: ccsim.audit(response, "ln 3", 0, 6)),
        Run(
            "audit, exponential mechanism, epsilon = ln 4, 8 records, 3 values",
            lambda: ccsim.audit(
                ExponentialMechanism("abc", "abc", votes, Epsilon.of("ln 4")), "ln 4", 0, 8
            ),
        ),
        Run(
            "audit, exponential mechanism, epsilon = 1, 6 records, 3 values",
            lambda: ccsim.audit(ExponentialMechanism("abc", "abc", votes, Epsilon.of(1)), 1, 0, 6),
        ),
        Run(
            "audit, truncated geometric, 8 bits",
            lambda: ccsim.audit(
                TruncatedGeometric((0, 1), sum, Epsilon.of("ln 3"), 0, 8), "ln 3", 0, 8
            ),
        ),
    ]


def learning() -> list[Run]:
    """Return the questions on private sample complexity and packings."""
    C, T = ccsim.points(1), ccsim.thresholds(1)
    return [
        Run(
            "private sample size, points b = 1",
            lambda: ccsim.private_sample_complexity(C, "1/4", "1/4", "ln 3"),
        ),
        Run(
            "private sample size, thresholds b = 1",
            lambda: ccsim.private_sample_complexity(T, "1/4", "1/4", "ln 3"),
        ),
        *(
            Run(
                f"lower bound on private sample size, points b = {b}",
                lambda b=b: ccsim.learning_lower_bound(ccsim.points(b), "1/10", "1/10", 1),
            )
            for b in (2, 3)
        ),
        Run(
            "lower bound for query release, points b = 4",
            lambda: ccsim.release_lower_bound(ccsim.points(4), "1/10", "1/10", 1),
        ),
    ]


GROUPS = {
    "littlestone": littlestone,
    "shattering": shattering,
    "minimax": minimax,
    "representations": representations,
    "privacy": privacy,
    "learning": learning,
}


def seconds(act: Question) -> tuple[float, Any]:
    """Return the processor seconds that a call takes, and its value."""
    began = time.process_time()
    value = act()
    return time.process_time() - began, value


def measured(run: Run) -> str:
    """Return the line of the table for a question."""
    found, answer = seconds(run.ask)
    document = json.loads(answer.certificate().to_json())
    gc.collect()
    gc.disable()  # as the kernel does where it is a program
    try:
        checked, _ = seconds(lambda: kernel.check(document))
    except kernel.Rejected as error:
        return f"| {run.name} | {found:.3f} | {error} | |"
    finally:
        gc.enable()
    ratio = Fraction(checked).limit_denominator(10**6) / max(Fraction(1, 10**6), Fraction(found))
    return f"| {run.name} | {found:.3f} | {checked:.3f} | {float(ratio):.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--groups", nargs="+", choices=list(GROUPS), default=list(GROUPS))
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    print("| instance | search s | check s | ratio |")  # noqa: T201
    print("|---|---|---|---|")  # noqa: T201
    for group in options.groups:
        runs = GROUPS[group]()
        runs[0].ask()
        for run in runs:
            if options.large or not run.large:
                print(measured(run), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
