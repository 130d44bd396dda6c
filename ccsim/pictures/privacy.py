"""The least delta of mechanisms as a function of epsilon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon, Excess
from ccsim.exact.exponentials import Real
from ccsim.pictures.figures import new_axes, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "os^Dvxp*"
_LINES = ("-", "--", "-.", ":")
_FONT = 8
_MOST_WRITTEN = 10  # most points whose values stand beside them
_LONGEST_NAME = 40
_LONGEST_VALUE = 12

PrivacyPoints = Iterable[tuple[Epsilon, Real | Excess]]  # epsilons with the least delta at each


@checked_types
def draw_privacy(
    curves: PrivacyPoints | Mapping[str, PrivacyPoints], *, ax: Axes | None = None
) -> Axes:
    """Draw the least delta for several epsilons, computed exactly by audits.

    The marks are exact. The lines between the marks only guide the eye. As a function of e^epsilon,
    the least delta is convex.

    Parameters
    ----------
    curves : pairs of Epsilon and delta, or mapping of names to such pairs
        Results of `ccsim.privacy.privacy_curve`, optionally with a name for each mechanism.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    DomainError
        If there are no curves, or a curve has no points.

    Examples
    --------
    >>> from ccsim.privacy.audit import privacy_curve
    >>> from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> axes = draw_privacy(privacy_curve(response, [0, "ln 2", "ln 3"], 1))
    >>> [text.get_text() for text in axes.texts]
    ['1/2', '1/4', '0']
    """
    named = curves if isinstance(curves, Mapping) else {"": curves}
    found = {name: sorted(curve, key=_epsilon) for name, curve in named.items()}
    if not found or not all(found.values()):
        raise DomainError("curves must contain one or more curves, each with at least one point")
    ax = new_axes(6, 4) if ax is None else ax
    written = sum(map(len, found.values())) <= _MOST_WRITTEN
    for number, (name, curve) in enumerate(found.items()):
        epsilons, deltas = [_epsilon(point) for point in curve], [float(d) for _, d in curve]
        ax.plot(
            epsilons, deltas, _LINES[number % len(_LINES)], marker=_MARKERS[number % len(_MARKERS)],
            color=f"C{number % 10}", markersize=5, linewidth=1,
            label=short_label(name, _LONGEST_NAME),
        )  # fmt: skip
        for epsilon, delta, (_, exact) in zip(epsilons, deltas, curve, strict=True):
            if written and len(text := _shown(exact)) <= _LONGEST_VALUE:
                ax.annotate(
                    text, (epsilon, delta), xytext=(4, 4), textcoords="offset points",
                    fontsize=_FONT, parse_math=False,
                )  # fmt: skip
    ax.set_xlabel("epsilon")
    ax.set_ylabel("least delta")
    ax.margins(x=0.08, y=0.1)
    ax.set_ylim(bottom=min(0, -0.03 * ax.get_ylim()[1]))
    ax.grid(alpha=0.3)
    if any(found):
        legend = ax.legend(fontsize=_FONT)
        for entry in legend.get_texts():
            entry.set_parse_math(False)
    return ax


def _epsilon(point: tuple[Epsilon, Real]) -> float:
    return float(point[0])


def _shown(value: Real) -> str:
    return str(value if isinstance(value, Fraction) else f"{float(value):.3g}")
