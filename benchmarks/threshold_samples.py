"""Least sample sizes of learners of thresholds over 2^d points: in theorems, exact, and proved.

    python benchmarks/threshold_samples.py [--bits D ...] [--plot FILE.svg]

For each learner, at epsilon 1, delta 1/10^6, accuracy and failure 1/10, the table contains the
least number of examples for which the probability of an empirical error above ``accuracy / 2`` is
at most ``failure / 2``

* on the worst of several families of samples (needle, two scales, slow decay, uniform);
* with additional samples of three scales, which are chosen to be hard for RecConcave;
* on every sample, by `proved_failure`; for the pure mechanism, the needle is the worst sample;

and the number of examples in its theorem. All probabilities are rigorous; the numbers are found by
bisection. The tables are printed to standard output, in Markdown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.learning.learners.thresholds import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
    ThresholdLearner,
    best_split,
    least_proved_size,
    threshold_agreement,
)

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
BITS = (8, 16, 32, 64, 128, 256, 512)
TUNED = Fraction(252), Fraction(293), Fraction(162)
"""Weights of the steps that are best on the families without three scales, at 64 bits."""
TUNED_RUN = Fraction(7, 100)
COLUMNS = ("families", "three scales", "proved", "theorem")


def families(bits: int, size: int, accuracy: Fraction) -> Iterator[tuple[str, StepFunction]]:
    """Yield samples with just over ``accuracy / 2`` of the examples near the target on each side.

    The target is in the middle; the other examples lie at the ends of the domain. A sample is given
    by the agreement of all thresholds with it.
    """
    end, near = 1 << bits, int(accuracy * size / 2) + 1
    sides = {"needle": {0: near}}
    for scale in range(4, bits - 2, max(6, bits // 10)):
        for part in (near // 4, near // 2, 3 * near // 4):
            name = f"two scales, {part} far of {near}, 2^{scale}"
            sides[name] = {0: near - part, 1 << scale: part}
    steps = min(bits - 1, near)
    decay = {(1 << i) >> 1: near // steps for i in range(steps)}
    decay[0] += near - sum(decay.values())
    sides["slow decay"] = decay
    half = size // 2
    sides["slow decay of all"] = {(1 << i) >> 1: half // bits for i in range(bits - 1)}
    spread = min(half, end // 2)
    sides["uniform"] = {
        i * (end // 2 // spread): half // spread + (i < half % spread) for i in range(spread)
    }
    for name, side in sides.items():
        yield name, _agreement(bits, size, side)


def three_scales(bits: int, size: int, accuracy: Fraction) -> Iterator[tuple[str, StepFunction]]:
    """Yield samples that are hard for RecConcave, given by the agreement of all thresholds.

    At all scales except one, the lead is ``first`` per cent and too small for a release. At this
    scale, the lead and the agreement are just large enough.
    """
    near = int(accuracy * size / 2) + 1
    for scale in {bits // 3, bits // 2, 2 * bits // 3, max(bits - 8, 3)}:
        for first in range(45, 90, 5):
            for second in (0, 8, 14, 20):
                a, b = near * first // 100, near * second // 100
                side = {2: a, 1 << (scale - 1): b, 1 << scale: near - a - b}
                name = f"three scales, {a}, {b}, {near - a - b}, 2^{scale}"
                yield name, _agreement(bits, size, side)


def _agreement(bits: int, size: int, side: Mapping[int, int]) -> StepFunction:
    end = 1 << bits
    place, counts = end // 2, dict[tuple[int, int], int]()
    for distance, times in {**side, end: size // 2 - sum(side.values())}.items():
        for example in ((max(place - 1 - distance, 0), 1), (min(place + distance, end - 1), 0)):
            counts[example] = counts.get(example, 0) + times
    return threshold_agreement(list(counts), bits, list(counts.values()))


class Search:
    """A bisection that first tries the sample on which the last size failed."""

    def __init__(self, learner: ThresholdLearner, *, hard: bool) -> None:
        self.learner, self.hard, self.last = learner, hard, ""

    def fails(self, size: int) -> bool:
        """Return whether the learner fails too often on some sample of the given (even) size."""
        asked = self.learner.bits, size, self.learner.accuracy
        cases = list(families(*asked)) + (list(three_scales(*asked)) if self.hard else [])
        kind = self.last.split(",")[0]
        for name, agreement in sorted(cases, key=lambda case: case[0].split(",")[0] != kind):
            failure = self.learner.empirical_failure(agreement, size)
            if failure.upper > self.learner.failure / 2:
                self.last = name
                return True
        return False

    def least(self, low: int, high: int) -> int:
        """Return the least sufficient even number of examples between ``low`` and ``high``."""
        low, high = low // 2, -(-high // 2)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fails(2 * middle) else (low, middle)
        return 2 * high


def learners(bits: int) -> dict[str, ThresholdLearner]:
    """Return the learners, by name."""
    equal = RecConcaveThresholdLearner(TENTH, TENTH, ONE, bits, 0, DELTA)
    return {
        "pure": ExponentialThresholdLearner(TENTH, TENTH, ONE, bits),
        "printed accounting": replace(equal, accounting="printed"),
        "equal split": equal,
        "split for the families": replace(
            equal, split=TUNED, run_accuracy=TUNED_RUN, choice="optimal"
        ),
        "best split": best_split(TENTH, TENTH, ONE, bits, DELTA),
    }


def row(learner: ThresholdLearner) -> tuple[list[int], str]:
    """Return the numbers for a learner, and the worst sample just below the first number."""
    if isinstance(learner, RecConcaveThresholdLearner):
        proved = least_proved_size(learner.run, learner.failure / 2)
        search = Search(learner, hard=False)
        easy = search.least(500, proved)
        hard = Search(learner, hard=True).least(easy - 2, proved)
    else:
        proved = learner.theorem_size
        search = Search(learner, hard=False)
        easy = hard = proved = search.least(20, proved)
    return [easy, hard, proved, learner.theorem_size], search.last


def plot(path: Path, found: Mapping[str, Mapping[int, list[int]]]) -> None:
    """Draw the sample sizes of all learners against the number of bits."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for number, (name, rows) in enumerate(found.items()):
        bits, color = sorted(rows), f"C{number}"
        for column, style in ((0, "-"), (2, "--"), (3, ":")):
            label = name if column == 0 else None
            axes.plot(bits, [rows[d][column] for d in bits], style, color=color, label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(list(BITS), [str(d) for d in BITS])
    axes.set_xlabel("d, for thresholds over $2^d$ points")
    axes.set_ylabel("examples")
    axes.set_title("Families of samples (solid), every sample (dashed), theorem (dotted)", size=10)
    axes.legend(fontsize=8)
    with rc_context({"svg.hashsalt": "ccsim"}):  # else its identifiers are drawn at random
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bits", type=int, nargs="+", default=BITS)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    start, found = time.process_time(), dict[str, dict[int, list[int]]]()
    print(f"| d | learner | {' | '.join(COLUMNS)} | worst of the families |")  # noqa: T201
    print("|---" * (len(COLUMNS) + 3) + "|")  # noqa: T201
    for bits in asked.bits:
        for name, learner in learners(bits).items():
            numbers, worst = row(learner)
            found.setdefault(name, {})[bits] = numbers
            shown = " | ".join(map(str, numbers))
            print(f"| {bits} | {name} | {shown} | {worst} |", flush=True)  # noqa: T201
    print(f"\n{time.process_time() - start:.0f} s of processor time")  # noqa: T201
    if asked.plot is not None:
        plot(asked.plot, found)


if __name__ == "__main__":
    main()
