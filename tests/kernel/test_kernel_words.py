"""What the kernel prints says what it verified; the words of a file are marked as such."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ccsim import kernel, minimax_error, thresholds, vc_dimension
from ccsim.communication.problem import CommunicationProblem
from ccsim.kernel import check, named, read
from proofs_check.__main__ import main as proofs_check

CORPUS = Path(__file__).parents[1] / "certificate_corpus" / "accepted"
KERNEL = Path(kernel.__file__).parent


def certificate(name):
    return read(CORPUS / f"{name}.json")


def digests(said):
    return re.findall("sha256 ([0-9a-f]{16})", said)


def run(*arguments, **options):
    command = [sys.executable, "-I", "-S", str(KERNEL), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, **options)


# --- Digests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.json")), ids=lambda path: path.stem)
def test_no_name_and_no_label_changes_what_is_said(path):
    said = check(read(path))
    renamed = read(path)
    for key, value in renamed["instance"].items():
        if key == "name":
            renamed["instance"][key] = "thresholds:b=5): exactly 5"
        elif key in ("points", "concepts", "alice", "bob", "records", "outcomes"):
            renamed["instance"][key] = [f"label {i}" for i in range(len(value))]
    assert check(renamed) == said
    assert digests(said)


def test_digest_is_that_of_the_documented_text():
    class_ = certificate("vc_dimension")["instance"]
    rows = json.dumps(class_["rows"], separators=(",", ":"))
    text = f'{{"concepts":4,"points":4,"rows":{rows},"type":"concept class"}}'
    assert kernel.digest(class_) == hashlib.sha256(text.encode()).hexdigest()
    assert digests(check(certificate("vc_dimension"))) == [kernel.digest(class_)[:16]]


@pytest.mark.parametrize("name", ["vc_dimension", "minimax_error", "matrix_game", "privacy"])
def test_any_entry_of_the_data_changes_the_digest(name):
    instance = certificate(name)["instance"]
    before = kernel.digest(instance)
    seen = {before}
    for key in {"rows", "payoff", "laws"} & set(instance):
        for i in range(len(instance[key])):
            changed = json.loads(json.dumps(instance))
            changed[key][i] = changed[key][i][::-1] + type(changed[key][i])("0")
            seen.add(kernel.digest(changed))
    assert len(seen) > 2
    for key in {"points", "concepts", "alice", "bob", "records", "outcomes"} & set(instance):
        assert kernel.digest(instance | {key: [*instance[key], "one more"]}) not in seen


def test_library_computes_the_digest_that_the_kernel_prints():
    F = CommunicationProblem.from_matrix([[0, 1, None], [1, 0, 1]])
    for result in (vc_dimension(thresholds(2)), minimax_error(F, 1)):
        made = result.certificate()
        assert digests(check(json.loads(made.to_json()))) == [made.digest()[:16]]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("deterministic_representation", ("statement", "hypotheses")),
        ("distributional_error", ("statement", "distribution")),
        ("packing_proper", ("statement", "pool")),
        ("protocol_error", ("statement", "protocol")),
        ("selection", ("statement", "support")),
    ],
)
def test_data_of_a_statement_are_said_by_their_digest(name, path):
    made = certificate(name)
    part = made
    for key in path:
        part = part[key]
    assert digests(check(made))[1:] == [kernel.digest(part)[:16]]


def test_a_pool_is_said():
    made = read(CORPUS.parent / "forms" / "accepted" / "representation_size_pool.json")
    pool = made["statement"]["pool"]
    said = f"hypotheses among {len(pool)}, sha256 {kernel.digest(pool)[:16]}, at error"
    assert said in check(made)
    for name in ("least_failure", "probabilistic_representation_size"):
        assert "any hypotheses, " in check(certificate(name))


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
    made = certificate("vc_dimension")
    made["instance"]["name"] = name
    assert named(made) == f" [named {shown} by the file]"
    file = tmp_path / "named.json"
    file.write_text(json.dumps(made))
    line = f"{file}: {{}}: {check(made)} [named {shown} by the file]\n"
    assert run(file).stdout.decode() == line.format("proved")
    assert proofs_check(["verify", str(file)]) == 0
    assert capfd.readouterr().out == line.format("accepted")


def test_what_has_no_name_is_given_none():
    assert named(certificate("matrix_game")) == ""
    made = certificate("vc_dimension")
    made["instance"]["name"] = ""
    assert named(made) == ""


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
    ],
    ids=str,
)
def test_words_of_a_file_forge_no_line(change, tmp_path):
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(certificate("vc_dimension") | change))
    found = run(file)
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
    (fifo, 2, rb"unreadable: .*: not a regular file of at most 268435456 bytes"),
    (lambda folder: folder, 2, rb"unreadable: .*: not a regular file of at most"),
    (lambda _: "/dev/null", 2, rb"unreadable: /dev/null: not a regular file of at most"),
    (dangling, 2, rb"unreadable: .*link.json: No such file or directory"),
    (lambda _: "", 2, rb"unreadable: .*"),
    (lambda _: "n" * 300, 2, rb"unreadable: n+: File name too long"),
    (holding("empty.json", b""), 2, rb"unreadable: .*: row 1, column 1: not JSON"),
    (holding("binary.json", bytes(range(256))), 2, rb"unreadable: .*: .*byte 0x80"),
    (holding("utf16.json", "{}".encode("utf-16")), 2, rb"unreadable: .*: .*byte 0xff"),
    (holding("torn.json", b'{"a": "'), 2, rb"unreadable: .*: not JSON: Unterminated string"),
    (holding("bom.json", b"\xef\xbb\xbf{}"), 4, rb".*: rejected: certificate: key 'format' is"),
    (holding("deep.json", b"[" * 10**6), 2, rb"unreadable: .*: nested 1000000 levels deep"),
    (holding("nan.json", b'{"a": NaN}'), 4, rb".*: rejected: certificate: numbers are integers"),
    (holding("long.json", b'{"a": %s}' % (b"9" * 10**6)), 4, rb".*: rejected: .* 1000000 char"),
    (holding("twice.json", b'{"a": 1, "a": 1}'), 4, rb".*: rejected: .*key 'a' stands twice"),
    (holding("a\nb\x1b.json", b"{"), 2, rb"unreadable: '.*/a\\nb\\x1b.json': row 1, column 2"),
    (holding("bidi\u202e.json", b"[]"), 4, rb"'.*bidi\\u202e.json': rejected: certificate: must"),
    (holding(os.fsdecode(b"\xff.json"), b"[]"), 4, rb"'.*\\udcff.json': rejected: certificate: mu"),
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
