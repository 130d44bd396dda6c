"""Certificates as Lean files: their texts, their data and, if Lean is installed, its verdict."""

import copy
import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import littlestone_dimension
from ccsim.errors import DomainError
from ccsim.programs import solve_matrix_game
from proofs_check.__main__ import main
from proofs_check.formal import lean_words
from proofs_check.formal.lean import SECTIONS, formalize_in_lean
from proofs_check.formal.lean_searches import chains_cost, shattering_cost, without_symmetries
from proofs_check.formal.lean_words import LEAN_WORDS
from tests.formal.corpus import ACCEPTED

PAGE = Path(__file__).parents[2] / "docs" / "theorems.md"


def stored(path):
    return json.loads(path.read_text(encoding="utf-8"))


DOCUMENTS = {
    path.stem: document
    for path in sorted(ACCEPTED.glob("*.json"))
    if isinstance(document := stored(path), dict) and document["kind"] in LEAN_WORDS
}
"""The stored certificates of the kinds that have words of Lean."""

CORE = {"Bool", "Int", "List", "Nat", "by", "decide", "def", "false", "kernel", "theorem", "true"}


def certificate():
    return littlestone_dimension([[0, 0, 1], [0, 1, 1], [1, 1, 1]]).certificate().to_dict()


def told(text):
    """Return the part of a file that belongs to the certificate."""
    return text.partition("/-! ### The certificate -/")[2]


def numbers(text, name):
    """Return the list of numbers, or of lists of numbers, that a file defines."""
    return json.loads(re.search(rf"^def {name} : List .* := (.*)$", text, re.MULTILINE)[1])


def rows_of(masks, width):
    return ["".join(str(mask >> x & 1) for x in range(width)) for mask in masks]


def test_all_kinds_are_among_the_stored_certificates():
    assert {document["kind"] for document in DOCUMENTS.values()} == set(LEAN_WORDS)


def test_theorem_on_the_page_is_the_one_that_is_written():
    text = formalize_in_lean(certificate())
    blocks = re.findall(r"^```lean\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    assert all(block in text for block in blocks)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_data_are_those_of_the_certificate(name):
    document = DOCUMENTS[name]
    text, instance = formalize_in_lean(document), document["instance"]
    stated = re.search(r"^theorem certified : (.*) :=$", text, re.MULTILINE)[1]
    value = document["statement"]["lower"]
    if value != document["statement"]["upper"]:  # bounds are stated one by one
        width = len(instance["points"])
        assert rows_of(numbers(text, "rows"), width) == instance["rows"]
        bounds = re.findall(r"\(dimension_at_(\w+) \(shattered .*?\)\) (\d+)\)(?: ∧ |$)", stated)
        sides = (("least", "lower"), ("most", "upper"))
        known = [(word, document["statement"][side]) for word, side in sides]
        assert bounds == [(word, str(bound)) for word, bound in known if bound is not None]
        return
    if document["kind"] == "matrix_game":
        assert numbers(text, "payoffs") == instance["payoff"]
        n, m = len(instance["payoff"]), len(instance["payoff"][0])
        assert stated.startswith(f"value {n} {m} {instance['unit']} (payoff payoffs) ")
    else:
        width = len(instance["points"])
        assert rows_of(numbers(text, "rows"), width) == instance["rows"]
        word, around = stated.split()[:2]
        dual = document["kind"] == "dual_vc_dimension"
        assert (f"(table {width if not dual else len(instance['rows'])} ") in stated
        assert (f"(dual {width} (rows.map bit))" in stated) is dual
        assert (
            word
            == {
                "littlestone_dimension": "ldim",
                "vc_dimension": "vcdim",
                "dual_vc_dimension": "vcdim",
                "threshold_dimension": "dimension",
                "deterministic_representation": "representation_error",
            }[document["kind"]]
        )
        if word != "dimension":
            assert int(around) == (len(instance["rows"]) if dual else width)
    if document["kind"] == "deterministic_representation":
        hypotheses = rows_of(numbers(text, "hypotheses"), width)
        assert hypotheses == document["statement"]["hypotheses"]
    if isinstance(value, str):
        p, q = map(int, stated.split()[-2:])
        assert (q > 0, Fraction(p, q)) == (True, Fraction(value))
    else:
        assert stated.endswith(f" {value}" if value >= 0 else f" ({value})")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_words_are_defined_before_they_are_used(name):
    text = formalize_in_lean(DOCUMENTS[name])
    pattern = r"^(?:def|abbrev|theorem|inductive|structure) ([\w']+)"
    defined = {}
    for at in re.finditer(pattern, text, re.MULTILINE):
        assert at[1] not in defined
        defined[at[1]] = at.start()
    start = text.index("/-! ### The certificate -/") + len("/-! ### The certificate -/")
    words = re.sub(r"\.(leaf|node|map)\b", "", text[start:])
    used = set(re.findall(r"\b[A-Za-z]\w*", words)) - CORE - {"CCSim", "end"}
    assert {word for word in used if word not in defined} == set()
    assert text.count("namespace CCSim\n") == text.count("end CCSim\n") == 1


def test_sections_suppose_nothing():
    for path in SECTIONS.glob("*.lean"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(sorry|axiom|native_decide|unsafe|opaque|implemented_by)\b", text)
        assert text.count("/-! ### Proofs -/\n") == 1
        assert max(map(len, text.splitlines())) <= 120


def test_header_says_what_is_proved():
    header = formalize_in_lean(certificate()).partition("-/")[0]
    assert "has not been checked by Lean" in header
    assert "The file proves the lower and the upper bound of `certified`." in header
    assert "hypothesis" not in header


def test_what_is_too_large_is_supposed_and_said_to_be(monkeypatch):
    monkeypatch.setattr(lean_words, "_MOST", 200)
    text = formalize_in_lean(DOCUMENTS["littlestone_dimension_refutation_symmetries"])
    header = text.partition("-/")[0]
    assert "The file proves the lower bound of `certified`." in header
    assert "The upper bound of `certified` is a hypothesis: this file does not prove it" in header
    asked = "dimension_at_most (mistakes 5 (table 5 (rows.map bit))) 3"
    assert f"theorem certified (upper : {asked}) : ldim 5 (table 5 (rows.map bit)) 3 :=" in text
    assert told(text).rstrip().endswith("upper⟩\n\nend CCSim")


def test_one_bound_alone_is_stated_alone():
    document = certificate()
    document["statement"]["upper"] = document["upper"] = None
    asked = "dimension_at_least (mistakes 3 (table 3 (rows.map bit))) 1"
    assert f"theorem certified : ({asked}) :=" in formalize_in_lean(document)


def test_bounds_that_differ_are_two_statements():
    document = certificate()
    document["statement"]["lower"], document["lower"] = -1, {"trivial": {}}
    of = "(mistakes 3 (table 3 (rows.map bit)))"
    stated = f"(dimension_at_least {of} (-1)) ∧ (dimension_at_most {of} 1)"
    assert f"theorem certified : {stated} :=" in formalize_in_lean(document)


def test_list_of_certificates_has_names_of_its_own():
    second = certificate() | {"instance": None}
    text = formalize_in_lean([certificate(), second])
    assert numbers(text, "rows_1") == numbers(text, "rows_2") == [4, 6, 7]
    assert re.findall(r"^theorem (certified\w*)", text, re.MULTILINE) == [
        "certified_1",
        "certified_2",
    ]
    assert text.count("def ldim ") == 1


def test_other_kinds_are_refused_in_a_line_that_names_those_covered():
    document = stored(ACCEPTED / "effective_domain_apart_representatives.json")
    kind = document["kind"]
    with pytest.raises(DomainError) as error:
        formalize_in_lean(document)
    assert str(error.value).startswith(f"{kind}: --lean supports only littlestone_dim")
    assert all(known in str(error.value) for known in LEAN_WORDS)
    assert "\n" not in str(error.value)


def depth(rows, width):
    """Return the Littlestone dimension by its recursion."""
    if not rows:
        return -1
    parts = [[[r for r in rows if r >> x & 1 == b] for b in (0, 1)] for x in range(width)]
    return max(
        (1 + min(depth(zero, width), depth(one, width)) for zero, one in parts if zero and one),
        default=0,
    )


@pytest.mark.parametrize("seed", range(12))
def test_entries_without_symmetries_are_true_and_follow_from_earlier_ones(seed):
    """For every point, an earlier entry, or counting, excludes one label."""
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    if seed:
        width = rng.randint(2, 4)
        masks = sorted(rng.sample(range(1 << width), rng.randint(2, 1 << width)))
        table = [[mask >> x & 1 for x in range(width)] for mask in masks]
        document = littlestone_dimension(table).certificate().to_dict()
    else:
        document = DOCUMENTS["littlestone_dimension_refutation_symmetries"]
    check_entries(document)


def check_entries(document):
    width = len(document["instance"]["points"])
    rows = [int(row[::-1], 2) for row in document["instance"]["rows"]]
    entries = without_symmetries(document["upper"]["refutation"], width, 1000)
    versions = []
    for i, (size, literals, sides) in enumerate(entries):
        inside = [r for r in rows if all(r >> (a // 2) & 1 == a & 1 for a in literals)]
        assert depth(inside, width) < size
        versions.append(set(inside))
        for x in range(width) if len(inside) >= 1 << size else ():
            halves = [{r for r in inside if r >> x & 1 == b} for b in (0, 1)]
            assert any(len(half) < 1 << size - 1 for half in halves) or any(
                literal // 2 == x
                and halves[literal & 1] <= versions[i - 1 - back]
                and entries[i - 1 - back][0] < size
                for literal, back in sides
            )
    assert (entries[-1][0], versions[-1]) == (document["statement"]["upper"] + 1, set(rows))


def test_too_many_entries_are_given_up():
    document = DOCUMENTS["littlestone_dimension_refutation_symmetries"]
    assert without_symmetries(document["upper"]["refutation"], 5, 2) is None


@pytest.mark.parametrize("seed", range(6))
def test_searches_look_at_nothing_only_where_there_is_no_room(seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    width = rng.randint(2, 4)
    rows = rng.sample(range(1 << width), rng.randint(2, 1 << width))
    for size in range(1, 5):
        looked = shattering_cost(rows, width, size, 10**6)
        assert looked % 2 == 0
        assert (looked > 0) == (len(rows) >= 1 << size)
        assert (shattering_cost(rows, width, size, 0) is None) == (looked > 0)
        assert (chains_cost(rows, width, size, 10**6) > 0) == (len(rows) >= size)


def test_command_writes_the_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = solve_matrix_game([[1, "-1/2"], [0, "2/3"]]).certificate().to_dict()
    Path("game.json").write_text(json.dumps(document), encoding="utf-8")
    assert main(["formalize", "game.json", "--lean", "--out", "Game.lean"]) == 0
    assert Path("Game.lean").read_text(encoding="utf-8") == formalize_in_lean(document)
    both = ["formalize", "game.json", "--lean", "--by-definition", "lines:p=3", "--out", "b.lean"]
    assert main(both) == 2
    document["statement"]["upper"] = "0"
    Path("game.json").write_text(json.dumps(document), encoding="utf-8")
    assert main(["formalize", "game.json", "--lean", "--out", "False.lean"]) == 4
    assert not Path("False.lean").exists()
    assert not Path("b.lean").exists()
    assert "rejected" in capsys.readouterr().out


def lean(file):
    """Return the output of the installed Lean for a file."""
    program = shutil.which("lean")
    if program is None:
        pytest.skip("files of Lean are not checked here: lean is not installed")
    command = [program, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_lean_accepts_what_is_written(tmp_path):
    file = tmp_path / "All.lean"
    text = formalize_in_lean(list(DOCUMENTS.values()))
    count = len(DOCUMENTS)
    asked = "".join(f"#print axioms CCSim.certified_{i + 1}\n" for i in range(count))
    file.write_text(text + asked, encoding="utf-8")
    found = lean(file)
    assert (found.stderr, found.returncode) == ("", 0)
    assert found.stdout.count("certified") == count
    assert "sorryAx" not in found.stdout
    assert "ofReduceBool" not in found.stdout


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize("kind", sorted(LEAN_WORDS))
def test_lean_refuses_falsehoods(kind, side, tmp_path):
    documents = [d for d in DOCUMENTS.values() if d["kind"] == kind]
    document = copy.deepcopy(documents[0])
    value, step = document["statement"][side], 1 if side == "lower" else -1
    number = value + step if isinstance(value, int) else str(Fraction(value) + Fraction(step, 100))
    other = "upper" if side == "lower" else "lower"
    document["statement"] |= {side: number, other: None}
    document[other] = None
    if (kind, side) == ("littlestone_dimension", "lower"):
        document["lower"]["mistake_tree"]["tree"] = [0] * ((2 << number) - 1)
    file = tmp_path / "Falsehood.lean"
    file.write_text(formalize_in_lean(document), encoding="utf-8")
    assert lean(file).returncode != 0
