"""Lower bounds on the number of examples of private learners, by packings of targets.

A *target* is a concept with a distribution over points. A hypothesis is *good* for a target if its
error on it is at most the accuracy; in a packing, no hypothesis is good for two targets. The search
takes for each concept the distribution that maximises the minimum error of the other concepts
(`bbkn` Theorem 3.6), or one distribution for all concepts of a code.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, product
from math import ceil, floor, inf, isqrt

import flint

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.envelope import encode_fraction, encode_integers, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen, validated
from ccsim.dimensions import representative_domain, vc_dimension
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real, exponential, power
from ccsim.exact.intervals import ball_interval, ball_of
from ccsim.learning.sample_size import check_parameters, least_enough
from ccsim.representation import HypothesisSet, MinimalityResult, concept_error

MAX_CONCEPTS, MAX_PROPER = 512, 128
"""Maximum number of concepts that are used, and for proper learners, with a game for each."""
MAX_POINTS, MAX_PROPER_POINTS = 1 << 13, 1 << 10
"""Maximum number of points in both cases: each target has a mass on every point."""
_MOST_CENTERS, _MOST_BASES = 8, 8
MAX_POWER_BITS = 1 << 22  # maximum number of bits of powers in comparisons
MAX_SAMPLES = 1 << 128  # largest bound on the number of examples or records
MAX_PRECISION = 1 << 16  # maximum precision in comparisons, in bits
_EXACT_FROM = 1 << 12
_COMPARED = 1 << 24  # pairs of targets, times points, for a bound at any time limit
_MOST_TURNS = 8  # most places at which a sequence is tried for its maximum
MAX_EPSILON = 8192
"""Largest epsilon that is not a logarithm."""
_MOST_BITS = 4096
MAX_SHARES = 1 << 16
"""Maximum number of pairs of errors in the search for a hypothesis that is good for two targets."""

HardTarget = tuple[int, tuple[Fraction, ...]]
_Levels = dict[Fraction, int]  # the points of each mass of a distribution, as a bit mask


@validated
class LearningPacking:
    r"""Targets of a class such that no hypothesis is good for two of them.

    Attributes
    ----------
    concept_class : ConceptClass
    hypotheses : HypothesisSet or None
        Possible answers of a learner; None for all functions on the points.
    accuracy : Fraction
        Allowed error, between 0 and 1. A hypothesis is *good* for a target if its error on it is at
        most ``accuracy``.
    targets : tuple of (concept, distribution)
        One or more targets, each the index of a concept and a distribution over points. No two
        targets have the same distribution of labelled examples.

    Notes
    -----
    Let ``P`` and ``Q`` be the distributions of a labelled example of two targets, ``t`` their
    statistical distance, and ``p(z)`` the probability of an event of the learner on a sample ``z``.
    For one example, ``p <= e^epsilon p'`` for any two values of the example gives
    ``E_Q p - E_P p <= t (e^epsilon - 1) min p``, hence ``E_Q p <= (1 + t (e^epsilon - 1)) E_P p``;
    exchanging ``m`` examples one by one divides ``E p`` by at most ``g = 1 + t (e^epsilon - 1)``
    each time, and multiplies ``E (1 - p)`` by at most ``g``. Let ``P`` be the center, ``Q`` another
    target and ``p`` the probability that the answer is good for ``Q``, so that
    ``E_{Q^m} (1 - p) <= failure``. After ``s`` exchanges ``E p >= 1 - failure g^s``, and after all
    exchanges ``E_{P^m} p >= (1 - failure g^s) g^(s - m)``. No answer is good for two targets, and
    the answers that are not good for the center have total probability at most ``failure``:

        sum over the other targets of max over s of (1 - failure g^s) g^(s - m) <= failure.

    With disjoint targets, ``t = 1``, and ``s = 0`` this is the argument of `bbkn` Theorem 3.6; the
    best ``s`` doubles the term ``ln(1 / failure)``. For targets that share most of their mass, the
    bound improves on `bbkn` Lemma 3.9, which has ``e^(4 epsilon t)`` in place of ``g``.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> masses = [tuple(Fraction(int(x == i)) for x in range(4)) for i in range(4)]
    >>> C = points(2)
    >>> proper = LearningPacking(
    ...     C, HypothesisSet.from_rows(C.rows, 4), Fraction(1, 4), tuple(enumerate(masses))
    ... )
    >>> print(proper.shared())
    None
    >>> dict(proper.distances(center=0))
    {Fraction(1, 1): 3}
    """

    concept_class: ConceptClass
    hypotheses: HypothesisSet | None
    accuracy: Fraction
    targets: tuple[HardTarget, ...]

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        C, H = self.concept_class, self.hypotheses
        as_fraction(self.accuracy, "accuracy", 0, 1)
        if H is not None and H.num_points != len(C.points):
            raise DomainError(
                f"hypotheses must be over the {len(C.points)} points of the class, "
                f"not over {H.num_points}"
            )
        if not self.targets:
            raise DomainError("there must be at least one target")
        valid = set[int]()  # targets of one code share a distribution
        for i, (concept, distribution) in enumerate(self.targets):
            if id(distribution) not in valid:
                probability_vector(distribution, f"distribution of target {i}")
                valid.add(id(distribution))
            if not 0 <= concept < len(C) or len(distribution) != len(C.points):
                raise DomainError(
                    f"target {i} must be a concept number below {len(C)} and {len(C.points)} "
                    f"probabilities, not {concept} and {len(distribution)}"
                )

    @classmethod
    def of_minimal(cls, minimal: MinimalityResult) -> LearningPacking:
        """Return the packing of a minimal representation: one target for each hypothesis.

        The packing bounds learners whose hypotheses belong to the representation (`bbkn` Theorem
        3.6).

        Examples
        --------
        >>> from ccsim.classes import points
        >>> from ccsim.representation import minimality
        >>> C = points(3)
        >>> own = minimality(HypothesisSet.from_rows(C.rows, 8), C, "1/4")
        >>> len(LearningPacking.of_minimal(own).targets)
        8
        """
        if not minimal.minimal:
            raise DomainError(
                "the representation must be minimal to give a packing, but this one is not"
            )
        whole = minimal.whole
        return cls(whole.concept_class, whole.hypotheses, minimal.error, minimal.needed)

    def distance(self, first: int, second: int) -> Fraction:
        """Return the statistical distance of the labelled examples of two targets."""
        return self._distance(first, second, self._levels([first, second]))

    def distances(self, center: int) -> Counter[Fraction]:
        """Return the number of other targets at each distance from a center."""
        every = range(len(self.targets))
        levels = self._levels(every)
        return Counter(self._distance(center, i, levels) for i in every if i != center)

    def _levels(self, targets: Iterable[int]) -> dict[int, _Levels]:
        """Return the points of each mass for targets; equal objects for a shared distribution."""
        known, found = dict[int, _Levels](), dict[int, _Levels]()
        for i in targets:
            distribution = self.targets[i][1]
            if id(distribution) not in known:
                levels = known[id(distribution)] = _Levels()
                for x, p in enumerate(distribution):
                    levels[p] = levels.get(p, 0) | 1 << x
            found[i] = known[id(distribution)]
        return found

    def _distance(self, first: int, second: int, levels: Mapping[int, _Levels]) -> Fraction:
        (f, _), (g, _) = self.targets[first], self.targets[second]
        differ = self.concept_class.rows[f] ^ self.concept_class.rows[g]
        return 1 - self._common(first, second, ~differ, levels)

    def _common(
        self, first: int, second: int, among: int, levels: Mapping[int, _Levels]
    ) -> Fraction:
        """Return the common mass of two distributions on some points."""
        one, other = levels[first], levels[second]
        if one is other:
            return sum((p * (a & among).bit_count() for p, a in one.items()), Fraction(0))
        D, E = self.targets[first][1], self.targets[second][1]
        if len(one) * len(other) > len(D):
            both = enumerate(zip(D, E, strict=True))
            return sum((min(p, q) for x, (p, q) in both if among >> x & 1), Fraction(0))
        pairs = product(one.items(), other.items())
        common = (min(p, q) * (a & b & among).bit_count() for (p, a), (q, b) in pairs)
        return sum(common, Fraction(0))

    def shared(self, time_limit: TimeLimit = None) -> tuple[int, int] | None:
        """Return two targets for which one hypothesis is good; None if this is a packing.

        Notes
        -----
        Complexity: hypotheses times targets if the hypotheses are listed. Otherwise, on every point
        where the two concepts differ, a hypothesis errs for exactly one of the targets. The
        possible pairs of errors are listed point by point; they are few if there are few different
        masses.
        """
        budget = Budget.of(time_limit)
        if self.hypotheses is None:
            levels = self._levels(range(len(self.targets)))
            for i, j in combinations(range(len(self.targets)), 2):
                budget.spend()
                if self._shared(i, j, levels):
                    return i, j
            return None
        for h in self.hypotheses.rows:
            budget.spend()
            good = [i for i in range(len(self.targets)) if self._error(i, h) <= self.accuracy]
            if len(good) > 1:
                return good[0], good[1]
        return None

    def _error(self, target: int, hypothesis: int) -> Fraction:
        concept, distribution = self.targets[target]
        differ = self.concept_class.rows[concept] ^ hypothesis
        return sum((p for x, p in enumerate(distribution) if differ >> x & 1), Fraction(0))

    def _shared(self, first: int, second: int, levels: Mapping[int, _Levels]) -> bool:
        """Return whether some function on the points is good for both targets."""
        (f, D), (g, E) = self.targets[first], self.targets[second]
        differ = self.concept_class.rows[f] ^ self.concept_class.rows[g]
        if self._common(first, second, differ, levels) > 2 * self.accuracy:
            return False  # both errors together are at least that
        apart = [(p, q) for x, (p, q) in enumerate(zip(D, E, strict=True)) if differ >> x & 1]
        errors = {(Fraction(0), Fraction(0))}
        for p, q in apart:
            if p or q:
                first_errs = {(a + p, b) for a, b in errors if a + p <= self.accuracy}
                errors = first_errs | {(a, b + q) for a, b in errors if b + q <= self.accuracy}
                if len(errors) > MAX_SHARES:
                    raise InstanceTooLargeError(
                        f"the number of pairs of errors of targets {first} and {second} exceeds "
                        f"the limit {MAX_SHARES}"
                    )
        return bool(errors)


@frozen
class PackingBound(Certified):
    """A lower bound on the number of examples, proved by a packing.

    Attributes
    ----------
    packing : LearningPacking
        The packing that proves the bound.
    center : int
        Index of the target with which the others are compared.
    failure : Fraction
        Allowed failure probability, strictly between 0 and 1.
    epsilon : Epsilon
        Privacy parameter epsilon of the learners.
    factor : Fraction
        A number of at least ``e^epsilon``, equal to it if it is rational. The bound is proved for
        ``ln(factor)``-private learners, which include all ``epsilon``-private learners.
    samples : int
        The bound: no ``epsilon``-private learner with fewer examples has this accuracy and failure.
    """

    question = "a lower bound on the number of examples of private learners"
    asked = ("concept_class", "accuracy", "failure", "epsilon", "hypotheses")
    answered = ("samples",)

    packing: LearningPacking
    center: int
    failure: Fraction
    epsilon: Epsilon
    factor: Fraction
    samples: int

    @property
    def concept_class(self) -> ConceptClass:
        """The class that is learned."""
        return self.packing.concept_class

    @property
    def accuracy(self) -> Fraction:
        """The largest error of a good hypothesis."""
        return self.packing.accuracy

    @property
    def hypotheses(self) -> HypothesisSet | None:
        """The hypotheses that a learner may return; None for all functions on the points."""
        return self.packing.hypotheses

    def with_fewer_targets(self) -> PackingBound:
        """Return the weaker bound from an eighth of the targets, whose check is faster."""
        targets = self.packing.targets
        others = (*targets[: self.center], *targets[self.center + 1 :])
        kept = (targets[self.center], *others[: len(targets) // 8])
        return packing_bound(replace(self.packing, targets=kept), self.failure, self.epsilon, (0,))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, which concerns ``ln(factor)``-private learners."""
        check_factor(self.factor, self.epsilon)
        packing, centers = self.packing, range(len(self.packing.targets))
        if self.center not in centers:
            raise CertificateError(
                f"center must be one of {len(centers)} targets, not {self.center}"
            )
        hypotheses = packing.hypotheses
        order = [self.center, *(i for i in centers if i != self.center)]
        growths = [1 + packing.distance(self.center, i) * (self.factor - 1) for i in order[1:]]
        exchanged, bits = exclusion(Counter(growths), max(self.samples - 1, 0), self.failure)
        samples, last = encode_integers([self.samples, self.samples - 1])
        excluded = {
            "samples": last,
            "targets": [
                [f, weights_of(distribution)]
                for f, distribution in map(packing.targets.__getitem__, order)
            ],
            "exchanged": encode_integers(exchanged[g] for g in growths),
            "bits": bits,
        }
        return Certificate(
            "private_sample_complexity",
            packing.concept_class.to_json(),
            {
                "hypotheses": None if hypotheses is None else hypotheses.to_json(),
                "accuracy": encode_fraction(packing.accuracy),
                "failure": encode_fraction(self.failure),
                "factor": encode_fraction(self.factor),
                "lower": samples,
                "upper": None,
            },
            {"packing": excluded} if self.samples else {"trivial": {}},
            None,
        )


@checked_types
def packing_bound(
    packing: LearningPacking,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    centers: Sequence[int] | None = None,
) -> PackingBound:
    """Return the lower bound on the number of examples that a packing proves.

    Parameters
    ----------
    packing : LearningPacking
    failure : Fraction, int or str
        Allowed failure probability, strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon, positive.
    centers : sequence of int, optional
        Indices of the targets to try as center; default: all targets.

    Raises
    ------
    CertificateError
        If some hypothesis is good for two targets.
    DomainError
        If two targets have the same distribution of labelled examples. In this case no learner is
        accurate for both.
    InstanceTooLargeError
        If the bound is above ``2^128``, or a rational number above ``e^epsilon`` is too long.

    Notes
    -----
    Complexity: number of pairs of targets times number of points.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> uniform = (Fraction(1, 3),) * 3
    >>> cube = LearningPacking(
    ...     all_functions(3), None, Fraction(1, 4), tuple((f, uniform) for f in (0, 3, 5, 6))
    ... )
    >>> packing_bound(cube, "1/10", "ln 2").samples
    9
    """
    risk, bound = as_fraction(failure, "failure", 0, 1), Epsilon.of(epsilon)
    check_written(bound)
    if (shared := packing.shared()) is not None:
        raise CertificateError(
            "some hypothesis is accurate for both targets {} and {}".format(*shared)
        )
    best: tuple[int, int] | None = None
    for center in range(len(packing.targets)) if centers is None else centers:
        samples = samples_allowed(packing.distances(center), bound, risk, MAX_SAMPLES)
        if best is None or samples > best[0]:
            best = samples, center
    if best is None:
        raise DomainError("there must be at least one center")
    samples, center = best
    distances = packing.distances(center)
    factor = rational_factor(
        bound, lambda above: samples_allowed(distances, above, risk) == samples
    )
    return PackingBound(packing, center, risk, bound, factor, samples)


@checked_types
def learning_lower_bound(
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    proper: bool = False,
) -> PackingBound:
    """Return a lower bound on the number of examples that every private learner of a class needs.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one concept and at least one point, and at most 8192 points (1024 for
        proper learners). If there are more than 512 concepts, only 512 of them are used.
    accuracy, failure : Fraction, int or str
        Numbers strictly between 0 and 1. For each concept and distribution, the error of a learner
        is at most ``accuracy``, except with probability ``failure``.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon, positive.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the best packing found so far; checking it takes
        additional time. If a limit is given, an interrupt (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the lower bound whenever it increases, and with infinity as the upper bound.
    proper : bool
        Whether hypotheses are concepts of the class; otherwise they are arbitrary. For more than
        128 concepts, the bound for arbitrary hypotheses is returned.

    Returns
    -------
    PackingBound
        The best bound found; other packings may prove a larger bound.

    Raises
    ------
    InstanceTooLargeError
        If there are too many points, or the bound is above ``2^128``.

    Notes
    -----
    Complexity: for proper learners one rational matrix game for each concept, 10 s for 128 concepts
    over 128 points; then all pairs of targets, for each point and label.

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> learning_lower_bound(points(4), "1/10", "1/10", 1, proper=True).samples
    37
    >>> learning_lower_bound(points(4), "1/10", "1/10", 1).samples
    11
    """
    allowed, risk = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound, budget = Epsilon.of(epsilon), Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    if not 0 < allowed < 1:
        raise DomainError(f"accuracy must be strictly between 0 and 1, not {allowed}")
    if not concept_class.rows or not concept_class.points:
        raise DomainError("the class must have at least one concept and one point")
    n, most = len(concept_class.points), MAX_PROPER_POINTS if proper else MAX_POINTS
    if n > most:
        raise InstanceTooLargeError(f"the class must have at most {most} points, not {n}")
    check_written(bound)
    proper = proper and len(concept_class) <= MAX_PROPER
    pool = HypothesisSet.from_rows(concept_class.rows, n) if proper else None
    number = min(len(concept_class), MAX_CONCEPTS)
    chosen = [i * len(concept_class) // number for i in range(number)]
    few = concept_class.subclass(chosen)
    anywhere = (0, (Fraction(1), *[Fraction(0)] * (n - 1)))
    best = 0, LearningPacking(few, pool, allowed, (anywhere,))
    with budget:
        for star, base in _stars(few, allowed, budget, proper=proper):
            budget.spend()
            nearest = _moved(best[1], star, base, Fraction(0))
            samples = samples_allowed(nearest.distances(0), bound, risk, MAX_SAMPLES)
            if samples > best[0]:
                best = samples, _reaching(nearest, star, base, samples, bound, risk)
                budget.report(samples, inf)
    with budget.at_once() as first:
        for star in _at_once(few, allowed, first) if first.limited else ():
            packing = _moved(best[1], star, None, Fraction(0))
            samples = samples_allowed(packing.distances(0), bound, risk, MAX_SAMPLES)
            best = (samples, packing) if samples > best[0] else best
    targets = tuple((chosen[f], distribution) for f, distribution in best[1].targets)
    packing = replace(best[1], concept_class=concept_class, targets=targets)
    return packing_bound(packing, risk, bound, range(min(_MOST_CENTERS, len(targets))))


def proper_point_lower_bound(
    size: int, epsilon: Epsilon, accuracy: Fraction, failure: Fraction
) -> int:
    """Return the sample size that proper private learners of points need (`bbkn` Lemma 3.9)."""
    check_parameters(accuracy, failure, epsilon)
    near, far = {accuracy: max(size - 2, 0)}, {Fraction(1): size - 1}
    return max(samples_allowed(each, epsilon, failure) for each in (near, far))


def samples_allowed(
    distances: Mapping[Fraction, int],
    epsilon: Epsilon,
    failure: Fraction,
    most: int | None = None,
) -> int:
    """Return the least ``m`` that a packing with given distances from its center allows.

    This is the least ``m >= 0`` with ``sum of n w(m) <= failure``, where ``n`` other targets have
    distance ``t``. With ``g = 1 + t (e^epsilon - 1)``, ``w(m)`` is the maximum over ``0 <= s <= m``
    of ``(1 - failure g^s) g^(s - m)`` (`LearningPacking`).

    Proof: for ``m = 0`` both sides are rational. For ``m >= 1``, the left side is a
    non-constant rational function of ``e^epsilon``: a term with ``s < m`` has a pole at ``g = 0``,
    which differs for different distances; and if every ``s`` is ``m``, it is a polynomial with a
    negative leading coefficient. So if ``e^epsilon`` is transcendental, the sides differ, and balls
    of sufficient precision decide. If ``e^epsilon`` is rational, fractions decide.

    Complexity: two ball computations for each doubling of the answer.
    """
    check_parameters(Fraction(1, 2), failure, epsilon)
    for t in distances:
        if not 0 < t <= 1:
            raise DomainError(f"distances of targets must be positive and at most 1, not {t}")
    too_large = InstanceTooLargeError(
        f"the bound is above the limit of {most} examples; choose a larger accuracy or epsilon"
    )
    limit = None if most is None else (most, too_large)
    return least_enough(lambda m: not _outweighs(distances, m, epsilon, failure), 0, limit)


def _outweighs(
    distances: Mapping[Fraction, int], samples: int, epsilon: Epsilon, failure: Fraction
) -> bool:
    """Decide ``sum of n w(samples) > failure``."""
    if samples == 0:
        return sum(distances.values()) * (1 - failure) > failure
    precision = 64
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            more = epsilon.ball().exp() - 1
            weights = (
                n * _weight_ball(1 + ball_of(t) * more, samples, failure)
                for t, n in distances.items()
            )
            excess = sum(weights, flint.arb(0)) - ball_of(failure)
            if not excess.contains(0):
                return bool(excess > 0)
        if precision >= _EXACT_FROM and epsilon.is_logarithm:
            growths = {1 + t * (epsilon.factor - 1): n for t, n in distances.items()}
            digits = sum(g.numerator.bit_length() + g.denominator.bit_length() for g in growths)
            if samples * digits <= MAX_POWER_BITS:
                exact = (n * _weight(g, samples, failure) for g, n in growths.items())
                return sum(exact, Fraction(0)) > failure
        precision *= 2
    raise NotDecidedError(
        f"it is undecided with {MAX_PRECISION} bits of precision whether a packing excludes "
        f"{samples} examples"
    )


def exclusion(
    growths: Mapping[Fraction, int], samples: int, failure: Fraction
) -> tuple[dict[Fraction, int], int]:
    """Return the proof that a packing excludes a number of examples, for its certificate."""
    samples = max(samples, 0)
    precision = 128 + samples.bit_length()
    while precision <= MAX_PRECISION:
        with flint.ctx.workprec(precision):
            best = {g: _turn(g, samples, failure) for g in growths}
            weights = (
                n
                * (1 - ball_of(failure) * ball_of(g) ** best[g])
                * ball_of(g) ** (best[g] - samples)
                for g, n in growths.items()
            )
            slack = sum(weights, flint.arb(0)) - ball_of(failure)
            if slack > 0:
                rounded = (4 * samples + 8) * sum(growths.values())  # in parts of 2^bits
                needed = (flint.arb(rounded) / slack).log() / flint.arb(2).log()
                return best, max(1, ceil(ball_interval(needed).upper) + 1)
            if slack < 0:
                break
        precision *= 2
    return best, 1


def _turn(growth: Fraction, samples: int, failure: Fraction) -> int:
    """Return the ``s`` that maximises the weight, or an adjacent integer that is nearly as good."""
    g = ball_of(growth)
    at = (1 / (ball_of(failure) * (1 + g))).log() / g.log()
    if not at.is_finite():
        return 0
    turn = ball_interval(at)
    return max(0, min(samples, ceil((turn.lower + turn.upper) / 2)))


def _weight(growth: Fraction, samples: int, failure: Fraction) -> Fraction:
    """Return the largest ``(1 - failure g^s) g^(s - samples)``, which is unimodal in ``s``."""
    s = bisect_left(range(samples), x=True, key=lambda s: failure * growth**s * (1 + growth) >= 1)
    return (1 - failure * growth**s) * growth ** (s - samples)


def _weight_ball(growth: flint.arb, samples: int, failure: Fraction) -> flint.arb:
    """Enclose `_weight`, the maximum over the integers ``s`` next to the real maximiser."""
    turn = (1 / (ball_of(failure) * (1 + growth))).log() / growth.log()
    if not turn.is_finite():
        return flint.arb("nan")
    ends = ball_interval(turn)
    low, high = (max(0, min(samples, n)) for n in (floor(ends.lower), ceil(ends.upper)))
    if high - low > _MOST_TURNS:
        return flint.arb("nan")
    tried = (
        (1 - ball_of(failure) * growth**s) * growth ** (s - samples) for s in range(low, high + 1)
    )
    return reduce(flint.arb.max, tried)


def check_factor(factor: Fraction, epsilon: Epsilon) -> None:
    """Refuse a factor below ``e^epsilon`` or, if ``e^epsilon`` is rational, different from it."""
    least = epsilon.exp()
    if factor < least or least <= 1 or (isinstance(least, Fraction) and factor != least):
        rule = "equal" if isinstance(least, Fraction) else "be at least"
        raise CertificateError(f"factor must be above 1 and {rule} e^({epsilon}), not {factor}")


def check_written(epsilon: Epsilon) -> None:
    """Refuse an epsilon for which a fraction above ``e^epsilon`` would be too long."""
    if epsilon.rational > MAX_EPSILON:
        raise InstanceTooLargeError(
            f"epsilon must be at most {MAX_EPSILON} if e^epsilon is irrational, not {epsilon}"
        )


def _above(number: Real, bits: int) -> Fraction:
    """Return a fraction slightly above a number, or the number itself if it is a fraction."""
    return number if isinstance(number, Fraction) else number.enclose(2 * bits + 64).upper


def rational_factor(epsilon: Epsilon, enough: Callable[[Epsilon], bool]) -> Fraction:
    """Return ``e^epsilon`` if it is rational, otherwise a short fraction above it."""
    if epsilon.is_logarithm:
        return epsilon.factor
    bits = 1
    while bits <= _MOST_BITS:
        root = power(epsilon.factor, Fraction(1, epsilon.root))
        above = _above(exponential(epsilon.rational), bits) * _above(root, bits)
        factor = Fraction(ceil(above * (1 << bits)), 1 << bits)
        if enough(Epsilon(Fraction(0), factor)):
            return factor
        bits *= 2
    raise NotDecidedError(f"no fraction of {_MOST_BITS} bits near e^({epsilon}) proves a bound")


def _stars(
    C: ConceptClass, accuracy: Fraction, budget: Budget, *, proper: bool
) -> Iterator[tuple[list[_Separated], _Base | None]]:
    """Yield sets of targets, each with a labelled point to which mass may be moved (or None)."""
    families = _codes(C, accuracy, budget)
    for family in chain([_apart(C, budget)], families) if proper else families:
        separated = [target for target in family if target.error > accuracy]
        for base in (None, *_bases(C, separated, budget)):
            if star := [t for t in separated if base is None or _agrees(C, t, base)]:
                yield star, base


@dataclass(frozen=True, slots=True)
class _Separated:
    """A target, and a lower bound on the errors of the other concepts of its family on it."""

    concept: int
    distribution: tuple[Fraction, ...]
    error: Fraction


_Base = tuple[int, int]  # a point, and its label by all concepts of a packing


def _agrees(C: ConceptClass, target: _Separated, base: _Base) -> bool:
    return C.rows[target.concept] >> base[0] & 1 == base[1]


def _apart(C: ConceptClass, budget: Budget) -> list[_Separated]:
    """Return, for each concept, the distribution that maximises the least error of the others."""
    family: list[_Separated] = []
    for i, row in enumerate(C.rows):
        if budget.expired:
            break
        if others := (*C.rows[:i], *C.rows[i + 1 :]):
            game = concept_error(HypothesisSet.from_rows(others, len(C.points)), row)
            family.append(_Separated(i, game.distribution, game.value))
    return family


def _codes(C: ConceptClass, accuracy: Fraction, budget: Budget) -> Iterator[list[_Separated]]:
    """Yield codes with decreasing minimum distances, on all points and on shattered sets."""
    for chosen in chain([representative_domain(C).points], _shattered(C, budget)):
        for apart in range(len(chosen), int(2 * accuracy * len(chosen)), -1):
            yield _code(C, chosen, apart, budget)


def _shattered(C: ConceptClass, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Yield the first 1, 2, ... points of a largest shattered set."""
    shattered = vc_dimension(C, time_limit=budget).points
    yield from (shattered[:size] for size in range(1, len(shattered) + 1))


def _at_once(C: ConceptClass, accuracy: Fraction, budget: Budget) -> Iterator[list[_Separated]]:
    """Yield two codes of the least sufficient distance: on one point, and on all points."""
    points = representative_domain(C).points
    one = next((x for x in points if len({row >> x & 1 for row in C.rows}) > 1), None)
    for chosen in ((one,) if one is not None else (), points):
        if (apart := int(2 * accuracy * len(chosen)) + 1) <= len(chosen):
            yield _code(C, chosen, apart, budget)[: max(2, isqrt(_COMPARED // len(C.points)))]


def _code(C: ConceptClass, chosen: Sequence[int], apart: int, budget: Budget) -> list[_Separated]:
    """Return greedily chosen concepts that pairwise differ on at least ``apart`` chosen points."""
    mass, code = Fraction(1, len(chosen)), list[int]()
    distribution = tuple(mass * (x in chosen) for x in range(len(C.points)))
    cells = sum(1 << x for x in chosen)
    for i, row in enumerate(budget.each(C.rows)):
        if all(((row ^ C.rows[j]) & cells).bit_count() >= apart for j in code):
            code.append(i)
    return [_Separated(i, distribution, mass * apart / 2) for i in code]


def _bases(C: ConceptClass, family: Sequence[_Separated], budget: Budget) -> list[_Base]:
    """Return the labelled points with which the most concepts of a family agree."""
    shared = Counter[_Base]()
    for base in product(range(len(C.points)), (0, 1)):
        budget.spend()
        shared[base] = sum(_agrees(C, t, base) for t in family)
    return [base for base, _ in shared.most_common(_MOST_BASES)]


def _moved(
    packing: LearningPacking, star: Sequence[_Separated], base: _Base | None, slack: Fraction
) -> LearningPacking:
    """Return the packing with part of each target's mass moved to the base (none for slack 1)."""
    targets, moved = [], dict[tuple[int, Fraction], tuple[Fraction, ...]]()
    for target in star:
        least = Fraction(1) if base is None else packing.accuracy / target.error
        share = least + (1 - least) * slack
        key = id(target.distribution), share
        if key not in moved:
            distribution = [share * p for p in target.distribution]
            if base is not None:
                distribution[base[0]] += 1 - share
            moved[key] = tuple(distribution)
        targets.append((target.concept, moved[key]))
    return replace(packing, targets=tuple(targets))


def _reaching(
    limit: LearningPacking,
    star: Sequence[_Separated],
    base: _Base | None,
    samples: int,
    epsilon: Epsilon,
    failure: Fraction,
) -> LearningPacking:
    """Return a packing with strictly separated targets that proves the bound of ``limit``."""
    slack = Fraction(1)
    while True:
        packing = _moved(limit, star, base, slack)
        if samples_allowed(packing.distances(0), epsilon, failure) >= samples:
            return packing
        slack /= 2
