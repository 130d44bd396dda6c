"""Files as users write them are read correctly or refused."""

import random

import numpy as np
import pytest

from ccsim.texts import csv, numpy
from tests.instances import written_files


def test_files_are_read_as_meant_or_refused(tmp_path):
    wrong, counts = written_files.check(750, 35, tmp_path)
    assert [(written.name, written.data, reason) for written, reason in wrong] == []
    assert counts["read"] > 350
    assert counts["guessed"] > 10


def stars_for_signs(array, spend):
    """Read arrays by the former convention, in which -1 lies outside the promise."""
    symbols = ARRAY_SYMBOLS(array, spend)
    symbols[symbols == ord("-")] = ord("*")
    return symbols


ARRAY_SYMBOLS = numpy.array_symbols


@pytest.mark.parametrize(
    ("module", "name", "fault"),
    [
        (numpy, "array_symbols", stars_for_signs),
        (csv, "_may_be_labels", lambda cells: False),
        (csv, "_CERTAIN", 2),
        (csv, "symbol_of_text", lambda text: "1" if text.strip() == "NA" else SYMBOL(text)),
        (csv, "_separator", lambda data: ","),
    ],
)
def test_the_oracle_notices_a_fault_of_reading(tmp_path, monkeypatch, module, name, fault):
    monkeypatch.setattr(module, name, fault)
    wrong, _ = written_files.check(600, 35, tmp_path)
    assert wrong


SYMBOL = csv.symbol_of_text


def test_labels_of_the_oracle_hold_what_looks_like_entries():
    rng = random.Random(0)  # noqa: S311 - no secret
    seen = {str(label) for _ in range(200) for label in written_files.labels_of(rng, 4)}
    assert {"0", "1", "NA", "True", "-1"} <= seen
    assert isinstance(written_files.as_array(rng, [[0]], signs=False), np.ndarray)
