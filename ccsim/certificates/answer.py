"""What results share that can be proved: a certificate, and its check by the kernel."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Protocol, runtime_checkable

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.envelope import Certificate, Certificates, no_cycles
from ccsim.certificates.shown import as_data, picture_of, result_table, stated, with_picture
from ccsim.data import frozen
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.exact.bounds import Bounds, N, check_fields
from ccsim.kernel import Rejected, TooLong
from ccsim.kernel import check as check_by_kernel


@checked_types
def verify(document: object, *, time_limit: TimeLimit = None) -> str:
    """Hand a certificate, as a JSON value, to the kernel and return what it says is proved."""
    return check_by_kernel(document, Budget.of(time_limit).spend)


class Certified:
    """Base of results that a certificate proves.

    A result states its question, the parameters and the answer: in its representation, in `to_dict`
    and in the table of a notebook.
    """

    __slots__ = ()

    question: ClassVar[str] = ""
    """What is asked, as a noun phrase; by default the ``quantity`` on which there are bounds."""
    asked: ClassVar[tuple[str, ...]]
    """Names of the attributes that are the parameters of the question; the instance first."""
    answered: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes that are the answer; by default the bounds."""

    @abstractmethod
    def certificate(self) -> Certificate | Certificates:
        """Return what proves the result, for the kernel."""

    def check(self, time_limit: TimeLimit = None) -> None:
        """Hand the certificate to the kernel, which shares nothing with the search."""
        check_fields(self)
        budget = Budget.of(time_limit)
        with no_cycles(), budget.heard():
            try:
                verify(self.certificate().to_dict(), time_limit=budget)
            except TooLong as error:
                raise InstanceTooLargeError(f"the certificate is too large: {error}") from None
            except Rejected as error:
                raise CertificateError(str(error)) from None

    def stated(self) -> dict[str, object]:
        """Return the answer and the parameters of the question by name, the answer first."""
        return stated(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the question, its parameters and the answer, without proofs, as JSON values."""
        return as_data(self)

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows, with the picture of the result if it has one."""
        return with_picture(result_table(self), self)

    def _repr_svg_(self) -> str | None:
        """Return the picture of the result, if it has one and matplotlib is installed."""
        return picture_of(self)


class Answer(Bounds[N], Certified):
    """Bounds on a quantity of an instance, with a proof of each.

    A subclass is a frozen data class that holds the instance, the parameters, ``lower``, ``upper``
    and what proves them, and says in `certificate` how they stand in one.
    """

    __slots__ = ()


@runtime_checkable
class Checkable(Protocol):
    """A result whose check hears a limit."""

    def check(self, time_limit: Budget) -> None:
        """Raise `CertificateError` unless the result holds."""
        ...


@checked_types
def is_checked(result: Checkable, budget: Budget) -> bool:
    """Check a result, and tell whether time and the steps of the kernel were enough for it."""
    with budget:
        try:
            result.check(budget)
        except InstanceTooLargeError:
            return False
        return True
    return False


@frozen
class _OneBound(Certified):
    """A certificate that claims one of the bounds of a result."""

    claim: Certificate

    def certificate(self) -> Certificate:
        """Return it."""
        return self.claim


@checked_types
def certified_part(result: Certified, budget: Budget) -> Certified | None:
    """Return what can be stated of a result: both bounds, the one that is checked in time, or none.

    The check of the bound from below gets half of the time.
    """
    whole = result.certificate()
    if isinstance(whole, Certificates):
        return result if is_checked(result, budget) else None
    claims = [
        _OneBound(claim)
        for side in ("lower", "upper")
        if (claim := whole.with_one(side)) is not None
    ]
    if not claims:
        return None
    shares = [budget.share(1 / len(claims)), budget]
    held = [each for each, left in zip(claims, shares, strict=False) if is_checked(each, left)]
    if len(held) == len(claims):
        return result
    return held[0] if held else None
