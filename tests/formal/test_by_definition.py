"""Theorems about families by their definitions, which neither state nor trust a table."""

import copy
import json
import random
import re
import subprocess
from pathlib import Path

import pytest

from ccsim import (
    halfspaces,
    littlestone_dimension,
    minimax_error,
    parse_instance,
    representation_error,
    threshold_dimension,
)
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from ccsim.representation import HypothesisSet
from proofs_check.__main__ import main
from proofs_check.formal import formalize
from proofs_check.formal.cube import word
from proofs_check.formal.families import definition, weights
from proofs_check.formal.rocq import build_cube_checker, compile_file
from tests.formal.proving import compiled

CLASSES = [
    "all_functions:n=3",
    "decision_stumps:p=3",
    "halfspaces:b=1,d=3",
    "intervals:n=5",
    "lines:p=3",
    "parities:n=3",
    "points:b=2",
    "thresholds:b=3",
]
PROBLEMS = ["augmented_index:d=3", "equality:n=4", "greater_than:n=5", "index:d=3"]


def written(result):
    return json.loads(result.certificate().to_json())


def some_error(text):
    """Return a certificate about the table of a class with its rows in another order."""
    C = parse_instance(text)
    rng = random.Random(0)  # noqa: S311 - a seed, not a secret
    C = ConceptClass.from_rows(rng.sample(C.rows, len(C)), C.points)
    rows = {rng.randrange(1 << len(C.points)) for _ in range(3)}
    return written(representation_error(HypothesisSet.from_rows(sorted(rows), len(C.points)), C))


def some_slow(texts):
    """Return the texts, all but three of them marked as slow, because Rocq starts for each."""
    return [*texts[:3], *(pytest.param(text, marks=pytest.mark.slow) for text in texts[3:])]


@pytest.mark.parametrize("text", some_slow(CLASSES))
def test_theorem_about_a_table_becomes_one_about_the_family(text, theory, tmp_path):
    found = compiled(formalize(some_error(text), text), theory, tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    "question",
    [littlestone_dimension, pytest.param(threshold_dimension, marks=pytest.mark.slow)],
)
def test_dimension_of_a_family_is_a_theorem(question, theory, tmp_path):
    for text in ("intervals:n=4", "halfspaces:b=1,d=2"):
        certificate = written(question(parse_instance(text)))
        found = compiled(formalize(certificate, text), theory, tmp_path)
        assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    "text",
    [
        "augmented_index:d=2",
        pytest.param("greater_than:n=3", marks=pytest.mark.slow),
        pytest.param("thresholds:b=1", marks=pytest.mark.slow),
    ],
)
def test_error_of_a_problem_is_a_theorem(text, theory, tmp_path):
    certificate = written(minimax_error(text, 2))
    found = compiled(formalize(certificate, text), theory, tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


def cube_files(certificate, d, folder):
    """Write the two input files of the program extracted from the checker for halfspaces."""
    found = weights(halfspaces(1, d))
    rows = certificate["instance"]["rows"]
    nodes = iter(certificate["lower"]["mistake_tree"]["tree"])

    def tree(height):
        node = next(nodes)
        if height:
            return bytes([node]) + tree(height - 1) + tree(height - 1)
        numbers = re.findall(r"-?\d+", " ".join(found[rows[node]]))
        return bytes(int(a) % 256 for a in numbers)

    (folder / "tree").write_bytes(tree(certificate["statement"]["lower"]))
    (folder / "spaces").write_text(f"1\n{certificate['statement']['upper'] + 1} 0 0\n")


def test_program_for_halfspaces_proves_and_rejects(theory, tmp_path):
    certificate = written(littlestone_dimension(halfspaces(1, 3)))
    cube_files(certificate, 3, tmp_path)
    program = [build_cube_checker(), "3", "6", tmp_path / "tree", tmp_path / "spaces"]

    def verdicts():
        found = subprocess.run(program, capture_output=True, text=True, check=False)
        return [line.split(":")[0] for line in found.stdout.splitlines()], found.returncode

    assert verdicts() == (["proved", "proved"], 0)
    data = (tmp_path / "tree").read_bytes()
    (tmp_path / "tree").write_bytes(bytes([data[0] ^ 1]) + data[1:])
    (tmp_path / "spaces").write_text("1\n6 0 0\n")
    assert verdicts() == (["REJECTED", "REJECTED"], 4)


def table_goal(family, instance):
    """Return the statement that a family equals the rows of an instance, and its proof."""
    rows = "; ".join(
        "[" + "; ".join({"0": "Some false", "1": "Some true", "*": "None"}[c] for c in row) + "]"
        for row in instance["rows"]
    )
    n, m = len(instance["alice"]), len(instance["bob"])
    return (
        f"Goal agree {n} {m} {family} (fun x y => nth y (nth x [{rows}] []) None).\n"
        "Proof. apply agrees_spec. vm_compute. reflexivity. Qed.\n"
    )


def test_definitions_of_problems_are_those_of_the_library(theory, tmp_path):
    from ccsim.instances import parse_problem

    lines = ["From Coq Require Import List.", "From CCSim Require Import Definitions ByDefinition."]
    lines.append("Import ListNotations.")
    for text in [*PROBLEMS, "lines:p=3", "thresholds:b=2", "parities:n=2"]:
        instance = parse_problem(text).to_json()
        term = definition(text, instance).term
        lines.append(table_goal(term, instance))
        rows = instance["rows"]
        rows[-1] = rows[-1][:-1] + ("0" if rows[-1][-1] == "1" else "1")
        false = table_goal(term, instance)
        lines.append(
            false.replace(
                "reflexivity. Qed.", "lazymatch goal with |- false = true => idtac end. Abort."
            )
        )
    file = tmp_path / "lemmas.v"
    file.write_text("\n".join(lines), encoding="utf-8")
    found = compile_file(file, theory)
    assert (found.returncode, found.stderr) == (0, "")


def test_table_with_a_row_too_few_or_too_many_is_no_family(theory, tmp_path):
    text = formalize(some_error("points:b=2"), "points:b=2")
    shorter = text.replace("first (2 ^ 2)", "first (2 ^ 2 - 1)")
    longer = text.replace("first (2 ^ 2)", "first (2 ^ 2 + 1)")
    assert shorter != text != longer
    for wrong in (shorter, longer):
        assert compiled(wrong, theory, tmp_path).returncode


@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_dimension_of_halfspaces_has_no_table(d, theory, tmp_path):
    text = formalize(written(littlestone_dimension(halfspaces(1, d))), f"halfspaces:b=1,d={d}")
    assert f"Theorem by_definition : ldim (2 ^ {d}) (halfspace {d})" in text
    assert "table" not in text
    found = compiled(text, theory, tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.slow
def test_each_side_alone_is_a_theorem_and_altered_proofs_are_none(theory, tmp_path):
    whole = written(littlestone_dimension(halfspaces(1, 4)))
    for side, other in (("lower", "upper"), ("upper", "lower")):
        one = copy.deepcopy(whole)
        one["statement"][other] = one[other] = None
        text = formalize(one, "halfspaces:b=1,d=4")
        assert compiled(text, theory, tmp_path).returncode == 0
        assert "refuted" in text if side == "upper" else "grown_mistakes" in text
        shifted = copy.deepcopy(one)
        shifted["statement"][side] += 1 if side == "lower" else -1
        if side == "upper":
            assert compiled(formalize(shifted, "halfspaces:b=1,d=4"), theory, tmp_path).returncode
        moved = (
            text.replace("(leaf [", "(leaf [1; ", 1)
            if side == "lower"
            else text.replace("[Turn", "[Flip 0; Turn", 1)
        )
        assert moved != text
        assert compiled(moved, theory, tmp_path).returncode


@pytest.mark.slow
def test_dimension_of_halfspaces_on_the_5_cube(theory, tmp_path):
    certificate = written(littlestone_dimension(halfspaces(1, 5)))
    text = formalize(certificate, "halfspaces:b=1,d=5")
    assert "Theorem by_definition : ldim (2 ^ 5) (halfspace 5) 15." in text
    assert compiled(text, theory, tmp_path).returncode == 0


def moved(move, literal, d):
    """Return the image of literal ``2 x + b``, in the notation of `Halfspaces.v`."""
    (name, i), x, b = move, literal >> 1, literal & 1
    if name == "Flip":
        x ^= 1 << i
    elif name == "Swap":
        x ^= (x >> i ^ x >> i + 1) % 2 * (3 << i)
    elif not x & 1:
        x, b = 2 * ((1 << d - 1) - 1 - (x >> 1)), 1 - b
    return 2 * x + b


@pytest.mark.parametrize("d", range(1, 7))
def test_words_are_found_for_all_products_of_moves(d):
    rng = random.Random(d)  # noqa: S311 - a seed, not a secret
    moves = [("Turn", 0), *(("Flip", i) for i in range(d)), *(("Swap", i) for i in range(d - 1))]
    for length in range(0, 40, 3):
        images = list(range(2 << d))
        for move in rng.choices(moves, k=length):
            images = [moved(move, image, d) for image in images]
        again = list(range(2 << d))
        for move in word(images, d):
            again = [moved(move, image, d) for image in again]
        assert again == images


def test_a_symmetry_that_does_not_act_on_signs_is_refused_by_number():
    with pytest.raises(DomainError, match=r"^symmetry 3 must map the points, as sign vectors"):
        word([2, 3, 0, 1, 4, 5, 6, 7], 2, "symmetry 3")


def test_weights_are_those_of_the_rows():
    C = halfspaces(1, 3)
    for row, (vector, threshold) in weights(C).items():
        w = [int(a) for a in vector.strip("[]").split(";")]
        t = int(threshold.strip("()"))
        assert row == "".join(
            str(int(sum(a for i, a in enumerate(w) if x >> i & 1) >= t)) for x in range(8)
        )


def test_what_has_no_definition_is_refused_in_one_line():
    certificate = some_error("lines:p=3")
    for text, rule in {
        "lines:p=2": "lines:p=2: the certificate is for a different instance",
        "thresholds:b=3": "thresholds:b=3: the certificate is for a different instance",
        "polynomials:p=3,k=2": "polynomials:p=3,k=2: the theory does not define this class",
        "@rows.csv": "@rows.csv: --by-definition needs a family of classes or problems",
    }.items():
        with pytest.raises(DomainError, match=rule):
            formalize(certificate, text)
    other = copy.deepcopy(certificate)
    other["instance"]["rows"][0] = "111111111"
    with pytest.raises(DomainError, match="for a different instance"):
        formalize(other, "lines:p=3")


def test_command_states_a_family_by_its_definition(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = written(littlestone_dimension(halfspaces(1, 2)))
    Path("h.json").write_text(json.dumps(certificate), encoding="utf-8")
    command = ["formalize", "h.json", "--out", "h.v", "--by-definition"]
    assert main([*command, "halfspaces:b=1,d=2"]) == 0
    assert "ldim (2 ^ 2) (halfspace 2) 3" in Path("h.v").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main([*command, "halfspaces:b=1,d=3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
