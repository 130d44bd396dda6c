"""Sample compression schemes: values by the definition, known values, proofs, and time limits."""

import random
from dataclasses import replace
from itertools import product

import pytest

from ccsim import CertificateError, compression_size, intervals, vc_dimension
from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import ConceptClass, all_functions
from ccsim.dimensions import CompressionBound, littlestone_dimension
from ccsim.dimensions.compression import Schemes, _samples
from tests.small_classes import EMPTY, NO_POINTS, NOTHING, ONE, all_classes, bare, rows_of
from tests.truth.common import UndecidedError
from tests.truth.compression import least_scheme

NAMES = ("labelled", "stable", "proper")
VARIANTS = [dict(zip(NAMES, each, strict=True)) for each in product((True, False), repeat=3)]
WARMUTH = "some_functions:n=5,chosen=429934659"
NO_PROPER_SCHEME = [9, 10, 22, 28, 32, 37, 49, 63]  # over six points


def proved(C, **options):
    result = compression_size(C, **options)
    result.check()
    return result.value


def agree(classes, width):
    """Compare sizes with the definition; return the number of comparisons that were decided."""
    decided = 0
    for C, variant in classes:
        value = proved(C, **variant)
        try:
            truth = least_scheme(rows_of(C), width, **variant)
        except UndecidedError:
            continue
        assert value == truth, (C.rows, variant)
        decided += 1
    return decided


def random_questions(number, seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    for i in range(number):
        yield bare(sorted(rng.sample(range(16), rng.randint(1, 14))), 4), VARIANTS[i % 8]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_all_classes_on_two_points(variant):
    assert agree([(C, variant) for C in all_classes(2)], 2) == 16


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_all_classes_on_three_points(variant):
    assert agree([(C, variant) for C in all_classes(3)], 3) == 256


def test_some_classes_on_three_points():
    classes = [(C, VARIANTS[i % 8]) for i, C in enumerate(all_classes(3)) if i % 9 == 0]
    assert agree(classes, 3) == 29


def test_some_random_classes_on_four_points():
    assert agree(random_questions(16, 1), 4) > 10


@pytest.mark.slow
def test_random_classes_on_four_points():
    assert agree(random_questions(300, 2), 4) > 240


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(
    ("C", "value"), [(EMPTY, -1), (NOTHING, -1), (NO_POINTS, 0), (ONE, 0)], ids=str
)
def test_classes_with_nothing_to_compress(C, value, variant):
    assert proved(C, **variant) == value


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_restrictions_never_make_schemes_smaller(variant):
    rng = random.Random(4)  # noqa: S311 - a seed, not a secret
    for _ in range(3):
        C = bare(sorted(rng.sample(range(8), 5)), 3)
        value = proved(C, **variant)
        assert value >= proved(C, **variant | {"proper": False})
        assert value >= proved(C, **variant | {"stable": False})
        assert value >= proved(C, **variant | {"labelled": True})


@pytest.mark.parametrize("n", range(1, 5))
def test_schemes_of_all_functions(n):
    C = all_functions(n)
    assert proved(C, labelled=False) == proved(C, labelled=False, proper=True) == n
    assert proved(C) == (n + 1) // 2


def test_all_classes_on_five_points_have_a_scheme_of_size_two():
    assert proved(all_functions(5)) == 2


def test_a_maximum_class_has_a_scheme_without_labels_of_its_vc_dimension():
    C = intervals(4)
    assert vc_dimension(C).value == proved(C, labelled=False) == 2


@pytest.mark.parametrize(
    ("variant", "value"), [(each, 2 if each["labelled"] else 3) for each in VARIANTS], ids=str
)
@pytest.mark.slow
def test_the_class_of_warmuth_has_no_scheme_of_size_two_without_labels(variant, value):
    assert vc_dimension(WARMUTH).value == 2
    assert proved(WARMUTH, **variant) == value


@pytest.mark.slow
def test_a_class_has_no_proper_scheme_without_labels_of_any_size():
    C = bare(NO_PROPER_SCHEME, 6)
    result = compression_size(C, labelled=False, proper=True)
    result.check()
    assert (result.value, result.scheme) == (7, None)
    assert proved(C, labelled=False) == vc_dimension(C).value == 3


def test_the_scheme_reconstructs_every_sample():
    C = bare([0, 1, 3, 7, 12, 9], 4)
    result = compression_size(C)
    samples = _samples(C, Budget())
    keys = [s for s in samples if s[0].bit_count() <= result.value]
    for (points, labels), key in zip(samples, result.scheme.keys, strict=True):
        chosen, theirs = keys[key]
        assert chosen & points == chosen
        assert theirs == labels & chosen
        assert result.scheme.functions[key] & points == labels


def test_classes_with_many_points_have_bounds():
    C = bare([(1 << i) - 1 for i in range(41)], 40)
    result = compression_size(C)
    result.check()
    assert (result.lower, result.upper) == (1, littlestone_dimension(C).value)
    assert result.refutation is not None
    for options in ({"labelled": False}, {"proper": True}):
        result = compression_size(C, **options)
        result.check()
        assert (result.lower, result.upper) == (1, 40)


@pytest.mark.parametrize("limit", [0, 0.05, 1])
def test_a_time_limit_leaves_bounds(limit):
    result = compression_size(WARMUTH, labelled=False, time_limit=limit)
    result.check()
    assert 0 <= result.lower <= 3 <= result.upper <= 5


def test_a_search_for_schemes_ends_at_its_time_limit():
    found = compression_size(WARMUTH, labelled=False, time_limit=0)
    with pytest.raises(OutOfTimeError):
        Schemes.of(found, _samples(found.concept_class, Budget()), 3, Budget(0))


def test_altered_results_are_rejected():
    result = compression_size(all_functions(2))
    false = replace(result, lower=2, upper=2)
    with pytest.raises(CertificateError, match="the bound that is proved is 1, not the stated 2"):
        false.check()
    with pytest.raises(CertificateError, match="the bound that is proved is 2, not the stated 1"):
        replace(result, labelled=False).check()
    with pytest.raises(CertificateError, match="functions: must have 3 entries, not 5"):
        replace(result, labelled=False, lower=0, bound=CompressionBound("counting")).check()
    bound = CompressionBound("refutation", steps=(((), ()),))
    with pytest.raises(CertificateError, match="the hints must end with the clause"):
        replace(result, bound=bound).check()


def test_progress_reports_bounds():
    seen = []
    compression_size(
        ConceptClass.from_rows([0, 1, 2], range(2)), progress=lambda *each: seen.append(each)
    )
    assert seen[0][0] <= seen[-1][0] <= seen[-1][1] <= seen[0][1]
