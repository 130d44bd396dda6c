"""Dimensions of classes as theorems: every form of proof, and altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from random import Random

import pytest

from ccsim.classes import ConceptClass
from ccsim.dimensions import representative_domain, threshold_dimension
from tests.formal.proving import disagreements, is_theorem, verdicts


def random_classes(seed, number, points=8, concepts=12):
    """Random classes, sparse, dense, or of small rank, among them small and empty ones."""
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


def of(results):
    return [json.loads(result.certificate().to_json()) for result in results]


def thresholds(seed, number):
    return of(map(threshold_dimension, random_classes(seed, number)))


def domains(seed, number):
    return of(map(representative_domain, random_classes(seed, number)))


def has_label_twice(instance):
    """Which only the kernel rejects: labels are no matter of truth."""
    return any(len(set(instance[k])) < len(instance[k]) for k in ("points", "concepts"))


def forms(certificate, sides=("lower", "upper")):
    return {next(iter(certificate[side])) for side in sides if certificate[side]}


MADE = {
    "threshold_dimension": (thresholds, {"trivial", "chain", "ones", "rank", "extension"}),
    "effective_domain": (domains, {"apart", "representatives"}),
}
CASES = [(kind, form) for kind, (_, found) in MADE.items() for form in sorted(found)]


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_every_form_is_a_theorem(kind, form, theory, tmp_path):
    made = MADE[kind][0](3, 150)
    certificate = max((c for c in made if form in forms(c)), key=lambda c: len(json.dumps(c)))
    assert is_theorem(certificate, theory, tmp_path)


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
