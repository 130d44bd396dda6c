"""Every stored certificate keeps its verdict: of format 2, and of format 1 when translated."""

import json

import pytest

from ccsim import kernel
from ccsim.format_1 import TRANSLATORS, read, translated, verify_any
from ccsim.kernel import Rejected, check
from proofs_check.commands import cli
from tests.kernel.corpus import ACCEPTED, OLD_ACCEPTED, OLD_REJECTED, REJECTED, stored


@pytest.mark.parametrize("name", ACCEPTED)
def test_stored_proof_is_accepted(name):
    assert check(stored(name))


@pytest.mark.parametrize("name", REJECTED)
def test_stored_near_miss_is_rejected(name):
    with pytest.raises(Rejected):
        check(stored(name))


@pytest.mark.parametrize("name", OLD_ACCEPTED)
def test_stored_proof_of_format_1_is_accepted(name):
    document = read(OLD_ACCEPTED[name])
    said = verify_any(document)
    assert said.endswith(" (translated from format 1)") == (document["kind"] in TRANSLATORS)


@pytest.mark.parametrize("name", OLD_REJECTED)
def test_stored_near_miss_of_format_1_is_rejected(name):
    with pytest.raises(Rejected):
        verify_any(read(OLD_REJECTED[name]))


def test_command_verifies_both_formats(capsys):
    new, old = ACCEPTED.get("deterministic_representation"), OLD_ACCEPTED["matrix_game"]
    files = [str(path) for path in (new, old) if path]
    assert cli(["verify", *files], standalone_mode=False) in (0, None)
    assert capsys.readouterr().out.count(": accepted: ") == len(files)


def test_format_1_may_be_nested_more_deeply_than_format_2(tmp_path):
    deep = tmp_path / "deep.json"
    tree = "[" * 1000 + "]" * 1000
    deep.write_text(f'{{"format": 1, "kind": {tree}}}', encoding="utf-8")
    with pytest.raises(Rejected, match="instance"):
        verify_any(read(deep))
    deep.write_text(f'{{"format": 2, "kind": {tree}}}', encoding="utf-8")
    with pytest.raises(kernel.Unreadable, match="the limit is 100"):
        read(deep)


@pytest.mark.parametrize(
    "document",
    [
        [],
        None,
        {"format": 1},
        json.loads('{"format": 1, "kind": [], "instance": 0, "statement": 0, "lower": 0}'),
        dict.fromkeys(("instance", "statement", "lower", "upper", "made_by"))
        | {"format": 1, "kind": "{}"},
    ],
)
def test_what_is_no_certificate_of_format_1_is_rejected(document):
    with pytest.raises(Rejected):
        translated(document)


@pytest.mark.parametrize("kind", sorted(TRANSLATORS))
@pytest.mark.parametrize("side", ["instance", "statement", "lower", "upper"])
@pytest.mark.parametrize("value", [None, {}, [], 1, "1", {"method": "size"}])
def test_broken_certificates_of_format_1_are_rejected(kind, side, value):
    """A proof `{}` may be one; anything else is rejected, and nothing ends in another error."""
    for path in (OLD_ACCEPTED | OLD_REJECTED).values():
        document = read(path)
        if document["kind"] == kind and document[side] != value:
            try:
                verify_any(document | {side: value})
            except Rejected:
                continue
            assert side in ("lower", "upper")
            assert value in ({}, {"method": "size"})
