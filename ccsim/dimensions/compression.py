"""The least size of a sample compression scheme of a class.

The samples are numbered in increasing order of their sets of points (as bit masks), then of their
labels. A key is a sample of at most `size` points, or a set of at most `size` points if keys have
no labels. So the keys inside a sample correspond to the subsets of at most `size` of its points.
`docs/certificates-dimensions.md` lists the clauses of `Schemes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import comb
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen, validated
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.littlestone import littlestone_dimension
from ccsim.dimensions.mistake_trees import LittlestoneRefutation
from ccsim.dimensions.vc import vc_dimension
from ccsim.programs.clauses import Assignment, satisfy

MAX_POINTS = 12
"""Maximum number of points in a search for a compression scheme. Beyond: bounds on the size."""
MAX_CLAUSES = 1 << 20
"""Maximum number of clauses in a search for a compression scheme. Beyond: bounds on the size."""
_FIRST_WORK = 200  # conflicts of a search before larger sizes are tried
_MISTAKES = 0.3  # part of a time limit for the Littlestone dimension


@validated
class CompressionBound:
    """A lower bound on the size of a sample compression scheme, with its proof.

    Attributes
    ----------
    form : "trivial", "counting" or "refutation"
        Form of the proof. ``trivial`` proves the bound -1. ``counting`` compares the number of
        samples on some points with the number of keys. ``refutation`` derives the empty clause from
        the clauses of a scheme.
    points : tuple of int
        For ``counting``: the points.
    steps : tuple of (tuple of int, tuple of int)
        For ``refutation``: learned clauses with their hints.
    """

    form: str
    points: tuple[int, ...] = ()
    steps: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


@validated
class CompressionScheme:
    """A sample compression scheme; samples and keys are numbered as in its certificate.

    Attributes
    ----------
    keys : tuple of int
        For each sample the number of its key.
    functions : tuple of int
        For each key its function, as a bit mask of the points with label 1.
    """

    keys: tuple[int, ...]
    functions: tuple[int, ...]


@frozen
class CompressionResult(ClassAnswer):
    """The least size of a sample compression scheme, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    labelled, stable, proper : bool
        The arguments of `compression_size`.
    bound : CompressionBound
        Proves the lower bound.
    scheme : CompressionScheme or None
        A scheme of size ``upper``, if the search found one.
    refutation : LittlestoneRefutation or None
        Otherwise, proof that the Littlestone dimension is at most ``upper``, if this is used.
    """

    quantity = "the least size of a sample compression scheme"
    asked = ("concept_class", "labelled", "stable", "proper")
    _kind = "compression_size"

    concept_class: ConceptClass
    labelled: bool
    stable: bool
    proper: bool
    bound: CompressionBound
    scheme: CompressionScheme | None = None
    refutation: LittlestoneRefutation | None = None

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``compression_size``."""
        C, lower = self.concept_class, dict[str, Any]()
        if self.bound.form == "counting":
            lower = {"columns": list(self.bound.points)}
        elif self.bound.form == "refutation":
            steps = [[list(clause), list(hints)] for clause, hints in self.bound.steps]
            lower = {"size": self.lower - 1, "steps": steps}
        upper: dict[str, Any] = {"points": {}}
        if self.scheme is not None:
            n = len(C.points)
            functions = ["".join("01"[f >> x & 1] for x in range(n)) for f in self.scheme.functions]
            keys = list(self.scheme.keys)
            upper = {"scheme": {"size": self.upper, "keys": keys, "functions": functions}}
        elif self.refutation is not None:
            upper = {"littlestone": self.refutation.to_json(self.upper)["refutation"]}
        bounds = {"lower": self.lower, "upper": self.upper}
        variant = {"labelled": self.labelled, "stable": self.stable, "proper": self.proper}
        proofs = {self.bound.form: lower}, upper
        return Certificate(self._kind, C.to_json(), bounds | variant, *proofs)


@checked_types
def compression_size(
    concept_class: ClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    labelled: bool = True,
    stable: bool = False,
    proper: bool = False,
) -> CompressionResult:
    """Return the least size of a sample compression scheme of a class.

    A sample is a set of points with the labels of some concept. A scheme of size ``k`` maps each
    sample to a key, which consists of at most ``k`` of its labelled points, and each key to a
    function. The function must have the labels of the sample on all its points.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`.
    labelled : bool
        Whether keys contain the labels of their points.
    stable : bool
        Whether the function must stay the same if points outside the key are removed from a sample.
    proper : bool
        Whether the functions must be concepts of the class.

    Returns
    -------
    CompressionResult
        The size is at most the number of points, except for proper schemes without labels: if there
        is none of any size, the result is the number of points plus 1. The bounds may differ, even
        without a time limit, if there are more than `MAX_POINTS` points or the search would have
        more than `MAX_CLAUSES` clauses.

    Notes
    -----
    Method: a search for an assignment that satisfies the clauses of a scheme. Complexity:
    exponential; milliseconds for most classes on 4 points, up to 20 seconds. Sources: Littlestone
    and Warmuth (1986); Floyd and Warmuth (1995); Kuzmin and Warmuth (2007), schemes without labels;
    Bousquet, Hanneke, Moran and Zhivotovskiy (2020), stable schemes.

    Examples
    --------
    >>> from ccsim.classes import all_functions, thresholds
    >>> compression_size(thresholds(3)).value
    1
    >>> result = compression_size(all_functions(3), labelled=False)
    >>> result.value
    3
    >>> compression_size(all_functions(3)).value
    2
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_class(concept_class, budget)
    search = _Search(C, (labelled, stable, proper))
    if len(C):
        with budget.or_at_once() as first:
            search.count(first)
        with budget:
            search.run(budget)
    return search.found


_Sample = tuple[int, int]  # a set of points, and those with label 1


class _Search:
    """The bounds found so far, and the searches that improve them."""

    def __init__(self, C: ConceptClass, variant: tuple[bool, bool, bool]) -> None:
        labelled, _, proper = variant
        lower, upper = 0, len(C.points) + (proper and not labelled)
        bound = CompressionBound("counting")
        if not len(C):
            lower, upper, bound = -1, -1, CompressionBound("trivial")
        self.C, self.found = C, CompressionResult(C, lower, upper, *variant, bound)

    def count(self, budget: Budget) -> None:
        """Count samples and keys on a shattered set, and on all points."""
        C = self.C
        everything, shattered = tuple(range(len(C.points))), vc_dimension(C, time_limit=budget)
        for points, samples in ((shattered.points, 1 << shattered.lower), (everything, len(C))):
            size, keys = 0, 1
            while keys < samples:
                size += 1
                keys += comb(len(points), size) << (size if self.found.labelled else 0)
            if size > self.found.lower:
                bound = CompressionBound("counting", points=points)
                self.found = replace(self.found, lower=size, bound=bound)

    def run(self, budget: Budget) -> None:
        """Improve the bounds until they coincide or no search is possible."""
        budget.report(self.found.lower, self.found.upper)
        samples = _samples(self.C, budget)
        for size in range(self.found.lower, self.found.upper) if samples else ():
            with suppress(OutOfWorkError):
                found = self.decide(samples, size, budget.share(work=_FIRST_WORK))
                if found is None or self.found.upper == size:
                    break
        if self.found.lower < self.found.upper and self.found.labelled and not self.found.proper:
            part = budget.share(_MISTAKES, progress=lambda *_: None)
            mistakes = littlestone_dimension(self.C, time_limit=part)
            if mistakes.upper < self.found.upper:
                upper, proof = mistakes.upper, mistakes.refutation
                self.found = replace(self.found, upper=upper, scheme=None, refutation=proof)
                budget.report(self.found.lower, self.found.upper)
        while samples and self.found.lower < self.found.upper:
            if self.decide(samples, self.found.lower, budget) is None:
                break

    def decide(self, samples: list[_Sample], size: int, budget: Budget) -> bool | None:
        """Decide whether there is a scheme of a size; None if there are too many clauses."""
        schemes = Schemes.of(self.found, samples, size, budget)
        if schemes is None:
            return None
        answer = satisfy(schemes.variables, schemes.clauses, budget)
        if isinstance(answer, Assignment):
            scheme = schemes.scheme(answer)
            self.found = replace(self.found, upper=size, scheme=scheme, refutation=None)
        elif size >= self.found.lower:
            bound = CompressionBound("refutation", steps=answer.steps)
            self.found = replace(self.found, lower=size + 1, bound=bound)
        budget.report(self.found.lower, self.found.upper)
        return isinstance(answer, Assignment)


def _samples(C: ConceptClass, budget: Budget) -> list[_Sample]:
    """Return the samples of a class, or none if there are too many."""
    n, samples = len(C.points), list[_Sample]()
    for points in range(1 << n) if n <= MAX_POINTS else ():
        budget.spend()
        samples += [(points, labels) for labels in sorted({row & points for row in C.rows})]
        if len(samples) > MAX_CLAUSES:
            return []
    return samples


class Schemes:
    """The schemes of a given size, as clauses.

    Variables state the labels of the function of each key, then which keys each sample may have;
    for stable schemes the labels of the function of each sample, and for proper schemes which
    concept the function of each key is.
    """

    def __init__(
        self, found: CompressionResult, samples: list[_Sample], size: int, budget: Budget
    ) -> None:
        self.n, self.size, self.samples = len(found.concept_class.points), size, samples
        self.clauses = list[Sequence[int]]()
        self._mask = -1 if found.labelled else 0
        small = [(D, s & self._mask) for D, s in samples if D.bit_count() <= size]
        self._keys = {key: i for i, key in enumerate(dict.fromkeys(small))}
        self.variables = len(self._keys) * self.n
        self._inner = [_subsets(D, size) for D in range(1 << self.n)]
        self._uses = [self._numbered(len(self._inner[D])) for D, _ in samples]
        made = self._numbered(len(samples) * self.n) if found.stable else range(0)
        number = {sample: i for i, sample in enumerate(samples)}
        for i, (D, s) in enumerate(samples):
            budget.spend()
            self.clauses.append(self._uses[i])
            for use, T in zip(self._uses[i], self._inner[D], strict=True):
                function = self._function(self._keys[T, s & T & self._mask])
                self._agree(use, function, D, s)
                if not found.stable:
                    continue
                for x in members((1 << self.n) - 1 & ~D):
                    f, a = function[x], made[i * self.n + x]
                    self.clauses += (-use, -f, a), (-use, f, -a)
                for x in members(D & ~T):
                    less = D & ~(1 << x)
                    uses = self._uses[number[less, s & less]]
                    self.clauses.append((-use, uses[self._inner[less].index(T)]))
        rows = found.concept_class.rows
        for key in range(len(self._keys)) if found.proper else ():
            budget.spend()
            self.clauses.append(chosen := self._numbered(len(rows)))
            for use, row in zip(chosen, rows, strict=True):
                self._agree(use, self._function(key), (1 << self.n) - 1, row)

    @classmethod
    def of(
        cls, found: CompressionResult, samples: list[_Sample], size: int, budget: Budget
    ) -> Schemes | None:
        """Return the schemes of a size, or None if there would be too many clauses."""
        n, keys = len(found.concept_class.points), 0
        inner = [sum(comb(m, k) for k in range(size + 1)) for m in range(n + 1)]
        clauses = sum(inner[D.bit_count()] for D, _ in samples) * n * (2 if found.stable else 1)
        if found.proper:
            keys = sum(D.bit_count() <= size for D, _ in samples) if found.labelled else inner[n]
        clauses += keys * len(found.concept_class) * n
        return None if clauses > MAX_CLAUSES else cls(found, samples, size, budget)

    def _numbered(self, number: int) -> range:
        """Return new variables."""
        self.variables += number
        return range(self.variables - number + 1, self.variables + 1)

    def _function(self, key: int) -> range:
        """Return the variables of the labels of the function of a key."""
        return range(key * self.n + 1, (key + 1) * self.n + 1)

    def _agree(self, use: int, function: range, points: int, labels: int) -> None:
        """If a variable is true, a function has the given labels on some points."""
        self.clauses += [
            (-use, function[x] if labels >> x & 1 else -function[x]) for x in members(points)
        ]

    def scheme(self, answer: Assignment) -> CompressionScheme:
        """Return the scheme of an assignment."""
        functions = [
            sum((v in answer.true) << x for x, v in enumerate(self._function(key)))
            for key in range(len(self._keys))
        ]
        keys = list[int]()
        for (D, s), uses in zip(self.samples, self._uses, strict=True):
            found = zip(uses, self._inner[D], strict=True)
            T = next(T for use, T in found if use in answer.true)
            keys.append(self._keys[T, s & T & self._mask])
        return CompressionScheme(tuple(keys), tuple(functions))


def _subsets(points: int, size: int) -> list[int]:
    """Return the subsets of at most ``size`` points in increasing order."""
    found = [0]
    for x in members(points):
        found += [each | 1 << x for each in found if each.bit_count() < size]
    return found
