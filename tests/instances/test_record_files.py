"""Files of records: notes that do not depend on the records, options, and no quoted record."""

import pytest

from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.errors import UnreadableInputError
from ccsim.instances.records import read_examples, read_records
from ccsim.texts.reading import listening

NOTE = "f.csv: every row is read as a record; f.csv:header=yes leaves the first out"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records(path, column=None):
    """Return the records in a file, and the announced assumptions."""
    heard = []
    number = {str(i): i for i in range(9)}.get
    with listening(heard.append):
        found = read_records(path, number, "an integer below 9", column, Budget())
    return found, [guess for reading in heard for guess in reading.guesses]


@pytest.mark.parametrize("text", ["0\n1\n", "3\n3\n3\n", "8", "0\n1\n2\n3\n"])
def test_the_note_does_not_depend_on_the_records(folder, text):
    (folder / "f.csv").write_text(text)
    found = list(map(int, text.split()))
    assert records("f.csv") == (found, [NOTE])
    assert records("f.csv:header=no") == (found, [])
    if len(found) > 1:
        assert records("f.csv:header=yes") == (found[1:], [])


def test_a_named_column_needs_no_note(folder):
    (folder / "f.csv").write_text("a,b\n0,5\n1,6\n")
    assert records("f.csv", "b") == ([5, 6], [])
    assert records("f.csv:header=yes", "a") == ([0, 1], [])
    with pytest.raises(UnreadableInputError, match="columns have names only with a header"):
        records("f.csv:header=no", "a")


def test_examples_have_the_same_option(folder):
    (folder / "f.csv").write_text("point,label\n3,1\n")
    with listening(lambda _: None):
        assert read_examples("f.csv:header=yes", 2, Budget()) == [(3, 1)]
        with pytest.raises(UnreadableInputError, match=r"f\.csv: row 1, column 1: expected a numb"):
            read_examples("f.csv", 2, Budget())


def test_no_record_is_quoted(folder, capsys):
    (folder / "f.csv").write_text("1\nsecret\n")
    (folder / "f.json").write_text("[1, 2.718281]")
    arguments = ("--sanitizer=stability-histogram", "--epsilon=1", "--seed=1")
    (folder / "twice.json").write_text('[{"secret": 1, "secret": 2}]')
    cases = ("f.csv", "secret"), ("f.json", "718281"), ("twice.json", "secret")
    for name, secret in cases:
        assert main(["sanitize", "points:b=3", f"--records={name}", *arguments]) == 2
        shown = capsys.readouterr()
        assert secret not in shown.out + shown.err
        assert shown.err.count("\n") == 1
    (folder / "f.csv").write_text("1\n2\n")
    assert main(["sanitize", "points:b=3", "--records=f.csv", *arguments]) == 0
    assert capsys.readouterr().err == f"note: {NOTE}\n"


def test_an_output_may_not_be_the_records_with_an_option(folder, capsys):
    (folder / "f.csv").write_text("1\n2\n")
    arguments = ("--sanitizer=stability-histogram", "--epsilon=1", "--out=f.csv")
    assert main(["sanitize", "points:b=3", "--records=f.csv:header=no", *arguments]) == 2
    assert "f.csv: cannot be written: it is the input" in capsys.readouterr().err
