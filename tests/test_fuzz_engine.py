"""Some rounds of the fuzzer of the engine, `tests/fuzz_engine.py`."""

import pytest

from ccsim import native
from tests import fuzz_engine, sanitize_engine


@pytest.mark.parametrize("number", range(12))
def test_the_engine_answers_as_python_does(number):
    assert fuzz_engine.ask(number) == []


def test_a_difference_is_found_and_named(monkeypatch, capsys):
    def differs(rng):
        yield native.engine() is None

    monkeypatch.setattr(fuzz_engine, "QUESTIONS", (fuzz_engine.meeting, differs))
    assert fuzz_engine.main(["--rounds", "2", "--first", "5"]) == 1
    assert capsys.readouterr().out == (
        "round 5: differs differs from Python\nround 6: differs differs from Python\n"
        "2 rounds, 2 differences\n"
    )


OVERRUN = (
    "import ctypes, numpy; from ccsim import native; "
    "few = numpy.zeros(2, numpy.int64); library = native.engine(); "
    "table = few.ctypes.data_as(ctypes.c_void_p); "
    "library.ccsim_subsets_weigh(table, ctypes.c_int64(9), ctypes.c_int64(9), table)"
)


@pytest.mark.slow
@pytest.mark.skipif(sanitize_engine.runtimes() is None, reason="GCC's sanitizers are missing")
def test_the_sanitizers_watch_the_engine(capfd):
    assert sanitize_engine.run(["-m", "tests.fuzz_engine", "--rounds", "1"]) == 0
    assert sanitize_engine.run(["-c", OVERRUN]) not in {0, sanitize_engine.MISSING}
    assert "ERROR: AddressSanitizer: " in capfd.readouterr().err


def test_without_sanitizers_nothing_is_run(monkeypatch, capsys):
    monkeypatch.setattr(sanitize_engine.shutil, "which", lambda _: None)
    assert sanitize_engine.run(["-c", "1 / 0"]) == sanitize_engine.MISSING
    assert "are not installed here" in capsys.readouterr().err
