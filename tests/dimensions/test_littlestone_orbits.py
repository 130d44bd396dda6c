"""Refutations with one entry per orbit: against the definition, by the kernel, and altered."""

import copy
import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from ccsim import kernel
from ccsim.budget import Budget
from ccsim.classes import (
    ConceptClass,
    balls,
    halfspaces,
    intervals,
    k_points,
    lines,
    parities,
    thresholds,
    unions,
)
from ccsim.cli.main import main
from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.mistake_trees import LittlestoneRefutation
from ccsim.dimensions.version_spaces import native
from ccsim.dimensions.version_spaces.search import SearchFailedError, refute_by_orbits
from ccsim.errors import CertificateError
from ccsim.symmetry.matrix import LiteralGroup, Symmetry, symmetries_of, symmetries_of_class
from tests.small_classes import NO_POINTS

SMALL = [lines(3), k_points(3, 3), k_points(3, 4), parities(3), halfspaces(1, 3), unions(6, 2)]


def literal_orbits(symmetries, num):
    """Return the orbits of points with labels, by closure under the generators."""
    orbits = set()
    for start in ((x, b) for x in range(num) for b in (0, 1)):
        orbit, waiting = {start}, [start]
        while waiting:
            x, b = waiting.pop()
            for s in symmetries:
                image = s.columns[x], b ^ (s.flips >> x & 1)
                if image not in orbit:
                    orbit.add(image)
                    waiting.append(image)
        orbits.add(frozenset(orbit))
    return orbits


def lacks_by_definition(C):
    @cache
    def dimension(rows):
        if len(rows) < 2:
            return len(rows) - 1
        depth = 0
        for x in range(len(C.points)):
            ones = tuple(row for row in rows if row >> x & 1)
            zeros = tuple(row for row in rows if not row >> x & 1)
            if ones and zeros:
                depth = max(depth, 1 + min(dimension(zeros), dimension(ones)))
        return depth

    def lacks(words, depth):
        held = int.from_bytes(words.tobytes(), "little")
        return dimension(tuple(r for c, r in enumerate(C.rows) if held >> c & 1)) < depth

    return lacks


@pytest.mark.parametrize("C", [*SMALL, halfspaces(1, 4), balls(2, 2)], ids=str)
def test_symmetries_of_a_class_are_those_of_its_matrix(C):
    found = symmetries_of_class(C)
    for symmetry in found:
        symmetry.verify(C.rows, len(C.points))
    num = len(C.points)
    assert literal_orbits(found, num) == literal_orbits(symmetries_of(C.rows, num), num)


def test_counts_of_pairs_may_have_more_symmetries_than_the_class():
    rows = [0b000, 0b011, 0b101, 0b110, 0b111]
    for chosen in combinations(range(8), 5):
        C = ConceptClass.from_rows(chosen, range(3))
        for symmetry in symmetries_of_class(C):
            symmetry.verify(C.rows, 3)
    assert symmetries_of_class(ConceptClass.from_rows(rows, range(3)))
    assert symmetries_of_class(NO_POINTS) == ()
    assert symmetries_of_class(ConceptClass((0,), (), ())) == ()


@pytest.mark.parametrize("C", SMALL, ids=str)
def test_orbits_refute_the_value_plus_one_and_no_less(C):
    value = littlestone_dimension(C, method="python").value
    symmetries, lacks = symmetries_of_class(C), lacks_by_definition(C)
    refutation = refute_by_orbits(C, symmetries, lacks, value + 1, Budget())
    refutation.check(C, value)
    plain = littlestone_dimension(C, method="python").refutation
    assert len(refutation.entries) <= max(len(plain.entries), 1) * 2
    with pytest.raises(SearchFailedError):
        refute_by_orbits(C, symmetries, lacks, value, Budget())
    result = replace(littlestone_dimension(C, method="python"), refutation=refutation)
    assert kernel.check(json.loads(result.certificate().to_json())).endswith(f"exactly {value}")


def turned(rows, num):
    """Return all cyclic shifts of the rows."""
    return {(row << k | row >> (num - k)) & ((1 << num) - 1) for row in rows for k in range(num)}


@pytest.mark.skipif(native.found() is None, reason="there is no engine in C")
@pytest.mark.parametrize("limits", [{}, {"_SLICE": 1, "MOST_IMAGES": 4}, {"MOST_ELEMENTS": 3}])
def test_orbits_in_c_refute_the_value_plus_one_and_no_less(monkeypatch, limits):
    for name, limit in limits.items():
        monkeypatch.setattr(native, name, limit)
    rng = np.random.default_rng(5)
    shifts = [turned(rng.integers(1, 1 << n, 9).tolist(), n) for n in (6, 7, 8, 9)]
    classes = [ConceptClass.from_rows(sorted(rows), range(6 + i)) for i, rows in enumerate(shifts)]
    for C in (*SMALL, *classes, *map(with_copies_and_constants, (unions(8, 2), SMALL[0]))):
        value = littlestone_dimension(C, method="python").value
        search = native.NativeSearch(C)
        refutation = native.refute_by_orbits(search, value + 1, Budget())
        refutation.check(C, value)
        result = replace(littlestone_dimension(C, method="python"), refutation=refutation)
        result.check()
        with pytest.raises(SearchFailedError):
            native.refute_by_orbits(search, value, Budget())


@pytest.mark.skipif(native.found() is None, reason="there is no engine in C")
def test_slices_between_glances_at_the_clock_do_not_grow_where_entries_are_made(monkeypatch):
    class Told:
        """The library; it records the work of each call."""

        def __init__(self, library):
            self._library, self.slices = library, []

        def __getattr__(self, name):
            return getattr(self._library, name)

        def orbits_expand(self, engine, elements, state, work, images):
            answer = self._library.orbits_expand(engine, elements, state, work, images)
            self.slices.append((work, state.contents.at, answer))
            return answer

    monkeypatch.setattr(native, "_SLICE", 1 << 12)
    C = halfspaces(1, 4)
    search = native.NativeSearch(C)
    search.library = Told(search.library)
    native.refute_by_orbits(search, littlestone_dimension(C).value + 1, Budget())
    slices = search.library.slices
    made = 0
    for one, two, three in zip(slices, slices[1:], slices[2:], strict=False):
        if one[2] == two[2] == native.PAUSED and one[1] < two[1]:  # entries were made
            assert three[0] == two[0]
            made += 1
    assert made > 5


@pytest.fixture(scope="module", params=["compiled", "python"])
def cube(request):
    return littlestone_dimension(halfspaces(1, 4), method=request.param)


def test_halfspaces_of_the_cube_have_few_entries_up_to_symmetry(cube):
    assert cube.value == 9
    assert len(cube.refutation.entries) < 50
    assert cube.refutation.symmetries
    cube.check()
    assert kernel.check(cube.certificate().to_dict()).endswith("exactly 9")


def with_copies_and_constants(C):
    """Return the class with constant points, and copies and complements of its outer points."""
    rows = [[C.value(c, x) for x in range(len(C.points))] for c in range(len(C))]
    return ConceptClass.from_matrix([[1, *r, 1 - r[0], r[-1], r[0], 1 - r[-1], 0] for r in rows])


@pytest.mark.parametrize(
    "C", [intervals(26), unions(9, 2), with_copies_and_constants(unions(8, 2))], ids=str
)
@pytest.mark.skipif(native.found() is None, reason="there is no engine in C")
def test_reflections_of_a_class_halve_the_levels_of_its_refutation(monkeypatch, C):
    monkeypatch.setattr(native, "_FEW_ENTRIES", 0)
    value = littlestone_dimension(C, method="python").value
    result = littlestone_dimension(C, method="compiled")
    result.check()
    assert kernel.check(json.loads(result.certificate().to_json())).endswith(f"exactly {value}")
    plain = native.refute_by_levels(native.NativeSearch(C), value + 1, Budget())
    plain.check(C, value)
    assert not plain.symmetries
    assert {step[3] for entry in result.refutation.entries for step in entry.steps} == {(), (0,)}
    assert len(result.refutation.entries) < 0.7 * len(plain.entries)
    with pytest.raises(SearchFailedError):
        native.NativeSearch(C).refutation(value, Budget())


def reflected(row, num):
    return sum((row >> x & 1) << (num - 1 - x) for x in range(num))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", ["compiled", "python"])
def test_classes_with_a_reflection_or_a_complement_are_proved(monkeypatch, seed, method):
    monkeypatch.setattr(native, "_FEW_ENTRIES", 0)
    rng = np.random.default_rng(seed)
    rows = set(unions(9, 2 + seed % 2).rows)
    for row in rng.choice(sorted(rows), len(rows) // (3 + 5 * seed), replace=False).tolist():
        rows -= {row, reflected(row, 9)}
    if seed % 2:
        rows |= {row ^ 0b111111111 for row in rows}
    C = ConceptClass.from_rows(sorted(rows), range(9))
    result = littlestone_dimension(C, method=method)
    result.check()
    assert result.value == littlestone_dimension(C, method="python").value
    said = kernel.check(json.loads(result.certificate().to_json()))
    assert said.endswith(f"exactly {result.value}")


def test_what_size_decides_needs_neither_entries_nor_symmetries():
    result = littlestone_dimension(thresholds(4), method="compiled")
    assert result.refutation == LittlestoneRefutation(())


@pytest.mark.skipif(native.found() is None, reason="there is no engine in C")
def test_entries_of_a_level_serve_the_sides_that_lie_in_them():
    search = native.NativeSearch(unions(12, 2))
    refutation = native.refute_by_levels(search, 9, Budget())
    spaces = {}
    for entry in refutation.entries:
        spaces.setdefault(entry.depth, []).append(dict(entry.version_space).items())
    for found in spaces.values():  # none lies in another one
        assert not any(a <= b for a in found for b in found if a is not b)


def test_groups_act_on_literals_and_large_ones_are_given_up():
    C = with_copies_and_constants(unions(5, 2))
    symmetries = symmetries_of_class(C)
    copies = [[(x, 0)] for x in range(1, 6)]
    copies[0] += [(6, 1), (8, 0)]
    copies[4] += [(7, 0), (9, 1)]
    if native.found() is not None:
        found = native.NativeSearch(C).copies
        assert [[x for x, _ in points] for points in found] == [[x for x, _ in p] for p in copies]
        for each in zip(found, copies, strict=True):  # up to complement
            pairs = zip(*each, strict=True)
            assert len({flip ^ other for (_, flip), (_, other) in pairs}) == 1
    group = LiteralGroup.generated(symmetries, copies)
    every = range(len(group.moves))
    for g in every:
        for h in every:
            both = [group.moves[h][i] for i in group.moves[g]]
            back = group.moves[group.back()[g][h]]
            assert [back[i] for i in both] == list(range(10))
    cube = symmetries_of_class(halfspaces(1, 3))
    assert len(cube) > 1
    assert LiteralGroup.generated(cube, [[(x, 0)] for x in range(8)]).symmetries == ()
    turn = Symmetry((0,), tuple(range(32, -1, -1)), 0)
    assert LiteralGroup.generated([turn], [[(x, 0)] for x in range(33)]).symmetries == ()


def altered(certificate, path, value):
    made = copy.deepcopy(certificate)
    part = made["upper"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return made


def test_kernel_rejects_altered_images_and_symmetries_by_place(cube):
    certificate = cube.certificate().to_dict()
    proof = certificate["upper"]["refutation"]
    spaces = proof["spaces"]
    number = next(i for i, entry in enumerate(spaces) if len(entry) == 2)
    earlier, letter = spaces[number]
    letters = len(proof["symmetries"])
    other = next(s for s in range(letters) if s != letter)
    flips = proof["symmetries"][0]["flips"].translate({48: "1", 49: "0"})
    place = ["refutation", "spaces", number]
    for path, value, message in (
        (
            place,
            [earlier, other],
            r"^upper\.refutation\.spaces\[\d+\]: entry \d+ must have a smaller depth",
        ),
        (place, [earlier, letters], rf"must be an index below {letters}, not {letters}"),
        (place, [number, letter], rf"must be an index below {number}, not {number}"),
        (place, 0, rf"spaces\[{number}\]: must be a list, not 0"),
        (place, [earlier, letter, 0], "must have 4 entries, not 3"),
        (["refutation", "symmetries"], [], "must be an index below 0"),
        (["refutation", "symmetries", 0, "flips"], flips, "must be mapped to those of column"),
        (["refutation", "symmetries", 0, "columns", 0], 16, "must be an index below 16"),
    ):
        with pytest.raises(kernel.Rejected, match=message):
            kernel.check(altered(certificate, path, value))


def test_altered_symmetries_and_words_are_rejected(cube):
    refutation = cube.refutation
    first = refutation.symmetries[0]
    other = Symmetry(first.rows, first.columns, first.flips ^ 1)
    for symmetries, message in (
        ((other, *refutation.symmetries[1:]), "must be mapped to those of column"),
        (refutation.symmetries[:1], "must be an index below 1"),
    ):
        made = LittlestoneRefutation(refutation.entries, symmetries)
        with pytest.raises(CertificateError, match=re.compile(message)):
            made.check(cube.concept_class, 9)


def test_result_is_of_the_whole_class(cube):
    other = LittlestoneResult(halfspaces(1, 3), 9, 9, cube.tree, cube.refutation, "compiled")
    with pytest.raises(CertificateError):
        other.check()


# The accepted file, and what was changed in it


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("cube") / "h.json"
    assert main(["dimensions", "halfspaces:b=1,d=4", "--certificate", str(path), "--json"]) == 0
    return kernel.read(path)


def test_written_file_is_accepted(written):
    said = kernel.check(copy.deepcopy(written)).split("\n")
    assert said[2].startswith("littlestone_dimension of a 1882 x 16 concept class")
    assert said[2].endswith("exactly 9")


def one_side(written, side):
    """Return the certificate with only one of the two bounds, which is fast to check."""
    part = copy.deepcopy(written[2])
    other = {"lower": "upper", "upper": "lower"}[side]
    part["statement"][other] = part[other] = None
    return part | {"instance": written[0]["instance"]}


def test_lowered_value_is_rejected(written):
    for side in ("lower", "upper"):
        made = one_side(written, side)
        made["statement"][side] -= 1
        with pytest.raises(kernel.Rejected, match="the bound that is proved is 9, not the stated"):
            kernel.check(made)


def test_every_dropped_entry_is_rejected_with_its_place(written):
    made = one_side(written, "upper")
    proof = made["upper"]["refutation"]
    spaces = proof["spaces"]
    for number in (*range(0, len(spaces), 4), len(spaces) - 1):
        proof["spaces"] = spaces[:number] + spaces[number + 1 :]
        with pytest.raises(
            kernel.Rejected, match=r"^upper\.refutation(\.spaces\[\d+\]|: the last)"
        ):
            kernel.check(made)


def test_changed_literals_are_rejected_or_not_needed(written):
    made = one_side(written, "upper")
    rng = np.random.default_rng(5)
    spaces = made["upper"]["refutation"]["spaces"]
    places = [
        (entry[part], i)
        for entry in spaces
        if len(entry) == 4
        for part in (1, 2)
        for i in range(len(entry[part]))
    ]
    rejected = 0
    for j in rng.choice(len(places), 60, replace=False):
        listed, i = places[j]
        old = listed[i]
        listed[i] = int(rng.choice([x for x in range(32) if x != old]))
        try:
            assert kernel.check(made).endswith("at most 9")
        except kernel.Rejected:
            rejected += 1
        listed[i] = old
    assert rejected > 40


def test_changed_points_of_the_tree_are_rejected_at_a_leaf(written):
    made = one_side(written, "lower")
    tree = made["lower"]["mistake_tree"]["tree"]
    for place in (0, 1, 2, 512):
        old = tree[place]
        for x in {0, 3, 8, 15} - {old}:
            tree[place] = x
            with pytest.raises(
                kernel.Rejected, match=r"^lower\.mistake_tree\.tree\[\d+\]: concept"
            ):
                kernel.check(made)
        tree[place] = old
