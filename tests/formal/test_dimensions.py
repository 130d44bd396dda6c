"""Dimensions of classes as theorems: every form of proof, and altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from dataclasses import replace
from itertools import product
from operator import mul
from random import Random

import pytest

from ccsim.classes import ConceptClass
from ccsim.dimensions import (
    dual_vc_dimension,
    representative_domain,
    threshold_dimension,
    vc_dimension,
)
from ccsim.dimensions.shattering.bound import ShatteringBound
from ccsim.symmetry.matrix import symmetries_of_class
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.kernel.test_dimensions import above, accepted, nearly_shattered, shatters


def random_classes(seed, number, points=8, concepts=12):
    """Yield random classes: sparse, dense, or of small rank; some are small or empty."""
    rng = Random(seed)
    for _ in range(number):
        width, height = rng.randint(0, points), rng.randint(0, concepts)
        if rng.random() < 0.2:
            rows = {0}
            for _ in range(3):
                more = rng.getrandbits(width) if width else 0
                rows |= {row ^ more for row in rows}
        else:
            density = rng.choice((0.1, 0.3, 0.5, 0.8))
            bits = [[rng.random() < density for _ in range(width)] for _ in range(height)]
            rows = {sum(1 << x for x, label in enumerate(row) if label) for row in bits}
        yield ConceptClass(tuple(range(width)), tuple(range(len(rows))), tuple(sorted(rows)))


def turning_classes(seed, number, points=8, concepts=5):
    """Yield classes that are invariant under rotations of their points."""
    rng = Random(seed)
    for _ in range(number):
        width = rng.randint(2, points)
        first = [rng.getrandbits(width) for _ in range(rng.randint(1, concepts))]
        rows = {row >> i | row << width - i for row in first for i in range(width)}
        rows = sorted({row & (1 << width) - 1 for row in rows})
        yield ConceptClass(tuple(range(width)), tuple(range(len(rows))), tuple(rows))


def of(results):
    return [json.loads(result.certificate().to_json()) for result in results]


def grown(method, result, table):
    """Return the same bound with a proof by growing sets, some of which symmetries exclude."""
    symmetries = () if table is None else symmetries_of_class(table)
    return replace(result, bound=ShatteringBound(method, (), symmetries))


def in_both_ways(results, turned):
    """Return bounds by growing sets, with and without symmetries."""
    return [
        grown(method, result, table)
        for method in ("extension", "counting")
        for result, table in [*((result, None) for result in results), *turned]
    ]


def by_signs(seed, number, *, dual):
    """Return certificates for sign matrices, with bounds from the dimension of their vectors."""
    rng = Random(seed)
    made = []
    for _ in range(number):
        size, height, width = rng.randint(0, 3), rng.randint(1, 9), rng.randint(1, 6)
        vectors = [[rng.randint(-3, 3) for _ in range(size)] for _ in range(height + width)]
        positive = []
        if size and rng.random() < 0.5:
            positive = [1] + [0] * (size - 1)
            for vector in vectors[:height]:
                vector[0] = rng.randint(1, 3)
        signs = {
            tuple(int(sum(map(mul, u, v)) > 0) for u in vectors[height:]): v
            for v in vectors[:height]
        }
        rows = [sum(label << x for x, label in enumerate(labels)) for labels in signs]
        C = ConceptClass(tuple(range(width)), tuple(range(len(rows))), tuple(rows))
        if dual:
            columns = list(zip(*signs, strict=True))
            if len(set(columns)) < width:
                continue
            rows = [sum(label << x for x, label in enumerate(column)) for column in columns]
            C = ConceptClass(tuple(range(len(signs))), tuple(range(width)), tuple(rows))
        [data] = of([(dual_vc_dimension if dual else vc_dimension)(C)])
        proof = {"columns": vectors[height:], "rows": [*signs.values()], "positive": positive}
        data["statement"] = {"lower": None, "upper": size - bool(positive)}
        made.append(data | {"lower": None, "upper": {"signs": proof}})
    return made


def shattering(seed, number):
    results = [*map(vc_dimension, random_classes(seed, number))]
    turned = [(vc_dimension(C), C) for C in turning_classes(seed, number // 5)]
    return of([*results, *in_both_ways(results, turned)]) + by_signs(seed, number, dual=False)


def dual_shattering(seed, number):
    results = [*map(dual_vc_dimension, random_classes(seed, number))]
    turning = [C for C in turning_classes(seed, number // 5) if len(C.dual().rows) == len(C.points)]
    turned = [(dual_vc_dimension(C), C.dual()) for C in turning]
    return of([*results, *in_both_ways(results, turned)]) + by_signs(seed, number, dual=True)


def thresholds(seed, number):
    return of(map(threshold_dimension, random_classes(seed, number)))


def domains(seed, number):
    return of(map(representative_domain, random_classes(seed, number)))


def has_label_twice(instance):
    """Return whether a label is repeated, which only the kernel rejects."""
    return any(len(set(instance[k])) < len(instance[k]) for k in ("points", "concepts"))


def forms(certificate, sides=("lower", "upper")):
    return {next(iter(certificate[side])) for side in sides if certificate[side]}


SHATTERING = {"trivial", "shattered", "spanning_tree", "extension", "counting", "signs"}
MADE = {
    "vc_dimension": (shattering, SHATTERING),
    "dual_vc_dimension": (dual_shattering, SHATTERING),
    "threshold_dimension": (thresholds, {"trivial", "chain", "ones", "rank", "extension"}),
    "effective_domain": (domains, {"apart", "representatives"}),
}


def longest(made, form):
    """Return the longest certificate that contains a form of proof."""
    return max((c for c in made if form in forms(c)), key=lambda c: len(json.dumps(c)))


def test_every_form_is_a_theorem(theory, tmp_path):
    found = []
    for make, known in MADE.values():
        made = make(3, 150)
        found += [longest(made, form) for form in sorted(known)]
    assert is_theorem(found, theory, tmp_path)


@pytest.mark.parametrize("kind", MADE)
def test_checkers_agree_on_altered_dimensions(kind, theory):
    make, known = MADE[kind]
    documents = make(7, 150)
    assert set().union(*map(forms, documents)) == known
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 8)
    assert only_kernel == []
    assert [c for c in only_proved if not has_label_twice(c["instance"])] == []
    assert both


@pytest.mark.parametrize("size", [6, 7])
def test_counting_of_all_pairs_is_proved_where_nothing_is_shattered(size, theory):
    """From six points on, the kernel counts all pairs at once; the verified checker does not."""
    rng, made, right = Random(size), [], []
    for missing, more in product((0, 1, 0, 2), (0, 10, 40)):
        C = nearly_shattered(rng, size, size + rng.randint(0, 3), missing, more)
        proof = "vc_dimension", C, "counting", {"size": size, "symmetries": []}, size - 1
        right.append("rejected" if shatters(C, size) else "proved")
        assert accepted(*proof) == (right[-1] == "proved")
        made.append(above(*proof))
    assert set(right) == {"proved", "rejected"}
    assert verdicts(made, theory) == right
