"""Sign ranks: small matrices by definition, planes by sampling, and bounds below proved ones."""

# ruff: noqa: S311 - seeds, not secrets

import random
from itertools import combinations, product
from time import process_time

import numpy as np
import pytest

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    InstanceTooLargeError,
    disjointness,
    equality,
    gap_hamming,
    greater_than,
    halfspaces,
    index,
    inner_product,
    intervals,
    lines,
    points,
    sign_rank,
    thresholds,
    unions,
)
from ccsim.budget import Budget
from ccsim.communication import as_problem, sign_ranks
from ccsim.communication.chirotopes.cases import Chirotopes
from ccsim.communication.chirotopes.final_polynomials import FinalPolynomials
from ccsim.communication.chirotopes.inequalities import Inequalities
from ccsim.communication.chirotopes.moves import Images, moves_of
from ccsim.communication.chirotopes.nodes import Product
from ccsim.communication.sign_ranks import (
    Signs,
    chirotope_obstruction,
    final_polynomials,
    first_obstruction,
)
from ccsim.programs.sign_vectors import plain_vectors, realised, rounded
from tests.truth.signs import fits_in_the_plane, least_dimension


def proved(instance):
    result = sign_rank(instance)
    result.check()
    return result.value


def texts(problem):
    return problem.to_json()["rows"]


@pytest.mark.parametrize(
    ("instance", "value"),
    [
        (equality(2), 1),
        (equality(3), 2),
        (equality(4), 3),
        (equality(30), 3),
        (greater_than(2), 2),
        (greater_than(30), 2),
        (points(0), 1),
        (points(3), 3),
        (thresholds(4), 2),
        (intervals(7), 3),
        (unions(6, 2), 5),
        (index(4), 4),
        (halfspaces(1, 2), 3),
        (lines(2), 2),
        (disjointness(2), 3),
        (disjointness(3), 4),
        (disjointness(4), 5),
        (inner_product(2), 3),
        (inner_product(3), 5),
        (gap_hamming(3, 1), 3),
        (gap_hamming(4, 2), 3),
        (ConceptClass.from_rows([], range(3)), 0),
        (ConceptClass.from_rows([0], range(0)), 0),
        (["0"], 1),
        (["000", "111"], 1),
        (["0*", "*1"], 1),
        (["01**1", "*01**", "**01*", "***01", "1***0"], 2),
    ],
)
def test_values_that_are_known_or_plain(instance, value):
    assert proved(instance) == value


def test_all_small_matrices_have_the_dimension_that_brute_force_finds():
    for entries in product("01", repeat=6):
        rows = ["1111", "1" + "".join(entries[:3]), "1" + "".join(entries[3:])]
        assert proved(rows) == least_dimension(rows)


def test_free_signs_are_free():
    draw = random.Random(4)
    for _ in range(60):
        rows = ["".join(draw.choices("01*", k=4)) for _ in range(3)]
        if any(row != "****" for row in rows):
            assert proved(rows) == least_dimension(rows), rows


def test_plane_is_told_from_space():
    draw = random.Random(5)
    seen = set()
    for i in range(60):
        u, v = ([[draw.uniform(-1, 1) for _ in range(2 + i % 2)] for _ in range(4)] for _ in "uv")
        M = [[int(sum(a * b for a, b in zip(x, y, strict=True)) > 0) for y in v] for x in u]
        flat = fits_in_the_plane(["".join(map(str, row)) for row in M])
        assert (proved(M) <= 2) == flat
        seen.add(flat)
    assert seen == {True, False}


def random_signs(draw, m, n):
    return [[draw.randint(0, 1) for _ in range(n)] for _ in range(m)]


def topes_of_five_planes():
    """Return the sign vectors that five planes leave, by sampling: 192 up to reflection."""
    made = np.random.default_rng(0)
    found = set()
    for _ in range(2500):
        u = made.standard_normal((5, 3))
        pairs = [np.cross(u[i], u[j]) for i, j in combinations(range(5), 2)]
        topes = set()
        for (i, j), v in zip(combinations(range(5), 2), pairs, strict=True):
            signs = u @ v > 0  # near the line where two planes meet there are four cells
            for a, b in product((False, True), repeat=2):
                signs[i], signs[j] = a, b
                topes |= {tuple(signs), tuple(~signs)}
        found.add(frozenset(topes))
    return found


def test_space_is_told_from_more_by_all_arrangements_of_five_planes():
    arrangements = topes_of_five_planes()
    assert {len(topes) for topes in arrangements} == {22}
    assert len(arrangements) == 192
    draw, seen = random.Random(6), set()
    for _ in range(60):
        M = random_signs(draw, 5, 11)
        columns = {tuple(map(bool, column)) for column in zip(*M, strict=True)}
        fits = any(columns <= topes for topes in arrangements)
        signs = Signs.of(CommunicationProblem.from_matrix(M))
        refuted = Chirotopes(3, signs.lines(0), Budget()).refuted() is not None
        if len(signs.kept[0]) == 5:
            assert refuted != fits
            seen.add(fits)
    assert seen == {True, False}


@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_no_bound_is_above_the_dimension_of_vectors(dimension):
    draw = np.random.default_rng(dimension)
    for m, n in ((5, 12), (7, 7), (8, 20), (12, 6)):
        u, v = draw.standard_normal((m, dimension)), draw.standard_normal((n, dimension))
        M = (u @ v.T > 0).astype(int).tolist()
        signs = Signs.of(CommunicationProblem.from_matrix(M))
        assert first_obstruction(signs, Budget())[0] <= dimension
        assert chirotope_obstruction(signs, dimension, 300, Budget()) is None
        assert final_polynomials(signs, dimension, Budget().share(work=20)) is None
        assert proved(M) <= dimension


def test_matrices_above_three_are_excluded_from_space_by_either_side():
    draw, above = random.Random(7), 0
    for _ in range(8):
        M = random_signs(draw, 6, 7)
        for matrix in (M, list(zip(*M, strict=True))):
            result = sign_rank(matrix)
            result.check()
            assert result.value == proved(M)
        above += proved(M) > 3
    assert 0 < above < 8


@pytest.mark.claim("ccsim/sign-rank-smallest")
def test_five_lines_need_a_fourth_dimension_from_six_columns_on():
    arrangements = topes_of_five_planes()  # of each pair of opposite ones, the one with a 0 first
    leave = [{tope[1:] for tope in topes if not tope[0]} for topes in arrangements]
    needs = {
        columns: not all(
            any(topes.issuperset(chosen) for topes in leave)
            for chosen in combinations(product((False, True), repeat=4), columns)
        )
        for columns in (5, 6)
    }
    assert needs == {5: False, 6: True}


def test_lines_that_are_alike_or_opposite_change_nothing():
    draw = random.Random(8)
    for _ in range(10):
        M = random_signs(draw, 4, 5)
        more = [*M, M[2], [1 - entry for entry in M[0]]]
        more = [[*row, row[1], 1 - row[3]] for row in more]
        draw.shuffle(more)
        assert proved(more) == proved(M)


def test_vectors_are_those_of_the_signs():
    F = gap_hamming(4, 2)
    result = sign_rank(F)
    for x, u in enumerate(result.rows):
        for y, v in enumerate(result.columns):
            product_of = sum(a * b for a, b in zip(u, v, strict=True))
            assert F.value(x, y) in (None, int(product_of > 0))
            assert F.value(x, y) is None or product_of != 0


def test_plain_vectors_of_intervals_are_on_a_curve_in_any_order():
    C = intervals(12)
    order = list(range(12))
    random.Random(9).shuffle(order)
    entries = [[1 if row >> x & 1 else -1 for x in order] for row in C.rows]
    u, v = plain_vectors(entries)
    assert (np.sign(np.array(u, dtype=object) @ np.array(v, dtype=object).T) == entries).all()


def test_planted_vectors_of_many_lines_are_found():
    random_vectors = np.random.default_rng(3)
    U, V = (random_vectors.standard_normal((n, 4)) for n in (400, 60))
    signs = np.where(U @ V.T > 0, 1, -1)
    found = realised(signs, 4, Budget(), seeds=0)
    assert found is not None
    u, v = (np.array(vectors, dtype=object) for vectors in found)
    assert (np.sign(u @ v.T) == signs).all()
    assert realised(signs, 3, Budget(), seeds=0) is None
    signs[7, 9] *= -1
    assert (np.sign(u @ v.T) != signs).sum() == 1


def test_rounding_refuses_what_has_other_signs():
    U = V = np.array([[1.0, 0.2], [0.2, 1.0]])
    assert rounded(U, V, np.array([[1, 1], [1, -1]])) is None


def test_chirotopes_of_many_dimensions_are_not_searched(monkeypatch):
    """A relation between 17 determinants has 3^17 partial assignments."""
    searched = []
    monkeypatch.setattr(sign_ranks, "_with_fewer", lambda _, chosen, *__: searched.append(chosen))
    signs = sign_ranks.Signs.of(as_problem("index:d=6"))
    for dimension in (3, 10, 16):
        searched.clear()
        sign_ranks.chirotope_obstruction(signs, dimension, 1, Budget())
        assert bool(searched) == (dimension <= 10)


def test_stopped_at_once_it_is_an_interval_that_is_proved():
    result = sign_rank(inner_product(4), time_limit=0)
    result.check()
    assert (result.lower, result.upper) == (5, 15)
    result = sign_rank(inner_product(3), time_limit=Budget(0.1, clock=process_time))
    result.check()
    assert 1 <= result.lower <= 5 <= result.upper


def test_stopped_at_once_large_matrices_have_proved_bounds():
    result = sign_rank(inner_product(7), time_limit=0)
    assert (result.lower, result.upper) == (11, 127)  # the norm of the matrix is 2^(7/2)
    result.check()


def test_progress_hears_bounds_that_close_in():
    heard = []
    sign_rank(random_signs(random.Random(10), 7, 7), progress=lambda *ends: heard.append(ends))
    assert heard
    assert all(low <= high for low, high in heard)


def test_too_many_signs_are_refused_before_anything_is_done():
    with pytest.raises(InstanceTooLargeError, match="the limit of sign_rank is"):
        sign_rank(equality(301))


def test_final_polynomials_exclude_what_trees_exclude():
    """In space all chirotopes of at most eight lines have vectors, so products add nothing."""
    draw, seen = random.Random(11), set()
    for _ in range(25):
        signs = Signs.of(CommunicationProblem.from_matrix(random_signs(draw, 6, 7)))
        trees = Chirotopes(3, signs.lines(0), Budget()).refuted()
        assert (FinalPolynomials(3, signs.lines(0), Budget()).refuted() is None) == (trees is None)
        seen.add(trees is None)
    assert seen == {True, False}


def signs_of_determinants(vectors, r):
    bases = combinations(range(len(vectors)), r)
    return [int(np.linalg.det(vectors[list(basis)]) < 0) for basis in bases]


def test_moves_act_on_determinants_as_on_vectors():
    lines = Signs.of(inner_product(3)).lines(0)
    moves = moves_of(lines)
    bases = list(combinations(range(8), 4))
    images = Images(bases, moves)
    assert len(images.maps) == 8 * 8 * 168  # translations, characters and linear maps
    u = np.random.default_rng(1).standard_normal((8, 4))
    here = signs_of_determinants(u, 4)
    for element in range(0, len(images.maps), 97):
        move = images.move(element)
        turned = u[list(move.order)] * (1 - 2 * np.array(move.turned))[:, None]
        moved = signs_of_determinants(turned, 4)
        for v, image in enumerate(images.maps[element][: len(bases)]):
            negative, w = divmod(int(image), len(bases))
            assert moved[v] == here[w] ^ negative


def test_moves_keep_the_lines_across():
    free = Signs.of(CommunicationProblem.from_matrix(["01*0", "*010", "0*01", "10*0"]))
    assert moves_of(free.lines(0))
    for signs in (Signs.of(inner_product(3)), Signs.of(equality(6)), free):
        rows = np.array(signs.entries)
        across = {tuple(s * column) for column in rows.T for s in (1, -1)}
        for move in moves_of(signs.lines(0)):
            moved = rows[list(move.order)] * (1 - 2 * np.array(move.turned))[:, None]
            assert {tuple(s * column) for column in moved.T for s in (1, -1)} == across


def test_no_product_excludes_the_signs_of_vectors():
    made, inequalities = np.random.default_rng(2), Inequalities(3, 7)
    for _ in range(10):
        signs = signs_of_determinants(made.standard_normal((7, 3)), 3)
        assert inequalities.excluded(signs) is None


def test_the_same_proof_is_found_again():
    first, second = (sign_rank(inner_product(3)) for _ in range(2))
    assert first.obstruction == second.obstruction
    lemmas = first.obstruction.lemmas
    assert sum(isinstance(lemma.nodes[0], Product) for lemma in lemmas) == 4
