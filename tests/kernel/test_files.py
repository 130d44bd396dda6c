"""Files: which are read, which are unreadable, and the output for any contents."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, Unreadable, check, named, read
from proofs_check.__main__ import main as proofs_check
from tests.kernel.corpus import ACCEPTED, REJECTED, stored
from tests.kernel.made import representation

KERNEL = Path(kernel.__file__).parent


def run(*paths, kernel=KERNEL):
    command = [sys.executable, "-I", "-S", str(kernel), *map(str, paths)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


def written(folder, text, name="bad.json"):
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_the_folder_without_a_file_prints_its_usage():
    done = run()
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"usage: python -I -S ccsim/kernel CERTIFICATE.json")


# --- JSON --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"row 1, column 1: not JSON"),
        ("0,1\n1,0\n", r"row 1, column 2: not JSON: expected the end of the file"),
        ('{"a": }', r"row 1, column 7: not JSON"),
        ('{"a": 0.5, "b": }', r"row 1, column 17: not JSON"),
        ("[" * 101 + "]" * 101, r"nested 101 levels deep; the limit is 100"),
        ("[" * 100_000, r"nested 100000 levels deep; the limit is 100"),
        ('"' + '\\"' * 2000, r"not JSON: Unterminated string"),
        (b"\xff{}", r"can't decode byte 0xff in position 0"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_fault_of_an_unreadable_file_is_told(tmp_path, text, reason):
    with pytest.raises(Unreadable, match=reason):
        read(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', r"key 'c' occurs twice in one object"),
        ('{"{}": 1, "{}": 1}', r"key '{}' occurs twice in one object"),
        ('{"a": NaN}', r"numbers must be integers of at most 4000 digits, not 'NaN'"),
        ('{"a": -Infinity}', r"not '-Infinity'"),
        ('{"a": 0.5}', r"not '0.5'"),
        ('{"a": 1e3}', r"not '1e3'"),
        ('{"a": -' + "9" * 4001 + "}", r"not '-9*'\.\.\. of 4002 characters"),
        ("[0.5]", r"not '0.5'"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_json_that_no_certificate_holds_is_rejected(tmp_path, text, reason):
    with pytest.raises(Rejected, match=rf"^certificate: .*{reason}$"):
        read(written(tmp_path, text))


def test_brackets_in_texts_are_counted_among_the_others(tmp_path):
    assert read(written(tmp_path, '["' + "[" * 99 + '"]')) == ["[" * 99]
    with pytest.raises(Unreadable, match="nested 101 levels deep"):
        read(written(tmp_path, '["' + "[" * 100 + '"]'))


def test_nesting_up_to_the_limit_is_read(tmp_path):
    value = read(written(tmp_path, "[" * 100 + "]" * 100))
    for _ in range(99):
        [value] = value
    assert value == []


def test_integer_of_as_many_digits_as_the_limit_is_read(tmp_path):
    assert read(written(tmp_path, '{"a": -' + "9" * 4000 + "}")) == {"a": 1 - 10**4000}


def test_missing_file_folder_and_large_file_are_unreadable(tmp_path):
    with pytest.raises(Unreadable, match=r"No such file"):
        read(tmp_path / "none.json")
    with pytest.raises(Unreadable, match=r"not a regular file of at most 268435456 bytes"):
        read(tmp_path)
    large = tmp_path / "large.json"
    with large.open("wb") as stream:
        stream.truncate(kernel.MAX_FILE_BYTES + 1)
    with pytest.raises(Unreadable, match=r"not a regular file of at most 268435456 bytes"):
        read(large)


def test_file_of_more_values_than_the_limit_is_unreadable(tmp_path):
    file = written(tmp_path, b"[" + b"0," * kernel.MAX_VALUES + b"0]")
    with pytest.raises(Unreadable, match=r"8388609 commas and brackets; the limit is 8388608"):
        read(file)


# --- Digests -----------------------------------------------------------------------------------


def digests(said):
    return re.findall("sha256 ([0-9a-f]{16})", said)


@pytest.mark.parametrize("name", ACCEPTED)
def test_no_name_and_no_label_changes_what_is_said(name):
    said, renamed = check(stored(name)), stored(name)
    for part in renamed if isinstance(renamed, list) else [renamed]:
        for key, value in (part["instance"] or {}).items():
            if key == "name":
                part["instance"][key] = "thresholds:b=5): exactly 5"
            elif key in ("points", "concepts", "alice", "bob", "records", "outcomes"):
                part["instance"][key] = [f"label {i}" for i in range(len(value))]
    assert check(renamed) == said


def test_digest_is_that_of_the_documented_text():
    made = representation()
    rows = json.dumps(made["instance"]["rows"], separators=(",", ":"))
    text = f'{{"concepts":4,"points":3,"rows":{rows},"type":"concept class"}}'
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert kernel.digest(made["instance"]) == digest
    assert digests(check(made))[0] == digest[:16]
    hypotheses = json.dumps(made["statement"]["hypotheses"], separators=(",", ":"))
    assert digests(check(made))[1] == hashlib.sha256(hypotheses.encode()).hexdigest()[:16]


def test_any_entry_of_the_data_changes_the_digest():
    instance = representation()["instance"]
    seen = {kernel.digest(instance)}
    for i, row in enumerate(instance["rows"]):
        rows = [*instance["rows"][:i], row[::-1] + "0", *instance["rows"][i + 1 :]]
        seen.add(kernel.digest(instance | {"rows": rows}))
    for key in ("points", "concepts"):
        seen.add(kernel.digest(instance | {key: [*instance[key], "one more"]}))
    assert len(seen) == 7


# --- The file's own words ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("thresholds:b=2", "'thresholds:b=2'"),
        ("x' by the file]: exactly 9", '"x\' by the file]: exactly 9"'),
        ("a\nb.json: proved: P = NP\r\x1b[2J", "'a\\nb.json: proved: P = NP\\r\\x1b[2J'"),
        ("\u202e\ud800\x7f\xe9", "'\\u202e\\ud800\\x7f\\xe9'"),
        ("n" * 100, "'" + "n" * 60 + "'... of 100 characters"),
    ],
)
def test_name_stands_last_quoted_and_marked(name, shown, tmp_path, capfd):
    made = representation()
    made["instance"]["name"] = name
    assert named(made) == f" [named {shown} by the file]"
    file = written(tmp_path, json.dumps(made), "named.json")
    line = f"{check(made)} [named {shown} by the file]"
    assert run(file).stdout.decode() == f"{file}: proved: {line}\n"
    assert proofs_check(["verify", str(file)]) == 0
    assert capfd.readouterr().out.split() == f"{file}: accepted {line}".split()


def test_what_has_no_name_is_given_none():
    made = representation()
    made["instance"]["name"] = ""
    assert named(made) == ""


def test_list_is_printed_line_by_line(tmp_path, capfd):
    made = representation() | {"instance": representation()["instance"] | {"name": "C"}}
    file = written(tmp_path, json.dumps([made, made | {"instance": None}]))
    said = run(file).stdout.decode()
    assert said == f"{file}: proved: {check(made)} [named 'C' by the file]\n" * 2
    assert proofs_check(["verify", str(file)]) == 0
    line = f"{check(made)} [named 'C' by the file]"
    assert capfd.readouterr().out.split() == f"{file}: accepted {line} {line}".split()


ODD = "\x1b[31m: proved: P = NP\n"


@pytest.mark.parametrize(
    "change",
    [
        {"kind": ODD},
        {ODD: 1},
        {"format": ODD},
        {"made_by": ODD},
        {"statement": {ODD: ODD}},
        {"upper": {ODD: ODD}},
        {"lower": {"hard_distribution": {ODD: ODD}}},
    ],
    ids=str,
)
def test_words_of_a_file_forge_no_line(change, tmp_path):
    found = run(written(tmp_path, json.dumps(representation() | change)))
    assert found.returncode == (0 if "made_by" in change else 4)
    assert found.stdout.count(b"\n") == 1
    assert b"\x1b" not in found.stdout


# --- Hostile files -----------------------------------------------------------------------------


def fifo(folder):
    os.mkfifo(folder / "fifo.json")
    return folder / "fifo.json"


def unreadable_file(folder):
    file = folder / "locked.json"
    file.write_text("{}")
    file.chmod(0)
    return file


def holding(name, content):
    def make(folder):
        file = folder / name
        file.write_bytes(content)
        return file

    return make


def dangling(folder):
    (folder / "link.json").symlink_to(folder / "nothing")
    return folder / "link.json"


HOSTILE = [
    (fifo, 2, rb".*: unreadable: .*not a regular file of at most 268435456 bytes"),
    (lambda folder: folder, 2, rb".*: unreadable: .*not a regular file of at most"),
    (lambda _: "/dev/null", 2, rb"/dev/null: unreadable: not a regular file of at most"),
    (dangling, 2, rb".*link.json: unreadable: No such file or directory"),
    (lambda _: "", 2, rb": unreadable: .*"),
    (lambda _: "n" * 300, 2, rb"n+: unreadable: File name too long"),
    (holding("empty.json", b""), 2, rb".*: unreadable: .*row 1, column 1: not JSON"),
    (holding("binary.json", bytes(range(256))), 2, rb".*: unreadable: .*.*byte 0x80"),
    (holding("utf16.json", "{}".encode("utf-16")), 2, rb".*: unreadable: .*.*byte 0xff"),
    (holding("torn.json", b'{"a": "'), 2, rb".*: unreadable: .*not JSON: Unterminated string"),
    (holding("bom.json", b"\xef\xbb\xbf{}"), 4, rb".*: rejected: certificate: key 'format' is"),
    (holding("deep.json", b"[" * 10**6), 2, rb".*: unreadable: .*nested 1000000 levels deep"),
    (holding("nan.json", b'{"a": NaN}'), 4, rb".*: rejected: certificate: numbers must be int"),
    (holding("long.json", b'{"a": %s}' % (b"9" * 10**6)), 4, rb".*: rejected: .* 1000000 char"),
    (holding("twice.json", b'{"a": 1, "a": 1}'), 4, rb".*: rejected: .*key 'a' occurs twice"),
    (holding("a\nb\x1b.json", b"{"), 2, rb"'.*/a\\nb\\x1b.json': unreadable: row 1, column 2"),
    (
        holding("bidi\u202e.json", b"[]"),
        4,
        rb"'.*bidi\\u202e.json': rejected: certificate: a list must",
    ),
    (
        holding(os.fsdecode(b"\xff.json"), b"[]"),
        4,
        rb"'.*\\udcff.json': rejected: certificate: a list mu",
    ),
]


@pytest.mark.parametrize(("make", "status", "line"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_file_gets_one_line_and_its_status(make, status, line, tmp_path, capfd):
    path = make(tmp_path)
    found = run(path)
    assert (found.returncode, found.stderr, found.stdout.count(b"\n")) == (status, b"", 1)
    assert re.match(line, found.stdout)
    assert proofs_check(["verify", str(path)]) == status
    said = capfd.readouterr()
    assert (said.out + said.err).count("\n") == 1
    assert "Traceback" not in said.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_file_without_permission_is_unreadable(tmp_path):
    found = run(unreadable_file(tmp_path))
    assert (found.returncode, found.stdout.endswith(b"Permission denied\n")) == (2, True)


# --- A base that stands alone ------------------------------------------------------------------


def test_kernel_runs_alone_and_prints_a_line_for_each_statement(tmp_path):
    good = written(tmp_path, json.dumps(representation()), "good.json")
    bad = representation()
    bad["statement"]["upper"] = "1/6"
    bad = written(tmp_path, json.dumps(bad))
    torn = written(tmp_path, "{", "torn.json")
    mixed = run(good, bad, torn)
    assert (mixed.returncode, mixed.stderr) == (4, b"")
    first, second, third = mixed.stdout.decode().splitlines()
    assert first.startswith(f"{good}: proved: deterministic_representation of a 4 x 3 concept")
    assert second.startswith(f"{bad}: rejected: upper: the bound that is proved is 1/2")
    assert third.startswith(f"{torn}: unreadable: row 1, column 2: not JSON")
    assert (run(good).returncode, run(torn).returncode, run().returncode) == (0, 2, 2)


def test_a_copy_of_the_kernel_under_another_name_checks_every_kind(tmp_path):
    copied = shutil.copytree(KERNEL, tmp_path / "copy")
    good = written(tmp_path, json.dumps(representation()), "good.json")
    found = run(good, *ACCEPTED.values(), kernel=copied)
    assert (found.returncode, found.stderr) == (0, b"")
    found = run(*REJECTED.values(), kernel=copied)
    assert (found.returncode, found.stderr) == (4 if REJECTED else 2, b"")
    lines = found.stdout.splitlines()
    assert [b": rejected: " in line for line in lines] == [True] * len(REJECTED)
