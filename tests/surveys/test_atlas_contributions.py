"""Contributed values: accepted by the kernel, shown with authors, and refused with reasons."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import ccsim
from ccsim import no_clash_teaching_dimension, vc_dimension
from ccsim.cli.main import main
from ccsim.errors import CertificateError, DomainError, UnreadableInputError
from ccsim.instances import parse_class
from ccsim.report.atlas.class_page import class_page
from ccsim.report.atlas.index_page import atlas_data
from ccsim.surveys.atlas import acceptance, contributions
from ccsim.surveys.atlas import certificates as atlas_certificates
from ccsim.surveys.atlas.acceptance import accepted
from ccsim.surveys.atlas.certificates import (
    certificates,
    classes_with_pages,
    entry_with_values,
    prove,
    with_contributed,
)
from ccsim.surveys.atlas.statements import check_documents, proved
from ccsim.surveys.atlas.table import COLUMNS, FILE, atlas, stored_entries, texts_of

CONTRIBUTED = contributions.contributions()
ONE = next(each for each in CONTRIBUTED if each.identifier == "ccsim:C3.103/private_messages(1/4)")
DOCUMENT = json.loads(ONE.certificate)
OPEN_CONCEPTS = 20
OPEN_CLASS = "some_functions:n=5,chosen=267390975"  # its no-clash dimension is 2 or 3 in the atlas


@pytest.mark.parametrize("value", CONTRIBUTED, ids=lambda value: value.stem)
def test_every_contributed_value_is_accepted(value):
    """Every file in the folder of contributed values is as `ccsim atlas add` writes it."""
    assert accepted(json.loads(value.certificate), value.who, value.reference) == value


def test_contributed_values_do_not_contradict_each_other():
    for each in {(c.points, c.chosen) for c in CONTRIBUTED}:
        entry = entry_with_values(*each)
        assert all(high is None or low <= high for low, high in entry.values.values())


# ---- refused, with the reason


def refused(document, others=()):
    with pytest.raises(CertificateError) as raised:
        accepted(document, "A. Person", "a paper", others)
    return str(raised.value)


def test_an_altered_certificate_is_rejected_by_the_kernel():
    altered = deepcopy(DOCUMENT)
    altered["statement"]["lower"] = 5
    assert refused(altered).startswith("the kernel rejects the certificate: ")
    assert refused([]).startswith("the kernel rejects the certificate: ")
    assert refused({}).startswith("the kernel rejects the certificate: ")


def test_a_value_that_is_known_is_refused():
    said = refused(DOCUMENT, [ONE])
    assert "proves 4..5, which does not improve 4..5 in the atlas" in said
    exact = certificates()["C3.103"]["vc"]
    assert "C3.103/vc: the certificate proves 2, which does not improve 2" in refused(exact)


def test_a_value_with_a_worse_bound_is_refused():
    better = replace(ONE, bounds=(Fraction(3), Fraction(4)))
    assert "does not improve 3..4" in refused(DOCUMENT, [better])


def test_a_value_that_contradicts_the_atlas_is_refused(monkeypatch):
    monkeypatch.setattr(acceptance, "known_bounds", lambda *_: (Fraction(6), Fraction(7)))
    assert "proves 4..5, which contradicts 6..7 in the atlas" in refused(DOCUMENT)
    monkeypatch.setattr(acceptance, "known_bounds", lambda *_: (Fraction(1), Fraction(3)))
    assert "proves 4..5, which contradicts 1..3 in the atlas" in refused(DOCUMENT)


def test_another_quantity_is_refused():
    found = ccsim.threshold_dimension(parse_class("some_functions:n=3,chosen=103"))
    assert "a certificate of threshold_dimension" in refused(found.certificate().to_dict())
    other = ccsim.communication_complexity(
        ccsim.evaluation_problem(parse_class("some_functions:n=2,chosen=9")), Fraction(1, 5)
    )
    assert "no quantity of the atlas" in refused(other.certificate().to_dict())


def test_another_class_is_refused():
    for instance, expected in (
        ("some_functions:n=3,chosen=230", "some_functions:n=3,chosen=103"),
        ("random:m=3,n=6,seed=1", "with 1 to 5 points"),
    ):
        found = vc_dimension(parse_class(instance)).certificate().to_dict()
        assert expected in refused(found), instance


def test_errors_on_five_points_are_refused():
    P = ccsim.evaluation_problem(parse_class("some_functions:n=5,chosen=3"))
    found = ccsim.minimax_error(P, 1).certificate().to_dict()
    assert "computes messages(e) from the errors" in refused(found)


def test_errors_with_more_messages_than_concepts_are_refused():
    P = ccsim.evaluation_problem(parse_class("some_functions:n=2,chosen=3"))
    found = ccsim.minimax_error(P, 3).certificate().to_dict()
    assert "the class has 2 concepts" in refused(found)


def test_a_trivial_interval_is_refused():
    """The atlas has no bounds on representations on 5 points; this class has 4 concepts."""
    C = parse_class("some_functions:n=5,chosen=15")
    trivial = ccsim.deterministic_representation_size(C, Fraction(1, 3), time_limit=0)
    assert (trivial.lower, trivial.upper) == (1, 4)
    said = refused(trivial.certificate().to_dict())
    assert "proves 1..4, which follows from the number of concepts: 2..4" in said
    exact = ccsim.deterministic_representation_size(C, Fraction(1, 3))
    found = accepted(exact.certificate().to_dict(), "A. Person", "a paper")
    assert found.bounds == (4, 4)


def test_a_lower_bound_only_can_be_read_again(tmp_path):
    only = replace(ONE, quantity="samples", bounds=(Fraction(4), None))
    only.write(tmp_path)
    assert contributions.contributions(tmp_path) == (only,)


def test_a_long_certificate_is_refused(monkeypatch):
    monkeypatch.setattr(acceptance, "_MOST_BYTES", 10_000)
    assert "must have at most 10000 bytes" in refused(DOCUMENT)


def test_a_list_of_certificates_is_refused():
    assert "not a list of 2" in refused([DOCUMENT, DOCUMENT])


@pytest.mark.parametrize("text", ["", " A", "A\nB", "A" * 301, "\x1b[2J"])
def test_names_and_references_are_one_line(text):
    with pytest.raises(DomainError, match="who must be one line"):
        accepted(DOCUMENT, text, "a paper")
    with pytest.raises(DomainError, match="reference must be one line"):
        accepted(DOCUMENT, "A. Person", text)


# ---- the files


def test_the_two_files_of_a_value_are_read_again(tmp_path):
    ONE.write(tmp_path)
    assert contributions.contributions(tmp_path) == (ONE,)
    assert len(ONE.text().splitlines()) == 5


@pytest.mark.parametrize(
    ("old", "new"),
    [("4..5", "4"), ("C3.103", "C3.23"), ("who: ", ""), ("(1/4) = ", "(1/3) = "), ("4..5", "4/0")],
)
def test_altered_lines_are_refused(old, new, tmp_path):
    file = ONE.write(tmp_path)
    file.write_text(file.read_text().replace(old, new))
    if new == "4":  # well-formed: the kernel's bounds differ
        (read,) = contributions.contributions(tmp_path)
        assert accepted(json.loads(read.certificate), read.who, read.reference) != read
        return
    with pytest.raises(UnreadableInputError, match="not a contributed value"):
        contributions.contributions(tmp_path)


def test_an_altered_certificate_no_longer_has_its_name(tmp_path):
    file = ONE.write(tmp_path).with_suffix(".json")
    file.write_text(file.read_text().replace('"lower":4', '"lower":5'))
    with pytest.raises(UnreadableInputError, match="are not those that 'ccsim atlas add' wrote"):
        contributions.contributions(tmp_path)


def test_a_certificate_without_lines_is_refused(tmp_path):
    ONE.write(tmp_path).unlink()
    with pytest.raises(UnreadableInputError, match=r"its file \.txt is missing"):
        contributions.contributions(tmp_path)


# ---- where the values appear


def test_the_atlas_has_the_contributed_bounds():
    entry = next(e for e in atlas() if e.identifier == "C3.103")
    stored = next(e for e in stored_entries() if e.identifier == "C3.103")
    name = ONE.quantity
    assert entry.values[name] == ONE.bounds != stored.values[name]
    assert {k: v for k, v in entry.values.items() if k != name} == {
        k: v for k, v in stored.values.items() if k != name
    }
    assert ',"4..5",' in next(line for line in atlas_data([]).split("\n") if "[3,103," in line)


def test_the_page_of_the_class_has_the_value_with_its_certificate_and_author():
    entry = next(e for e in classes_with_pages() if e.identifier == "C3.103")
    documents = with_contributed(entry, certificates()["C3.103"])
    check_documents(entry, documents)
    assert documents[ONE.quantity] == DOCUMENT
    assert proved(documents)[ONE.quantity] == ONE.bounds
    made = class_page(entry, documents, ())
    assert ONE.credit in made.text()
    assert made.to_dict()["contributed"] == [ONE.credit]
    assert made.to_dict()["values"][ONE.quantity]["value"] == "4..5"


def test_a_contributed_error_replaces_its_part_of_the_curve(monkeypatch):
    entry = next(e for e in classes_with_pages() if e.identifier == "C2.9")
    own = certificates()["C2.9"]
    part = dict(own["error"][0], made_by="a person")
    added = contributions.Contribution(
        2, 9, "error(1)", (Fraction(1, 2), Fraction(1, 2)), "A", "B", json.dumps(part)
    )
    monkeypatch.setattr(contributions, "contributions", lambda: (added,))
    documents = with_contributed(entry, own)
    check_documents(entry, documents)
    assert documents["error"] == [part, *own["error"][1:]]


def test_a_class_on_five_points_with_a_contributed_value_has_a_page(monkeypatch):
    found = no_clash_teaching_dimension(parse_class(OPEN_CLASS)).certificate().to_dict()
    value = accepted(found, "A. Person", "<b>a paper</b>")
    assert (value.points, value.chosen) not in {(e.points, e.chosen) for e in classes_with_pages()}
    monkeypatch.setattr(contributions, "contributions", lambda: (value,))
    monkeypatch.setattr(atlas_certificates, "contributions", lambda: (value,))
    entry = next(e for e in classes_with_pages.__wrapped__() if e.instance == OPEN_CLASS)
    assert entry.values["no_clash_teaching"] == (2, 2)
    documents = with_contributed(entry, prove(entry))
    check_documents(entry, documents)
    made = class_page(entry, documents, ())
    assert made.to_dict()["values"]["no_clash_teaching"]["value"] == "2"
    assert "no_clash_teaching = 2: A. Person, &lt;b&gt;a paper&lt;/b&gt;" in made.text()


def test_texts_of_entries_are_those_of_the_file():
    quoted = ", ".join(f'"{name}"' for name in COLUMNS)
    order = "ORDER BY points, concepts, chosen"
    with closing(sqlite3.connect(f"file:{FILE}?mode=ro", uri=True)) as database:
        rows = database.execute(f"SELECT {quoted} FROM atlas {order}").fetchall()  # noqa: S608
    assert [tuple(texts_of(entry)) for entry in stored_entries()] == rows


@pytest.mark.slow
def test_a_value_that_is_added_in_a_copy_appears_there(tmp_path):
    """The steps of CONTRIBUTING.md, in a copy of the package."""
    package = Path(ccsim.__file__).parent
    shutil.copytree(package, tmp_path / "ccsim", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "value.json").write_text(
        no_clash_teaching_dimension(parse_class(OPEN_CLASS)).certificate().to_json()
    )

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "ccsim", "atlas", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    question = f"no_clash_teaching = 2 and points = 5 and concepts = {OPEN_CONCEPTS}"
    before = json.loads(run("query", question, "--json")[1])
    assert run("show", OPEN_CLASS)[1].count("2..3") == 1
    added = ("add", "value.json", "--who", "A. Person", "--reference", "a paper")
    status, out = run(*added)
    assert (status, out.split()[:2]) == (0, ["identifier", "ccsim:C5.267390975/no_clash_teaching"])
    shown = run("show", OPEN_CLASS)[1]
    assert "2..3" not in shown
    assert "contributed: no_clash_teaching = 2: A. Person, a paper" in shown
    after = json.loads(run("query", question, "--json")[1])
    assert after["count"] == before["count"] + 1
    assert after["undecided_count"] == before["undecided_count"] - 1
    status, out = run(*added)
    assert status == 4
    assert "does not improve 2 in the atlas" in out


@pytest.mark.parametrize("folder", ["", "file", "file/x", "a" * 300, "\0"])
def test_folders_that_cannot_be_written_are_refused(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text(ONE.certificate)
    words = ["atlas", "add", "file", "--who", "A", "--reference", "B", "--to", folder]
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_command_writes_to_a_folder(tmp_path, capsys):
    file = tmp_path / "certificate.json"
    file.write_text(ONE.certificate)
    words = ["atlas", "add", str(file), "--who", ONE.who, "--reference", ONE.reference]
    assert main([*words, "--to", str(tmp_path / "values"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "identifier": ONE.identifier,
        "value": "4..5",
        "file": str(tmp_path / "values" / f"{ONE.stem}.txt"),
    }
    assert main([*words, "--to", str(tmp_path / "values")]) == 4
    assert "does not improve 4..5" in capsys.readouterr().err
    assert main(["atlas", "add", str(tmp_path / "no.json"), "--who", "A", "--reference", "B"]) == 2
