"""Theorems about partial and multiclass classes: random classes, and altered proofs."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random

import pytest

from ccsim import (
    PartialClass,
    ds_dimension,
    dual_vc_dimension,
    graph_dimension,
    littlestone_dimension,
    multiclass_littlestone_dimension,
    natarajan_dimension,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.classes import MulticlassConceptClass, label_cycle, monotone_labellings
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.formal.test_dimensions import forms, longest
from tests.kernel.test_multiclass import MISSES
from tests.kernel.test_partial_classes import MISSES as PARTIAL_MISSES
from tests.kernel.test_teaching import one_side
from tests.truth.multiclass import (
    largest_ds_set,
    largest_natarajan_set,
    largest_tree,
)
from tests.truth.partial_classes import (
    largest_dual,
    largest_partial_chain,
    largest_partial_star,
    largest_realised_tree,
    largest_shattered_by_defined,
)


def multiclass(seed, number, most=14):
    rng = random.Random(seed)
    yield MulticlassConceptClass.from_matrix(label_cycle(3).rows)
    yield MulticlassConceptClass.from_matrix(monotone_labellings(3, 3).rows)
    yield MulticlassConceptClass.from_matrix([[]])
    yield MulticlassConceptClass.from_matrix([], points=range(2))
    for _ in range(number):
        width, labels = rng.randint(1, 5), rng.randint(1, 4)
        rows = {tuple(rng.choices(range(labels), k=width)) for _ in range(rng.randint(1, most))}
        yield MulticlassConceptClass.from_matrix(sorted(rows))


def partial(seed, number, most=14):
    rng = random.Random(seed)
    yield PartialClass.from_matrix(["**"])
    for _ in range(number):
        width = rng.randint(1, 4)
        symbols = "01" * rng.randint(1, 3) + "*"
        rows = {"".join(rng.choices(symbols, k=width)) for _ in range(rng.randint(1, most))}
        yield PartialClass.from_matrix(sorted(rows))


SHATTERED = {"trivial", "shattered"}
TREES = {"trivial", "mistake_tree", "refutation"}
GRAPH = {"trivial", "shattered", "spanning_tree", "extension", "counting"}
MADE = {
    "partial_vc_dimension": (vc_dimension, partial, SHATTERED | {"counting"}),
    "partial_dual_vc_dimension": (dual_vc_dimension, partial, SHATTERED | {"counting"}),
    "partial_littlestone_dimension": (littlestone_dimension, partial, TREES),
    "partial_threshold_dimension": (
        threshold_dimension,
        partial,
        {"trivial", "chain", "extension"},
    ),
    "partial_star_number": (star_number, partial, {"trivial", "star", "rows", "extension"}),
    "partial_teaching_dimension": (teaching_dimension, partial, {"trivial", "concept", "sets"}),
    "natarajan_dimension": (natarajan_dimension, multiclass, SHATTERED | {"extension"}),
    "graph_dimension": (graph_dimension, multiclass, GRAPH),
    "ds_dimension": (ds_dimension, multiclass, {"trivial", "pseudo_cube", "extension"}),
    "multiclass_littlestone_dimension": (multiclass_littlestone_dimension, multiclass, TREES),
}


def made(kind, seed, number):
    question, classes, _ = MADE[kind]
    found = [json.loads(question(C).certificate().to_json()) for C in classes(seed, number)]
    return [c for c in found if c["kind"] == kind]  # a class without stars is not partial


def instances(kind, seed):
    """Return random instances, also partial classes without undefined points, and the widths."""
    for C in MADE[kind][1](seed, 20, 5):
        instance = C.to_json()
        if kind.startswith("partial"):
            instance["type"] = "partial concept class"
        yield instance, len(instance["points"])


def has_repetitions(instance):
    """Return whether a label or a concept is repeated, which only the kernel rejects."""
    listed = [instance[k] for k in ("points", "concepts", "labels") if k in instance]
    listed.append([*map(str, instance["rows"])])
    return any(len(set(map(str, values))) < len(values) for values in listed)


def test_random_certificates_are_theorems(theory, tmp_path):
    found = []
    for kind in MADE:
        documents = made(kind, 3, 25)
        found += [longest(documents, form) for form in sorted(set().union(*map(forms, documents)))]
    assert is_theorem(found, theory, tmp_path)


@pytest.mark.parametrize("kind", MADE)
def test_checkers_agree_on_altered_proofs(kind, theory):
    documents = made(kind, 7, 60)
    assert set().union(*map(forms, documents)) <= MADE[kind][2]
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 400, 8)
    assert only_kernel == []
    assert [c for c in only_proved if not has_repetitions(c["instance"])] == []
    assert both


@pytest.mark.parametrize(
    ("kind", "form", "truth"),
    [
        ("natarajan_dimension", "extension", largest_natarajan_set),
        ("ds_dimension", "extension", largest_ds_set),
        ("partial_vc_dimension", "counting", largest_shattered_by_defined),
        ("partial_dual_vc_dimension", "counting", largest_dual),
        ("partial_threshold_dimension", "extension", largest_partial_chain),
        ("partial_star_number", "extension", largest_partial_star),
    ],
)
def test_searches_exclude_exactly_the_sizes_above_the_truth(kind, form, truth, theory):
    documents, right = [], []
    for instance, width in instances(kind, 5):
        value = truth(instance["rows"], width)
        for size in range(1, width + 2):
            documents.append(one_side(kind, instance, "upper", form, {"size": size}, size - 1))
            right.append("proved" if size > value else "rejected")
    assert set(right) == {"proved", "rejected"}
    assert verdicts(documents, theory) == right


@pytest.mark.parametrize(
    ("kind", "truth"),
    [
        ("multiclass_littlestone_dimension", largest_tree),
        ("partial_littlestone_dimension", largest_realised_tree),
    ],
)
def test_no_depth_that_exists_is_refuted_without_turns(kind, truth, theory):
    documents, values = [], []
    for instance, width in instances(kind, 6):
        for depth in range(5):
            proof = {"spaces": [[depth, [], [], []]]}
            documents.append(one_side(kind, instance, "upper", "refutation", proof, depth - 1))
            values.append((depth, truth(instance["rows"], width)))
    found = verdicts(documents, theory)
    assert set(found) == {"proved", "rejected"}
    assert all(
        depth > value
        for verdict, (depth, value) in zip(found, values, strict=True)
        if verdict == "proved"
    )


LAXER = {"instance, labels twice"}
"""Alterations of multiclass classes that concern no theorem."""


def altered_multiclass(name):
    make, change, _ = MISSES[name]
    document = make()
    change(document)
    return document


def altered_partial(asked, change):
    question, rows = asked
    document = part = copy.deepcopy(question(rows).certificate().to_dict())
    *path, key, value = change
    for step in path:
        part = part[step]
    part[key] = value
    return document


def test_alterations_that_the_kernel_rejects_are_rejected(theory):
    documents = {name: altered_multiclass(name) for name in MISSES}
    documents |= {
        f"{i}, {reason}": altered_partial(asked, change)
        for i, (asked, change, reason) in enumerate(PARTIAL_MISSES)
    }
    for name, document in documents.items():
        [verdict] = verdicts([document], theory)
        assert (verdict == "proved") == (name in LAXER), name
