"""Index by the codes of `protocols.codes`; the protocol and its error are in `protocols.index`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ccsim.communication.protocols.procedural import check_parameter
from protocols.codes import (
    MAX_LENGTH,
    MAX_M,
    MAX_R,
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
]


@dataclass(frozen=True, slots=True)
class IndexCoveringCode(IndexByCode):
    """Index with ``d = 2**r - 1`` positions by the perfect Hamming code; it saves ``r`` bits.

    Attributes
    ----------
    r : int
        Number of bits that are saved, 1 to `protocols.codes.MAX_R`.

    Examples
    --------
    >>> protocol = IndexCoveringCode(r=3)
    >>> protocol.num_bob, protocol.cost_bits, protocol.worst_error
    (7, 4, Fraction(1, 8))
    """

    family: ClassVar[str] = "index_covering_code"

    r: int

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: r", self.r, 1, MAX_R)

    @property
    def code(self) -> LinearCode:
        """The Hamming code."""
        return HammingCode(self.r)


@dataclass(frozen=True, slots=True)
class IndexEvenWeight(IndexByCode):
    """Index with ``d`` positions by the even-weight code; it saves one bit, error ``1/(2 d)``.

    Attributes
    ----------
    d : int
        Number of positions, 2 to `protocols.codes.MAX_LENGTH`.

    Examples
    --------
    >>> protocol = IndexEvenWeight(d=10)
    >>> protocol.cost_bits, protocol.worst_error
    (9, Fraction(1, 20))
    """

    family: ClassVar[str] = "index_even_weight"

    d: int

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: d", self.d, 2, MAX_LENGTH)

    @property
    def code(self) -> LinearCode:
        """The even-weight code."""
        return EvenWeightCode(self.d)


@dataclass(frozen=True, slots=True)
class IndexRepetition(IndexByCode):
    """Index with ``d`` positions and one bit: the majority of the shifted input.

    The error is ``1/2 - C(d-1, floor((d-1)/2)) / 2**d``, the least that one bit allows.

    Attributes
    ----------
    d : int
        Number of positions, 2 to `protocols.codes.MAX_LENGTH`.

    Examples
    --------
    >>> [str(IndexRepetition(d=d).worst_error) for d in (2, 3, 4, 5)]
    ['1/4', '1/4', '5/16', '5/16']
    """

    family: ClassVar[str] = "index_repetition"

    d: int

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: d", self.d, 2, MAX_LENGTH)

    @property
    def code(self) -> LinearCode:
        """The repetition code."""
        return RepetitionCode(self.d)


@dataclass(frozen=True, slots=True)
class IndexReedMuller(IndexByCode):
    """Index with ``2**m`` positions by the Reed-Muller code of first order: ``m + 1`` bits.

    Attributes
    ----------
    m : int
        Number of bits of a position, 2 to `protocols.codes.MAX_M`.

    Examples
    --------
    >>> protocol = IndexReedMuller(m=4)
    >>> protocol.d, protocol.cost_bits, protocol.worst_error
    (16, 5, Fraction(1961, 8192))
    """

    family: ClassVar[str] = "index_reed_muller"

    m: int

    def __post_init__(self) -> None:
        check_parameter(f"{self.family}: m", self.m, 2, MAX_M)

    @property
    def code(self) -> LinearCode:
        """The Reed-Muller code."""
        return ReedMullerCode(self.m)


@dataclass(frozen=True, slots=True)
class IndexGolay(IndexByCode):
    """Index with 23 positions by the perfect Golay code: 12 bits.

    Examples
    --------
    >>> protocol = IndexGolay()
    >>> protocol.d, protocol.cost_bits, protocol.worst_error
    (23, 12, Fraction(127, 1024))
    """

    family: ClassVar[str] = "index_golay"

    @property
    def code(self) -> LinearCode:
        """The Golay code."""
        return GolayCode()
