"""The certificates of the atlas: complete, accepted by the kernel, and about their quantities."""

from __future__ import annotations

import json
from copy import deepcopy
from hashlib import sha256
from itertools import combinations

import pytest

from ccsim import kernel
from ccsim.budget import Budget, OutOfTimeError
from ccsim.cli.main import main
from ccsim.errors import CertificateError, UnreadableInputError
from ccsim.surveys.atlas.certificates import (
    DIGEST,
    FILE,
    build_certificates,
    certificates,
    classes_with_pages,
    entry_with_values,
    pack,
    prove,
    with_contributed,
)
from ccsim.surveys.atlas.contributions import contributions
from ccsim.surveys.atlas.query import query_atlas
from ccsim.surveys.atlas.statements import PROOFS, check_documents, document_of, proved
from ccsim.surveys.atlas.table import MOST_POINTS, atlas

ENTRIES = {entry.identifier: entry for entry in classes_with_pages()}
SAMPLE = [*ENTRIES.values()][::23]


def test_the_file_has_the_stated_digest_and_the_classes_with_pages():
    assert sha256(FILE.read_bytes()).hexdigest() == DIGEST
    contributed = {f"C{each.points}.{each.chosen}" for each in contributions()}
    assert certificates().keys() | contributed == ENTRIES.keys()


def test_all_small_classes_and_the_extremal_ones_on_five_points_have_pages():
    small = {entry.identifier for entry in atlas() if entry.points < MOST_POINTS}
    assert len(small) == 429
    assert small <= ENTRIES.keys()
    five = [entry for entry in ENTRIES.values() if entry.points == MOST_POINTS]
    assert len({entry.chosen for entry in five}) == len(five) == len(ENTRIES) - 429
    for question in (
        "recursive_teaching > vc",
        "threshold_most - littlestone >= 3",
        "littlestone > threshold_least",
        "vc = 5",
        "star = 5 and points = 5",
    ):
        assert query_atlas(question).matches[0].identifier in ENTRIES, question


def test_every_quantity_of_a_class_has_a_document_with_bounds_as_good_as_those_of_the_atlas():
    for name, shipped in certificates().items():
        entry = ENTRIES[name]
        found = proved(with_contributed(entry, shipped))
        assert found.keys() >= entry.values.keys() - {"points", "concepts"}
        for quantity, (low, high) in found.items():
            on_page = entry.points == MOST_POINTS and quantity not in entry.values
            below, above = (0, None) if on_page else entry.values[quantity]
            assert below <= low, (name, quantity)
            assert high is not None
            assert above is None or high <= above, (name, quantity)


@pytest.mark.parametrize("entry", SAMPLE, ids=lambda entry: entry.identifier)
def test_the_kernel_accepts_the_certificates_of_a_sample(entry):
    check_documents(entry, certificates()[entry.identifier])


def test_entries_of_other_classes_on_five_points_have_the_values_of_their_profile():
    entry = ENTRIES["C5.544484991"]  # intervals
    assert entry not in atlas()
    assert entry == entry_with_values(5, 544484991)
    assert (entry.values["vc"][0], entry.values["littlestone"][0]) == (2, 3)


# ---- each document is about its class and its quantity

CLASS = ENTRIES["C3.39"]
OTHER = ENTRIES["C3.23"]


DOCUMENTS = certificates()[CLASS.identifier]


def refused(name, document):
    with pytest.raises(CertificateError) as raised:
        check_documents(CLASS, {name: document})
    return str(raised.value)


def test_a_document_of_another_class_is_refused():
    for name, document in certificates()[OTHER.identifier].items():
        said = refused(name, document)
        assert said.startswith(f"C3.39/{name}: the certificate"), name
        assert "about" in said


def test_a_document_of_another_quantity_is_refused():
    names = [*DOCUMENTS]
    for step in (1, 2):
        for name, other in zip(names, names[step:] + names[:step], strict=True):
            assert "must state" in refused(name, DOCUMENTS[other]), (name, other)
    stated = [(proof.kind, dict(proof.parameters)) for proof in PROOFS.values()]
    assert all(one != other for one, other in combinations(stated, 2))


def test_an_altered_bound_is_rejected_by_the_kernel():
    for name, document in DOCUMENTS.items():
        altered = deepcopy(document)
        part = altered[-1] if isinstance(altered, list) else altered
        part["statement"]["upper"] = "1/7" if name == "error" else 9
        assert refused(name, altered).startswith(f"C3.39/{name}: rejected: "), name


def test_a_list_must_be_complete():
    assert "about all flips" in refused("threshold", DOCUMENTS["threshold"][:1])
    assert "number of messages" in refused("error", DOCUMENTS["error"][:-1])
    assert "there must be one" in refused("vc", [DOCUMENTS["vc"]] * 2)
    assert "no such quantity" in refused("width", DOCUMENTS["vc"])


def test_the_values_are_those_that_the_kernel_states():
    """The bounds are read from the lines that the kernel prints."""
    for entry in SAMPLE[::5]:
        documents = certificates()[entry.identifier]
        lines = {name: kernel.check(each).split("\n") for name, each in documents.items()}
        for quantity, (low, high) in proved(documents).items():
            said = [line.rpartition(": ")[2] for line in lines[document_of(quantity)]]
            assert f"exactly {low}" in said or low < high, quantity


def test_the_certificates_of_small_classes_are_computed_again(tmp_path, capsys):
    out = tmp_path / "certificates.json.xz"
    for _ in range(2):
        assert main(["atlas", "prove", "--out", str(out), "--points", "1"]) == 0
    assert capsys.readouterr().out.count("certificates.json.xz: ") == 2
    assert certificates(out) == {
        name: certificates()[name] for name, each in ENTRIES.items() if each.points == 1
    }


def test_at_the_time_limit_the_classes_that_are_proved_are_kept(tmp_path):
    out = tmp_path / "certificates.json.xz"
    command = ["atlas", "prove", "--out", str(out), "--points", "1"]
    assert main([*command, "--time-limit", "0"]) == 3
    assert certificates(out) == {}
    assert main(command) == 0
    assert main([*command, "--time-limit", "60"]) == 0
    with pytest.raises(OutOfTimeError):
        prove(CLASS, Budget(0))


def test_every_document_is_computed_unless_it_is_known():
    found = prove(ENTRIES["C2.9"])
    assert {*found} == {*PROOFS}
    assert json.dumps(found["vc"]) == json.dumps(certificates()["C2.9"]["vc"])
    assert {*prove(ENTRIES["C2.9"], known=PROOFS.keys() - {"star"})} == {"star"}


def test_a_missing_document_is_added_to_a_file(tmp_path):
    out = tmp_path / "certificates.json.xz"
    documents = {name: dict(certificates()[name]) for name in ("C1.1", "C1.3")}
    kept = documents["C1.3"]["vc"] = dict(documents["C1.3"]["vc"], made_by="somebody")
    del documents["C1.3"]["star"]
    out.write_bytes(pack(documents))
    assert build_certificates(out, points=1)
    found = certificates(out)
    assert found["C1.1"] == certificates()["C1.1"]
    assert found["C1.3"] == certificates()["C1.3"] | {"vc": kept}


def test_a_file_that_is_none_is_refused(tmp_path):
    wrong = tmp_path / "certificates.json.xz"
    wrong.write_bytes(b"no")
    with pytest.raises(UnreadableInputError, match="not a file of certificates"):
        certificates(wrong)
    wrong.write_bytes(pack({"C1.1": {}})[:-3])
    with pytest.raises(UnreadableInputError, match="not a file of certificates"):
        certificates(wrong)


def test_a_class_and_a_permanent_identifier_have_the_same_row(capsys):
    shown = []
    for name in ("ccsim:C4.39", "C4.39", "some_functions:n=4,chosen=39", "thresholds:b=2"):
        assert main(["atlas", "show", name, "--json"]) == 0
        shown.append(json.loads(capsys.readouterr().out))
    assert {each["identifier"] for each in shown} == {"ccsim:C4.39"}
    assert all(each["values"] == shown[0]["values"] for each in shown)
    assert main(["atlas", "show", "ccsim:C4"]) == 2


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_kernel_accepts_every_certificate():
    for entry in ENTRIES.values():
        check_documents(entry, certificates()[entry.identifier])
