"""How often the exponential mechanism fails on two labelled examples, rigorously.

On a distribution over two examples a hypothesis is known by which of the two it gets wrong, and a
sample by how often the first one occurs: the failure probability is a sum of as many terms as there
are examples in the sample. These are the distributions that hurt: one example just matters, and the
other one is nearly all that is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import flint

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import check_time, in_time
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Interval
from ccsim.exact.intervals import ball_interval
from ccsim.learning.learners.representation import RepresentationLearner
from ccsim.learning.sample import Target
from ccsim.representation import HypothesisSet

MAX_EXAMPLES = 1 << 18
"""Most examples of a sample that are added up, which takes seconds."""
MAX_STEPS = 1 << 24
"""Most pairs of labelled points times hypotheses among which hard ones are looked for."""
_PRECISION = 192
_HARDEST = 4
Pattern = tuple[int, int]


@checked_types
def two_point_failure(
    learner: RepresentationLearner, target: Target, samples: int | None = None
) -> Interval:
    """Enclose the probability that a learner misses its accuracy on a target with two examples.

    Parameters
    ----------
    learner : RepresentationLearner
    target : Target
        With two examples; it fails if the hypothesis errs more than ``accuracy`` above
        ``target.best``.
    samples : int, optional
        Examples in a sample; ``learner.sample_size``, which is enough, unless given.

    Returns
    -------
    Interval
        With rational ends.

    Raises
    ------
    InstanceTooLargeError
        If the sample has more than `MAX_EXAMPLES` examples.

    Notes
    -----
    Complexity: about ``4 learner.sample_size`` operations with balls for each kind of set, by how
    many hypotheses are wrong on which example; 20000 examples take a fifth of a second.

    Examples
    --------
    >>> from ccsim import points
    >>> from ccsim.exact import Epsilon
    >>> half = Fraction(1, 2)
    >>> learner = RepresentationLearner.occam(points(1), half, half, Epsilon.of("ln 4"))
    >>> target = Target((0, 1), (Fraction(3, 5), Fraction(2, 5)), (1, 0))
    >>> float(two_point_failure(learner, target).upper) < 1e-20
    True
    >>> few = two_point_failure(learner, target, 9)
    >>> few.lower <= Fraction(1, 1 + 2**9) <= few.upper
    True
    """
    if len(target.points) != 2:
        raise DomainError(f"the target must have 2 examples, not {len(target.points)}")
    n = learner.sample_size if samples is None else samples
    if not 0 <= n <= MAX_EXAMPLES:
        raise InstanceTooLargeError(
            f"the failure on two points is added up for at most {MAX_EXAMPLES} examples, not "
            f"{show_value(n)}"
        )
    R, shares = learner.representation, dict[frozenset[tuple[Pattern, int]], Fraction]()
    for weight, H in zip(R.weights, R.sets, strict=True):
        kind = frozenset(_patterns(H, target).items())
        shares[kind] = shares.get(kind, Fraction(0)) + weight
    total = Interval(Fraction(0), Fraction(0))
    for kind, weight in shares.items():
        part = _failure(learner, target, Counter(dict(kind)), n)
        total = Interval(total.lower + weight * part.lower, total.upper + weight * part.upper)
    return Interval(max(total.lower, Fraction(0)), min(total.upper, Fraction(1)))


def hard_two_points(
    learner: RepresentationLearner,
    concept_class: ConceptClass,
    mass: Fraction,
    samples: int | None = None,
) -> tuple[Target, Interval]:
    """Return two labelled points on which a learner fails often, one of a given mass."""
    R, m = learner.representation, len(concept_class.points)
    steps = len(concept_class) * m * max(m - 1, 0) * sum(H.size for H in R.sets)
    n = learner.sample_size if samples is None else samples
    if steps > MAX_STEPS or n > MAX_EXAMPLES:
        raise InstanceTooLargeError(
            f"the failure on two points is added up for at most {MAX_STEPS} pairs times hypotheses "
            f"and {MAX_EXAMPLES} examples, not {show_value(steps)} and {show_value(n)}"
        )
    kinds: dict[tuple[frozenset[tuple[Pattern, int]], ...], tuple[Fraction, Target]] = {}
    for target in _targets(concept_class, mass):
        check_time()
        patterns = [_patterns(H, target) for H in R.sets]
        shares = (Fraction(of[1, 0], H.size) for H, of in zip(R.sets, patterns, strict=True))
        alone = sum((w * s for w, s in zip(R.weights, shares, strict=True)), Fraction(0))
        kinds.setdefault(tuple(frozenset(of.items()) for of in patterns), (alone, target))
    if not kinds:
        raise DomainError(f"{concept_class.name} must have a concept and two points")
    hardest = sorted(kinds.values(), key=lambda kind: kind[0], reverse=True)[:_HARDEST]
    found = ((target, two_point_failure(learner, target, n)) for _, target in hardest)
    return max(found, key=lambda pair: pair[1].upper)


def _targets(C: ConceptClass, mass: Fraction) -> Iterator[Target]:
    for row in C.rows:
        for x, y in permutations(range(len(C.points)), 2):
            yield Target((x, y), (mass, 1 - mass), (row >> x & 1, row >> y & 1))


def _patterns(H: HypothesisSet, target: Target) -> Counter[Pattern]:
    """Return how many hypotheses get which of the two examples wrong."""
    (x, y), (a, b) = target.points, target.labels
    return Counter(((h >> x & 1) ^ a, (h >> y & 1) ^ b) for h in H.rows)


def _failure(
    learner: RepresentationLearner, target: Target, patterns: Counter[Pattern], n: int
) -> Interval:
    p, q = target.masses
    allowed = learner.accuracy + target.best
    bad = {(u, v) for u, v in patterns if u * p + v * q > allowed}
    if not bad or len(bad) == len(patterns):
        return Interval(Fraction(bool(bad)), Fraction(bool(bad)))
    before = flint.ctx.prec
    try:
        flint.ctx.prec = _PRECISION
        return ball_interval(_sum(patterns, bad, (p, q), n, _half_step(learner)))
    finally:
        flint.ctx.prec = before


def _half_step(learner: RepresentationLearner) -> flint.arb:
    """Return ``e^(-epsilon / 2)``, by which an error of the sample lowers a weight."""
    return (-learner.epsilon.ball() / 2).exp()


def _sum(
    patterns: Counter[Pattern],
    bad: set[Pattern],
    law: tuple[Fraction, Fraction],
    n: int,
    step: flint.arb,
) -> flint.arb:
    """Sum over the number ``j`` of occurrences of the first example."""
    p, q = map(_arb, law)
    occurring = range(n + 1) if law[1] else (n,)
    powers = [flint.arb(1)]
    for _ in in_time(range(n)):
        powers.append(powers[-1] * step)
    total, chance = flint.arb(0), q**n if law[1] else p**n
    for j in in_time(occurring):
        wrong = {pattern: pattern[0] * j + pattern[1] * (n - j) for pattern in patterns}
        least = min(wrong.values())
        weights = {o: count * powers[wrong[o] - least] for o, count in patterns.items()}
        missed = sum((weights[o] for o in bad), flint.arb(0))
        total += chance * missed / sum(weights.values(), flint.arb(0))
        if j < n:
            chance = chance * p / q * (n - j) / (j + 1)
    return total


def _arb(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))
