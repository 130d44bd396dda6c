"""Figures on given or new axes, written in the format given by the suffix of a file."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ccsim.appearance import show_label
from ccsim.arguments.checked import checked_types
from ccsim.certificates.files import write_bytes_atomically
from ccsim.errors import DomainError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png", ".pdf", ".tikz", ".tex")
"""Formats of a picture; ``.tikz`` is for ``\\input``, ``.tex`` is a complete document."""
_FIXED = {"svg.fonttype": "none", "svg.hashsalt": "ccsim", "text.parse_math": False}
_DATES = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
_LONGEST_LABEL = 14


def check_matplotlib() -> None:
    """Raise `DomainError` unless matplotlib is installed."""
    if not _is_there("matplotlib"):
        raise DomainError("pictures require matplotlib; install it with pip install 'ccsim[plot]'")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # somebody keeps it from being imported
        return False


def check_picture(path: Path | str) -> str:
    """Return the format of a picture from the name of its file, before any computation."""
    ending = Path(path).suffix.lower()
    if ending not in SUFFIXES:
        raise DomainError(
            f"the file name of a picture must end in {', '.join(SUFFIXES[:-1])} or "
            f"{SUFFIXES[-1]}, not {str(path)!r}"
        )
    check_matplotlib()
    return ending


@contextmanager
def fixed() -> Iterator[None]:
    """Return a context in which pictures do not depend on local settings of matplotlib."""
    check_matplotlib()
    from matplotlib import rc_context

    with rc_context(_FIXED), warnings.catch_warnings():  # type: ignore[arg-type]
        # a character that matplotlib's font lacks is drawn by the font of whoever looks
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        yield


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure of the given size in inches."""
    with fixed():
        from matplotlib.figure import Figure

        return Figure(figsize=(width, height), layout="constrained").subplots()


@checked_types
def save_figure(path: Path | str, axes: Axes) -> None:
    """Write the figure of some axes to a file. Equal figures give equal files.

    Parameters
    ----------
    path : Path or str
        File name that ends in one of `SUFFIXES`.
    axes : matplotlib Axes
        Axes returned by a function of `ccsim.pictures`.

    Raises
    ------
    DomainError
        If the file name has a different ending.
    UnreadableInputError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from ccsim.pictures import Curve, draw_curves
    >>> axes = draw_curves([Curve("x", (1, 2), (1, 2))])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_figure(f"{folder}/curve.svg", axes)
    ...     "<svg" in Path(folder, "curve.svg").read_text()
    True
    """
    ending = check_picture(path)
    if ending in {".tikz", ".tex"}:
        from ccsim.pictures.tikz import tikz_text

        with fixed():
            text = tikz_text(axes, document=ending == ".tex")
        write_bytes_atomically(path, text.encode())
    else:
        write_bytes_atomically(path, _drawn(axes, ending[1:]))


def plain_logarithmic(ax: Axes, ticks: Sequence[int] = ()) -> None:
    """Make axes logarithmic with plain numbers as tick labels."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    if ticks:
        ax.set_xscale("log", base=2)
        ax.set_xticks(ticks, [str(tick) for tick in ticks])
        ax.set_yscale("log")
    else:
        ax.set_xscale("log")
    axis = ax.yaxis if ticks else ax.xaxis
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
    axis.set_minor_formatter("")


def svg_text(axes: Axes) -> str:
    """Return the figure of some axes as SVG."""
    return _drawn(axes, "svg").decode()


def _drawn(axes: Axes, form: str) -> bytes:
    buffer = io.BytesIO()
    with fixed():
        whole = axes.figure.figure
        whole.savefig(buffer, format=form, dpi=150, metadata=_DATES[form])
    return buffer.getvalue()


def short_label(label: object, longest: int = _LONGEST_LABEL) -> str:
    """Return a label on one line, shortened in the middle if it is long."""
    text = show_label(label)
    half = (longest - 2) // 2
    return text if len(text) <= longest else f"{text[:half]}..{text[-half:]}"
