"""Figures: on the axes that are given or on new ones, written as the suffix of a file says.

Main definitions: `new_axes`, `save_figure`, `short_label`.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from ccsim.certificates.files import write_bytes_atomically
from ccsim.errors import DomainError
from ccsim.pictures.labels import show_label

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise DomainError("pictures need matplotlib: pip install 'ccsim[plot]'") from None

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SUFFIXES", "new_axes", "save_figure", "short_label"]

SUFFIXES = (".svg", ".png", ".pdf")
"""Forms of a picture."""
_FIXED = {"svg.fonttype": "none", "svg.hashsalt": "ccsim", "text.parse_math": False}
_DATES = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {"Software": None}}
_LONGEST_LABEL = 14


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure of some inches."""
    with rc_context(_FIXED):  # type: ignore[arg-type]
        return Figure(figsize=(width, height), layout="constrained").subplots()


def save_figure(path: Path | str, axes: Axes) -> None:
    """Write the figure of some axes; the same picture gives the same file.

    Raises
    ------
    DomainError
        If the name does not end in one of `SUFFIXES`.
    UnreadableInputError
        If the file cannot be written.
    """
    ending = Path(path).suffix.lower()
    if ending not in SUFFIXES:
        raise DomainError(f"a picture must end in {', '.join(SUFFIXES)}, not {str(path)!r}")
    buffer = io.BytesIO()
    with rc_context(_FIXED), warnings.catch_warnings():  # type: ignore[arg-type]
        # a character that matplotlib's font lacks is drawn by the font of whoever looks
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        whole = axes.figure.figure
        whole.savefig(buffer, format=ending[1:], dpi=150, metadata=_DATES[ending])
    write_bytes_atomically(path, buffer.getvalue())


def short_label(label: object, longest: int = _LONGEST_LABEL) -> str:
    """Return a label on one line, cut in the middle where it is long.

    Examples
    --------
    >>> short_label("a" * 10 + "b" * 10)
    'aaaaaa..bbbbbb'
    """
    text = show_label(label)
    half = (longest - 2) // 2
    return text if len(text) <= longest else f"{text[:half]}..{text[-half:]}"
