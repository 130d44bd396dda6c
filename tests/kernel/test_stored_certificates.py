"""Every stored certificate keeps its verdict."""

import json

import pytest

from ccsim.kernel import Rejected, check
from proofs_check.commands import cli
from tests.kernel.corpus import ACCEPTED, REJECTED, stored


@pytest.mark.parametrize("name", ACCEPTED)
def test_stored_proof_is_accepted(name):
    assert check(stored(name))


@pytest.mark.parametrize("name", REJECTED)
def test_stored_near_miss_is_rejected(name):
    with pytest.raises(Rejected):
        check(stored(name))


def test_a_certificate_of_another_format_is_rejected(capsys, tmp_path):
    """A format number never changes its meaning: what is not of format 2 is not read as if."""
    old = tmp_path / "old.json"
    document = stored("deterministic_representation") | {"format": 1}
    old.write_text(json.dumps(document), encoding="utf-8")
    assert cli(["verify", str(old)], standalone_mode=False) == 4
    assert "rejected: certificate: format must be 2, not 1" in capsys.readouterr().out
