"""Minimax errors against numbers of messages, and both proofs drawn on the problem's matrix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.communication.interactive.results import InteractiveErrorResult, title_of
from ccsim.communication.minimax import MinimaxResult
from ccsim.communication.problem import CommunicationProblem
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError
from ccsim.pictures.figures import new_axes, short_label
from ccsim.pictures.matrix import draw_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HALVINGS = 60
_LONGEST_NAME = 60
_STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))
_COINS = {"public": ("o", "-"), "private": ("s", "--"), "deterministic": ("^", "-.")}


def information_bound(shattered: int, messages: int) -> float:
    """Return the least error ``e`` with ``d (1 - h(e)) <= log2 k``, from an approximate search.

    By Fano's inequality, Alice's message contains at least ``1 - h(e)`` bits of information on each
    of ``d`` independent fair bits; one of ``k`` messages contains at most ``log2 k`` bits.
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
def draw_errors(
    curve: Iterable[MinimaxResult | InteractiveErrorResult], *, ax: Axes | None = None
) -> Axes:
    """Draw minimax errors against numbers of messages or bits, with a bar where bounds differ.

    For total problems and numbers of messages, the dotted line is `information_bound` for the
    shattered inputs of Bob. For numbers of bits, there is a line for each model.

    Parameters
    ----------
    curve : iterable of MinimaxResult or InteractiveErrorResult
        Results of `ccsim.error_curve` for one problem, possibly for several kinds of coins, or for
        several models.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DomainError
        If there are no results, or the results are for different problems.

    Examples
    --------
    >>> from ccsim import equality, error_curve
    >>> axes = draw_errors(error_curve(equality(4)))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['public coins', 'information bound, 1 shattered']
    """
    given = list(curve)
    if not given or any(result.problem != given[0].problem for result in given):
        raise DomainError("curve must contain one or more results for the same problem")
    by_bits = [result for result in given if isinstance(result, InteractiveErrorResult)]
    results = [result for result in given if isinstance(result, MinimaxResult)]
    if by_bits and results:
        raise DomainError("curve must be either for numbers of messages or for numbers of bits")
    if by_bits:
        return _draw_models(sorted(by_bits, key=lambda result: result.bits), ax)
    results.sort(key=lambda result: result.messages)
    problem = results[0].problem
    names = {"deterministic": "no coins"}
    ax = new_axes(6, 4) if ax is None else ax
    for number, (coins, (marker, line)) in enumerate(_COINS.items()):
        found = [result for result in results if result.coins == coins]
        if not found:
            continue
        numbers = [result.messages for result in found]
        upper, lower = [float(r.upper) for r in found], [float(r.lower) for r in found]
        color = f"C{number}"
        label = names.get(coins, f"{coins} coins")
        ax.plot(numbers, upper, line, marker=marker, markersize=5, color=color, label=label)
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
    return _with_axes(ax, "messages", numbers, problem)


def _draw_models(results: Sequence[InteractiveErrorResult], ax: Axes | None) -> Axes:
    """Draw minimax errors against numbers of bits, with a line for each model."""
    ax = new_axes(6, 4) if ax is None else ax
    titles = dict.fromkeys(title_of(result) for result in results)
    for number, title in enumerate(titles):
        found = [result for result in results if title_of(result) == title]
        numbers = [result.bits for result in found]
        upper, lower = [float(r.upper) for r in found], [float(r.lower) for r in found]
        marker, line = _STYLES[number % len(_STYLES)]
        color = f"C{number}"
        ax.plot(numbers, upper, line, marker=marker, markersize=5, color=color, label=title)
        ax.vlines(numbers, lower, upper, color=color, linewidth=3, alpha=0.5)
    return _with_axes(ax, "bits", [result.bits for result in results], results[0].problem)


def _with_axes(ax: Axes, what: str, numbers: Sequence[int], problem: CommunicationProblem) -> Axes:
    """Add labels, a title and a legend to a picture of errors."""
    ax.set_xlabel(what)
    ax.set_ylabel("minimax error")
    ax.set_ylim(bottom=-0.01)
    ax.set_xticks(sorted(set(numbers))[:: max(1, len(set(numbers)) // 16)])
    ax.grid(alpha=0.3)
    ax.set_title(
        short_label(problem.name or "problem", _LONGEST_NAME), fontsize=10, parse_math=False
    )
    ax.legend(fontsize=8)
    return ax


_LONGEST_FRACTION = 15


@checked_types
def draw_proofs(result: MinimaxResult | InteractiveErrorResult, *, ax: Axes | None = None) -> Axes:
    """Draw the values of a problem with the hard distribution and the protocol.

    The corner of a cell shows its value, or ``*`` outside the promise. Darker cells have a larger
    probability under the hard distribution. The coloured part of the circle in a cell is the
    probability with which the protocol answers 1.

    Parameters
    ----------
    result : MinimaxResult or InteractiveErrorResult
        Result for a problem with at most 40 inputs of each player.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InstanceTooLargeError
        If the problem is larger.

    Examples
    --------
    >>> from ccsim import equality, minimax_error
    >>> axes = draw_proofs(minimax_error(equality(4), 2))
    >>> axes.get_title().splitlines()[0]
    'minimax error 3/13, 2 messages'
    """
    problem = result.problem
    rows, columns = len(problem.alice), len(problem.bob)
    weights = result.distribution.as_mapping() if result.distribution is not None else {}
    ax, cell = draw_matrix(problem, ax, weights)
    cells = [(x, y) for x in range(rows) for y in range(columns)]
    full = (0.5 * 72 * cell) ** 2  # square points
    sure = [full * float(_probability(result, x, y)) for x, y in cells]
    places = [y for _, y in cells], [x for x, _ in cells]
    ax.scatter(*places, s=full, zorder=1, facecolors="white", edgecolors="#b35806", linewidths=0.6)
    ax.scatter(*places, s=sure, zorder=2, facecolors="#fdb863", linewidths=0)
    bounds = " to ".join(_shown(bound) for bound in sorted({result.lower, result.upper}))
    ax.set_title(
        f"minimax error {bounds}, {_amount(result)}\n"
        "grey: hard distribution\ndiscs: probability that the protocol answers 1",
        fontsize=8,
        parse_math=False,
    )
    return ax


def _probability(result: MinimaxResult | InteractiveErrorResult, x: int, y: int) -> Fraction:
    """Return the probability with which the protocol of a result answers 1."""
    if isinstance(result, InteractiveErrorResult):
        return result.output_probability(x, y)
    return result.protocol.output_probability(x, y)


def _amount(result: MinimaxResult | InteractiveErrorResult) -> str:
    """Return the number of messages, or the model and the number of bits."""
    if isinstance(result, InteractiveErrorResult):
        return f"{title_of(result)}, {counted(result.bits, 'bit', 'bits')}"
    return counted(result.messages, "message", "messages")


def _shown(bound: Fraction) -> str:
    return text if len(text := str(bound)) <= _LONGEST_FRACTION else f"about {float(bound):.6f}"
