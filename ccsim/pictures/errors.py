"""The least error against the number of messages, with the information bound."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.communication.minimax import MinimaxResult
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError
from ccsim.pictures.figures import new_axes, short_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HALVINGS = 60
_LONGEST_NAME = 60
_COINS = {"public": ("o", "-"), "private": ("s", "--"), "deterministic": ("^", "-.")}


def information_bound(shattered: int, messages: int) -> float:
    """Return the least error ``e`` with ``d (1 - h(e)) <= log2 k``, from an approximate search.

    Alice's message must tell Bob about each of ``d`` independent fair bits ``1 - h(e)`` bits or
    more (Fano), and a message of ``k`` tells ``log2 k`` at most.
    """
    needed = 1 - math.log2(messages) / shattered if shattered else 0.0
    if needed <= 0 or messages == 1:
        return 0.5 if needed > 0 else 0.0
    low, high = 0.0, 0.5
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        h = -middle * math.log2(middle) - (1 - middle) * math.log2(1 - middle)
        low, high = (middle, high) if h < needed else (low, middle)
    return high


@checked_types
def draw_errors(curve: Iterable[MinimaxResult], *, ax: Axes | None = None) -> Axes:
    """Draw least errors against numbers of messages; bounds that differ are joined by a bar.

    The dotted line is `information_bound` for Bob's inputs that are shattered, of total problems.

    Parameters
    ----------
    curve : iterable of MinimaxResult
        Such as `ccsim.error_curve` returns; of one problem, perhaps with several kinds of coins.
    ax : matplotlib Axes, optional
        Default the axes of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DomainError
        If there is no result, they are of several problems, or matplotlib is not installed.

    Examples
    --------
    >>> from ccsim import equality, error_curve
    >>> axes = draw_errors(error_curve(equality(4)))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['public coins', 'information bound, 1 shattered']
    """
    results = sorted(curve, key=lambda result: result.messages)
    if not results or any(result.problem != results[0].problem for result in results):
        raise DomainError("curve must hold results of one problem, and at least one")
    problem = results[0].problem
    names = {"deterministic": "no coins"}
    ax = new_axes(6, 4) if ax is None else ax
    for number, (coins, (marker, line)) in enumerate(_COINS.items()):
        found = [result for result in results if result.coins == coins]
        if not found:
            continue
        numbers = [result.messages for result in found]
        upper, lower = ([float(end) for end in ends] for ends in _ends(found))
        color = f"C{number}"
        ax.plot(
            numbers,
            upper,
            line,
            marker=marker,
            markersize=5,
            color=color,
            label=names.get(coins, f"{coins} coins"),
        )
        ax.vlines(numbers, lower, upper, color=color, linewidth=3, alpha=0.5)
    numbers = [result.messages for result in results]
    if problem.is_total:
        width = range(len(problem.bob))
        rows = [[problem.value(x, y) or 0 for y in width] for x in range(len(problem.alice))]
        d = vc_dimension(ConceptClass.from_matrix(rows)).lower
        ends = range(min(numbers), max(numbers) + 1)
        ax.plot(
            ends, [information_bound(d, k) for k in ends], ":", color="black",
            label=f"information bound, {d} shattered",
        )  # fmt: skip
    ax.set_xlabel("messages")
    ax.set_ylabel("least error on the worst input")
    ax.set_ylim(bottom=-0.01)
    ax.set_xticks(sorted(set(numbers))[:: max(1, len(set(numbers)) // 16)])
    ax.grid(alpha=0.3)
    ax.set_title(
        short_label(problem.name or "problem", _LONGEST_NAME), fontsize=10, parse_math=False
    )
    ax.legend(fontsize=8)
    return ax


def _ends(found: list[MinimaxResult]) -> tuple[list[float], list[float]]:
    return [float(r.upper) for r in found], [float(r.lower) for r in found]
