"""Equality on 4 bits: from a protocol to a representation and back, exactly."""

from fractions import Fraction

import pytest

from ccsim.classes import points
from ccsim.communication.problem import equality, evaluation_problem
from ccsim.communication.protocols.two_party import error_table, worst_error
from ccsim.representation import (
    failure_probability,
    from_public_coin_protocol,
    to_public_coin_protocol,
)
from protocols import EqualityHashing

HALF = Fraction(1, 2)


@pytest.mark.claim("fx/thm-7-le")
@pytest.mark.claim("fx/thm-7-ge")
def test_equality_on_four_bits_goes_through_a_representation_and_back():
    C, protocol = points(4), EqualityHashing(bits=4, repetitions=2).tabulate()
    assert evaluation_problem(C).ones == equality(16).ones
    assert (worst_error(protocol, equality(16)).value, protocol.messages) == (Fraction(1, 4), 4)

    # First part: error 1/4 = 1/2 * 1/2 gives a representation with error 1/2 and failure 1/2.
    representation = from_public_coin_protocol(protocol)
    assert (representation.size, len(representation.sets)) == (4, 51)
    failure = failure_probability(representation, C, HALF, target=HALF)
    assert failure.represents(HALF) is True
    assert failure.upper == HALF  # Markov's inequality: 1/4 divided by 1/2
    assert 0 < failure.lower <= HALF
    failure.check()

    # Second part: the theorem allows 1 - (1 - 1/2)(1 - 1/2) = 3/4; the game gives 1/4 back.
    back = to_public_coin_protocol(representation, C)
    allowed = 1 - (1 - HALF) * (1 - failure.upper)
    assert (back.error, allowed) == (Fraction(1, 4), Fraction(3, 4))
    assert back.protocol.messages == 4
    assert max(error_table(back.protocol, equality(16)).values()) == Fraction(1, 4)
