"""Results in notebooks, as JSON values, and as pandas data frames."""

import json
import subprocess
import sys
from base64 import b64decode
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ccsim import (
    ConceptClass,
    dual_vc_dimension,
    equality,
    equivalence_table,
    error_curve,
    littlestone_dimension,
    minimax_error,
    points,
    private_sample_complexity,
    thresholds,
    vc_dimension,
)
from ccsim.cli.main import main
from ccsim.dimensions import dimensions
from ccsim.errors import DomainError


class Page(HTMLParser):
    """Texts and tags of a table; every opened tag must be closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.open, self.images = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def results():
    C = thresholds(2)
    yield from (vc_dimension(C), dual_vc_dimension(C), littlestone_dimension(C), dimensions(C))
    yield minimax_error(equality(4), 2)
    yield error_curve(equality(4))
    yield private_sample_complexity(points(1), "1/4", "1/4", "1/4")
    yield equivalence_table(points(1), "1/4", "1/4")


@pytest.mark.parametrize("result", [*results()], ids=lambda result: type(result).__name__)
def test_every_result_is_a_small_table(result):
    page = Page(result._repr_html_())
    assert set(page.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "img"}
    assert page.tags.count("tr") < 20


DRAWN = ("LittlestoneResult", "DimensionsResult", "MinimaxResult", "ErrorCurve")
DRAWN += ("EquivalenceTable", "PrivateSampleComplexity")


@pytest.mark.parametrize("result", [*results()], ids=lambda result: type(result).__name__)
def test_a_result_with_a_picture_shows_it_below_its_table(result):
    shown, svg = result._repr_html_(), result._repr_svg_()
    images = Page(shown).images
    if type(result).__name__ not in DRAWN:
        assert (svg, images) == (None, [])
        return
    (image,) = images
    head, _, data = image["src"].partition(",")
    assert head == "data:image/svg+xml;base64"
    assert b64decode(data).decode() == svg
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert image["alt"].startswith("Picture of the ")


def test_without_matplotlib_there_is_the_table_alone(monkeypatch):
    result = minimax_error(equality(3), 2)
    monkeypatch.setattr("ccsim.pictures.figures.find_spec", lambda _: None)
    assert result._repr_svg_() is None
    assert set(Page(result._repr_html_()).tags) == {"table", "tbody", "tr", "th", "td"}


def test_what_is_too_large_to_draw_is_a_table():
    result = minimax_error(equality(41), 41)
    assert result._repr_svg_() is None
    assert Page(result._repr_html_()).images == []


def test_an_empty_class_and_an_empty_curve_have_no_picture():
    assert littlestone_dimension(ConceptClass.from_rows([], ["a", "b"]))._repr_svg_() is None
    assert error_curve(equality(4), [])._repr_svg_() is None


def test_results_do_not_load_matplotlib_before_they_are_shown():
    code = "import ccsim, sys; ccsim.littlestone_dimension(ccsim.thresholds(1));"
    code += "print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_table_says_question_instance_value_and_how_to_check():
    texts = Page(minimax_error(equality(4), 2)._repr_html_()).texts
    for said in ("minimax error", "equality:n=4: 4 x 4, total", "3/13", "messages", "2"):
        assert said in texts
    assert any("result.check()" in text for text in texts)
    assert any("proofs-check verify" in text for text in texts)


def test_bounds_are_shown_as_such():
    bounds = minimax_error(equality(8), 3, time_limit=0)
    assert f"{bounds.lower} to {bounds.upper}" in Page(bounds._repr_html_()).texts


def test_names_and_labels_from_anywhere_are_escaped():
    evil = '<script>alert("x")</script>'
    C = ConceptClass.from_matrix([[0, 1], [1, 0]], points=[evil, "&"], name=evil)
    shown = vc_dimension(C)._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert set(Page(shown).tags) <= {"table", "tbody", "tr", "th", "td"}


@pytest.mark.parametrize(
    ("result", "command"),
    [
        (minimax_error(equality(4), 2), ["error", "equality:n=4", "--messages", "2"]),
        (error_curve(equality(4)), ["error", "equality:n=4", "--curve"]),
        (dimensions(thresholds(2)), ["dimensions", "thresholds:b=2"]),
        (
            equivalence_table(points(1), "1/4", "1/4"),
            ["represent", "points:b=1", "--error", "1/4", "--failure", "1/4"],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_dictionary_is_what_the_command_prints(result, command, capsys):
    main([*command, "--json"])
    printed = json.loads(capsys.readouterr().out)
    said = json.loads(json.dumps(result.to_dict()))
    if isinstance(printed, list):
        assert said == printed
    else:
        assert said.items() <= printed.items()
        assert {"vc", "value", "table"} & said.keys()


@pytest.mark.parametrize("result", [*results()], ids=lambda result: type(result).__name__)
def test_dictionaries_hold_json_values(result):
    assert json.loads(json.dumps(result.to_dict()))


def test_frames_without_pandas_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(DomainError, match="pip install pandas"):
        error_curve(equality(2)).to_dataframe()


def test_frames_have_a_row_for_each_number_and_each_quantity():
    curve = error_curve(equality(4), coins="private").to_dataframe()
    assert list(curve["messages"]) == [1, 2, 3, 4]
    assert curve["lower"].iloc[0] == "1/2"
    table = equivalence_table(points(1), "1/4", "1/4")
    frame = table.to_dataframe()
    assert list(frame["name"]) == [quantity.name for quantity in table.quantities]
    assert all(frame["lower"] <= frame["upper"])


def test_a_curve_is_a_tuple_that_tells_itself():
    curve = error_curve(equality(4))
    assert curve == tuple(curve)
    assert repr(curve) == "ErrorCurve(equality:n=4: 4 x 4, total; public coins; 1 to 4 messages)"
    assert repr(error_curve(equality(4), [])) == "ErrorCurve()"
