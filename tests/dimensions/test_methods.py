"""Every method for every dimension: known values, definitions, and proofs."""

import json

import pytest

from ccsim import kernel
from ccsim.dimensions import (
    dual_vc_dimension,
    littlestone_dimension,
    threshold_dimension,
    vc_dimension,
)
from tests.small_classes import DIMENSIONS, all_classes, columns_of, random_classes, rows_of
from tests.truth.dimensions import longest_thresholds, mistake_bound, shattered_size


def by(method):
    """Return a function that computes the Littlestone dimension with the given method."""

    def littlestone(C):
        result = littlestone_dimension(C, method=method)
        assert result.method == (method if C.rows else "python")
        return result

    return littlestone


METHODS = {
    "vc": vc_dimension,
    "dual vc": dual_vc_dimension,
    "python": by("python"),
    "compiled": by("compiled"),
    "dense": by("dense"),
    "thresholds": threshold_dimension,
}
PLACES = {
    "vc": 0,
    "dual vc": 1,
    "python": 2,
    "compiled": 2,
    "dense": 2,
    "thresholds": 3,
}
"""Of what a method finds in the table of dimensions, and among the definitions."""
DEFINITIONS = (
    lambda C: shattered_size(rows_of(C)),
    lambda C: shattered_size(columns_of(C)),
    lambda C: mistake_bound(rows_of(C)),
    lambda C: longest_thresholds(rows_of(C)),
)
KNOWN = [
    pytest.param(name, C, DIMENSIONS[C][place], id=f"{name}-{C}")
    for name, place in PLACES.items()
    for C in DIMENSIONS
    if DIMENSIONS[C][place] is not None and (name != "dense" or len(C.points) <= 10)
]


def value_proved(name, C):
    """Return the value of a method after its proof is checked by the package and the kernel."""
    result = METHODS[name](C)
    result.check()
    if name != "thresholds":  # which have no certificate
        kernel.check(json.loads(result.certificate().to_json()))
    return result.value


@pytest.mark.parametrize(("name", "C", "value"), KNOWN)
def test_every_method_has_the_known_value_and_proves_it(name, C, value):
    assert value_proved(name, C) == value


@pytest.mark.parametrize("num_points", range(4))
@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_the_definition_on_all_small_classes(name, num_points):
    for C in all_classes(num_points):
        assert value_proved(name, C) == DEFINITIONS[PLACES[name]](C), C


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_the_definition_on_random_classes(name):
    for C in random_classes(200, seed=1, max_points=5 if name == "thresholds" else 6):
        assert value_proved(name, C) == DEFINITIONS[PLACES[name]](C), C
