"""Labels of points, concepts and inputs, as they are shown."""

from __future__ import annotations

__all__ = ["show_label"]


def show_label(label: object) -> str:
    r"""Return a label as it is printed: on one line, whatever it holds.

    Examples
    --------
    >>> show_label("(0,1)"), show_label("a" + chr(10) + "b")
    ('(0,1)', "'a\\nb'")
    """
    text = str(label)
    return text if text.isprintable() else ascii(text)
