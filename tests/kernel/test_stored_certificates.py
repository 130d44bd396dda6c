"""The verdicts on all stored certificates."""

import json

import pytest

from ccsim import star_number
from ccsim.kernel import Rejected, check, read
from proofs_check.commands import cli
from tests.kernel.corpus import ACCEPTED, REJECTED, store, stored


@pytest.mark.parametrize("name", ACCEPTED)
def test_stored_proof_is_accepted(name):
    assert check(stored(name))


@pytest.mark.parametrize("name", REJECTED)
def test_stored_near_miss_is_rejected(name):
    with pytest.raises(Rejected):
        check(stored(name))


def test_a_certificate_is_stored_with_a_false_one(tmp_path):
    path = tmp_path / "stars.json"
    star_number("thresholds:b=2").certificate().write(path)
    for folder in ("accepted", "rejected"):
        (tmp_path / folder).mkdir()
    store(path, tmp_path)
    [right], [wrong] = ((tmp_path / folder).iterdir() for folder in ("accepted", "rejected"))
    assert (right.name, wrong.name) == (
        "star_number_star_extension.json",
        "star_number_star_extension_false.json",
    )
    assert check(read(right)) == check(read(path))
    with pytest.raises(Rejected):
        check(read(wrong))


def test_a_certificate_of_another_format_is_rejected(capsys, tmp_path):
    """Only certificates of format 2 are read; other format numbers are rejected."""
    old = tmp_path / "old.json"
    document = stored("deterministic_representation") | {"format": 1}
    old.write_text(json.dumps(document), encoding="utf-8")
    assert cli(["verify", str(old)], standalone_mode=False) == 4
    assert "rejected: certificate: format must be 2, not 1" in capsys.readouterr().out
