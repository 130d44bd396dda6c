"""Least samples to learn thresholds over 2^64 points: formulas against the exact failure.

    python benchmarks/threshold_samples.py [--bits N]

For each learner, the least number of examples from which on the probability of an empirical error
above ``accuracy / 2`` is at most ``failure / 2``, on the worst of several families of samples; all
probabilities are rigorous, and the number is found by bisection. At epsilon 1, delta 1/10^6,
accuracy and failure 1/10. The table goes to standard output.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.learning.learners.thresholds.exponential import (
    ExponentialThresholdLearner,
    ThresholdLearner,
    threshold_agreement,
)
from ccsim.learning.learners.thresholds.rec_concave import RecConcaveThresholdLearner

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
SPLITS = ((1, 1, 1), (2, 2, 1), (2, 3, 1), (1, 2, 1), (3, 4, 1), (4, 6, 1))
"""Weights of the innermost call, each choice of an interval, and the last step, that are tried."""


def families(bits: int, size: int, accuracy: Fraction) -> Iterator[tuple[str, StepFunction]]:
    """Yield the agreement of samples of which just over ``accuracy / 2`` matters at each side.

    The target is in the middle; what does not matter lies at the ends of the domain.
    """
    end, near = 1 << bits, int(accuracy * size / 2) + 1
    place = end // 2
    sides = {"needle": {0: near}}
    for scale in range(4, bits - 2, 6):
        for part in (near // 4, near // 2, 3 * near // 4):
            name = f"two scales, {part} far of {near}, 2^{scale}"
            sides[name] = {0: near - part, 1 << scale: part}
    steps = min(bits - 1, near)
    decay = {(1 << i) >> 1: near // steps for i in range(steps)}
    decay[0] += near - sum(decay.values())
    sides["slow decay"] = decay
    half = size // 2
    everywhere = {(1 << i) >> 1: half // bits for i in range(bits - 1)}
    sides["slow decay of all"] = everywhere
    sides["uniform"] = {i * (place // half): 1 for i in range(half)}
    for name, side in sides.items():
        counts: dict[tuple[int, int], int] = {}
        for distance, times in {**side, end: half - sum(side.values())}.items():
            for example in ((max(place - 1 - distance, 0), 1), (min(place + distance, end - 1), 0)):
                counts[example] = counts.get(example, 0) + times
        yield name, threshold_agreement(list(counts), bits, list(counts.values()))


def worst(learner: ThresholdLearner, size: int) -> tuple[Fraction, str]:
    """Return the largest upper end of the failure over the families, and where it is."""
    return max(
        (learner.empirical_failure(agreement, 2 * (size // 2)).upper, name)
        for name, agreement in families(learner.bits, 2 * (size // 2), learner.accuracy)
    )


def least(learner: ThresholdLearner, most: int) -> int | None:
    """Return the least even number of examples up to a bound that is enough, by bisection."""
    allowed = learner.failure / 2
    low, high = 0, most // 2
    if worst(learner, 2 * high)[0] > allowed:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if worst(learner, 2 * middle)[0] <= allowed else (middle, high)
    return 2 * high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bits", type=int, default=64)
    bits = parser.parse_args().bits
    start = time.process_time()
    print(f"{'learner':<52} {'least':>7} {'theorem':>9}  worst just below")  # noqa: T201
    concave = RecConcaveThresholdLearner(TENTH, TENTH, ONE, bits, 0, DELTA)
    learners: list[tuple[str, ThresholdLearner]] = [
        ("exponential", ExponentialThresholdLearner(TENTH, TENTH, ONE, bits)),
        ("rec-concave, printed accounting", replace(concave, accounting="printed")),
    ]
    for split in SPLITS:
        weights = (Fraction(split[0]), Fraction(split[1]), Fraction(split[2]))
        name = f"rec-concave, counted, split {'/'.join(map(str, split))}"
        learners.append((name, replace(concave, split=weights)))
    for name, learner in learners:
        found = least(learner, 20000)
        below = "" if found is None else worst(learner, found - 2)[1]
        print(f"{name:<52} {found or '-':>7} {learner.theorem_size:>9}  {below}", flush=True)  # noqa: T201
    print(f"{time.process_time() - start:.1f} s of processor time")  # noqa: T201


if __name__ == "__main__":
    main()
