"""Audits of the mechanisms in the literature on testing differential privacy.

    python benchmarks/published_mechanisms.py

prints the table of docs/benchmarks-mechanisms.md. A violation is confirmed by a second program,
which runs the mechanism on all values of its noise up to a size, and compares the probabilities of
the event on both inputs: a lower bound on the first with an upper bound on the second.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ccsim.privacy import AuditResult, ProgramAudit, QueryNeighbours, Verdict, audit
from ccsim.privacy.noise_programs.outcomes import Alike, Range

MOST_RUNS = 20_000
EXAMPLES = Path(__file__).parents[1] / "examples" / "published_mechanisms.py"


class Case(NamedTuple):
    """A mechanism, the inputs to compare, and what has been published about it."""

    name: str
    inputs: tuple[Any, ...]  # the arguments of `QueryNeighbours.within`
    epsilon: str
    published: str
    delta: str = "0"


CASES = (
    Case("noisy_max", (3, 0, 2), "ln 16", "private"),
    Case("noisy_max", (4, 0, 2), "ln 16", "private"),
    Case("noisy_max_value", (3, 0, 1), "ln 16", "not private"),
    Case("noisy_max_one_sided", (3, 0, 2), "ln 16", "private"),
    Case("noisy_max_value_one_sided", (3, 0, 1), "ln 16", "not private"),
    Case("noisy_max_with_gap", (3, 0, 1), "ln 16", "private"),
    Case("histogram", (3, 0, 2, "one query"), "ln 16", "private"),
    Case("histogram_wrong_scale", (3, 0, 2, "one query"), "1/4", "not private"),
    Case("sparse_vector_1", (3, 0, 2), "ln 16", "private"),
    Case("sparse_vector_2", (3, 0, 2), "ln 256", "private"),
    Case("sparse_vector_3", (3, 0, 2), "ln 16", "not private"),
    Case("sparse_vector_4", (3, 0, 2), "ln 16", "not private"),
    Case("sparse_vector_4", (3, 0, 2), "ln 128", "private"),
    Case("sparse_vector_5", (3, 0, 2), "ln 16", "not private"),
    Case("sparse_vector_6", (2, 0, 2), "ln 16", "not private for many queries"),
    Case("sparse_vector_6", (3, 0, 2), "ln 16", "not private for many queries"),
    Case("numeric_sparse_vector", (3, 0, 2), "ln 64", "private"),
    Case("gap_sparse_vector", (3, 0, 2), "ln 16", "private"),
    Case("adaptive_sparse_vector", (3, 0, 2), "ln 64", "private"),
    Case("parallel_sparse_vectors", (2, 0, 2), "ln 256", "not private"),
    Case("partial_sum", (4, 0, 2, "one query"), "ln 16", "private"),
    Case("prefix_sums", (4, 0, 1, "one query"), "ln 16", "private"),
    Case("smart_sums", (4, 0, 1, "one query"), "ln 16", "private"),
    Case("bad_smart_sums", (4, 0, 1, "one query"), "ln 16", "not private"),
    Case("rappor_bit", (1, 0, 1), "ln 3", "private"),
    Case("one_time_rappor", (1, 0, 2, "each", 2), "ln 9", "private"),
    Case("truncated_geometric", (1, 0, 5), "ln 16", "private"),
    Case("ranking", (3, 0, 2, "one query"), "ln 16", "private"),
    Case("laplace_parallel", (1, 0, 2), "ln 256", "private"),
    Case("stable_histogram", (3, 0, 2, "replacement"), "ln 4", "private", "1/6"),
)


class Enumerated:
    """Noise with given values; the values that are still to be chosen are left open."""

    def __init__(self, values: tuple[Any, ...], most: int) -> None:
        self._left, self._most = list(values), most
        self.share = Fraction(1)
        self.options: list[Any] = []

    def _next(self, options: dict[Any, Fraction]) -> Any:  # noqa: ANN401
        if not self._left:
            self.options = list(options)
            raise StopRunError
        value = self._left.pop(0)
        self.share *= options[value]
        return value

    def geometric(self, ratio: str) -> int:
        """Return a value of two-sided geometric noise."""
        r, sizes = Fraction(ratio), range(-self._most, self._most + 1)
        return int(self._next({z: (1 - r) / (1 + r) * r ** abs(z) for z in sizes}))

    def one_sided_geometric(self, ratio: str) -> int:
        """Return a value of one-sided geometric noise."""
        r = Fraction(ratio)
        return int(self._next({z: (1 - r) * r**z for z in range(self._most + 1)}))

    def discrete_laplace(self, scale: str) -> int:
        """Return a value of discrete Laplace noise, whose ratio is rounded to 2^-60."""
        whole = 1 << 60
        return self.geometric(str(Fraction(round(math.exp(-1 / Fraction(scale)) * whole), whole)))

    def bernoulli(self, probability: str) -> bool:
        """Return a value of a coin."""
        p = Fraction(probability)
        return bool(self._next({False: 1 - p, True: p}))


class StopRunError(BaseException):
    """Raised where a run needs a value that is still to be chosen."""


def runs(function: Any, queries: tuple[int, ...], most: int) -> Iterator[tuple[Any, Fraction]]:  # noqa: ANN401
    """Yield the output and the probability for all values of the noise up to a size."""
    left: list[tuple[Any, ...]] = [()]
    while left:
        values = left.pop()
        noise = Enumerated(values, most)
        try:
            found = function(queries, noise)
            output = tuple(found) if hasattr(found, "__next__") else found
        except StopRunError:
            left += [(*values, option) for option in noise.options]
            continue
        yield output, noise.share


def belongs(output: Any, outcome: Any) -> bool:  # noqa: ANN401
    """Whether an output belongs to a class of outcomes."""
    if isinstance(outcome, Alike):
        return belongs(output, outcome.first)  # the other classes are left out
    if isinstance(outcome, tuple):
        if len(output) != len(outcome):
            return False
        pairs = zip(output, outcome, strict=True)
        return all(belongs(each, value) for each, value in pairs)
    if isinstance(outcome, Range):
        if not isinstance(output, int | Fraction) or isinstance(output, bool):
            return False
        above = outcome.low is None or output >= outcome.low
        return bool(above and (outcome.high is None or output <= outcome.high))
    return type(output) is type(outcome) and bool(output == outcome)


def differences(output: Any, outcome: Any) -> Any:  # noqa: ANN401
    """Return an output with the multiples of earlier outputs subtracted that a class names."""
    if not isinstance(outcome, tuple):
        return output
    shown = list(output)
    for k, value in enumerate(outcome):
        if isinstance(value, Range) and k < len(shown):
            shown[k] -= sum(c * output[j] for j, c in value.less)
    return tuple(shown)


def is_confirmed(program: Any, found: AuditResult, factor: Fraction) -> bool:  # noqa: ANN401
    """Whether an enumeration of the noise confirms the violation of an audit."""
    worst = found.worst
    if worst is None:
        return False
    for most in (2, 3, 4, 6, 8):
        totals = []
        for queries in (worst.database[0], worst.neighbour[0]):
            inside = everything = Fraction(0)
            for number, (output, share) in enumerate(runs(program.function, queries, most)):
                if number > MOST_RUNS:
                    return False
                everything += share
                if any(belongs(differences(output, o), o) for o in worst.event):
                    inside += share
            totals.append((inside, inside + 1 - everything))
        if totals[0][0] > factor * totals[1][1]:
            return True
    return False


def show(line: str) -> None:
    """Print a line of the table at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="audit the mechanisms with this name only")
    only = parser.parse_args().only
    spec = importlib.util.spec_from_file_location("published_mechanisms", EXAMPLES)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(EXAMPLES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    show("| mechanism | inputs | pairs | at | published | audit | least e^epsilon | s | check s |")
    show("|---|---|---|---|---|---|---|---|---|")
    began = time.process_time()
    for case in CASES:
        if only is not None and case.name != only:
            continue
        program = getattr(module, case.name)
        neighbours = QueryNeighbours.within(*case.inputs)
        start = time.process_time()
        found = audit(program, case.epsilon, case.delta, neighbours)
        middle = time.process_time()
        found.check()
        end = time.process_time()
        verdict = str(found.verdict)
        if found.verdict is Verdict.FAILS:
            classes = found.classes if isinstance(found, ProgramAudit) else found
            above = Fraction(math.ceil(math.exp(float(found.epsilon)) * (1 << 20)), 1 << 20)
            verdict += ", confirmed" if is_confirmed(program, classes, above) else ""
        queries, low, high, *change = case.inputs
        number = "1 query" if queries == 1 else f"{queries} queries"
        text = f"{number}, {low}..{high}, {change[0] if change else 'each'}"
        at = case.epsilon + (f", {case.delta}" if case.delta != "0" else "")
        least = "infinite" if found.factor is None else str(found.factor)
        if len(least) > 24:
            least = f"{float(found.factor or 0):.6g}"
        show(
            f"| {case.name} | {text} | {found.pairs} | {at} | {case.published} | {verdict} | "
            f"{least} | {middle - start:.2f} | {end - middle:.2f} |",
        )
    show(f"\n{time.process_time() - began:.0f} seconds in all, with the confirmations.")


if __name__ == "__main__":
    main()
