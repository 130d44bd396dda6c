"""Outcomes drawn with noise of OpenDP, for releases of real data.

The outcomes have the distributions of the mechanisms. The noise comes from OpenDP, a library
maintained for this purpose: its randomness comes from the operating system, its samplers are exact,
and its privacy map states the privacy loss of each release.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import inf, lcm, nextafter
from types import MappingProxyType
from typing import Any, cast

from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, Real
from ccsim.privacy.constructions import CanonicalMechanism, Composed, Mechanism, PostProcessed
from ccsim.privacy.mechanisms.exponential import ChoiceByScore, ExponentialMechanism
from ccsim.privacy.mechanisms.noisy_answers import NoisyArgmax, NoisyThreshold, TruncatedGeometric
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.privacy.mechanisms.stable_choice import StableMode

_PRECISION = 256


@frozen
class OpenDPSampler:
    """A source for `Mechanism.sample` that draws the noise with OpenDP.

    The sampler supports `ExponentialMechanism` and mechanisms based on it, such as `PrivateOccam`
    (Gumbel noise), `NoisyArgmax` and `TruncatedGeometric` (geometric noise), `NoisyThreshold` and
    `StableMode` (Laplace noise), `RandomizedResponse`, and `Composed` and `PostProcessed`
    mechanisms of these.

    Raises
    ------
    DomainError
        If OpenDP is not installed.

    Notes
    -----
    Rounding: the scale of the noise is rounded up to a double, and the probability of a correct
    report is rounded down, so epsilon is at most the stated value. The delta of `StableMode` may be
    larger by a factor of ``1 + 10**-12``. Laplace noise is a multiple of ``2**-1074``. Sampling is
    not protected against timing attacks.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> response = RandomizedResponse(("no", "yes"), Epsilon.of("ln 3"))
    >>> response.sample(["yes"], OpenDPSampler())  # doctest: +SKIP
    ('yes',)
    """

    def __post_init__(self) -> None:
        _opendp()

    def draw(self, mechanism: Mechanism[Any, Any], database: Sequence[Any]) -> Hashable:
        """Draw an output of a mechanism.

        Raises
        ------
        DomainError
            If the mechanism is not supported.
        """
        if isinstance(mechanism, Composed):
            return tuple(self.draw(part, database) for part in mechanism.parts)
        if isinstance(mechanism, PostProcessed):
            outcome = self.draw(mechanism.mechanism, database)
            return cast("Hashable", mechanism.function(outcome))
        if isinstance(mechanism, ChoiceByScore):
            return self.draw(mechanism.exponential, database)
        if type(mechanism) not in _DRAWS or not isinstance(mechanism, CanonicalMechanism):
            known = ", ".join(sorted(kind.__name__ for kind in _DRAWS))
            raise DomainError(
                f"noise of OpenDP is available for {known}, not {type(mechanism).__name__}"
            )
        return _DRAWS[type(mechanism)](mechanism, mechanism.canonical(database))


@cache
def _opendp() -> Any:  # noqa: ANN401 - a module without types
    """Return the functions of OpenDP."""
    try:
        import opendp.prelude as dp
    except ImportError:
        raise DomainError(
            "noise of OpenDP requires OpenDP; install it with pip install 'ccsim[opendp]'"
        ) from None
    dp.enable_features("contrib")
    return dp


def _above(number: Fraction) -> float:
    """Return a double that is at least the number."""
    rounded = float(number)
    return rounded if rounded >= number else nextafter(rounded, inf)


def _scale(units: Fraction | int, epsilon: Epsilon) -> float:
    """Return a double that is at least ``units / epsilon``."""
    lower = epsilon.enclose(_PRECISION).lower
    if lower <= 0:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    return _above(Fraction(units) / lower)


@cache
def _gumbel_argmax(scale: float) -> Callable[[list[int]], int]:
    """Return OpenDP's function that selects the largest integer after Gumbel noise."""
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    measure = dp.zero_concentrated_divergence()  # which selects Gumbel noise
    return cast("Callable[[list[int]], int]", dp.m.make_noisy_max(*space, measure, scale=scale))


@cache
def _geometric(scale: float) -> Callable[[list[int]], list[int]]:
    """Return OpenDP's function that adds geometric noise to integers."""
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return cast("Callable[[list[int]], list[int]]", dp.m.make_laplace(*space, scale=scale))


@cache
def _laplace(scale: float) -> Callable[[float], float]:
    """Return OpenDP's function that adds Laplace noise to a double."""
    dp = _opendp()
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return cast("Callable[[float], float]", dp.m.make_laplace(*space, scale=scale))


@cache
def _response(size: int, truth: float) -> Callable[[int], int]:
    """Return OpenDP's randomised response on numbers below ``size``."""
    made = _opendp().m.make_randomized_response(list(range(size)), truth)
    return cast("Callable[[int], int]", made)


def choose_with_opendp(scores: Sequence[int], epsilon: Epsilon) -> int:
    """Draw an index as `choose_by_score` does, with OpenDP's Gumbel noise."""
    _opendp()
    return _gumbel_argmax(_scale(2, epsilon))(list(scores))


def _choose(mechanism: ExponentialMechanism, database: tuple[Any, ...]) -> Hashable:
    """Choose the outcome whose score plus Gumbel noise of scale ``2 s / epsilon`` is largest."""
    scores = [Fraction(mechanism.score(database, o)) for o in mechanism.outcomes]
    unit = lcm(*(score.denominator for score in scores))
    choose = _gumbel_argmax(_scale(2 * mechanism.sensitivity * unit, mechanism.epsilon))
    return mechanism.outcomes[choose([int(score * unit) for score in scores])]


def _count(mechanism: TruncatedGeometric, database: tuple[Any, ...]) -> int:
    """Add geometric noise of scale ``s / epsilon`` and clamp to the range."""
    add = _geometric(_scale(mechanism.sensitivity, mechanism.epsilon))
    return max(mechanism.low, min(mechanism.high, *add([mechanism.query(database)])))


def _argmax(mechanism: NoisyArgmax, database: tuple[Any, ...]) -> Hashable:
    """Add geometric noise of scale ``2 s / epsilon`` to each score; return the first maximum."""
    scores = [mechanism.score(database, o) for o in mechanism.outcomes]
    noisy = _geometric(_scale(2 * mechanism.sensitivity, mechanism.epsilon))(scores)
    return mechanism.outcomes[noisy.index(max(noisy))]


def _exceeds(value: Fraction, threshold: Epsilon, unit: Fraction, epsilon: Epsilon) -> bool:
    """Return whether ``epsilon (value + noise) / unit`` is above the threshold.

    The noise has scale ``unit / epsilon``. The comparison uses intervals; undecided cases, which
    have probability below ``2**-100``, count as not above.
    """
    noisy = (value + Fraction(_laplace(_scale(unit, epsilon))(0.0))) / unit
    by = epsilon.enclose(_PRECISION)
    return min(noisy * by.lower, noisy * by.upper) > threshold.enclose(_PRECISION).upper


def _threshold(mechanism: NoisyThreshold, database: tuple[Any, ...]) -> bool:
    value = Fraction(mechanism.query(database))
    return _exceeds(value, mechanism.threshold, mechanism.sensitivity, mechanism.epsilon)


def _stable(mechanism: StableMode, database: tuple[Any, ...]) -> Hashable:
    mode, distance, threshold = mechanism.stability(database)
    stable = _exceeds(
        Fraction(distance), threshold / mechanism.scale, mechanism.scale, mechanism.epsilon
    )
    return mechanism.candidates[mode] if stable else mechanism.default


def _respond(mechanism: RandomizedResponse, database: tuple[Any, ...]) -> Hashable:
    """Report each record with OpenDP's randomised response on the record's number."""
    domain = mechanism.domain
    respond = _response(len(domain), _below(mechanism.distribution([domain[0]])[(domain[0],)]))
    return tuple(domain[respond(domain.index(record))] for record in database)


def _below(number: Real) -> float:
    """Return a double that is at most the number."""
    exact = number.enclose(_PRECISION).lower if isinstance(number, Exponential) else number
    return -_above(-exact)


_DRAWS: Mapping[type, Callable[[Any, tuple[Any, ...]], Hashable]] = MappingProxyType(
    {
        ExponentialMechanism: _choose,
        NoisyArgmax: _argmax,
        NoisyThreshold: _threshold,
        RandomizedResponse: _respond,
        StableMode: _stable,
        TruncatedGeometric: _count,
    }
)
