"""Pictures of sample sizes: measured, sufficient by theorem, necessary, and as curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.learning.least_failure import PrivateSampleComplexity
from ccsim.learning.sample_size import occam_sample_size
from ccsim.pictures.figures import new_axes, plain_logarithmic, short_label
from ccsim.surveys.point_learners import POINT_LEARNERS, Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "osD^"
_FONT = 8
_LONGEST = 40


@checked_types
def draw_samples(cells: Sequence[Cell], *, ax: Axes | None = None) -> Axes:
    """Draw measured sample sizes with error bars, the sizes in theorems, and packing bounds.

    Parameters
    ----------
    cells : sequence of Cell
        Results of `ccsim.surveys.point_learners.measure`.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    DomainError
        If there are no measurements.

    Examples
    --------
    >>> axes = draw_samples([Cell("proper", b, 40 * b, 30 * b, 50 * b, 90 * b, 5) for b in (4, 8)])
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['proper']
    """
    if not cells:
        raise DomainError("cells must contain at least one cell")
    ax = new_axes(7, 5) if ax is None else ax
    for number, name in enumerate(POINT_LEARNERS):
        row = sorted((c for c in cells if c.learner == name), key=lambda c: c.bits)
        if not row:
            continue
        bits, color = [c.bits for c in row], f"C{number}"
        below = [c.estimate - c.insufficient for c in row]
        above = [(c.sufficient or c.estimate) - c.estimate for c in row]
        estimates = [c.estimate for c in row]
        ax.errorbar(
            bits, estimates, yerr=[below, above], marker=_MARKERS[number], capsize=3,
            color=color, label=name,
        )  # fmt: skip
        ax.plot(bits, [c.theorem for c in row], "--", color=color, alpha=0.6)
        if all(c.lower_bound for c in row):
            ax.plot(bits, [c.lower_bound for c in row], ":", color=color)
    plain_logarithmic(ax, sorted({c.bits for c in cells}))
    ax.set_xlabel("b, for point functions over 2^b points")
    ax.set_ylabel("examples")
    ax.set_title("Measured (solid), sufficient by theorem (dashed), necessary (dotted)", size=10)
    ax.legend()
    return ax


@checked_types
def draw_sample_complexity(
    found: PrivateSampleComplexity | Iterable[PrivateSampleComplexity], *, ax: Axes | None = None
) -> Axes:
    """Draw sample complexities of private learning, with the upper bounds of a theorem.

    Each result is a row: a disc if the number is known, otherwise a bar between the bounds, or an
    arrow if there is no upper bound. The line across the row marks the number of examples that
    suffices for the exponential mechanism over the class.

    Parameters
    ----------
    found : PrivateSampleComplexity or iterable of them
        One or more results.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from ccsim import points, private_sample_complexity
    >>> found = private_sample_complexity(points(1), "1/4", "1/4", "1/4")
    >>> axes = draw_sample_complexity(found)
    >>> axes.get_xlabel()
    'examples'
    """
    results = [found] if isinstance(found, PrivateSampleComplexity) else list(found)
    if not results:
        raise DomainError("found must contain at least one result")
    ax = new_axes(7, 1.6 + 0.55 * len(results)) if ax is None else ax
    theorems = [_by_theorem(each) for each in results]
    end = 1.3 * max(theorems)
    for row, (each, theorem) in enumerate(zip(results, theorems, strict=True)):
        if each.upper is not None:
            ax.plot([each.lower, each.upper], [row, row], color="C0", linewidth=4, zorder=2)
            ax.plot([each.upper], [row], "o", color="C0", zorder=3)
            said = f"{each.lower}" if each.exact else f"{each.lower} to {each.upper}"
        else:
            ax.annotate(
                "", (min(2 * each.lower, end), row), (each.lower, row),
                arrowprops={"arrowstyle": "->", "color": "C0", "linewidth": 2},
            )  # fmt: skip
            said = f"at least {each.lower}"
        ax.plot([theorem, theorem], [row - 0.35, row + 0.35], "--", color="black", zorder=2)
        for text, place, above in (
            (said, (each.lower, row), 7),
            (f"{theorem}", (theorem, row - 0.35), 2),
        ):
            ax.annotate(
                text, place, xytext=(0, above), textcoords="offset points", fontsize=_FONT,
                ha="center",
            )  # fmt: skip
    plain_logarithmic(ax)
    ax.set_xlim(0.8, max(end, 4))
    ax.set_ylim(len(results) - 0.3, -0.9)
    ax.set_yticks(range(len(results)), [_row(each) for each in results], parse_math=False)
    ax.tick_params(labelsize=_FONT)
    ax.set_xlabel("examples")
    ax.set_title(
        "Disc or bar: necessary for every private learner\ndashed: sufficient by theorem",
        size=_FONT + 1,
    )
    return ax


def _by_theorem(found: PrivateSampleComplexity) -> int:
    size = max(len(found.concept_class), 1)
    return occam_sample_size(size, found.epsilon, found.accuracy, found.failure)


def _row(found: PrivateSampleComplexity) -> str:
    name = short_label(found.concept_class.name or "class", _LONGEST)
    return f"{name}\naccuracy {found.accuracy}, failure {found.failure}, epsilon {found.epsilon}"


@validated
class Curve:
    """A curve of sample sizes against the number of bits of a point.

    Attributes
    ----------
    name : str
        Name in the legend.
    bits, numbers : tuple of int
        Coordinates of the points of the curve, of equal length.
    style : str
        Line style of matplotlib: ``-`` for computed numbers, ``--`` for a formula.
    color : int
        Index of the colour in the colour cycle of matplotlib.
    """

    name: str
    bits: tuple[int, ...]
    numbers: tuple[int, ...]
    style: str = "-"
    color: int = 0


@checked_types
def draw_curves(
    curves: Sequence[Curve], title: str = "", label: str = "examples", *, ax: Axes | None = None
) -> Axes:
    """Draw sample sizes against the number of bits of a point, on logarithmic axes.

    Parameters
    ----------
    curves : sequence of Curve
        The curves.
    title : str
        Title of the picture.
    label : str
        Label of the vertical axis.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    DomainError
        If a curve has no numbers.

    Examples
    --------
    >>> axes = draw_curves([Curve("exact", (8, 16), (30, 40))], "Points")
    >>> axes.get_ylabel(), [line.get_ydata().tolist() for line in axes.lines]
    ('examples', [[30, 40]])
    """
    if not curves or any(not c.bits or len(c.bits) != len(c.numbers) for c in curves):
        raise DomainError("curves must be one or more curves with equally many numbers and bits")
    ax = new_axes(7, 4.5) if ax is None else ax
    for curve in curves:
        marker = "o" if curve.style == "-" else None
        ax.plot(
            curve.bits, curve.numbers, curve.style, marker=marker, markersize=4,
            color=f"C{curve.color}", label=curve.name,
        )  # fmt: skip
    ticks = sorted({b for c in curves for b in c.bits if not b & (b - 1)})
    plain_logarithmic(ax, ticks)
    ax.set_xlabel("d, for points of d bits")
    ax.set_ylabel(label, parse_math=False)
    ax.set_title(title, size=10, parse_math=False)
    ax.legend(fontsize=8)
    return ax
