"""Labels of points, concepts and inputs, as they are shown."""

from __future__ import annotations


def show_label(label: object) -> str:
    r"""Return a label as it is printed: on one line, whatever it holds."""
    text = str(label)
    return text if text.isprintable() else ascii(text)
