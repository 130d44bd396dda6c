"""All runs of a noise program on one input, each given by linear conditions on its noise.

The program runs once for every sequence of decisions. A comparison that earlier decisions imply is
not decided again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from inspect import isgenerator
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.exponentials import Real
from ccsim.exact.fractions import as_fraction
from ccsim.privacy.neighbours import identity
from ccsim.privacy.noise_programs.lattice_sums import Constraint, Form
from ccsim.privacy.noise_programs.noises import (
    DiscreteGaussian,
    Draw,
    Geometric,
    OneSidedGeometric,
    discrete_laplace,
)
from ccsim.privacy.noise_programs.values import (
    Comparison,
    Value,
    constraint_of,
    integer_forms,
    plain,
)

MAX_PATHS = 1 << 14
"""Maximum number of runs on one input."""
_MAX_DECISIONS = 1 << 10
_MOST_BRANCHES = 1 << 10


@frozen
class Path:
    """A run: its noise, the conditions on it, and the output."""

    weight: Real  # the probability of the draws from finitely many values
    draws: tuple[Draw, ...]
    constraints: tuple[Constraint, ...]
    outputs: tuple[Any, ...]  # plain values, and noisy values
    single: bool  # whether the program returned its output, one value
    steps: tuple[Step, ...]
    taken: tuple[int, ...] = ()


@frozen
class Step:
    """A draw or a decision of a run, and its place among the possible decisions."""

    kind: str  # "draw", "compare", "largest" or "choose"
    data: Any  # the noise; an inequality; integer forms; the positive shares
    taken: int = 0


class Noise(ABC):
    """The noise of a program: independent draws with exact distributions.

    A noise program receives it as its second argument. Noise has integer values; multiply it by a
    number to change its unit. Parameters are integers, fractions, or texts such as ``"1/4"``.
    """

    @abstractmethod
    def _draw(self, draw: Draw) -> Value:
        """Return noise with the given distribution."""

    @abstractmethod
    def _branch(self, shares: Sequence[Fraction]) -> int:
        """Return an index, drawn with the given probabilities."""

    def geometric(self, ratio: Fraction | int | str) -> Value:
        """Draw two-sided geometric noise.

        Parameters
        ----------
        ratio : Fraction, int or str
            The integer ``z`` has a probability proportional to ``ratio^|z|``; strictly between 0
            and 1. Added to a query of sensitivity 1, it makes the answer ``ln(1/ratio)``-private.

        Raises
        ------
        DomainError
            If the ratio is not strictly between 0 and 1.
        """
        return self._draw(Geometric(_ratio(ratio)))

    def one_sided_geometric(self, ratio: Fraction | int | str) -> Value:
        """Draw geometric noise that is never negative.

        Parameters
        ----------
        ratio : Fraction, int or str
            The integer ``z >= 0`` has a probability proportional to ``ratio^z``; strictly between
            0 and 1.

        Raises
        ------
        DomainError
            If the ratio is not strictly between 0 and 1.
        """
        return self._draw(OneSidedGeometric(_ratio(ratio)))

    def discrete_laplace(self, scale: Fraction | int | str) -> Value:
        """Draw discrete Laplace noise.

        Parameters
        ----------
        scale : Fraction, int or str
            The integer ``z`` has a probability proportional to ``e^(-|z| / scale)``; positive.
            Added to a query of sensitivity 1, it makes the answer ``1/scale``-private.

        Raises
        ------
        DomainError
            If the scale is not positive.
        """
        return self._draw(discrete_laplace(as_fraction(scale, "scale")))

    def discrete_gaussian(self, variance: Fraction | int | str) -> Value:
        """Draw discrete Gaussian noise; its probabilities are enclosed, not exact.

        Parameters
        ----------
        variance : Fraction, int or str
            The integer ``z`` has a probability proportional to ``e^(-z^2 / (2 variance))``;
            positive, at most 4096.

        Raises
        ------
        DomainError
            If the variance is out of range.
        """
        return self._draw(DiscreteGaussian(as_fraction(variance, "variance")))

    def uniform(self, low: int, high: int) -> int:
        """Draw an integer from ``low`` to ``high``, all with the same probability.

        Parameters
        ----------
        low, high : int
            The smallest and the largest value, at most 1024 values in all.

        Raises
        ------
        DomainError
            If there are no values, or too many.
        """
        if type(low) is not int or type(high) is not int or not low <= high < low + _MOST_BRANCHES:
            raise DomainError(
                "noise.uniform: low and high must be integers with low <= high and at most "
                f"{_MOST_BRANCHES} values, not {show_value(low)} and {show_value(high)}"
            )
        return low + self._branch([Fraction(1, high - low + 1)] * (high - low + 1))

    def bernoulli(self, probability: Fraction | int | str) -> bool:
        """Draw True with the given probability, and False otherwise.

        Parameters
        ----------
        probability : Fraction, int or str
            From 0 to 1.

        Raises
        ------
        DomainError
            If the probability is out of range.
        """
        p = as_fraction(probability, "probability", 0, 1)
        return self._branch([1 - p, p]) == 1

    def choice(self, distribution: Mapping[Any, Fraction | int | str]) -> Any:  # noqa: ANN401
        """Draw one of several values with given probabilities.

        Parameters
        ----------
        distribution : mapping
            Maps each value to its probability; the probabilities must sum to exactly 1.

        Raises
        ------
        DomainError
            If the argument is not a mapping, or the probabilities do not sum to 1.
        """
        if not isinstance(distribution, Mapping):
            raise DomainError(
                "noise.choice: distribution must be a mapping of values to probabilities, not "
                f"{show_value(distribution)}"
            )
        shares = [as_fraction(p, "noise.choice: probability", 0, 1) for p in distribution.values()]
        if sum(shares) != 1:
            raise DomainError(f"noise.choice: probabilities must sum to 1, not {sum(shares)}")
        return list(distribution)[self._branch(shares)]


def _ratio(given: Fraction | int | str) -> Fraction:
    ratio = as_fraction(given, "ratio")
    if not 0 < ratio < 1:
        raise DomainError(f"ratio must be strictly between 0 and 1, not {ratio}")
    return ratio


@dataclass(slots=True)
class _Run(Noise):
    """One run: the decisions to repeat, and what it has drawn and decided."""

    given: tuple[int, ...]
    taken: list[int] = field(default_factory=list)
    open: list[tuple[int, ...]] = field(default_factory=list)  # decisions of other runs
    draws: list[Draw] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    known: dict[Form, int] = field(default_factory=dict)  # least known constant of each form
    steps: list[Step] = field(default_factory=list)
    weight: Real = Fraction(1)
    failure: DomainError | None = None  # a refused operation, which the program may suppress

    def _take(self, options: Sequence[int]) -> int:
        """Return the next decision; later options are left to other runs."""
        place = len(self.taken)
        if place >= _MAX_DECISIONS:
            raise InstanceTooLargeError(
                f"a run of the mechanism makes more than {_MAX_DECISIONS} decisions; its loops "
                "must have a fixed length"
            )
        if place < len(self.given):
            taken = self.given[place]
        else:
            taken = options[0]
            self.open += [(*self.taken, other) for other in reversed(options[1:])]
        self.taken.append(taken)
        return taken

    def _draw(self, draw: Draw) -> Value:
        self.draws.append(draw)
        self.steps.append(Step("draw", draw))
        return Value(((len(self.draws) - 1, Fraction(1)),), Fraction(0), self)

    def _branch(self, shares: Sequence[Fraction]) -> int:
        options = [i for i, p in enumerate(shares) if p]
        taken = options[0]
        if len(options) > 1:
            taken = self._take(options)
            self.steps.append(
                Step("choose", tuple(shares[i] for i in options), options.index(taken))
            )
        self.weight *= shares[taken]
        return taken

    def __call__(self, comparison: Comparison) -> bool:
        """Decide a comparison."""
        check_time()
        yes, no = comparison.constraint, comparison.opposite
        can = [self._state(yes), self._state(no)]
        if can[0] is not None or can[1] is not None:
            return can[0] is True or can[1] is False
        taken = self._take((1, 0))
        self.steps.append(Step("compare", yes, 1 - taken))
        self._assume(yes if taken else no)
        return taken == 1

    def first_largest(self, values: Sequence[Value]) -> int:
        options = []
        for i, value in enumerate(values):
            conditions = [
                constraint_of(value - other, strict=j < i)
                for j, other in enumerate(values)
                if j != i
            ]
            if all(self._state(c) is not False for c in conditions):
                options.append((i, conditions))
        taken = options[0][0]
        if len(options) > 1:
            taken = self._take([i for i, _ in options])
            self.steps.append(Step("largest", integer_forms(values), taken))
        for c in dict(options)[taken]:
            if self._state(c) is not True:  # False if the conditions contradict each other
                self._assume(c)
        return taken

    def _state(self, constraint: Constraint) -> bool | None:
        """Whether a constraint holds or cannot hold, by one earlier decision; None if unknown."""
        form, constant = constraint
        if not form:
            return constant >= 0
        if self.known.get(form, constant + 1) <= constant:
            return True
        other = self.known.get(tuple((z, -a) for z, a in form))
        return False if other is not None and constant + other < 0 else None

    def _assume(self, constraint: Constraint) -> None:
        form, constant = constraint
        self.constraints.append(constraint)
        self.known[form] = min(constant, self.known.get(form, constant))


def paths(function: Callable[..., Any], queries: tuple[Any, ...]) -> list[Path]:
    """Return all runs of a program on an input."""
    found, left = list[Path](), [tuple[int, ...]()]
    while left:
        check_time()
        path, more = _run(function, queries, left.pop())
        again, _ = _run(function, queries, path.taken)
        if _key(again) != _key(path):
            raise DomainError(
                "a noise program must depend only on its arguments, but two runs with the same "
                "noise differ; draw from the second argument, and keep nothing between runs"
            )
        left += more
        found.append(path)
        if len(found) + len(left) > MAX_PATHS:
            raise InstanceTooLargeError(
                f"the mechanism has more than {MAX_PATHS} runs with different decisions on the "
                f"input {show_value(queries)}; use fewer comparisons"
            )
    return found


def _run(
    function: Callable[..., Any], queries: tuple[Any, ...], given: tuple[int, ...]
) -> tuple[Path, list[tuple[int, ...]]]:
    """Return the run with the given decisions, and the decisions of runs that branch off."""
    run = _Run(given)
    outputs, single = _outputs(function(queries, run), run)
    if run.failure is not None:
        raise run.failure
    parts = tuple(run.draws), tuple(run.constraints), outputs, single, tuple(run.steps)
    return Path(run.weight, *parts, tuple(run.taken)), run.open


def _key(path: Path) -> object:
    """Return what two runs with the same decisions must have in common."""
    flat: list[object] = []

    def add(output: object) -> None:
        if isinstance(output, tuple):
            flat.append(len(output))
            for each in output:
                add(each)
        elif isinstance(output, Value):
            flat.append((output.terms, output.constant))
        else:
            flat.append(identity(output))

    add(path.outputs)
    return path.weight, path.draws, path.constraints, path.single, flat


def _outputs(result: Any, run: _Run) -> tuple[tuple[Any, ...], bool]:  # noqa: ANN401
    single = not (isgenerator(result) or isinstance(result, list | tuple))
    listed: list[Any] = []
    if isgenerator(result):
        try:
            while True:
                listed.append(_output(next(result), run))
        except StopIteration as end:
            if end.value is not None:
                raise DomainError(
                    "a mechanism must either yield its outputs or return them, not both"
                ) from None
        return tuple(listed), False
    listed = [_output(value, run) for value in ([result] if single else result)]
    return tuple(listed), single


def _output(value: Any, run: _Run) -> Any:  # noqa: ANN401
    if isinstance(value, Value):
        if not value.terms:
            return _plain(value.constant)
        return value
    if isinstance(value, float):
        raise DomainError(f"an output must not be the float {value!r}; use exact values")
    number = plain(value)
    if number is not None and not isinstance(value, bool):
        return _plain(number)
    if isinstance(value, list | tuple):
        return tuple(_output(each, run) for each in value)
    try:
        hash(value)
    except TypeError:
        raise DomainError(f"an output must be hashable, not {show_value(value)}") from None
    by_value = any("__eq__" in vars(kind) for kind in type(value).__mro__[:-1])
    if value is not None and not isinstance(value, Enum) and not by_value:
        raise DomainError(
            "an output must be a number, a text, a decision or a tuple of these, not an object of "
            f"type {type(value).__name__}, which does not define __eq__"
        )
    return value


def _plain(number: Fraction) -> int | Fraction:
    return int(number) if number.denominator == 1 else number
