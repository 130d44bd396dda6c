"""Index by each code of `protocols.codes`; the protocol and its error are in `protocols.index`.

Main definitions: `by_code`, and five families that it creates; their parameters are those of the
code.

>>> IndexCoveringCode(r=3) == IndexByCode(HammingCode(r=3))
True
>>> [str(IndexRepetition(d=d).stated_error) for d in (2, 3, 4, 5)]
['1/4', '1/4', '5/16', '5/16']
>>> IndexEvenWeight(d=10).stated_error, IndexReedMuller(m=4).stated_error
(Fraction(1, 20), Fraction(1961, 8192))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import getdoc, signature
from typing import TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.communication.protocols.by_rules import check_parameter
from protocols.codes import (
    EvenWeightCode,
    GolayCode,
    HammingCode,
    ReedMullerCode,
    RepetitionCode,
)
from protocols.index import IndexByCode
from protocols.linear_code import LinearCode

__all__ = [
    "IndexCoveringCode",
    "IndexEvenWeight",
    "IndexGolay",
    "IndexReedMuller",
    "IndexRepetition",
    "by_code",
]

P = TypeVar("P", bound=IndexByCode)


def by_code(protocol: type[P], code: type[LinearCode]) -> Callable[..., P]:
    """Return the family of protocols for the codes of one kind, with the parameters of the code.

    Examples
    --------
    >>> by_code(IndexByCode, HammingCode)(r=0)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: index_covering_code: r must be an integer, at least 1, not 0
    """
    parameters = signature(code)

    @wraps(code, assigned=(), updated=())
    def family(*args: int, **kwargs: int) -> P:
        for key, value in parameters.bind(*args, **kwargs).arguments.items():
            check_parameter(f"{protocol.family}_{code.family}: {key}", value, *code.limits)
        return protocol(code(*args, **kwargs))

    problem = protocol.family.replace("_", " ").capitalize()
    documented = (getdoc(code) or "").replace("\nAttributes\n", "\nParameters\n")
    family.__doc__ = f"{problem} by t{documented[1:]}"
    family.__name__ = family.__qualname__ = f"{protocol.family}_{code.family}"
    family.__annotations__ = dict.fromkeys(parameters.parameters, int)
    return checked_types(family)


IndexCoveringCode = by_code(IndexByCode, HammingCode)
IndexEvenWeight = by_code(IndexByCode, EvenWeightCode)
IndexGolay = by_code(IndexByCode, GolayCode)
IndexReedMuller = by_code(IndexByCode, ReedMullerCode)
IndexRepetition = by_code(IndexByCode, RepetitionCode)
