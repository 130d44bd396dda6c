"""A check with more steps than the kernel allows leaves a result undecided."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim import equality, minimax_error, vc_dimension
from ccsim.budget import Budget
from ccsim.certificates import Certified, verify
from ccsim.certificates.answer import certified_part, is_checked
from ccsim.classes import random_class
from ccsim.cli.main import main
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.kernel import Rejected, TooLong, rules
from ccsim.kernel.rules import Work


@pytest.fixture
def few_steps(monkeypatch):
    monkeypatch.setattr("ccsim.kernel.Work", lambda tell=None: Work(left=1 << 20, tell=tell))


def test_result_is_neither_checked_nor_found_wrong(few_steps):
    found = vc_dimension(random_class(100, 100, 1))
    with pytest.raises(InstanceTooLargeError, match=r"certificate is too large: .* steps to check"):
        found.check()
    assert not is_checked(found, Budget())
    with pytest.raises(Rejected) as caught:
        verify(found.certificate().to_dict())
    assert isinstance(caught.value, TooLong)
    assert str(rules.MAX_WORK) in str(caught.value)


def test_of_a_result_without_bounds_nothing_is_stated():
    class Nothing(Certified):
        def certificate(self):
            return replace(vc_dimension([[0]]).certificate(), lower=None, upper=None)

    assert certified_part(Nothing(), Budget()) is None


def test_what_is_wrong_is_not_taken_for_too_long():
    found = minimax_error([[1, 0], [0, 1]], 1)
    assert is_checked(found, Budget())
    with pytest.raises(CertificateError):
        is_checked(replace(found, upper=found.upper / 2), Budget(60))


def test_dims_says_what_was_not_checked(few_steps, capsys):
    assert main(["dimensions", "random:m=100,n=100,seed=1", "--json", "--time-limit", "600"]) == 0
    assert "vc" in json.loads(capsys.readouterr().out)["unchecked"]


def test_error_falls_back_to_a_bound_that_is_soon_checked(few_steps, capsys):
    """Regression: no bound was returned if the check of the best bound took too long."""
    assert main(["error", "lines:p=5", "--messages", "3", "--json"]) == 3
    shown, note = capsys.readouterr()
    assert "the check of the lower bound was stopped" in note
    found = json.loads(shown)
    assert (found["lower"], found["upper"]) == ("1147/3625", "1201/3625")


def test_bound_that_is_soon_checked_holds_and_no_more():
    quick = minimax_error("lines:p=5", 3).with_quick_lower()
    quick.check()
    with pytest.raises(CertificateError, match="the bound that is proved is 1147/3625"):
        replace(quick, lower=Fraction(1148, 3625)).check()


def test_bound_that_is_soon_checked_is_0_without_messages_to_compare():
    alone = minimax_error(equality(9), 1).with_quick_lower()
    assert (alone.lower, alone.upper) == (0, Fraction(1, 2))
    alone.check()
