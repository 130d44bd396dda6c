"""Small examples of functions of `ccsim.certificates` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

from ccsim.certificates.answer import (
    about_instance,
    html_table,
    picture_of,
    stated_table,
)
from ccsim.certificates.envelope import encode_fraction, encode_integers


def test_envelope_encode_fraction():
    assert (encode_fraction(Fraction(2, 6)), encode_fraction(Fraction(4, 2))) == ("1/3", "2")


def test_envelope_encode_integers():
    assert encode_integers([3, -(2**60)]) == [3, "-1152921504606846976"]


def test_shown_as_data():
    from ccsim import thresholds, vc_dimension

    assert vc_dimension(thresholds(2)).to_dict() == {
        "question": "VC dimension",
        "instance": "thresholds:b=2",
        "value": 1,
        "exact": True,
        "lower": 1,
        "upper": 1,
    }


def test_shown_about_instance():
    from ccsim import equality

    assert about_instance(equality(3)) == {"instance": "equality:n=3"}


def test_shown_result_table():
    from ccsim import thresholds, vc_dimension

    assert (
        str(vc_dimension(thresholds(2))._repr_html_().split("</tr>")[2])
        == '<tr><th scope="row">value</th><td>1</td>'
    )


def test_shown_stated_table():
    from ccsim import thresholds, vc_dimension

    assert stated_table(vc_dimension(thresholds(2))).count("<tr>") == 3


def test_shown_html_table():
    assert (
        html_table((), [("a<b", 1)])
        == '<table><tbody><tr><th scope="row">a&lt;b</th><td>1</td></tr></tbody></table>'
    )


def test_shown_picture_of():
    from ccsim import littlestone_dimension, thresholds, vc_dimension

    assert picture_of(vc_dimension(thresholds(1))) is None
    assert "<svg" in picture_of(littlestone_dimension(thresholds(1)))
