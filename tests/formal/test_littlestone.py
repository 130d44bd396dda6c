"""Littlestone dimensions as theorems: trees, refutations with symmetries, altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from random import Random

import pytest

from ccsim.classes import ConceptClass, halfspaces, lines, thresholds
from ccsim.dimensions import littlestone_dimension
from proofs_check.formal import formalize
from proofs_check.formal.rocq import compile_file
from proofs_check.formal.terms import integers, masks, tree
from tests.formal.proving import disagreements, is_theorem, verdicts


def concept_class(width, rows):
    return ConceptClass(tuple(range(width)), tuple(range(len(rows))), tuple(sorted(rows)))


def random_class(rng):
    width = rng.randint(0, 7)
    rows = {rng.getrandbits(width) if width else 0 for _ in range(rng.choice((0, 1, 3, 8, 20)))}
    return concept_class(width, rows)


def certified(c):
    return json.loads(littlestone_dimension(c).certificate().to_json())


def turned(row, width, flips):
    """Return a row with each label moved to the next point and flipped according to ``flips``."""
    return sum((row >> x & 1 ^ flips >> x & 1) << (x + 1) % width for x in range(width))


def symmetric_certificate(rng):
    """Return a certificate for a class with a symmetry, which its proof uses."""
    width, flips = rng.randint(2, 6), rng.choice((0, rng.getrandbits(6)))
    rows = set()
    for row in {rng.getrandbits(width) for _ in range(rng.randint(1, 4))}:
        for _ in range(2 * width):
            rows.add(row)
            row = turned(row, width, flips)  # noqa: PLW2901 - goes round
    c = concept_class(width, rows)
    images = [c.rows.index(turned(row, width, flips)) for row in c.rows]
    symmetry = {
        "rows": images,
        "columns": [(x + 1) % width for x in range(width)],
        "flips": "".join("01"[flips >> x & 1] for x in range(width)),
    }
    certificate = certified(c)
    table = Table(c.rows, width, flips, rng)
    table.refute((), certificate["statement"]["upper"] + 1)
    certificate["upper"] = {"refutation": {"symmetries": [symmetry], "spaces": table.entries}}
    return certificate


class Table:
    """Entries that refute version spaces, by means of earlier entries if possible."""

    def __init__(self, rows, width, flips, rng):
        self.rows, self.width, self.flips, self.rng = rows, width, flips, rng
        self.entries, self.known = [], {}

    def largest(self, rows):
        if not rows:
            return -1
        sides = [[[r for r in rows if r >> x & 1 == b] for b in (0, 1)] for x in range(self.width)]
        return max([0] + [1 + min(map(self.largest, s)) for s in sides if all(s)])

    def refute(self, literals, depth):
        """Return the index of an entry that refutes trees of this depth for a version space."""
        key = frozenset(literals), depth
        if key not in self.known:
            entry = self.image(*key) or self.entry(literals, depth)
            self.known[key] = len(self.entries)
            self.entries.append(entry)
        return self.known[key]

    def image(self, literals, depth):
        for (others, least), e in self.known.items():
            moved = {
                2 * ((i >> 1) + 1)
                - (2 * self.width if i >> 1 == self.width - 1 else 0)
                + (i & 1 ^ self.flips >> (i >> 1) & 1)
                for i in others
            }
            if least == depth and literals and moved == literals:
                return [e, 0]
        return None

    def entry(self, literals, depth):
        space = [r for r in self.rows if all(r >> (i >> 1) & 1 == i & 1 for i in literals)]
        turns, below = [], []
        for i in range(2 * self.width) if depth else ():
            side = [r for r in space if r >> (i >> 1) & 1 == i & 1]
            if i >> 1 not in [j >> 1 for j in turns] and self.largest(side) < depth - 1:
                few = len(side) < 1 << depth - 1
                if not few or self.rng.random() < 0.3:
                    turns.append(i)
                    below.append(self.refute((*literals, i), depth - 1))
        return [depth, list(literals), turns, below]


def made(seed, number):
    rng = Random(seed)
    classes = [random_class(rng) for _ in range(number)]
    classes += [concept_class(0, []), concept_class(3, []), concept_class(0, [0]), lines(2)]
    classes += [concept_class(4, [5]), thresholds(3), halfspaces(1, 3), concept_class(2, range(4))]
    symmetric = [symmetric_certificate(rng) for _ in range(number)]
    return [certified(c) for c in classes] + symmetric


def refutation(certificate):
    return certificate["upper"]["refutation"]


def has(certificate, what):
    spaces = refutation(certificate)["spaces"]
    return {
        "one space": len(spaces) == 1,
        "spaces": len(spaces) > 1 and all(len(s) == 4 for s in spaces),
        "images": any(len(s) == 2 for s in spaces),
        "flips": any("1" in s["flips"] for s in refutation(certificate)["symmetries"]),
        "no concept": certificate["statement"]["upper"] == -1,
    }[what]


def test_every_form_is_a_theorem(theory, tmp_path):
    known = sorted(made(3, 40), key=lambda c: len(json.dumps(c)), reverse=True)
    forms = ("one space", "spaces", "images", "flips", "no concept")
    listed = [next(c for c in known if has(c, what)) for what in forms]
    assert is_theorem(listed, theory, tmp_path)


@pytest.mark.slow
def test_a_hard_class_is_a_theorem(theory, tmp_path):
    """The rows, the images of rows and the tree are long enough to be written as bytes."""
    certificate = certified(halfspaces(1, 4))
    text = formalize(certificate)
    assert "texts 16 1 " in text
    assert "packed 1 " in text
    assert "numbers 1 " in text
    assert "ldim 16 (table 16 (map bit rows)) 9%Z" in text
    assert is_theorem(certificate, theory, tmp_path)
    certificate["statement"] |= {"lower": None, "upper": 8}
    certificate["lower"] = None
    assert not is_theorem(certificate, theory, tmp_path)


def test_rows_are_those_of_the_class():
    rows = ["".join("01"[(i * x) % 7 % 2] for x in range(90)) for i in range(60)]
    listed = [int(row[::-1], 2) for row in rows]
    term = masks(rows)
    assert term.startswith("(packed 11 ")
    data = [int(name[1:], 16) for name in term.replace(")", " ").split() if name.startswith("x")]
    size = 12
    read = [int.from_bytes(bytes(data[i : i + size]), "big") for i in range(0, len(data), size)]
    assert read == listed
    assert f"texts 90 11 {term.removeprefix('(packed 11 ').removesuffix(')')}" == tree(rows)


def test_lists_of_any_length_are_read_by_rocq(theory, tmp_path):
    rng = Random(5)
    numbers = [rng.randrange(-9, 90000) for _ in range(700)]
    nested = [[i % 7, [i % 11]] for i in range(600)]
    sizes = {tree(numbers): 700, tree(nested): 600, tree(list(map(abs, numbers))): 700}
    lines = ["From Coq Require Import String List ZArith.", "Import ListNotations."]
    lines += ["From CCSim Require Import Json Packed Games."]
    for term, size in sizes.items():
        entries_of = f"match {term} with Array l => List.length l | _ => 0 end"
        lines += [f"Goal ({entries_of})%nat = {size}%nat.", "Proof. vm_compute. reflexivity. Qed."]
    lines += [
        f"Goal {integers(numbers)} = map (fun j => match j with Number z => z | _ => 0%Z end)"
    ]
    lines += [
        f"(match {tree(numbers)} with Array l => l | _ => [] end).",
        "Proof. reflexivity. Qed.",
    ]
    lines += [f"Goal packed 1 {tree([i * 5 for i in range(300)]).removeprefix('numbers 1 ')} = "]
    lines += [f"map Z.to_N {integers(i * 5 for i in range(300))}.", "Proof. reflexivity. Qed."]
    (tmp_path / "lists.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = compile_file(tmp_path / "lists.v", theory)
    assert (found.stderr, found.returncode) == ("", 0)
    assert len({term.split(maxsplit=1)[0] for term in sizes}) == 2


def test_checkers_agree_on_altered_refutations(theory):
    documents = made(7, 40)
    assert sum(has(c, "images") and has(c, "flips") for c in documents) >= 5
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 1500, 8)
    assert only_kernel == []
    assert [c for c in only_proved if not has_label_twice(c["instance"])] == []
    assert both


def has_label_twice(instance):
    """Return whether a label is repeated, which only the kernel rejects."""
    return any(len(set(instance[k])) < len(instance[k]) for k in ("points", "concepts"))
