"""Small examples of functions of `ccsim.cli` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

from ccsim.cli.limits import _beyond
from ccsim.cli.output import (
    encode_short,
    float_bounds,
    noise_data,
    rounded_up,
    show_fraction,
    show_messages,
    show_size,
)


def test_limits_beyond():
    assert _beyond("Most rows. Beyond: bounds on the error.") == "bounds on the error"
    assert _beyond("Most rows.") == "refused"


def test_output_float_bounds():
    low, high = float_bounds(Fraction(1, 3), Fraction(1, 3))
    assert (
        Fraction(low) < Fraction(1, 3) < Fraction(high),
        float_bounds(Fraction(0), Fraction(1, 4)),
    ) == (True, [0.0, 0.25])


def test_output_rounded_up():
    assert (
        rounded_up(Fraction(1, 3)),
        rounded_up(Fraction(1, 10**400)),
        rounded_up(Fraction(0)),
    ) == ("0.334", "1e-400", "0")


def test_output_encode_short():
    assert (encode_short(Fraction(1, 3)), encode_short(Fraction(1, 2**20000))) == ("1/3", None)


def test_output_show_size():
    assert (show_size(12), show_size(2**256), show_size(3**200)) == ("12", "2^256", "about 2^316")


def test_output_show_messages():
    assert show_messages(2, 1) == "2 (1 bit)"


def test_output_noise_data():
    assert noise_data("epsilon = 1", 7, ["place"])["not_private"] == ["place"]


def test_output_show_fraction():
    assert ([show_fraction(Fraction(*q)) for q in ((0, 1), (1, 3), (1, 2**100), (1, 2**2000))]) == [
        "0",
        "1/3 (0.333333)",
        "about 7.88861e-31",
        "about 2^-2000",
    ]
