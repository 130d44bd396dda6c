"""Labelled points, one a line, in comma-separated text: a number below ``2^bits``, and 0 or 1.

Blank lines may stand at the end only. The text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

from ccsim.budget import Budget
from ccsim.instances.records import record_rows
from ccsim.texts.tables import Cell, refuse, refuse_record
from ccsim.texts.ways import name_of_file

_LABELS = {"0": 0, "1": 1}
_MOST_DIGITS = 4000
"""Python refuses to read more."""


def read_examples(path: Path | str, bits: int, budget: Budget) -> list[tuple[int, int]]:
    """Return the points and labels of a file.

    Complexity: linear; 10^5 examples take 0.2 s.
    """
    source, end = name_of_file(str(path)), 1 << bits
    examples = []
    for row, cells in record_rows(path):
        budget.spend()
        if len(cells) != 2:
            refuse(
                Cell(source, row, min(len(cells), 2) + 1),
                f"{len(cells)} cells",
                "expected a point and a label",
            )
        text, label = cells
        known = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
        if not known or int(text) >= end:
            refuse_record(Cell(source, row, 1), f"expected a number below 2^{bits}")
        if label not in _LABELS:
            refuse_record(Cell(source, row, 2), "expected 0 or 1")
        examples.append((int(text), _LABELS[label]))
    return examples
