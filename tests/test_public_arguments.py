"""Public helpers of every folder refuse wrong objects in one line and accept valid ones."""

from __future__ import annotations

import inspect
from enum import Enum

import pytest

from ccsim.certificates import Certified
from ccsim.errors import CcsimError, DomainError
from tests.cases import every
from tests.public import hollow, is_validated, parameters_of, public_callables, wrong_objects

UNVALIDATED = {
    "ccsim.exact.Distribution": "reads millions of pairs itself",
    "ccsim.Workers": "budgets are below the checks of arguments, and it has its own",
    "ccsim.exact.as_fraction": "is what reads numbers",
}
"""What has parameters and does not read them by their annotations, with the reason."""


def has_parameters(made):
    """Return whether a class can be constructed with arguments; abstract classes cannot."""
    if inspect.isclass(made) and (made.__init__ is object.__init__ or issubclass(made, Enum)):
        return False
    if inspect.isabstract(made) or getattr(made, "_is_protocol", False):
        return False
    return bool(inspect.signature(made).parameters)


def is_result(made):
    """Return whether a class is a result, which users do not construct and which checks itself."""
    return inspect.isclass(made) and issubclass(made, Certified)


HELPERS = {
    name: made
    for name, made in public_callables().items()
    if not name.startswith("ccsim.kernel.")  # it runs without the rest, and reads files only
    and has_parameters(made)
    and not is_result(made)
}
VALIDATED = {name: made for name, made in HELPERS.items() if name not in UNVALIDATED}


@every("name", VALIDATED)
def test_every_public_helper_reads_its_arguments_by_their_annotations(name):
    assert is_validated(VALIDATED[name])


@pytest.mark.parametrize("name", UNVALIDATED)
def test_no_exception_is_out_of_date(name):
    assert not is_validated(HELPERS[name])


@every("name", VALIDATED)
def test_wrong_objects_are_refused_by_the_name_of_the_parameter(name):
    made = VALIDATED[name]
    hints = parameters_of(made)
    called = made.__name__
    for parameter, hint in hints.items():
        others = {key: hollow(other) for key, other in hints.items()}
        for wrong in wrong_objects(hint):
            with pytest.raises(DomainError) as caught:
                made(**{**others, parameter: wrong})
            message = str(caught.value)
            assert message.startswith(f"{called}: {parameter}"), wrong
            assert len(message.splitlines()) == 1
            assert isinstance(caught.value, CcsimError)
