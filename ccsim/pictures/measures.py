"""The proofs of a complexity measure on the matrix of its problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.measures import MeasureResult
from ccsim.pictures.matrix import draw_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWN = (
    "cover_number",
    "partition_number",
    "protocol_size",
    "deterministic_cost",
    "fooling_number",
    "rank",
    "discrepancy",
)
"""Measures with a picture."""
_COLOURS = 10
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MOST_NAMES = 3  # of rectangles that are named in a cell
Rectangle = tuple[Sequence[int], Sequence[int]]
Weights = Mapping[tuple[int, int], int]


@checked_types
def draw_measure(result: MeasureResult, *, ax: Axes | None = None) -> Axes:
    """Draw the rectangles, the fooling set, the minor or the hard distribution of a measure.

    The corner of a cell shows its value, or ``*`` outside the promise. Inputs of one rectangle have
    one letter and one colour; an input in several rectangles has the letters of all of them, and
    the colour of the first. Circles mark the inputs that prove the lower bound: a fooling set, a
    minor, or weights, which are proportional to the areas of the circles. For the discrepancy,
    darker cells have a larger probability under the hard distribution.

    Parameters
    ----------
    result : MeasureResult
        Result of `cover_number`, `partition_number`, `protocol_size`, `deterministic_cost`,
        `fooling_number`, `rank` or `discrepancy`, for at most 40 inputs of each player.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DomainError
        If the measure has no picture.
    InstanceTooLargeError
        If the problem is larger.

    Examples
    --------
    >>> from ccsim import cover_number
    >>> axes = draw_measure(cover_number("equality:n=4", 0))
    >>> axes.get_title().splitlines()[0]
    'cover number 4 of the value 0'
    """
    check_drawn(result.measure)
    problem, title = result.problem, [_title(result)]
    shade = _weights(result.above) if result.measure == "discrepancy" else {}
    ax, cell = draw_matrix(problem, ax, shade)
    if shade:
        title.append("grey: hard distribution")
    if listed := _rectangles(result):
        _draw_rectangles(ax, listed, cell)
        title.append("letters: rectangles")
    circles = {} if shade else _circles(result.below)
    if circles:
        heaviest = max(circles.values())
        sizes = [(0.72 * 72 * cell) ** 2 * w / heaviest for w in circles.values()]
        places = [y for _, y in circles], [x for x, _ in circles]
        ax.scatter(*places, s=sizes, zorder=2, facecolors="none", edgecolors="black")
        title.append(f"circles: {_MEANINGS.get(result.measure, 'weights of the lower bound')}")
    ax.set_title("\n".join(title), fontsize=8, parse_math=False)
    return ax


_MEANINGS = {"fooling_number": "fooling set", "rank": "minor with a determinant other than 0"}


def check_drawn(measure: str) -> None:
    """Refuse a measure without a picture."""
    if measure not in DRAWN:
        raise DomainError(
            f"{measure} has no picture; measures with a picture are {', '.join(DRAWN)}"
        )


def _title(result: MeasureResult) -> str:
    name = result.measure.replace("_", " ")
    ends = sorted({result.lower, result.upper})
    statement = dict(result.parameters)
    about = f" of the value {statement['value']}" if "value" in statement else ""
    about += f", {statement['field']}" if "field" in statement else ""
    about += f", {statement['distribution']}" if "distribution" in statement else ""
    return f"{name} {' to '.join(map(str, ends))}{about}"


def _weights(proof: Mapping[str, Any]) -> dict[tuple[int, int], int]:
    listed = proof.get("weights", {}).get("weights", ())
    return {(x, y): int(w) for x, y, w in listed}


def _rectangles(result: MeasureResult) -> list[Rectangle]:
    """Return the rectangles of a cover or a partition, or the leaves of a protocol."""
    if result.measure in ("cover_number", "partition_number"):
        return [(rows, columns) for rows, columns, *_ in result.above["rectangles"]["listed"]]
    if "tree" in result.above:
        return [(rows, columns) for rows, columns, _ in result.protocol.leaves()]
    return []


def _circles(proof: Mapping[str, Any]) -> Weights:
    """Return the inputs in a fooling set or a minor, or those with positive weights."""
    if "inputs" in proof:
        return {(x, y): 1 for x, y, *_ in proof["inputs"]["inputs"]}
    if "minor" in proof:
        minor = proof["minor"]
        return {(x, y): 1 for x in minor["rows"] for y in minor["columns"]}
    return {cell: w for cell, w in _weights(proof).items() if w > 0}


def _draw_rectangles(ax: Axes, listed: list[Rectangle], cell: float) -> None:
    from matplotlib.patches import Rectangle as Patch

    names: dict[tuple[int, int], list[int]] = {}
    for i, (rows, columns) in enumerate(listed):
        for x in rows:
            for y in columns:
                names.setdefault((x, y), []).append(i)
    for (x, y), found in names.items():
        corner = (y - 0.5, x - 0.5)
        colour = f"C{found[0] % _COLOURS}"
        ax.add_patch(Patch(corner, 1, 1, facecolor=colour, alpha=0.35, linewidth=0, zorder=1))
        text = "".join(map(_letter, found[:_MOST_NAMES])) + "+" * (len(found) > _MOST_NAMES)
        size = min(8.0, 60 * cell / (2 + len(text)))
        ax.text(x=y, y=x, s=text, ha="center", va="center", fontsize=size, zorder=3)


def _letter(i: int) -> str:
    return _LETTERS[i] if i < len(_LETTERS) else f"{i} "
