"""Trade-off functions of mechanisms, with the curve of Gaussian privacy beside them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction
from ccsim.pictures.figures import new_axes, short_label
from ccsim.privacy import TradeOff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "os^Dvxp*"
_LINES = ("-", "-.", ":")
_FONT = 8
_STEPS = 400
_LONGEST_NAME = 40


@checked_types
def draw_trade_off(
    functions: TradeOff | Mapping[str, TradeOff],
    *,
    gaussian: Fraction | int | str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw trade-off functions of mechanisms: the least type II error for each level.

    The breakpoints are marked; they are exact. A dashed line shows the Gaussian trade-off function
    for ``mu = gaussian``, and a thin line the function ``1 - alpha`` of perfect privacy.

    Parameters
    ----------
    functions : TradeOff, or mapping of names to TradeOff
        Results of `ccsim.privacy.trade_off`, optionally with a name for each mechanism.
    gaussian : Fraction, int or str, optional
        Parameter of a Gaussian trade-off function, at least 0, such as the result of
        `ccsim.privacy.gaussian_privacy`.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    DomainError
        If there are no functions, or gaussian is negative.

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.privacy import RandomizedResponse, trade_off
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> axes = draw_trade_off(trade_off(response, 1), gaussian="27/20")
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['Gaussian, mu = 1.35']
    """
    named = {"": functions} if isinstance(functions, TradeOff) else dict(functions)
    if not named:
        raise DomainError("functions must not be empty")
    distance = None if gaussian is None else float(as_fraction(gaussian, "gaussian", 0))
    ax = ax or new_axes(4.5, 4.2)
    ax.plot([0, 1], [1, 0], color="0.8", linewidth=1)
    for number, (name, function) in enumerate(named.items()):
        ax.plot(
            [float(alpha) for alpha, _ in function.points],
            [float(beta) for _, beta in function.points],
            linestyle=_LINES[number % len(_LINES)], marker=_MARKERS[number % len(_MARKERS)],
            color=f"C{number % 10}", markersize=4, linewidth=1,
            label=short_label(name, _LONGEST_NAME),
        )  # fmt: skip
    if distance is not None:
        normal = NormalDist()
        levels = [i / _STEPS for i in range(1, _STEPS)]
        errors = [normal.cdf(-distance - normal.inv_cdf(level)) for level in levels]
        ax.plot(
            [0, *levels, 1], [1, *errors, 0], linestyle="--", color="0.3", linewidth=1,
            label=f"Gaussian, mu = {distance:.4g}",
        )  # fmt: skip
    ax.set_xlabel("level alpha (type I error)")
    ax.set_ylabel("least type II error")
    ax.set_aspect("equal")
    ax.grid(alpha=0.3)
    if distance is not None or any(named):
        legend = ax.legend(fontsize=_FONT)
        for entry in legend.get_texts():
            entry.set_parse_math(False)
    return ax
