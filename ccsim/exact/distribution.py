"""Distributions on finitely many outcomes with exact probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Generic, TypeVar

from ccsim.arguments.checked import iterated
from ccsim.arguments.values import show_value
from ccsim.budget import in_time
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, Real, rational
from ccsim.exact.fractions import as_fraction, probability_vector
from ccsim.exact.probability import SYSTEM, Randomness, draw
from ccsim.frames import rows_in

Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)
_MOST_TOTALS = 1 << 10
_TOTALS: dict[frozenset[tuple[int, int]], tuple[Real, tuple[Real, ...]]] = {}
"""A cache of sums of irrational numbers, by the number of occurrences of each object."""
_FEW, _MOST_CHECKED = 16, 1 << 12
_CHECKED: dict[tuple[int, ...], list[Real]] = {}
"""A cache of positive exact probabilities with sum 1, by the ids of these objects."""
_POSITIVE: dict[int, Real] = {}  # irrational numbers that were found to be at least 0, by their ids


@frozen
class Distribution(Generic[Outcome]):
    """A probability distribution on finitely many outcomes.

    If the outcomes are tuples of equal length, their entries are random variables, numbered from 0,
    and this is the joint distribution of the variables.

    Attributes
    ----------
    items : tuple of (outcome, probability)
        Distinct outcomes with probabilities, which are fractions or `Exponential` numbers,
        non-negative and with sum exactly 1. Other exact numbers become fractions; outcomes of
        probability 0 are dropped.

    Examples
    --------
    >>> coin = Distribution.of(
    ...     {"heads": Fraction(1, 3), "tails": Fraction(2, 3), "edge": Fraction(0)}
    ... )
    >>> coin["heads"], coin["edge"], len(coin)
    (Fraction(1, 3), Fraction(0, 1), 2)
    >>> coin.map(lambda outcome: outcome == "heads")[True]
    Fraction(1, 3)
    """

    items: tuple[tuple[Outcome, Real], ...]

    def __post_init__(self) -> None:
        items: tuple[tuple[Outcome, Any], ...] = _pairs(self.items)
        key = tuple(sorted([id(p) for _, p in items])) if len(items) <= _FEW else ()
        if key in _CHECKED:
            object.__setattr__(self, "items", tuple([(outcome, p) for outcome, p in items]))
            return
        items = exact_masses(items, "probability")
        total = total_mass(p for _, p in items)
        if total != 1:
            raise DomainError(f"probabilities must sum to 1, not {total}")
        kept = tuple([item for item in items if not _is_zero(item[1])])
        object.__setattr__(self, "items", kept)
        if 0 < len(kept) <= _FEW:
            if len(_CHECKED) >= _MOST_CHECKED:
                _CHECKED.clear()
            masses = sorted([p for _, p in kept], key=id)
            _CHECKED[tuple(map(id, masses))] = masses  # which keeps the ids theirs

    @classmethod
    def of(cls, probabilities: Mapping[Outcome, Real | int]) -> Distribution[Outcome]:
        """Return the distribution with the given probabilities."""
        return cls(_items(probabilities))

    @classmethod
    def proportional(cls, weights: Mapping[Outcome, Real | int]) -> Distribution[Outcome]:
        """Return the distribution proportional to non-negative weights, not all 0."""
        exact = exact_masses(_items(weights), "weight")
        total = total_mass(w for _, w in exact)
        if total == 0:
            raise DomainError("weights must not all be 0")
        shares = {id(w): w for _, w in exact}
        shares = {key: w / total for key, w in shares.items()}
        return cls(tuple((outcome, shares[id(w)]) for outcome, w in exact))

    @classmethod
    def uniform(cls, outcomes: Iterable[Outcome]) -> Distribution[Outcome]:
        """Return the uniform distribution on one or more distinct outcomes."""
        named = isinstance(outcomes, str)  # each character is an outcome
        support = tuple(
            outcomes if named else iterated(outcomes, "a uniform distribution", "outcomes")
        )
        if not support:
            raise DomainError("a uniform distribution must have at least one outcome")
        share = Fraction(1, len(support))
        return cls(tuple((outcome, share) for outcome in support))

    @classmethod
    def from_weights(cls, weights: Iterable[Fraction | int | str]) -> Distribution[tuple[int]]:
        """Return the distribution of one variable with the given probabilities of 0, 1, 2, ..."""
        return Distribution(
            tuple(((i,), w) for i, w in enumerate(probability_vector(weights, "weights")))
        )

    @classmethod
    def from_table(
        cls, table: Sequence[Sequence[Fraction | int | str]]
    ) -> Distribution[tuple[int, int]]:
        """Return the joint distribution of a row and a column, from a table of probabilities."""
        rows = rows_in(table, "table")
        cells = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
        weights = probability_vector((weight for row in rows for weight in row), "table")
        return Distribution(tuple(zip(cells, weights, strict=True)))

    @classmethod
    def certain(cls, outcome: Outcome) -> Distribution[Outcome]:
        """Return the distribution of a constant."""
        return cls(((outcome, Fraction(1)),))

    def __getitem__(self, outcome: Outcome) -> Real:
        return dict(self.items).get(outcome, Fraction(0))

    def __iter__(self) -> Iterator[Outcome]:
        return (outcome for outcome, _ in self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of positive probability."""
        return tuple(self)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The positive probabilities; raises `DomainError` if one is irrational."""
        return tuple(rational(p) for _, p in self.items)

    def as_mapping(self) -> dict[Outcome, Real]:
        """Return the positive probabilities by outcome."""
        return dict(self.items)

    def mass(self, event: Iterable[Outcome]) -> Real:
        """Return the probability of an event, given as distinct outcomes.

        Examples
        --------
        >>> Distribution.uniform("abcd").mass("ab")
        Fraction(1, 2)
        """
        known = self.as_mapping()
        return total_mass(known[outcome] for outcome in event if outcome in known)

    def map(self, function: Callable[[Outcome], Other]) -> Distribution[Other]:
        """Return the distribution of a function of the outcome."""
        return _collect((function(outcome), p) for outcome, p in self.items)

    def marginal(self, *variables: int) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of some of the variables, in the given order.

        Examples
        --------
        >>> Distribution.from_table([["1/4", "1/4"], ["1/2", 0]]).marginal(0).as_mapping()
        {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
        """
        return _collect((value, p) for value, _, p in self._values(variables))

    def given(
        self, *variables: int
    ) -> Iterator[tuple[tuple[Any, ...], Fraction, Distribution[Outcome]]]:
        """Yield each value of some variables, its probability and the conditional distribution.

        The conditional distribution is on all variables; probabilities must be rational.

        Examples
        --------
        >>> distribution = Distribution.from_table([["1/4", "1/4"], ["1/2", 0]])
        >>> [(value, weight, part.weights) for value, weight, part in distribution.given(1)]
        [((0,), Fraction(3, 4), (Fraction(1, 3), Fraction(2, 3))), ((1,), Fraction(1, 4), \
(Fraction(1, 1),))]
        """
        parts: dict[tuple[Any, ...], dict[Outcome, Fraction]] = {}
        for value, outcome, p in self._values(variables):
            parts.setdefault(value, {})[outcome] = rational(p)
        for value, part in parts.items():
            weight = sum(part.values(), Fraction(0))
            yield value, weight, Distribution.of({o: p / weight for o, p in part.items()})

    def _values(self, variables: tuple[int, ...]) -> list[tuple[tuple[Any, ...], Outcome, Real]]:
        """Return, for each outcome, the values of some variables, the outcome and its weight."""
        pairs: list[tuple[Any, Real]] = list(self.items)
        if kinds := {type(o) for o, _ in pairs} - {tuple}:
            raise DomainError(
                f"the outcomes of a joint distribution must be tuples, not {kinds.pop().__name__}"
            )
        if len(lengths := {len(o) for o, _ in pairs}) != 1:
            raise DomainError(
                "the outcomes of a joint distribution must have equal lengths, "
                f"not {sorted(lengths)}"
            )
        most = lengths.pop() - 1
        for variable in variables:
            if not 0 <= variable <= most:
                raise DomainError(f"variable must be between 0 and {most}, not {variable}")
        return [(tuple(o[v] for v in variables), o, p) for o, p in pairs]

    def then(self, kernel: Callable[[Outcome], Distribution[Other]]) -> Distribution[Other]:
        """Return the distribution of a second outcome, whose distribution depends on the first."""
        return mixture((p, kernel(outcome)) for outcome, p in self.items)

    def draw(self, rng: Randomness = SYSTEM) -> Outcome:
        """Draw an outcome with exactly these probabilities."""
        return self.items[draw([p for _, p in self.items], rng)][0]


def mixture(parts: Iterable[tuple[Real, Distribution[Outcome]]]) -> Distribution[Outcome]:
    """Return the distribution of an outcome drawn from a random distribution."""
    return _collect(
        (outcome, exact_mass(p, "a part") * q)
        for p, distribution in parts
        for outcome, q in distribution.items
    )


def independent(distributions: Iterable[Distribution[Any]]) -> Distribution[tuple[Any, ...]]:
    """Return the joint distribution of independent outcomes."""
    joint: dict[tuple[Any, ...], Real] = {(): Fraction(1)}
    for distribution in distributions:
        longer = ((before, p, o, q) for before, p in joint.items() for o, q in distribution.items)
        joint = {(*before, o): p * q for before, p, o, q in in_time(longer)}
    return Distribution.of(joint)


def _is_zero(p: Real) -> bool:
    return not p.numerator if isinstance(p, Fraction) else p.numerator.degree() < 0


def _items(weights: object) -> tuple[tuple[Any, Any], ...]:
    if not isinstance(weights, Mapping):
        raise DomainError(f"weights must be a mapping from outcomes to numbers, not {weights!r}")
    return tuple(weights.items())


def _pairs(items: object) -> tuple[tuple[Any, object], ...]:
    """Return the outcomes of a distribution with their weights."""
    if not isinstance(items, tuple | list) or not all(
        isinstance(pair, tuple | list) and len(pair) == 2 for pair in items
    ):
        raise DomainError(
            "a distribution must be a tuple of pairs of an outcome and its probability, not "
            f"{show_value(items)}"
        )
    seen: set[Hashable] = set()
    for outcome, _ in items:
        try:
            twice = outcome in seen
        except TypeError:
            raise DomainError(f"outcomes must be hashable, not {outcome!r}") from None
        if twice:
            raise DomainError(f"outcomes must be distinct, but {outcome!r} occurs twice")
        seen.add(outcome)
    return tuple(items)


def _collect(parts: Iterable[tuple[Outcome, Real]]) -> Distribution[Outcome]:
    """Add up the probabilities of equal outcomes."""
    total: dict[Outcome, Real] = {}
    for outcome, p in in_time(parts):
        total[outcome] = total[outcome] + p if outcome in total else p
    return Distribution.of(total)


def exact_mass(value: object, outcome: object, what: str = "probability") -> Real:
    """Return an exact non-negative number; raise an error for any other value."""
    if type(value) is not Fraction and type(value) is not Exponential:
        value = as_fraction(value, f"{what} of {outcome!r}")
    if value.numerator < 0 if type(value) is Fraction else _is_negative(value):
        raise DomainError(f"{what} of {outcome!r} must be at least 0, not {value}")
    return value


def _is_negative(value: Real) -> bool:
    if _POSITIVE.get(id(value)) is value:
        return False
    if value < 0:
        return True
    if len(_POSITIVE) >= _MOST_TOTALS:
        _POSITIVE.clear()
    _POSITIVE[id(value)] = value
    return False


def exact_masses(
    items: Iterable[tuple[Outcome, object]], what: str
) -> tuple[tuple[Outcome, Real], ...]:
    """Return outcomes with exact numbers; repeated objects are converted only once."""
    exact: dict[int, tuple[object, Real]] = {}
    found = []
    for outcome, number in in_time(items):
        if id(number) not in exact:  # the object itself is kept, so that no other gets its id
            exact[id(number)] = number, exact_mass(number, outcome, what)
        found.append((outcome, exact[id(number)][1]))
    return tuple(found)


def total_mass(numbers: Iterable[Real]) -> Real:
    """Return the sum of the numbers; repeated objects are multiplied by their count."""
    listed = list(numbers)
    one = {id(number): number for number in listed}
    fractions = {key: p for key, p in one.items() if type(p) is Fraction}
    if len(fractions) == len(one):  # integers over one denominator are added faster
        whole = lcm(*(p.denominator for p in fractions.values()))
        share = {key: whole // p.denominator * p.numerator for key, p in fractions.items()}
        return Fraction(sum(share[id(number)] for number in in_time(listed)), whole)
    counts = Counter(map(id, listed))
    key = frozenset(counts.items())
    if (known := _TOTALS.get(key)) is not None:
        return known[0]
    total: Real = Fraction(0)
    for number, times in in_time(counts.items()):
        total = total + one[number] * times
    if isinstance(total, Exponential) and total.is_rational:
        total = total.as_fraction()  # which compares faster
    if len(_TOTALS) >= _MOST_TOTALS:
        _TOTALS.clear()
    _TOTALS[key] = total, tuple(one.values())
    return total
