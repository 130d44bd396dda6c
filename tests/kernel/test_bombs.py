"""Checks of hostile files end within the limits; `tests.kernel.bombs` tries many more."""

import json
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel.reader import MAX_NAME
from ccsim.kernel.rules import TooLong
from tests.kernel.bombs import BYTES, LARGEST, ending
from tests.kernel.hand_made_bombs import BOMBS
from tests.kernel.made import concept_class, representation

SLOW = {  # 4 to 60 seconds, for they do as much work as is allowed, or nearly
    "all_orders_of_points",
    "all_rectangles",
    "bounds_of_unlike_denominators",
    "certificates_of_one_instance",
    "classes_of_a_large_matrix",
    "clauses_of_schemes",
    "databases_of_many_sizes",
    "discrepancies_of_distributions",
    "distributions_of_inputs",
    "examples_of_all_partial_concepts",
    "labels_of_a_graph",
    "labels_of_pairs",
    "long_ratios_of_compositions",
    "mixtures_of_trees",
    "packing_of_more_weights",
    "packing_of_wide_weights",
    "peeled_in_many_rounds",
    "points_separated",
    "powers_of_a_grid",
    "predictions_on_version_spaces",
    "pseudo_cubes",
    "rectangles_of_a_power",
    "rectangles_with_trees",
    "shattered_concepts_of_partial_classes",
    "shattered_points_of_partial_classes",
    "stars",
    "stars_of_partial_classes",
    "teaching_sets",
    "thresholds_of_columns",
    "thresholds_of_partial_classes",
    "trees_of_many_rounds",
    "trees_of_two_bits",
    "vectors_of_signs",
    "weights_of_a_power",
    "weights_of_inputs",
    "weights_of_mechanisms",
}


def written(folder, document):
    path = folder / "bomb.json"
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.slow] * (each in SLOW)) for each in sorted(BOMBS)],
)
def test_file_ends_with_one_line(name, tmp_path):
    path = written(tmp_path, BOMBS[name]())
    assert path.stat().st_size <= LARGEST
    end = ending(path)
    assert end.is_fair, end


def test_every_kind_has_a_file():
    made = [make() for make in BOMBS.values()]
    listed = [each for one in made for each in (one if isinstance(one, list) else [one])]
    kinds = {each["kind"] for each in listed if isinstance(each, dict)}
    assert kinds == set(kernel.KINDS)


def test_page_counts_the_files():
    page = (Path(__file__).parents[2] / "docs/certificates.md").read_text(encoding="utf-8")
    assert f" tests this with {len(BOMBS)} hand-made files, " in page


def test_what_does_not_fit_the_memory_is_rejected_in_one_line(tmp_path):
    end = ending(written(tmp_path, BOMBS["packing_of_more_weights"]()), BYTES >> 3)
    assert end.is_fair, end
    said = "rejected: certificate: too large: the check exceeds the memory or the recursion limit"
    assert end.output.endswith(f"{said}\n")


def test_file_that_does_not_fit_the_memory_is_unreadable(tmp_path):
    end = ending(written(tmp_path, [["x" * 10**8]]), BYTES >> 4)
    assert end.is_fair, end
    assert end.output.endswith("unreadable: too large\n")


def test_want_of_memory_rejects_in_python(monkeypatch):
    def without(*_):
        raise MemoryError

    monkeypatch.setattr(kernel, "_check", without)
    with pytest.raises(TooLong, match=r"certificate: too large: the check exceeds the memory"):
        kernel.check(representation())


@pytest.mark.parametrize("key", ["name", "label"])
def test_names_and_labels_are_bounded(key):
    made = representation()
    rows = made["instance"]["rows"]
    for more, rule in ((0, None), (1, f"at most {MAX_NAME} characters")):
        text = "x" * (MAX_NAME + more)
        instance = concept_class(*rows)
        instance |= {"name": text} if key == "name" else {"points": [text, 1, 2]}
        if rule is None:
            assert "exactly 1/2" in kernel.check(made | {"instance": instance})
        else:
            with pytest.raises(kernel.Rejected, match=rule):
                kernel.check(made | {"instance": instance})


@pytest.mark.parametrize("text", ["é", "\\u00e9"])
def test_texts_of_other_characters_are_read_up_to_a_limit(text, tmp_path, monkeypatch):
    path = tmp_path / "text.json"
    path.write_text(f'["{text}"]', encoding="utf-8")
    assert kernel.read(path) == ["é"]
    monkeypatch.setattr(kernel, "MAX_WIDE_BYTES", 4)
    with pytest.raises(
        kernel.Unreadable, match="with non-ASCII characters must have at most 4 bytes"
    ):
        kernel.read(path)
    path.write_text('["plain text"]', encoding="utf-8")
    assert kernel.read(path) == ["plain text"]
