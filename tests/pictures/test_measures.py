"""Pictures of complexity measures: rectangles, fooling sets, minors and hard distributions."""

import pytest
from matplotlib.patches import Rectangle

import ccsim
from ccsim.cli.main import main
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.pictures.measures import DRAWN, draw_measure

STATEMENTS = {
    "cover_number": (0,),
    "partition_number": (1,),
    "fooling_number": (1,),
    "fractional_cover_number": (1,),
}


def asked(measure, instance="greater_than:n=4"):
    return getattr(ccsim, measure)(instance, *STATEMENTS.get(measure, ()))


def letters(ax):
    found = {}
    for text in ax.texts:
        x, y = text.get_position()
        if text.get_ha() == "center":
            found[y, x] = text.get_text()
    return found


def circles(ax):
    return {(y, x) for group in ax.collections[1:] for x, y in group.get_offsets().tolist()}


@pytest.mark.parametrize("measure", ["partition_number", "protocol_size", "deterministic_cost"])
def test_letters_are_disjoint_rectangles_of_one_value(measure):
    result = asked(measure)
    found = letters(draw_measure(result))
    held = {(x, y) for x in range(4) for y in range(4) if measure != "partition_number" or x > y}
    assert found.keys() == held
    for letter in set(found.values()):
        cells = {cell for cell, other in found.items() if other == letter}
        rows, columns = ({cell[i] for cell in cells} for i in (0, 1))
        assert cells == {(x, y) for x in rows for y in columns}
        assert len({x > y for x, y in cells}) == 1


def test_an_input_in_several_rectangles_has_all_their_letters():
    result = asked("cover_number", "equality:n=6")
    found = letters(draw_measure(result))
    listed = result.above["rectangles"]["listed"]
    for x, y in found:
        inside = {
            "ABCD"[i] for i, (rows, columns) in enumerate(listed) if x in rows and y in columns
        }
        assert set(found[x, y]) == inside
    assert any(len(text) > 1 for text in found.values())


def test_circles_are_the_fooling_set_and_the_minor():
    result = asked("fooling_number")
    assert circles(draw_measure(result)) == {tuple(xy) for xy in result.below["inputs"]["inputs"]}
    minor = asked("rank").below["minor"]
    expected = {(x, y) for x in minor["rows"] for y in minor["columns"]}
    assert circles(draw_measure(asked("rank"))) == expected


def test_the_heaviest_inputs_of_the_hard_distribution_are_darkest():
    result = asked("discrepancy")
    ax = draw_measure(result)
    weights = {(x, y): w for x, y, w in result.above["weights"]["weights"]}
    shade = ax.collections[0].get_array().reshape(4, 4)
    heaviest = max(weights.values())
    for x in range(4):
        for y in range(4):
            assert shade[x][y] == pytest.approx(0.55 * weights.get((x, y), 0) / heaviest)
    assert not any(isinstance(patch, Rectangle) for patch in ax.patches)


def test_titles_name_the_measure_its_value_and_what_is_drawn():
    titles = {m: draw_measure(asked(m)).get_title().splitlines() for m in DRAWN}
    assert titles["fooling_number"] == ["fooling number 3 of the value 1", "circles: fooling set"]
    assert titles["deterministic_cost"] == ["deterministic cost 3", "letters: rectangles"]
    assert titles["discrepancy"][0].endswith(", worst")


def test_measures_without_a_picture_and_large_matrices_are_refused():
    with pytest.raises(DomainError, match="fractional_cover_number has no picture"):
        draw_measure(asked("fractional_cover_number"))
    with pytest.raises(InstanceTooLargeError, match="to be drawn, not 41 x 41"):
        draw_measure(ccsim.rank("equality:n=41"))


def test_the_command_draws_one_measure(tmp_path, capsys):
    out = tmp_path / "d.svg"
    asked_for = ["bounds", "equality:n=4", "--out", str(out)]
    assert main([*asked_for, "--only", "cover_0"]) == 0
    assert "cover number 4 of the value 0" in out.read_text()
    out.unlink()
    for more in ([], ["--only", "gamma_2"], ["--only", "D", "--only", "rank"]):
        assert main([*asked_for, *more]) == 2
        assert "--out draws one measure; give --only once" in capsys.readouterr().err
        assert not out.exists()


def test_every_drawn_row_of_the_command_has_a_picture(tmp_path):
    from ccsim.cli.bounds import DRAWN_ROWS

    for key in DRAWN_ROWS:
        assert (
            main(["bounds", "equality:n=2", "--only", key, "--out", str(tmp_path / f"{key}.svg")])
            == 0
        )
