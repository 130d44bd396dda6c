"""The failure probability of a probabilistic representation, bounded from both sides.

Sets fail together exactly when their union does not represent the concept with the error; the
failure probability is the largest weight of such a family, found by branching. Where that is too
long, Markov's inequality on the optimal selection (`fx` Theorem 7 (=3.1)) bounds it from above.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.exact import as_fraction
from ccsim.representation.error import Selection, even_law, mass, select
from ccsim.representation.failing_families import (
    MAX_POINTS,
    MAX_SETS,
    FailingFamilies,
    FailingHypotheses,
    Node,
    Tree,
)
from ccsim.representation.hypotheses import ProbabilisticRepresentation, check_points
from ccsim.texts.labels import text_row


@frozen
class FailureResult(Answer[Fraction]):
    """Bounds on the failure probability of a probabilistic representation.

    Attributes
    ----------
    concept_class : ConceptClass
    representation : ProbabilisticRepresentation
    error : Fraction
    lower, upper : Fraction
        Proved bounds; equal when the probability is known exactly.
    concept : int
        Certificate from below: under ``distribution`` sets of weight ``lower`` fail for it.
    distribution : tuple of Fraction
    selections : tuple of tuple of tuple of Fraction, or None
        Certificate from above by Markov's inequality: convex weights for each concept and set.
    trees : tuple or None
        Certificate from above by branching, one tree for each concept; None when not used.
    """

    asked = ("concept_class", "representation", "error")

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    representation: ProbabilisticRepresentation
    error: Fraction
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    selections: tuple[tuple[tuple[Fraction, ...], ...], ...] | None
    trees: tuple[Tree, ...] | None

    def represents(self, failure: Fraction) -> bool | None:
        """Whether the class is represented with this failure probability; None if not decided."""
        if self.upper <= failure:
            return True
        return False if self.lower > failure else None

    def without_upper(self) -> Self:
        """Return the result with the upper bound 1, which needs no proof."""
        return replace(self, upper=Fraction(1), selections=None, trees=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        R = self.representation
        upper: dict[str, Any] = {"branching": {"trees": [[[]]] * len(self.concept_class)}}  # is 1
        if self.upper < 1 and self.trees is not None:
            width = R.num_points
            trees = [[_node_json(node, width) for node in tree] for tree in self.trees]
            upper = {"branching": {"trees": trees}}
        elif self.upper < 1 and self.selections is not None:
            weights = [
                [w * p for w, law in zip(R.weights, laws, strict=False) for p in law]
                for laws in self.selections
            ]
            upper = {"selection": {"weights": list(map(weights_of, weights))}}
        law = weights_of(self.distribution)
        return Certificate(
            "probabilistic_representation",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "support": {
                    "sets": [H.to_json() for H in R.sets],
                    "weights": weights_of(R.weights),
                },
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"hard_distribution": {"concept": self.concept, "distribution": law}},
            upper,
        )


def _node_json(node: Node, width: int) -> list[int | str] | str | None:
    if node is None:
        return None
    return text_row(node, width) if isinstance(node, int) else weights_of(node) if node else []


@checked_types
def failing_weight(
    representation: ProbabilisticRepresentation,
    concept: int,
    error: Fraction | int | str,
    distribution: tuple[Fraction, ...],
) -> Fraction:
    """Return the weight of the sets all of whose hypotheses err more than ``error``.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept : int
        A bit mask over the same points.
    error : Fraction, int or str
        Between 0 and 1.
    distribution : tuple of Fraction
        Over the points.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/3", HypothesisSet((0b01,), 2)), ("2/3", HypothesisSet((0b11,), 2))]
    ... )
    >>> failing_weight(R, 0b11, Fraction(1, 4), (Fraction(1, 2), Fraction(1, 2)))
    Fraction(1, 3)
    """
    error = as_fraction(error, "error")
    return sum(
        (
            weight
            for weight, H in zip(representation.weights, representation.sets, strict=True)
            if all(mass(distribution, h ^ concept) > error for h in H.rows)
        ),
        Fraction(0),
    )


DEFAULT_NODES = 2000
EXACT_NODES = 100_000


@checked_types
def failure_probability(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    target: Fraction | int | str | None = None,
    work: int = DEFAULT_NODES,
) -> FailureResult:
    """Return bounds on ``max_{f,D} Pr[no drawn hypothesis has error at most `error`]``.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        Over the same points, not empty.
    error : Fraction, int or str
        In [0, 1].
    time_limit : float or Budget, optional
        Seconds after which the answer stays an interval. With a limit, however large, an interrupt
        (Ctrl-C) has the same effect.
    progress : callable, optional
        Called with the lower and the upper bound after each of the two methods.
    target : Fraction, int or str, optional
        Stop as soon as the bounds decide whether the failure probability is at most this.
    work : int
        Steps of branching for each concept before the answer stays an interval.

    Returns
    -------
    FailureResult
        Exact unless the branching was cut off or not needed for ``target``; its ``value`` is the
        probability, and refuses mere bounds, which more steps of branching bring together.

    Notes
    -----
    Source: `fx` Definition 5 (=2.4).
    Complexity: over at most 6 points a moment, for hundreds of sets; over more, exponential in the
    number of sets at worst, about 20 of them: above `MAX_SETS` there is no branching, and the
    answer may stay an interval.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import HypothesisSet
    >>> pairs = [HypothesisSet.from_rows(rows, 4) for rows in ([1, 2], [4, 8])]
    >>> R = ProbabilisticRepresentation.mixture([("1/2", H) for H in pairs])
    >>> result = failure_probability(R, points(2), "1/4")
    >>> result.value, result.concept
    (Fraction(1, 2), 0)
    >>> result.check()
    """
    eps = as_fraction(error, "error", 0, 1)
    goal = None if target is None else as_fraction(target, "target", 0, 1)
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_points(representation.num_points, concept_class)
    even = even_law(representation.num_points)
    lower = failing_weight(representation, concept_class.rows[0], eps, even)
    result = FailureResult(
        concept_class, representation, eps, lower, Fraction(1), 0, even, None, None
    )
    few = representation.num_points <= MAX_POINTS
    for step in (_suppose, _select) if few else (_select, _branch):
        if step is _branch and len(representation.sets) > MAX_SETS:
            break
        result = step(result, work, budget)
        if progress is not None:
            progress(result.lower, result.upper)
        if result.exact or (goal is not None and result.represents(goal) is not None):
            break
    return result


def _select(result: FailureResult, _: int, budget: Budget) -> FailureResult:
    """Bound the failure by the best selector for each concept and the distribution against it."""
    R, rows = result.representation, result.concept_class.rows
    selections: list[Selection] = []
    with budget:
        for row in rows:
            selections.append(select(R, row, budget))  # noqa: PERF401 - one by one
    for f, (row, selection) in enumerate(zip(rows, selections, strict=False)):
        law = selection.distribution
        lower = failing_weight(R, row, result.error, law) if selection.value else Fraction(0)
        if lower > result.lower:
            result = replace(result, lower=lower, concept=f, distribution=law)
    if len(selections) < len(rows):
        return result
    upper = max(_markov(selection, result.error) for selection in selections)
    return replace(result, upper=upper, selections=tuple(each.weights for each in selections))


@checked_types
def failure_of(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    error: Fraction | int | str,
) -> FailureResult:
    """Return the exact failure probability, with the worst concept and distribution.

    Parameters
    ----------
    representation, concept_class, error
        As for `failure_probability`, which gives bounds where this one gives up.

    Raises
    ------
    NotDecidedError
        If it is not found within 10^5 steps for each concept, with the bounds.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import HypothesisSet
    >>> alone = HypothesisSet.from_rows([1, 2, 4], 4)
    >>> result = failure_of(ProbabilisticRepresentation.mixture([(1, alone)]), points(2), "1/4")
    >>> result.value, result.concept
    (Fraction(1, 1), 3)
    """
    concept_class = as_class(concept_class)
    result = failure_probability(representation, concept_class, error, work=EXACT_NODES)
    _ = result.value  # refuses bounds
    return result


def _markov(selection: Selection, error: Fraction) -> Fraction:
    if selection.value == 0:
        return Fraction(0)
    return min(Fraction(1), selection.value / error) if error else Fraction(1)


def _suppose(result: FailureResult, work: int, budget: Budget) -> FailureResult:
    """Decide over few points, by what errs; only too large a tree leaves bounds."""
    return _branch(result, work, budget, FailingHypotheses)


def _branch(
    result: FailureResult,
    work: int,
    budget: Budget,
    search: type[FailingFamilies | FailingHypotheses] = FailingFamilies,
) -> FailureResult:
    """Improve both bounds by branching on every concept; the upper one if no search is cut off."""
    best = (result.lower, result.concept, result.distribution)
    trees: list[Tree] = []
    complete = True
    for f, row in enumerate(result.concept_class.rows):
        found = search(result.representation, row, result.error, best[0], work, budget)
        if found.tree is None:
            complete = False
        else:
            trees.append(found.tree)
        if found.best > best[0]:  # sets that were not decided yet may fail there as well
            law = found.distribution
            best = (failing_weight(result.representation, row, result.error, law), f, law)
    lower, concept, distribution = best
    if not complete:
        return replace(result, lower=lower, concept=concept, distribution=distribution)
    return replace(
        result,
        lower=lower,
        upper=lower,
        concept=concept,
        distribution=distribution,
        trees=tuple(trees),
    )
