"""Surveys: questions, answers kept after interruptions, and equal rows for all schedulers."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from ccsim.cli.main import main
from ccsim.cli.surveys.survey import CommandQuestion
from ccsim.cli.surveys.survey import survey as survey_command
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.parallel.store import Row, Store
from ccsim.surveys.instances import Asked, instances_of
from ccsim.surveys.survey import CRASHED, Reply, Survey, replies, survey
from ccsim.surveys.tables import as_columns, as_parquet
from tests.parallel.clusters import local_cluster

ROOT = Path(__file__).parents[2]
PATIENCE = 240


def texts(instances):
    return [asked.text for asked in instances_of(instances)]


def kept(path, columns="instance, digest, question, status, answer, message, certificate"):
    """Read a database without the code that writes it, after a check of the whole file."""
    with closing(sqlite3.connect(path, timeout=60)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return set(database.execute(f"SELECT {columns} FROM answers"))  # noqa: S608


def about(path, instances="points:b=1..9", question="length", limit=1.0, **options):
    return Survey(question, "1", instances_of(instances), Store(path), limit, **options)


def length(text):
    return Reply(0, str(len(text)))


# --- Instances ------------------------------------------------------------------------------------


def test_ranges_are_a_product_in_the_order_of_the_family():
    found = texts("random:seed=5..7, m=2,n=1..2")
    assert found == [f"random:m=2,n={n},seed={seed}" for n in (1, 2) for seed in (5, 6, 7)]
    assert texts("points:b=2^2") == ["points:b=2^2"]
    assert texts("points:b=2^1..2^2") == ["points:b=2", "points:b=3", "points:b=4"]


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        ("points:b=3..2", "the range b=3..2 is empty"),
        ("points:b=..2", "b must be an integer, not ''"),
        ("points:b=1..", "b must be an integer, not ''"),
        ("points:b=1..2..3", "b must be an integer, not '2..3'"),
        ("points:b=1,b=1..2", "b is given twice"),
        ("points:c=1..2", "unknown parameter c"),
        ("pints:b=1..2", r"unknown family 'pints' \(points\?\)"),
        ("all:m=3", "unknown parameter m; write all:n=..."),
        ("all", "parameter n is missing"),
        ("@missing", "'missing' is not a folder"),
        ("@", "'' is not a folder"),
        ("", "unknown family ''"),
    ],
)
def test_what_names_no_instances_is_refused(instances, message):
    with pytest.raises(UnreadableInputError, match=message):
        instances_of(instances)


@pytest.mark.parametrize(
    "instances", ["points:b=0..9999999", "random:m=0..9999,n=0..9999,seed=0", "all:n=6"]
)
def test_too_many_instances_are_refused_before_they_are_listed(instances):
    with pytest.raises(InstanceTooLargeError, match=r"at most 2097152 instances|must be at most 5"):
        instances_of(instances)


# --- Questions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "the question must not be empty"),
        ("dimensions '", "no closing quotation"),
        ("dimensons", r"unknown command 'dimensons'; did you mean 'dimensions'\?"),
        ("sweep", "sweep cannot be used in a survey"),
        ("families", "families cannot be used in a survey"),
        ("survey", "survey cannot be used in a survey"),
        ("dimensions --help", "the question must not contain --help"),
        ("dimensions --jsn", "No such option"),
        ("dimensions --json", "answers are stored as JSON"),
        ("dimensions --time-limit 1", "--time-limit of the survey"),
        ("dimensions --certificate a.json", "--certificates DIR of the survey"),
        ("dimensions points:b=1", "unexpected extra argument"),
        ("error --messages none", "not 'none'"),
        ("represent --error 1/4 --hypotheses a.csv", "--hypotheses names a file"),
    ],
)
def test_what_is_no_question_is_refused(question, message):
    with pytest.raises(DomainError, match=message):
        CommandQuestion.of(question)


def test_a_question_that_the_command_refuses_is_no_answer(tmp_path, capsys):
    out = tmp_path / "a.db"
    assert main(["survey", "error", "points:b=1..2", "--out", str(out)]) == 2
    assert "give one of --messages K" in capsys.readouterr().err
    assert kept(out) == set()


@pytest.mark.parametrize(
    ("question", "instance", "arguments"),
    [
        ("dimensions", "thresholds:b=3", ["dimensions", "thresholds:b=3"]),
        ("error  --messages=2", "lines:p=2", ["error", "--messages", "2", "lines:p=2"]),
        ("represent --error 1/4", "points:b=2", ["represent", "--error", "1/4", "points:b=2"]),
        ("complexity --error 1/4", "points:b=2", ["complexity", "--error", "1/4", "points:b=2"]),
    ],
)
def test_an_answer_is_what_the_command_prints(capsys, question, instance, arguments):
    reply = CommandQuestion.of(question)(instance)
    status = main([*arguments, "--json"])
    assert (status, capsys.readouterr().out.strip()) == (reply.status, reply.answer)
    assert instance in json.loads(reply.answer)["instance"]


def test_what_ends_without_an_answer_says_why():
    asking = CommandQuestion.of("dimensions")
    assert asking("random:m=9,n=2,seed=0").status == 2
    assert "m must be" in asking("random:m=9,n=2,seed=0").message.replace("most", "must be")
    hurried = CommandQuestion.of("error --messages 2", 0.0)("lines:p=5")
    assert hurried.status == 3


# --- What is kept ---------------------------------------------------------------------------------


def counting(asked):
    def ask(text):
        asked.append(text)
        return length(text)

    return ask


def test_a_second_call_asks_for_what_is_missing_alone(tmp_path):
    path, asked = tmp_path / "a.db", []
    assert survey(counting(asked), about(path, "points:b=3..5"))
    assert survey(counting(asked), about(path, "points:b=1..9"))
    assert survey(counting(asked), about(path, "points:b=1..9"))
    assert sorted(asked) == [f"points:b={b}" for b in range(1, 10)]
    assert survey(counting(asked), about(path, "points:b=1..9", question="width"))
    assert len(asked) == 18
    assert len(kept(path)) == 18


def test_what_was_not_decided_is_asked_again_with_more_time_alone(tmp_path):
    path, calls = tmp_path / "a.db", []

    def ask(status):
        return lambda text: calls.append(text) or Reply(status, str(status))

    survey(ask(3), about(path, "points:b=1", limit=1.0))
    survey(ask(0), about(path, "points:b=1", limit=1.0))
    survey(ask(0), about(path, "points:b=1", limit=0.5))
    assert (len(calls), kept(path, "status, time_limit")) == (1, {(3, 1.0)})
    survey(ask(3), about(path, "points:b=1", limit=2.0))
    assert (len(calls), kept(path, "status, time_limit")) == (2, {(3, 2.0)})
    survey(ask(0), about(path, "points:b=1", limit=float("inf")))
    assert kept(path, "status, time_limit, answer") == {(0, float("inf"), "0")}
    survey(ask(3), about(path, "points:b=1", limit=float("inf")))
    assert len(calls) == 3


def test_of_two_answers_the_one_that_decides_stays(tmp_path):
    store = Store(tmp_path / "a.db")
    key = ("points:b=1", "", "dimensions", "1")
    decided, open_ = Row(*key, 0, "{}", None, 1.0, 9.0), Row(*key, 3, None, "late", 1.0, 9.0)
    for order in ([decided, open_], [open_, decided], [decided, open_, open_, decided]):
        with store:
            for row in order:
                store.put(row)
        assert list(store.rows("dimensions", "1")) == [decided]


def test_two_writers_at_once_lose_nothing(tmp_path):
    path = tmp_path / "a.db"

    def write(start):
        with Store(path) as store:
            for i in range(start, start + 1500):
                store.put(Row(f"points:b={i}", "", "dimensions", "1", 0, str(i), None, 0.0, 1.0))

    writers = [Thread(target=write, args=(start,)) for start in (0, 1000, 2000)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert kept(path, "instance, answer") == {(f"points:b={i}", str(i)) for i in range(3500)}


def test_an_answer_is_on_disk_before_the_next_one_is_there(tmp_path):
    path, seen = tmp_path / "a.db", []

    def ask(text):
        patience = time.monotonic() + PATIENCE
        while len(kept(path)) < len(seen) and time.monotonic() < patience:
            time.sleep(0.01)
        seen.append(len(kept(path)))
        return length(text)

    assert survey(ask, about(path))
    assert seen == list(range(9))


@pytest.mark.parametrize("content", [b"0,1\n1,0\n", b"SQLite format 3\0" + bytes(range(256)) * 9])
def test_a_file_that_is_no_database_of_a_survey_is_left_alone(tmp_path, content):
    path = tmp_path / "a.db"
    path.write_bytes(content)
    with pytest.raises(UnreadableInputError, match=r"a\.db"):
        Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("change", ["user_version = 2", "application_id = 7"])
def test_a_database_of_another_kind_is_left_alone(tmp_path, change):
    path = tmp_path / "a.db"
    Store(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA {change}")
    before = path.read_bytes()
    with pytest.raises(UnreadableInputError, match="is not a database of answers of this format"):
        Store(path)
    assert path.read_bytes() == before


def test_a_row_that_cannot_be_written_ends_the_survey(tmp_path):
    path = tmp_path / "a.db"
    whole = about(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE answers")
        database.execute("CREATE VIEW answers AS SELECT 1")
    with pytest.raises(UnreadableInputError, match=r"a\.db: cannot be used as a database"):
        survey(length, whole)


# --- Interrupts and accidents ---------------------------------------------------------------------


def test_an_interrupt_keeps_what_is_there(tmp_path):
    path = tmp_path / "a.db"

    def ask(text):
        if text == "points:b=4":
            raise KeyboardInterrupt
        return length(text)

    assert not survey(ask, about(path))
    assert kept(path, "instance") == {(f"points:b={b}",) for b in (1, 2, 3)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_answer_that_an_interrupt_cut_short_is_none(tmp_path, number):
    path = tmp_path / "a.db"

    def raising(*_):
        raise KeyboardInterrupt

    def ask(text):
        try:
            if text == "points:b=4":
                os.kill(os.getpid(), number)
                time.sleep(PATIENCE)
        except KeyboardInterrupt:  # as a search does that states its bounds
            return Reply(3, "bounds")
        return length(text)

    before = signal.signal(number, raising)  # also where it was ignored
    try:
        assert not survey(ask, about(path))
        assert signal.getsignal(number) is raising
    finally:
        signal.signal(number, before)
    assert kept(path, "instance") == {(f"points:b={b}",) for b in (1, 2, 3)}


def test_an_error_of_the_program_is_an_answer_too(monkeypatch):
    from ccsim.cli import dimensions

    def fail(*_, **__):
        raise ZeroDivisionError("no reason\nat all")

    monkeypatch.setattr(dimensions, "littlestone_dimension", fail)
    reply = CommandQuestion.of("dimensions")("points:b=1")
    assert (reply.status, reply.message) == (CRASHED, "ZeroDivisionError: no reason at all")


def test_an_instance_that_kills_its_process_is_named_and_the_others_answered():
    kill, number = os.kill, signal.SIGKILL

    def ask(text):
        if text == "x:3":
            kill(os.getpid(), number)
        return Reply(0, text)

    found = {a.text: r for a, r in replies(ask, [Asked(f"x:{i}") for i in range(5)], jobs=2)}
    assert {text: reply.status for text, reply in found.items()} == {
        f"x:{i}": CRASHED if i == 3 else 0 for i in range(5)
    }
    assert "was killed" in found["x:3"].message


# --- Files ----------------------------------------------------------------------------------------


def test_files_are_asked_by_their_content(tmp_path, capsys):
    folder, out = tmp_path / "data", tmp_path / "a.db"
    folder.mkdir()
    for name, text in {"a.csv": "p,q\n0,1\n1,0\n0,1\n", "b.json": "[[0, 1]]", "bad.csv": "0,x\n",
                       "note.txt": "no"}.items():  # fmt: skip
        (folder / name).write_text(text)
    given = ["survey", "dimensions", f"@{folder}", "--out", str(out), "--json"]
    assert main(given) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["instances"], shown["answered"], shown["refused"]) == (3, 2, 1)
    names = {str(folder / name) for name in ("a.csv", "b.json", "bad.csv")}
    assert kept(out, "instance") == {(f"@{name}",) for name in names}
    ((message,),) = kept(out, "message") - {(None,)}
    assert message.startswith(f"{folder / 'bad.csv'}: ")
    assert {len(digest) for (digest,) in kept(out, "digest")} == {64}
    (folder / "a.csv").write_text("p,q\n0,1\n1,0\n1,1\n")
    assert main(given) == 0
    assert Counter(name for name, _ in kept(out, "instance, digest"))[f"@{folder / 'a.csv'}"] == 2
    assert len(kept(out, "answer, digest")) == 4


def test_an_export_into_the_folder_is_no_input(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("0,1\n")
    given = ["survey", "dimensions", f"@{tmp_path}", "--out", str(tmp_path / "a.db")]
    assert main([*given, "--csv", str(tmp_path / "a.csv")]) == 2
    assert "it is the input" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_certificates_are_kept_and_asked_for_again_where_they_are_gone(tmp_path):
    from ccsim.kernel import check

    out, folder = tmp_path / "a.db", tmp_path / "kept"
    given = ["survey", "dimensions", "points:b=1..3", "--out", str(out)]
    assert main(given) == 0
    assert kept(out, "certificate") == {(None,)}
    given += ["--certificates", str(folder)]
    for _ in range(2):
        assert main(given) == 0
        names = {name for (name,) in kept(out, "certificate")}
        assert names == {path.name for path in folder.iterdir()}
        assert len(names) == 3
        for path in folder.iterdir():
            check(json.loads(path.read_text()))
        next(folder.iterdir()).unlink()
    with pytest.raises(DomainError, match="families cannot be used"):
        CommandQuestion.of("families", certified=True)


# --- Export ---------------------------------------------------------------------------------------


def answered(answer, **changes):
    given = {"instance": "a", "digest": "", "question": "q", "version": "1", "status": 0,
             "answer": answer, "message": None, "seconds": 0.5, "time_limit": 1.0}  # fmt: skip
    return Row(**given | changes)


ROWS = (
    answered('{"value": "1/3", "upper": 2, "status": "x", "list": [1, {"a": 2}], "flag": true}'),
    answered(None, instance="b", status=2, message='it is, say, "odd"'),
    answered('{"value": 1, "upper": 3}', instance="c"),
    answered("[1, 2]", instance="d"),
)


def test_a_table_has_a_column_for_each_key_of_the_answers(tmp_path, capsys):
    columns = as_columns(ROWS)
    assert columns["value"] == ["1/3", None, 1, None]
    assert columns["answer_status"] == ["x", None, None, None]
    assert columns["status"] == [0, 2, 0, 0]
    assert columns["list"] == ['[1, {"a": 2}]', None, None, None]
    assert columns["answer"] == [None, None, None, "[1, 2]"]
    path = tmp_path / "a.csv"
    given = ["survey", "dimensions", "random:m=2..9,n=2,seed=0", "--out", str(tmp_path / "a.db")]
    assert main([*given, "--csv", str(path)]) == 0
    with path.open(newline="") as lines:
        read = list(csv.DictReader(lines))
    assert [row["instance"] for row in read] == texts("random:m=2..9,n=2,seed=0")
    assert [row["status"] for row in read] == ["0"] * 3 + ["2"] * 5
    assert {row["concepts"] for row in read} == {"2", "3", "4", ""}


def test_a_parquet_file_holds_the_same_table():
    from io import BytesIO

    from pyarrow import parquet

    read = parquet.read_table(BytesIO(as_parquet(ROWS))).to_pydict()
    expected = as_columns(ROWS)
    expected["value"] = ['"1/3"', None, "1", None]
    assert read == expected
    huge = as_parquet([answered(f'{{"value": {2**70}}}')])
    assert parquet.read_table(BytesIO(huge)).to_pydict()["value"] == [str(2**70)]


# --- Processes ------------------------------------------------------------------------------------


def start(*arguments):
    """Start a survey as the leader of its own session."""
    return subprocess.Popen(
        [sys.executable, "-m", "ccsim", "survey", *arguments], cwd=ROOT, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(process):
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    return out


def survivors(session):
    """Return the running processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, leader = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(leader) == session and state not in "ZX":
            found.append(int(folder.name))
    return found


def wait_until(condition):
    patience = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.01)


def rows_so_far(path):
    try:
        with closing(sqlite3.connect(path, timeout=60)) as database:
            return database.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
    except sqlite3.OperationalError:  # before there is a table
        return 0


def kills(path, arguments, number, total, seed):
    """Kill a survey at random moments, and check the database each time."""
    rng, known = random.Random(seed), set()  # noqa: S311 - no secret
    for _ in range(number):
        more = len(known) + rng.randrange((total - len(known)) // 2)
        process = start(*arguments)
        wait_until(lambda: rows_so_far(path) >= more or process.poll() is not None)  # noqa: B023
        time.sleep(rng.random() / 10)
        assert process.poll() is None, process.communicate()
        process.kill()
        process.communicate()
        wait_until(lambda: not survivors(process.pid))  # noqa: B023
        left = kept(path, "*") if path.exists() and path.stat().st_size else set()
        assert known <= left
        known = left
    return known


@pytest.mark.parametrize(
    ("classes", "killed", "jobs"),
    [(800, 2, 1), pytest.param(500, 5, 2, marks=[pytest.mark.slow, pytest.mark.timeout(1500)])],
)
def test_a_survey_that_is_killed_ends_with_the_same_rows(tmp_path, classes, killed, jobs):
    question = ("dimensions", f"random:m=12,n=8,seed=0..{classes - 1}", f"--jobs={jobs}")
    calm, killed_at = tmp_path / "calm.db", tmp_path / "killed.db"
    arguments = (*question, "--out", str(killed_at))
    known = kills(killed_at, arguments, killed, classes, seed=classes)
    assert len(known) < classes
    finished(start(*arguments))
    finished(start(*question, "--out", str(calm)))
    assert kept(killed_at) == kept(calm)
    assert known <= kept(killed_at, "*")
    assert len(kept(calm)) == classes


def test_two_surveys_at_once_fill_one_file(tmp_path):
    path = tmp_path / "a.db"
    ranges = ("random:m=6,n=4,seed=0..29", "random:m=6,n=4,seed=15..44")
    for process in [start("dimensions", each, "--out", str(path)) for each in ranges]:
        finished(process)
    single = tmp_path / "b.db"
    assert main(["survey", "dimensions", "random:m=6,n=4,seed=0..44", "--out", str(single)]) == 0
    assert kept(path) == kept(single)
    assert len(kept(path)) == 45


@pytest.fixture
def cluster(tmp_path):
    """Return the address of a cluster of two worker processes."""
    with local_cluster(tmp_path) as (address, _):
        yield address


@pytest.mark.parametrize(
    "classes", [24, pytest.param(500, marks=[pytest.mark.slow, pytest.mark.timeout(1500)])]
)
def test_a_cluster_of_two_workers_gives_the_same_rows(tmp_path, cluster, classes):
    question = ("dimensions", f"random:m=12,n=8,seed=0..{classes - 1}")
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    finished(start(*question, "--out", str(there), "--scheduler", cluster))
    assert main(["survey", *question, "--out", str(here)]) == 0
    assert kept(there) == kept(here)
    assert len(kept(here)) == classes


@pytest.mark.parametrize("address", ["", "nowhere", "tcp://nowhere", "/", "tcp://a b:1", "x" * 300])
def test_what_is_no_address_is_refused(tmp_path, capsys, address):
    given = ["survey", "dimensions", "points:b=1", "--out", str(tmp_path / "a.db")]
    assert main([*given, "--scheduler", address]) == 2
    assert "--scheduler must be tcp://HOST:PORT" in capsys.readouterr().err


def test_the_commands_of_the_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "surveys.md").read_text(encoding="utf-8")
    commands = [shlex.split(line[2:]) for line in page.splitlines() if line.startswith("$ ")]
    asked = [command[1:] for command in commands if command[:2] == ["ccsim", "survey"]]
    (small,) = (command for command in asked if "--scheduler" not in command)
    small = [word.replace("0..399", "0..3").replace("4", "1") for word in small]
    assert main(small) == 0
    capsys.readouterr()
    ((_, name, query),) = (command for command in commands if command[0] == "sqlite3")
    with closing(sqlite3.connect(name)) as database:
        values = database.execute(query).fetchall()
    assert sum(number for _, number in values) == 4
    assert all("/" in value for value, _ in values)
    (remote,) = (command for command in asked if "--scheduler" in command)
    assert {param.opts[0] for param in survey_command.params} >= {
        word for word in remote if word.startswith("--")
    }


def test_the_object_that_is_printed_has_the_documented_keys(tmp_path, capsys):
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| `survey` |"))
    assert (
        main(["survey", "dimensions", "points:b=1", "--out", str(tmp_path / "a.db"), "--json"]) == 0
    )
    assert set(json.loads(capsys.readouterr().out)) == set(re.findall(r"`(\w+)`", row)) - {"survey"}
