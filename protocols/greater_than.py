"""Greater-than: whether Alice's number is larger than Bob's.

Protocol: Alice sends her number. No protocol is much shorter: the tables of greater-than are the
complements of those of the thresholds, so at least ``(1 - H(eps)) bits`` bits are necessary for
error ``eps``, even with public coins.

References: Feldman & Xiao section 3.1 and Corollary 4.3 (``fx/app-thr``).
"""

from __future__ import annotations

from typing import ClassVar

from ccsim.communication.problem import CommunicationProblem, greater_than
from ccsim.communication.protocols.by_rules import MAX_BITS, check_parameter
from ccsim.data import validated
from protocols.send_all import SendAll

__all__ = ["GreaterThanSendAll"]


@validated
class GreaterThanSendAll(SendAll):
    """Deterministic greater-than of binary numbers; Alice sends her whole number.

    Attributes
    ----------
    bits : int
        Length of the inputs, at least 1.

    Examples
    --------
    >>> protocol = GreaterThanSendAll(bits=3)
    >>> protocol.cost_bits, protocol.value(5, 4), protocol.value(4, 4)
    (3, 1, 0)
    """

    family: ClassVar[str] = "greater_than"

    bits: int

    def __post_init__(self) -> None:
        check_parameter("greater_than: bits", self.bits, 1, MAX_BITS)

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return 1 << self.bits

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return 1 << self.bits

    @property
    def mistake_depth(self) -> int:
        """Littlestone dimension of the thresholds on ``bits`` bits."""
        return self.bits

    def value(self, x: int, y: int) -> int:
        """Return 1 iff ``x > y``."""
        return int(x > y)

    def _problem(self) -> CommunicationProblem:
        return greater_than(self.num_alice)
