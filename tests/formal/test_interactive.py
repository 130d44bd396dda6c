"""The verified checker of errors of interactive protocols, against the kernel."""

import pytest

from ccsim.kernel import Rejected, check
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.formal.test_sign_rank import has_name_twice
from tests.kernel.corpus import ACCEPTED, stored
from tests.kernel.random_interactive import interactive_certificates

KINDS = ("two_way_error", "simultaneous_error")


def kept(kind):
    return [stored(name) for name in ACCEPTED if name.startswith(kind)]


def test_random_certificates_are_proved(theory):
    assert set(verdicts(interactive_certificates(1, 150), theory)) == {"proved"}


@pytest.mark.parametrize("kind", KINDS)
def test_checkers_agree_on_altered_proofs(kind, theory):
    made = [c for c in interactive_certificates(2, 40) if c["kind"] == kind]
    only_kernel, only_proved, both = disagreements([*kept(kind), *made], theory, 500, 5)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert len(both) > 20


def test_stored_certificates_are_theorems(theory, tmp_path):
    assert is_theorem([document for kind in KINDS for document in kept(kind)], theory, tmp_path)


def test_rounds_are_limited(theory):
    """Alice and then Bob send a bit; the order of nodes of a tree is that of the kernel."""
    [document, *_] = kept("two_way_error_hard")
    nodes = [["rows", [0]], ["columns", [0]], 1, 0, 0]
    document |= {"lower": None, "upper": {"protocol": {"symmetries": [], "trees": [[1, nodes]]}}}
    allowed, forbidden = (
        document | {"statement": {"bits": 2, "rounds": k, "lower": None, "upper": "1"}}
        for k in (2, 1)
    )
    assert check(allowed)
    with pytest.raises(Rejected, match="at most 1 rounds"):
        check(forbidden)
    assert verdicts([allowed, forbidden], theory) == ["proved", "rejected"]
