"""The least failure probability of a random set of few hypotheses: a game solved exactly.

Main definitions: `least_failure`, `LeastFailureResult`.

One player names a set of at most ``k`` hypotheses, the other one a concept and a distribution over
points; the first loses if no hypothesis of the set has error at most ``eps``. An optimal strategy
of the first is a probabilistic representation (`fx` Definition 5 (=2.4)), one of the second a
mixture of neighbourhoods, and both are found together: a restricted game is solved in rationals;
a set that meets more weight becomes a column, a neighbourhood that fails more often a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ccsim.border import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, text_row
from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import as_fraction, common_denominator
from ccsim.exact.bounds import Bounds
from ccsim.exact.field_types import check_fields
from ccsim.programs.game import solve_integer_game
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hitting_sets.branching import Branching
from ccsim.representation.hitting_sets.coverage import MeetingSearch
from ccsim.representation.hitting_sets.neighbourhoods import (
    Neighbourhood,
    Permutation,
    hypotheses_of,
    in_order,
    masks_of,
    members_of,
    permutations_fixing,
    smallest,
    symmetries_fixing,
    uniform_neighbourhoods,
)
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.symmetry.subsets import orbit

__all__ = ["FailureGame", "LeastFailureResult", "least_failure"]

_MOST_IMAGES = 500
_NODES = 20_000


@dataclass(frozen=True, slots=True)
class LeastFailureResult(Bounds[Fraction]):
    """Bounds on the least failure probability of sets of so many hypotheses, with both strategies.

    Attributes
    ----------
    concept_class : ConceptClass
    error : Fraction
    size : int
        Largest number of hypotheses of a set.
    pool : tuple of int or None
        The hypotheses admitted; None for all functions on the points.
    lower, upper : Fraction
        Equal unless the search was stopped.
    proof : Branching or None
        Certificate from below: a mixture of neighbourhoods of which ``size`` hypotheses miss at
        least ``lower``; None for the bound 0.
    failure : FailureResult
        Certificate from above: a representation and a bound on its failure probability.
    """

    quantity: ClassVar[str] = "the least failure probability"

    concept_class: ConceptClass
    error: Fraction
    size: int
    pool: tuple[int, ...] | None
    lower: Fraction
    upper: Fraction
    proof: Branching | None
    failure: FailureResult

    def check(self) -> None:
        """Check both directions.

        Raises
        ------
        CertificateError
        """
        check_fields(self)
        if self.size < 1:
            raise CertificateError(f"size must be at least 1, not {self.size}")
        check_failure(self.failure, self.concept_class, self.error, self.pool)
        if self.failure.representation.size > self.size or self.failure.upper > self.upper:
            raise CertificateError(
                f"sets of {self.failure.representation.size} fail with {self.failure.upper}"
            )
        if self.proof is None and self.lower > 0:
            raise CertificateError(f"nothing proves that sets fail with {self.lower}")
        if self.proof is not None:
            pool = hypotheses_of(self.concept_class, self.pool)
            self.proof.check_neighbourhoods(self.concept_class, weighted=True)
            met = self.proof.most_met(self.concept_class, self.error, pool, self.size)
            total = sum(self.proof.weights)
            if 1 - Fraction(met, total) < self.lower:
                raise CertificateError(f"{self.size} hypotheses may meet {met} of {total}")
        self.check_order(Fraction(0), Fraction(1))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        return Certificate(
            "least_failure",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "size": self.size,
                "pool": pool_json(self.concept_class, self.pool),
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {} if self.proof is None else self.proof.to_json(),
            failure_json(self.failure),
        )


def pool_json(concept_class: ConceptClass, pool: Sequence[int] | None) -> list[str] | None:
    """Return a pool as a part of a certificate."""
    width = len(concept_class.points)
    return None if pool is None else [text_row(row, width) for row in pool]


def failure_json(failure: FailureResult) -> dict[str, object]:
    """Return a representation and the proof of its failure probability for a certificate."""
    certificate = failure.certificate()
    return {"support": certificate.statement["support"], "failure": certificate.upper}


def check_failure(
    failure: FailureResult, concept_class: ConceptClass, error: Fraction, pool: Sequence[int] | None
) -> None:
    """Check a failure result and that it is one for this class, error and pool.

    Raises
    ------
    CertificateError
    """
    if (failure.concept_class, failure.error) != (concept_class, error):
        raise CertificateError(
            f"the representation is for {failure.concept_class}, error {failure.error}"
        )
    admitted = set(hypotheses_of(concept_class, pool))
    if not all(set(H.rows) <= admitted for H in failure.representation.sets):
        raise CertificateError("the hypotheses are not all in the pool")
    failure.check()


@checked_types
def least_failure(
    concept_class: ConceptClass,
    error: Fraction | int | str,
    size: int,
    pool: Iterable[int] | None = None,
    *,
    time_limit: TimeLimit = None,
) -> LeastFailureResult:
    """Return the least failure probability of random sets of at most ``size`` hypotheses.

    Parameters
    ----------
    concept_class : ConceptClass
        At least one concept and one point.
    error : Fraction, int or str
        In [0, 1]: what a hypothesis may err.
    size : int
        At least 1.
    pool : iterable of int, optional
        Bit masks of the hypotheses admitted; default all, over at most 10 points.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.

    Returns
    -------
    LeastFailureResult

    Notes
    -----
    Complexity: exponential in the number of points and in ``size``; 5 points and sets of 3 in
    seconds.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = least_failure(points(2), "1/4", 2)
    >>> result.value
    Fraction(1, 2)
    >>> result.check()
    """
    allowed = as_fraction(error, "error", 0, 1)
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    admitted = in_order(pool)
    game = FailureGame(concept_class, allowed, admitted, size, Budget.of(time_limit))
    game.play()
    return game.result()


class FailureGame:
    """The rows and columns found so far, and the bounds that they prove.

    Parameters
    ----------
    concept_class, error, pool, size
        As in `least_failure`, checked.
    budget : Budget
    known : iterable of Neighbourhood
        Rows to begin with.
    """

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        size: int,
        budget: Budget,
        known: Iterable[Neighbourhood] = (),
    ) -> None:
        self._C, self._error, self._pool, self._size = concept_class, error, pool, size
        self._budget = budget
        self._hypotheses = hypotheses_of(concept_class, pool)
        self._place = {row: j for j, row in enumerate(self._hypotheses)}
        self._symmetries = symmetries_fixing(concept_class, pool)
        self.rows: dict[Neighbourhood, int] = {}  # with the hypotheses that each holds
        self._sets: list[tuple[int, ...]] = [self._hypotheses[:1]]
        self._list(known)
        self._list(uniform_neighbourhoods(concept_class, error))
        self.lower: Fraction = Fraction(0)
        self.proof: Branching | None = None
        first = HypothesisSet.from_rows(self._sets[0], len(concept_class.points))
        one = ProbabilisticRepresentation.mixture([(1, first)])
        self.failure = failure_probability(one, concept_class, error)

    def result(self) -> LeastFailureResult:
        """Return the bounds that have been proved."""
        upper = self.failure.upper
        return LeastFailureResult(
            self._C,
            self._error,
            self._size,
            self._pool,
            self.lower,
            upper,
            self.proof,
            self.failure,
        )

    def play(self, target: Fraction | None = None) -> None:
        """Let the bounds meet, or decide whether the value is at most a target."""
        with self._budget:
            while self.lower < self.failure.upper:
                if target is not None and not self.lower <= target < self.failure.upper:
                    return
                if not self._round():
                    return

    def _list(self, neighbourhoods: Iterable[Neighbourhood]) -> None:
        for near in neighbourhoods:
            if near not in self.rows:
                self.rows[near] = members_of(self._C, self._error, self._hypotheses, near)
        kept = smallest(self.rows.values())
        self.rows = {near: held for near, held in self.rows.items() if held in kept}

    def _round(self) -> bool:
        """Solve the restricted game and extend it on one side; False if neither side moves."""
        self._budget.spend()
        matrix = [
            [int(not any(held >> self._place[h] & 1 for h in rows)) for rows in self._sets]
            for held in self.rows.values()
        ]
        value, law, shares, _ = solve_integer_game(matrix)
        chosen = self._better_set(value, law)
        if chosen is not None:
            self._sets.append(chosen)
            return True
        sets = [HypothesisSet.from_rows(rows, len(self._C.points)) for rows in self._sets]
        mixture = ProbabilisticRepresentation.mixture(zip(shares, sets, strict=True))
        failure = failure_probability(mixture, self._C, self._error, value, _NODES)
        if failure.upper < self.failure.upper:
            self.failure = failure
        number = len(self.rows)
        near = Neighbourhood.under(failure.concept, failure.distribution)
        self._list(orbit(near, self._symmetries, Neighbourhood.image, _MOST_IMAGES))
        return failure.lower > value or len(self.rows) > number

    def _better_set(self, value: Fraction, law: Sequence[Fraction]) -> tuple[int, ...] | None:
        """Return a set that fails with less than the value; else keep the proof of the value."""
        raw = dict(zip(self.rows, law, strict=True))
        outcome = self._exceed(value, raw, symmetric=False)
        if isinstance(outcome, tuple):
            return outcome
        if self._symmetries:  # the mixture averaged over orbits is as good, and its tree is small
            averaged = self._exceed(value, self._averaged(raw), symmetric=True)
            outcome = outcome if isinstance(averaged, tuple) else averaged
        most = outcome.most_met(self._C, self._error, self._hypotheses, self._size)
        bound = 1 - Fraction(most, sum(outcome.weights))
        if bound > self.lower:
            self.lower, self.proof = bound, outcome
        return None

    def _exceed(
        self, value: Fraction, law: dict[Neighbourhood, Fraction], *, symmetric: bool
    ) -> Branching | tuple[int, ...]:
        """Return a set that fails with less than a value under a mixture, or why there is none."""
        unit = common_denominator(law.values())
        listed = [near for near in law if law[near]]
        weights = [int(law[near] * unit) for near in listed]
        items = masks_of(self._hypotheses, [self.rows[near] for near in listed])
        fixing = permutations_fixing(self._C, self._pool, listed)

        def moves(chosen: Sequence[int]) -> list[Permutation]:
            found = fixing(chosen) if symmetric else []
            return [m for m in found if [weights[i] for i in m] == weights]

        search = MeetingSearch(items, weights, moves, self._budget.spend)
        met = (1 - value) * unit
        outcome = search.exceed(self._size, met.numerator // met.denominator)
        if isinstance(outcome, tuple):
            return outcome
        return Branching(tuple(listed), tuple(search.permutations), outcome, tuple(weights))

    def _averaged(self, law: dict[Neighbourhood, Fraction]) -> dict[Neighbourhood, Fraction]:
        """Return a mixture averaged over the orbits that are listed wholly: as good, and even."""
        result = dict(law)
        seen: set[Neighbourhood] = set()
        for near in law:
            if near in seen:
                continue
            images = orbit(near, self._symmetries, Neighbourhood.image, _MOST_IMAGES)
            seen.update(images)
            if all(image in law for image in images):
                mean = sum((law[image] for image in images), Fraction(0)) / len(images)
                result |= dict.fromkeys(images, mean)
        return result
