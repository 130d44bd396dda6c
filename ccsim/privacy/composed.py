"""The privacy of several runs of mechanisms: the least delta, or the least epsilon.

*Adaptive* runs are arbitrary mechanisms that are as private as the given ones, and each may depend
on the outputs of those before. Runs on *one pair* of neighbours are the given mechanisms themselves
with independent randomness on the same database; they require at most as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.budget import Progress, TimeLimit, check_time
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.certificates.envelope import encode_fraction
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.bounds import Bounds
from ccsim.exact.epsilon import Epsilon, fractions_near
from ccsim.exact.exponentials import enclose_log
from ccsim.privacy.audit_result import Neighbours, TabulatedMechanism
from ccsim.privacy.comparisons import AuditedDistributions, Stated
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.dominating import (
    BITS,
    Databases,
    Distributions,
    edges_of,
    limited,
    numbered_pairs,
)
from ccsim.privacy.loss_products import (
    Part,
    Product,
    Rounding,
    TooManyLossesError,
    exact_rounding,
    suggested,
)

MAX_RUNS = 1 << 20
"""Maximum number of runs of all mechanisms."""
_FINE = 20
"""Number of binary places of an enclosed epsilon."""
_SHORT, _DIGITS = 256, 80
"""Number of bits of denominators up to which a bound is not rounded, and of rounded bounds."""
Pair: TypeAlias = Databases


@frozen
class _Composed(Bounds[Fraction], Certified):
    """Bounds on a parameter of privacy of several runs.

    Attributes
    ----------
    mechanisms : tuple of Mechanism
        The mechanisms.
    times : tuple of int
        Number of runs of each mechanism.
    neighbours : int, tuple of pairs, RestrictedNeighbours or QualityNeighbours
        Neighbours of each mechanism, as for `audit`.
    adaptive : bool
        Whether the runs are arbitrary adaptively chosen mechanisms that are as private as the given
        ones; otherwise the given mechanisms run on one pair of neighbours.
    pair : pair of databases or None
        The neighbours that prove the lower bound; None for adaptive runs.
    bits, grid : int or None
        Number of bits of rounded probabilities, and the parameter ``n`` of the grid of losses,
        whose step is ``ln((n + 1) / n)``. None if probabilities, or losses, are not rounded.
    lower, upper : Fraction
        The bounds.
    """

    mechanisms: tuple[Mechanism[Any, Any], ...]
    times: tuple[int, ...]
    neighbours: Neighbours
    adaptive: bool
    pair: Pair | None
    bits: int | None
    grid: int | None
    lower: Fraction
    upper: Fraction | None

    def _instance(self) -> tuple[dict[str, Any], list[int] | None]:
        """Return the instance of the certificate, and the indices of the pair."""
        tables = []
        for mechanism in self.mechanisms:
            audited = AuditedDistributions(mechanism)
            total, pairs = audited.compared(self.neighbours)
            compared = _All(mechanism, self.neighbours, total or sum(1 for _ in pairs))
            tables.append(TabulatedMechanism(compared, None, (), (None, None)))
        instance = {
            "type": "composition",
            "name": " and ".join(type(mechanism).__name__ for mechanism in self.mechanisms),
            "adaptive": self.adaptive,
            "times": list(self.times),
            "mechanisms": [_precise(table.instance) for table in tables],
        }
        return instance, None if self.pair is None else tables[0].places(self.pair)

    def _claim(
        self,
        asked: dict[str, Any],
        lower: Fraction | None,
        upper: Fraction | None,
        *,
        infinite: bool,
    ) -> Certificate:
        """Return the certificate of bounds on the parameter that is null."""
        if self.adaptive != (self.pair is None):
            raise CertificateError("pair must be None exactly for adaptive runs")
        instance, pair = self._instance()
        rounding = None if self.bits is None else [self.bits, self.grid]
        low = "infinity" if infinite else None if lower is None else encode_fraction(lower)
        high = None if upper is None else encode_fraction(upper)
        down = {"pair": pair, "rounding": rounding, "bound": low}
        up = {"rounding": rounding, "bound": high}
        return Certificate(
            "composition",
            instance,
            asked | {"lower": low, "upper": high},
            None if low is None else {"losses_down": down},
            None if high is None else {"losses_up": up},
        )


def _precise(instance: dict[str, Any]) -> dict[str, Any]:
    """Return the instance of a mechanism with more bits than the search uses."""
    t = instance["t"]
    return instance if t is None else instance | {"t": t | {"bits": max(t["bits"], BITS + 48)}}


@frozen
class _All:
    """All pairs of neighbours of a mechanism, as the instance of a certificate lists them."""

    mechanism: Mechanism[Any, Any]
    neighbours: Neighbours
    pairs: int
    reason: str = ""


@frozen
class ComposedDelta(_Composed):
    """Bounds on the least delta of several runs for a given epsilon.

    Attributes
    ----------
    epsilon : Epsilon
        Privacy parameter epsilon of all runs together.
    """

    epsilon: Epsilon

    quantity = "the least delta of a composition"
    asked = ("mechanisms", "times", "epsilon", "neighbours", "adaptive")

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate, for ``e^epsilon`` or for fractions below and above it.

        Raises
        ------
        CertificateError
            If a field contradicts the mechanisms.
        """
        below, above = _factors(self.epsilon)
        asked = [{"factor": encode_fraction(f), "delta": None} for f in (below, above)]
        if below == above:
            return self._claim(asked[0], self.lower, self.upper, infinite=False)
        first = self._claim(asked[0], None, self.upper, infinite=False)
        return Certificates((first, self._claim(asked[1], self.lower, None, infinite=False)))


@frozen
class ComposedEpsilon(_Composed):
    """Bounds on the least ``e^epsilon`` of several runs for a given delta.

    Attributes
    ----------
    delta : Fraction
        Privacy parameter delta of all runs together.
    """

    delta: Fraction

    quantity = "the least e^epsilon of a composition"
    asked = ("mechanisms", "times", "delta", "neighbours", "adaptive")

    @property
    def epsilon(self) -> Interval | None:
        """Enclosure of the least epsilon; None if no epsilon suffices."""
        if self.upper is None:
            return None
        return Interval(enclose_log(self.lower).lower, enclose_log(self.upper).upper)

    def certificate(self) -> Certificate:
        """Return the certificate.

        Raises
        ------
        CertificateError
            If a field contradicts the mechanisms.
        """
        asked = {"factor": None, "delta": encode_fraction(self.delta)}
        return self._claim(asked, self.lower, self.upper, infinite=self.upper is None)


def _factors(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return ``e^epsilon`` twice, or fractions below and above it."""
    factor = epsilon.exp()
    if isinstance(factor, Fraction):
        return factor, factor
    return fractions_near(epsilon, 64)


class _Runs:
    """The mechanisms and their runs, and the product of their losses for each compared pair."""

    def __init__(
        self, mechanisms: object, times: object, neighbours: object, *, adaptive: bool
    ) -> None:
        self.mechanisms: tuple[Mechanism[Any, Any], ...] = (
            (mechanisms,) if isinstance(mechanisms, Mechanism) else tuple(mechanisms)  # type: ignore[arg-type]
        )
        given = (times,) if isinstance(times, int) else tuple(times)  # type: ignore[arg-type]
        self.times: tuple[int, ...] = given * len(self.mechanisms) if len(given) == 1 else given
        if not self.mechanisms or len(self.times) != len(self.mechanisms):
            raise DomainError(
                f"there must be one number of runs for each mechanism, not {len(self.times)} for "
                f"{len(self.mechanisms)}"
            )
        if min(self.times) < 1 or sum(self.times) > MAX_RUNS:
            raise DomainError(
                f"the numbers of runs must be at least 1 and sum to at most {MAX_RUNS}"
            )
        domains = {tuple(mechanism.records) for mechanism in self.mechanisms}
        if not adaptive and len(domains) > 1:
            raise DomainError("mechanisms on one pair of databases must have the same records")
        known = isinstance(neighbours, int | Stated)
        self.neighbours: Any = neighbours if known else tuple(neighbours)  # type: ignore[arg-type]
        self.adaptive = adaptive
        self.pairs: list[tuple[Pair | None, list[list[Distributions]]]] = []
        self.up: list[Product] = []
        self.down: list[Product] = []

    def compare(self, bits: int) -> Rounding:
        """Compute the losses of the pairs in both directions, exactly if they are few."""
        if self.adaptive:
            each = [
                [pair for _, (pair,) in numbered_pairs([mechanism], self.neighbours)]
                for mechanism in self.mechanisms
            ]
            self.pairs = [(None, each)]
        else:
            found = numbered_pairs(self.mechanisms, self.neighbours)
            self.pairs = [(pair, [[two] for two in both]) for pair, both in found]
        both = [[self._parts(pairs, up=up) for _, pairs in self.pairs] for up in (False, True)]
        rounding = exact_rounding([part for parts in both[0] for part in parts][: len(self.times)])
        if rounding.bits is not None:
            rounding = replace(rounding, bits=max(rounding.bits, bits))
        try:
            self._products(both, rounding)
        except TooManyLossesError:
            longest = max(both[1], key=len, default=[])
            rounding = suggested(longest, Rounding(bits))
            self._products(both, rounding)
        return rounding

    def _products(self, both: Sequence[Sequence[list[Part]]], rounding: Rounding) -> None:
        down, up = both
        self.down = [Product(parts, rounding, up=False) for parts in down]
        self.up = [Product(parts, rounding, up=True) for parts in up]

    def _parts(self, pairs: list[list[Distributions]], *, up: bool) -> list[Part]:
        return [
            (edges_of(each, up=up), times) for each, times in zip(pairs, self.times, strict=True)
        ]

    def lower(self, factor: Fraction | None) -> tuple[Fraction, Pair | None]:
        """Return a lower bound on the delta at a factor, and the pair that proves it."""
        found = [product.excess(factor) for product in self.down]
        if not found:
            raise DomainError("there are no neighbouring databases")
        best = max(range(len(found)), key=found.__getitem__)
        return found[best], self.pairs[best][0]

    def upper(self, factor: Fraction | None) -> Fraction:
        """Return an upper bound on the delta at a factor."""
        return max(product.excess(factor) for product in self.up)


@checked_types
def composed_delta(
    mechanisms: Mechanism[Any, Any] | Iterable[Mechanism[Any, Any]],
    times: int | Iterable[int],
    epsilon: Epsilon | Fraction | int | str,
    neighbours: Neighbours,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    adaptive: bool = True,
) -> ComposedDelta:
    """Return bounds on the least delta of several runs of mechanisms for a given epsilon.

    Parameters
    ----------
    mechanisms : Mechanism, or iterable of Mechanism
        The mechanisms.
    times : int, or iterable of int
        Number of runs of each mechanism, from 1 to `MAX_RUNS` in total.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon of all runs together, at least 0.
    neighbours : int, iterable of pairs, RestrictedNeighbours or QualityNeighbours
        Neighbours of every mechanism, as for `audit`.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.
    progress : callable, optional
        Accepted as by other functions, but never called.
    adaptive : bool
        If True, the runs are arbitrary mechanisms with the privacy curves of the given ones, and
        each may depend on the outputs of earlier runs. If False, the given mechanisms run on one
        pair of neighbours with independent randomness; the least delta is then at most as large.

    Returns
    -------
    ComposedDelta
        The bounds coincide if no loss or probability is rounded and ``e^epsilon`` is a fraction.

    Raises
    ------
    DomainError
        As `audit`, or if a number of runs is out of range.
    NotDecidedError
        If the time limit is reached.

    Notes
    -----
    Losses are exact if the product has few different ratios, for example up to a thousand runs of
    randomised response or 30 runs of a mechanism with three ratios. Otherwise ratios are rounded to
    a grid of about `2^14` powers, upwards for the upper bound and downwards for the lower bound.
    The bounds usually differ by 1 % or less.

    Source: Zhu, Dong and Wang (2022) for adaptive runs; Doroshenko, Ghazi, Kamath, Kumar and
    Manurangsi, Connect the dots (2022), for the rounding upwards.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> composed_delta(response, 3, "ln 3", 1).value
    Fraction(3, 8)
    """
    bound = Epsilon.of(epsilon)
    runs = _Runs(mechanisms, times, neighbours, adaptive=adaptive)
    below, above = _factors(bound)
    with limited(time_limit, progress):
        rounding = runs.compare(128)
        lower, pair = runs.lower(above)
        upper = runs.upper(below)
        if rounding.bits is not None and 0 < upper < Fraction(1, 1 << rounding.bits // 4):
            rounding = runs.compare(2 * rounding.bits)
            (lower, pair), upper = runs.lower(above), runs.upper(below)
    fields = (runs.neighbours, adaptive, pair, rounding.bits, rounding.grid)
    return ComposedDelta(
        runs.mechanisms,
        runs.times,
        *fields,
        _rounded(lower, up=False, exact=below == above),
        min(_rounded(upper, up=True, exact=below == above), Fraction(1)),
        bound,
    )


@checked_types
def composed_epsilon(
    mechanisms: Mechanism[Any, Any] | Iterable[Mechanism[Any, Any]],
    times: int | Iterable[int],
    delta: Fraction | int | str,
    neighbours: Neighbours,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    adaptive: bool = True,
) -> ComposedEpsilon:
    """Return bounds on the least epsilon of several runs of mechanisms for a given delta.

    Parameters
    ----------
    delta : Fraction, int or str
        Privacy parameter delta of all runs together, between 0 and 1.
    mechanisms, times, neighbours, time_limit, progress, adaptive
        As for `composed_delta`.

    Returns
    -------
    ComposedEpsilon
        Bounds on ``e^epsilon``. They coincide if no loss or probability is rounded, and differ by a
        factor of about ``1 + 2^-20`` if only probabilities are rounded. The upper bound is None if
        no epsilon suffices.

    Raises
    ------
    NotDecidedError
        If the time limit is reached, or rounded losses do not decide whether any epsilon suffices.
    DomainError
        As `composed_delta`.

    Notes
    -----
    Complexity: about 60 evaluations of the privacy curve.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> composed_epsilon(response, 3, "3/8", 1).value
    Fraction(3, 1)
    """
    allowed = as_fraction(delta, "delta", 0, 1)
    runs = _Runs(mechanisms, times, neighbours, adaptive=adaptive)
    with limited(time_limit, progress):
        bits = max(128, 4 * (allowed.denominator.bit_length() if allowed else 32))
        rounding = runs.compare(bits)
        lower, pair = runs.lower(None)
        if lower > allowed:
            low: Fraction = Fraction(1)
            high: Fraction | None = None
        elif runs.upper(None) > allowed:
            raise NotDecidedError(
                "rounded losses do not decide whether any epsilon suffices; use a larger delta"
            )
        else:
            low, high = _enclosed(runs, allowed)
            pair = runs.lower(low)[1]
            if rounding.bits is None:
                low = high = _solved(runs, allowed, low)
                if max(low.numerator, low.denominator).bit_length() > _SHORT * 8:
                    low, high = _enclosed(runs, allowed)
                pair = runs.lower(low)[1]
    fields = (runs.neighbours, adaptive, pair, rounding.bits, rounding.grid)
    return ComposedEpsilon(runs.mechanisms, runs.times, *fields, low, high, allowed)


def _enclosed(runs: _Runs, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Return factors, the first too small for delta (or 1) and the second large enough."""

    def near(place: int) -> tuple[Fraction, Fraction]:
        if not place:
            return Fraction(1), Fraction(1)
        return fractions_near(Epsilon(Fraction(place, 1 << _FINE)), 64)

    def least(suffices: Any) -> int:  # noqa: ANN401 - a function of a place
        high = 1 << _FINE
        while not suffices(high):
            high *= 2
        low = -1
        while high - low > 1:
            check_time()
            middle = (low + high) // 2
            low, high = (low, middle) if suffices(middle) else (middle, high)
        return high

    low = least(lambda place: runs.lower(near(place)[1])[0] <= delta) - 1
    high = least(lambda place: runs.upper(near(place)[0]) <= delta)
    return (near(low)[1] if low > 0 else Fraction(1)), near(high)[0]


def _solved(runs: _Runs, delta: Fraction, factor: Fraction) -> Fraction:
    """Return the least factor >= 1 for delta exactly, by Newton's method from below."""
    while (excess := runs.upper(factor)) > delta:
        lines = (product.event(factor) for product in runs.up if product.excess(factor) == excess)
        factor = max((p - delta) / q for p, q in lines if q)
    return factor


def _rounded(value: Fraction, *, up: bool, exact: bool) -> Fraction:
    """Return a bound with a short denominator."""
    if not value or (exact and value.denominator.bit_length() <= _SHORT):
        return value
    places = _DIGITS + value.denominator.bit_length() - value.numerator.bit_length()
    scaled = (value.numerator << places) // value.denominator
    return Fraction(scaled + up, 1 << places)
