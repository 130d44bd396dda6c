"""The atlas: values by other methods, counts by Burnside's lemma, and questions."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import json
import random
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations, compress, pairwise, permutations, product
from math import factorial, log2
from pathlib import Path

import pytest

from ccsim.cli.main import main
from ccsim.errors import (
    CertificateError,
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
    UnreadableInputError,
)
from ccsim.surveys.atlas import build, table
from ccsim.surveys.atlas.certificates import certificates, check_entry, pack
from ccsim.surveys.atlas.query import query_atlas, read_question, value_of
from ccsim.surveys.atlas.table import (
    COLUMNS,
    FILE,
    QUANTITIES,
    Entry,
    atlas,
    entry_of,
    rows_of,
    stored_entries,
)
from tests.truth.common import UndecidedError
from tests.truth.signs import least_dimension

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "atlas.md"


def test_the_page_states_size_and_digest_of_the_file():
    content = FILE.read_bytes()
    text = PAGE.read_text(encoding="utf-8")
    assert f"{len(content)} bytes" in text
    assert sha256(content).hexdigest() in text


def burnside(n):
    """Return the mean over the group of 2 to the number of cycles on functions."""
    total = 0
    for order in permutations(range(n)):
        for flip in product((0, 1), repeat=n):
            seen, cycles = set(), 0
            for start in product((0, 1), repeat=n):
                cycles += start not in seen
                f = start
                while f not in seen:
                    seen.add(f)
                    f = tuple(f[x] ^ b for x, b in zip(order, flip, strict=True))
            total += 2**cycles
    count = Fraction(total, factorial(n) * 2**n)
    assert count.denominator == 1
    return int(count)


@pytest.mark.parametrize("n", range(1, 6))
def test_the_file_has_as_many_classes_as_burnside_counts(n):
    rows = [entry for entry in atlas() if entry.points == n]
    assert sum(entry.classes for entry in rows) == burnside(n) - 1  # the empty class
    assert all(entry.classes == 1 for entry in rows) or n == 5


def test_rows_are_ordered_and_name_classes():
    keys = [(e.points, int(e.values["concepts"][0]), e.chosen) for e in atlas()]
    assert keys == sorted(set(keys))
    for entry in atlas():
        assert entry.chosen & 1
        assert len(rows_of(entry.chosen)) == entry.values["concepts"][0]


# ---- by definition, on sets of tuples


def tuples(entry):
    return [tuple(map(int, text)) for text in entry.concepts]


def projections(C, S):
    return {tuple(c[x] for x in S) for c in C}


def subsets(n):
    return [S for k in range(n + 1) for S in combinations(range(n), k)]


def by_definition_vc(C, n):
    return max(len(S) for S in subsets(n) if len(projections(C, S)) == 2 ** len(S))


def by_definition_littlestone(C, n):
    if not C:
        return -1
    found = 0
    for x in range(n):
        zero, one = [c for c in C if not c[x]], [c for c in C if c[x]]
        if zero and one:
            found = max(
                found,
                1 + min(by_definition_littlestone(zero, n), by_definition_littlestone(one, n)),
            )
    return found


def by_definition_threshold(C, n):
    for k in range(min(n, len(C)), 0, -1):
        for S in permutations(range(n), k):
            wanted = [tuple(int(i <= j) for j in range(k)) for i in range(k)]
            if set(wanted) <= projections(C, S):
                return k
    return 0


def by_definition_dual_vc(C, n):
    for k in (2, 1):
        for chosen in combinations(C, k):
            if len({tuple(c[x] for c in chosen) for x in range(n)}) == 2**k:
                return k
    return 0


def over_flips(of, C, n):
    found = [
        of([tuple(a ^ b for a, b in zip(c, flip, strict=True)) for c in C], n)
        for flip in product((0, 1), repeat=n)
    ]
    return min(found), max(found)


def by_definition_star(C, n):
    def is_star(S):
        there = projections(C, S)
        return any(
            all(tuple(v ^ (i == j) for j, v in enumerate(c)) in there for i in range(len(S)))
            for c in there
        )

    return max(len(S) for S in subsets(n) if is_star(S))


def taught_by(c, C, n):
    return min(len(S) for S in subsets(n) if all(any(c[x] != d[x] for x in S) for d in C if d != c))


def by_definition_recursive(C, n):
    if not C:
        return 0
    sizes = {c: taught_by(c, C, n) for c in C}
    least = min(sizes.values())
    return max(least, by_definition_recursive([c for c in C if sizes[c] > least], n))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_dimensions_are_as_defined(n):
    rows = [entry for entry in atlas() if entry.points == n]
    for entry in random.Random(n).sample(rows, min(12, len(rows))):
        C = tuples(entry)
        values = {
            name: tuple(map(int, span))
            for name, span in entry.values.items()
            if span[1] is not None
        }
        assert values["vc"] == (by_definition_vc(C, n),) * 2
        assert values["littlestone"] == (by_definition_littlestone(C, n),) * 2
        least, most = over_flips(by_definition_threshold, C, n)
        assert (values["threshold_least"], values["threshold_most"]) == ((least,) * 2, (most,) * 2)
        least, most = over_flips(by_definition_dual_vc, C, n)
        assert (values["dual_vc_least"], values["dual_vc_most"]) == ((least,) * 2, (most,) * 2)
        assert values["star"] == (by_definition_star(C, n),) * 2
        assert values["teaching"] == (max(taught_by(c, C, n) for c in C),) * 2
        assert values["recursive_teaching"] == (by_definition_recursive(C, n),) * 2


def test_no_clash_teachers_on_three_points_by_all_of_them():
    for entry in atlas():
        C, n = tuples(entry), entry.points
        if n > 3 or len(C) > 6:
            continue

        def has(size, C=C, n=n):
            teaching = [set(S) for S in combinations(range(n), size)]
            return any(
                all(
                    any(c[x] != d[x] for x in S | T)
                    for (c, S), (d, T) in combinations(zip(C, teacher, strict=True), 2)
                )
                for teacher in product(teaching, repeat=len(C))
            )

        least = next(size for size in range(n + 1) if has(size))
        assert entry.values["no_clash_teaching"] == (least, least), entry


def by_definition_queries(C, n, hypotheses, points):
    @cache
    def fewest(space):
        if len(space) == 1:
            return 0
        asked = [[{c for c in space if c[x] == b} for b in (0, 1)] for x in points]
        asked += [
            [{c for c in space if c[x] != h[x]} for x in range(n)] + [space & {h}]
            for h in hypotheses
        ]
        return 1 + min(
            max(fewest(frozenset(left)) for left in answers if left)
            for answers in asked
            if space not in answers
        )

    return fewest(frozenset(C))


@pytest.mark.parametrize(
    ("kind", "points", "is_proper"),
    [
        ("membership", True, None),
        ("proper_equivalence", False, True),
        ("membership_and_equivalence", True, False),
        ("membership_and_proper_equivalence", True, True),
    ],
)
def test_queries_on_three_points_by_definition(kind, points, is_proper):
    for entry in atlas():
        C, n = tuples(entry), entry.points
        if n > 3:
            continue
        everything = [*product((0, 1), repeat=n)]
        hypotheses = [] if is_proper is None else C if is_proper else everything
        found = by_definition_queries(C, n, hypotheses, range(n) if points else ())
        assert entry.values[f"{kind}_queries"] == (found, found), entry


def test_sign_ranks_by_lines_and_planes():
    for entry in atlas():
        if entry.points > 4:
            continue
        low, high = entry.values["sign_rank"]
        rows = ["".join(map(str, column)) for column in zip(*tuples(entry), strict=True)]
        try:
            assert low == high == least_dimension(rows), entry
        except UndecidedError:
            assert 3 <= low == high <= 4, entry


def test_hollow_stars_on_three_points_by_definition():
    def is_realised(labels, C):
        return any(all(c[x] == b for x, b in labels) for c in C)

    for entry in atlas():
        C, n = tuples(entry), entry.points
        if n > 3:
            continue
        hollow = (
            labels
            for S in subsets(n)
            for labels in ([*zip(S, bits, strict=True)] for bits in product((0, 1), repeat=len(S)))
            if not is_realised(labels, C)
            and all(is_realised(fewer, C) for fewer in combinations(labels, len(S) - 1))
        )
        most = max(map(len, hollow), default=0)
        assert entry.values["hollow_star"] == (most, most), entry


def test_more_queries_are_no_harder():
    for entry in atlas():
        if entry.points > 4:
            continue
        both, proper, point, concept = (
            entry.values[f"{name}_queries"][0]
            for name in (
                "membership_and_equivalence",
                "membership_and_proper_equivalence",
                "membership",
                "proper_equivalence",
            )
        )
        assert both <= proper <= min(point, concept)
        assert both <= entry.values["littlestone"][0] <= concept
        assert entry.values["teaching"][0] <= point


def worse(mistakes):
    """Return the mistakes after the better prediction, from those after both labels."""
    return max(*mistakes, min(mistakes) + 1)


def sides(space, x):
    return [frozenset(c for c in space if c[x] == b) for b in (0, 1)]


def by_definition_self_directed(C, n):
    @cache
    def fewest(space):
        splitting = [both for x in range(n) if all(both := sides(space, x))]
        return min((worse([fewest(side) for side in both]) for both in splitting), default=0)

    return fewest(frozenset(C))


def by_definition_offline(C, order):
    if not order:
        return 0
    found = [by_definition_offline(side, order[1:]) for side in sides(C, order[0]) if side]
    return worse(found) if len(found) == 2 else found[0]


def test_mistakes_on_three_points_by_definition():
    for entry in atlas():
        C, n = tuples(entry), entry.points
        if n > 3:
            continue
        offline = [by_definition_offline(C, order) for order in permutations(range(n))]
        assert entry.values["best_mistakes"] == (min(offline),) * 2
        assert entry.values["worst_mistakes"] == (max(offline),) * 2
        assert entry.values["self_directed"] == (by_definition_self_directed(C, n),) * 2


def test_mistakes_and_compression_schemes_are_ordered():
    kinds = [kind for kind in product((False, True), repeat=3) if not (kind[0] and kind[2])]
    for entry in atlas():
        if entry.points > 4:
            continue
        names = ("self_directed", "best_mistakes", "worst_mistakes", "littlestone")
        found = [entry.values[name][0] for name in names]
        assert found == sorted(found)
        sizes = {}
        for kind in kinds:
            prefixes = compress(("unlabelled_", "stable_", "proper_"), kind)
            low, high = entry.values["".join((*prefixes, "compression"))]
            assert low == high
            sizes[kind] = low
        for one, other in product(kinds, repeat=2):
            if all(a <= b for a, b in zip(one, other, strict=True)):
                assert sizes[one] <= sizes[other], (entry, one, other)
        assert entry.values["vc"][0] <= sizes[True, False, False]
        assert sizes[False, False, False] <= entry.values["littlestone"][0]


# ---- values of communication and representations


def test_errors_fall_and_sizes_are_ordered():
    for entry in atlas():
        if entry.points > 4:
            continue
        m = int(entry.values["concepts"][0])
        curve = [entry.values[f"error({k})"] for k in range(1, m + 1)]
        assert curve[-1] == (0, 0)
        assert curve[0] == ((0, 0) if m == 1 else (Fraction(1, 2),) * 2)
        assert all(low <= high for low, high in curve)
        assert all(a[1] >= b[0] for a, b in pairwise(curve))
        for e in ("1/3", "1/4"):
            public, private = (
                value_of(f"messages({e})", entry.values),
                entry.values[f"private_messages({e})"],
            )
            assert public[0] <= private[1] <= m
            assert entry.values[f"prsize({e})"][0] <= entry.values[f"drsize({e})"][1] <= m


def test_isomorphic_subclasses_are_no_harder():
    """Removing a concept increases no error, size or dimension; subclasses by canonical form."""
    known = {(e.points, e.chosen): e for e in atlas() if e.points <= 4}
    names = (
        "vc",
        "littlestone",
        "star",
        "no_clash_teaching",
        *[c for c in COLUMNS if "size(" in c],
    )
    for entry in random.Random(1).sample(list(known.values()), 40):
        rows = rows_of(entry.chosen)
        for left in rows[1:]:
            below = entry_of(entry.points, [r for r in rows if r != left])[0]
            for name in (*names, *(f"error({k})" for k in range(1, len(rows)))):
                assert below.values[name][0] <= entry.values[name][1], (entry, below, name)


def failing_patterns(n, error):
    """Return all families of point sets that some distribution makes heavier than the error."""
    found = set()
    for weights in product(range(7), repeat=n):
        total = sum(weights)
        if total:
            found.add(
                frozenset(S for S in subsets(n) if sum(weights[x] for x in S) > error * total)
            )
    return {p for p in found if not any(p < q for q in found)}


@pytest.mark.parametrize("error", [Fraction(1, 3), Fraction(1, 4)])
def test_sizes_of_deterministic_representations_by_all_sets(error):
    rows = [e for e in atlas() if e.points <= 3]
    for entry in rows:
        C, n = tuples(entry), entry.points
        patterns = failing_patterns(n, error)

        def represents(H, C=C, n=n, patterns=patterns):
            return not any(
                all(frozenset(S) in tops for S in away)
                for c in C
                for away in [[tuple(x for x in range(n) if h[x] != c[x]) for h in H]]
                for tops in [{frozenset(S) for S in p} for p in patterns]
            )

        size = next(
            k
            for k in range(1, len(C) + 1)
            if any(represents(H) for H in combinations(product((0, 1), repeat=n), k))
        )
        assert entry.values[f"drsize({error})"] == (size, size), entry


def test_a_row_is_found_again_with_certificates():
    entry = next(e for e in atlas() if e.points == 2 and e.values["concepts"][0] == 3)
    found = check_entry(entry, 30)
    assert {"vc", "littlestone", "error(2)", "prsize(1/3)", "drsize(1/4)"} <= set(found.certified)


@pytest.mark.parametrize(
    ("name", "span"), [("littlestone", (2, 2)), ("error(1)", (0, 0)), ("prsize(1/4)", (1, 1))]
)
def test_an_altered_row_is_noticed(name, span):
    entry = next(e for e in atlas() if e.points == 1 and e.values["concepts"][0] == 2)
    altered = Entry(1, entry.chosen, 1, {**entry.values, name: span})
    with pytest.raises(CertificateError, match=re.escape(f"{name} is")):
        check_entry(altered, 30)


@pytest.mark.slow
def test_rows_on_four_points_are_found_again_with_certificates():
    rows = [e for e in atlas() if e.points == 4]
    for entry in random.Random(4).sample(rows, 8):
        assert "littlestone" in check_entry(entry).certified


# ---- questions


def plain(text, entry):
    """Evaluate a question about exact values by Python's own evaluation."""
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", text)

    def number(name):
        return value_of(name, entry.values)[0]

    calls = {
        "messages": lambda e: number(f"messages({e})"),
        "error": lambda k: number(f"error({k})"),
        "drsize": lambda e: number(f"drsize({e})"),
        "drdim": lambda e: log2(number(f"drsize({e})")),
    }
    text = re.sub(r"(\d+)/(\d+)", r"F(\1,\2)", text)
    names = {k: number(k) for k, q in QUANTITIES.items() if not q.arguments and k in entry.values}
    return eval(text, {"F": Fraction, **calls, **names})  # noqa: S307 - texts of this file


@pytest.mark.parametrize(
    "text",
    [
        "littlestone = 2 and vc < 2",
        "vc + 1 <= littlestone or star - teaching > 1",
        "not (vc = 2 or littlestone = 2) and concepts > 2",
        "1 <= vc <= littlestone < 3",
        "2 * vc - littlestone / 2 >= 3/2",
        "-vc > -2 and (star + 1) * 2 != 6",
        "drdim(1/4) - vc >= 1",
        "messages(1/3) - vc >= 2 and points <= 3",
        "error(2) > 1/4 and points = 3",
        "not not vc = 1",
    ],
)
def test_answers_are_those_of_a_plain_evaluation(text):
    found = query_atlas(text)
    exact = {(e.points, e.chosen) for e in found.matches}
    left_open = {(e.points, e.chosen) for e in found.undecided}
    for entry in atlas():
        key = entry.points, entry.chosen
        if entry.points > found.most_points or key in left_open:
            continue
        if "error" in text or "messages" in text:
            spans = [s for n, s in entry.values.items() if n.startswith("error(")]
            if any(low != high for low, high in spans):
                continue
        assert bool(plain(text, entry)) == (key in exact), entry


def test_bounds_that_do_not_decide_are_said_to():
    one, many = (Fraction(1),) * 2, (Fraction(2), Fraction(5))
    holds = read_question("drsize(1/3) >= 3").holds
    assert holds({"drsize(1/3)": many}) is None
    assert read_question("drsize(1/3) - drsize(1/3) = 0 or vc = 1").holds({"vc": one}) is True
    assert (
        read_question("drsize(1/3) > 1 and vc = 2").holds({"drsize(1/3)": many, "vc": one}) is False
    )
    assert read_question("drdim(1/3) > 1").holds({"drsize(1/3)": many}) is None
    assert read_question("samples >= 2").holds({"samples": (Fraction(2), None)}) is True
    assert read_question("samples >= 3").holds({"samples": (Fraction(2), None)}) is None
    assert read_question("samples = 2").holds({"samples": (Fraction(2), None)}) is None
    assert read_question("-samples > -2").holds({"samples": (Fraction(2), None)}) is False


def test_what_is_open_is_no_match():
    entries = [
        Entry(1, 3, 1, {"vc": (Fraction(0), Fraction(1))}),
        Entry(1, 1, 1, {"vc": (Fraction(1), Fraction(1))}),
    ]
    found = query_atlas("vc = 1", points=1, entries=entries)
    assert found.matches == (entries[1],)
    assert found.undecided == (entries[0],)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a quantity or a number, not the end"),
        ("vc", "must contain a comparison"),
        ("1 = 1", "must contain a quantity"),
        ("vc =", "expected a quantity or a number, not the end"),
        ("vc = 1 littlestone", "expected 'and', 'or' or the end, not 'littlestone'"),
        ("vc = 1 and 2", "expected a comparison"),
        ("(vc = 1", r"expected '\)', not the end"),
        ("(vc = 1) + 1 = 2", "expected a number, not a comparison"),
        ("littlestome = 1", r"unknown quantity 'littlestome'; did you mean littlestone\?"),
        ("threshold = 1", r"did you mean threshold_least or threshold_most\?"),
        ("message(1/3) = 1", r"did you mean messages\?"),
        ("xyz = 1", "'ccsim atlas columns' lists all quantities"),
        ("messages = 1", r"messages needs an argument: messages\(1/3\)"),
        ("messages(vc) = 1", "messages takes one number as its argument"),
        ("messages(1) = 1", r"must be an error in \[0, 1\), not 1"),
        ("error(1/2) = 1", "must be a number of messages, not 1/2"),
        ("drdim(1/5) = 1", "known for the errors 1/3 and 1/4, not 1/5"),
        ("vc * vc = 1", "may be multiplied and divided only by numbers"),
        ("vc / 0 = 1", "must not divide by 0"),
        ("1 / vc = 1", "may be multiplied and divided only by numbers"),
        ("vc = 1; import", "'; import', which cannot be read"),
        ("vc.real = 1", r"cannot be read"),
        ("(" * 300 + "vc" + ")" * 300 + " = 1", "at most 40 nested parentheses"),
        ("not " * 200 + "vc = 1", "at most 40 nested parentheses"),
        ("-" * 200 + "vc = 1", "at most 40 nested parentheses"),
        ("vc = " + "9" * 30, "numbers must have at most 18 digits"),
        ("v" * 2000, "at most 1000 characters"),
        ("drdim(1/3) * 999999999 = prdim(1/3)", "too long for a comparison with logarithms"),
    ],
)
def test_texts_that_are_no_questions_are_refused(text, message):
    with pytest.raises(DomainError, match=message):
        query_atlas(text)


def test_points_that_the_atlas_does_not_have_are_refused(tmp_path):
    with pytest.raises(DomainError, match="between 1 and 5, not 6"):
        query_atlas("vc = 1", points=6)
    with pytest.raises(DomainError, match="at least one concept"):
        entry_of(2, [])
    with pytest.raises(InstanceTooLargeError, match="at most 5 points"):
        entry_of(6, [0])
    with pytest.raises(UnreadableInputError, match="not an atlas"):
        atlas(tmp_path / "missing.db")


# ---- the command


def test_the_smallest_witnesses_are_printed(capsys):
    assert main(["atlas", "query", "vc < littlestone", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "some_functions:n=3,chosen=39" in out
    assert "000 100 010 101" in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_is_what_the_library_returns(capsys):
    assert main(["atlas", "query", "vc < littlestone", "--limit", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == query_atlas("vc < littlestone").to_dict(2)
    assert next(row["instance"] for row in found["matches"]) == "some_functions:n=3,chosen=39"


def test_a_class_is_found_under_every_isomorphism(capsys, tmp_path):
    rng = random.Random(5)
    entry = next(e for e in atlas() if e.instance.endswith("n=3,chosen=39"))
    for _ in range(5):
        order, flip = rng.sample(range(3), 3), [rng.randrange(2) for _ in range(3)]
        rows = [[c[x] ^ b for x, b in zip(order, flip, strict=True)] for c in tuples(entry)]
        rng.shuffle(rows)
        path = tmp_path / "class.csv"
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="ascii")
        assert main(["atlas", "show", f"@{path}", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["isomorphic"] == entry.instance


@pytest.mark.slow
def test_a_class_on_five_points_has_the_values_of_its_kind(capsys):
    assert main(["atlas", "show", "random:m=6,n=5,seed=3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["classes"] >= 1
    assert found["values"]["concepts"] == "6"
    assert main(["dimensions", "random:m=6,n=5,seed=3", "--json"]) == 0
    dims = json.loads(capsys.readouterr().out)
    assert found["values"]["vc"] == str(dims["vc"])
    assert found["values"]["littlestone"] == str(dims["littlestone"])


@pytest.mark.parametrize(
    "given",
    [
        ["query", "vc ="], ["query", "vc = 1", "--limit", "0"],
        ["query", "vc = 1", "--points", "6"],
        ["query", "vc = 1", "--limit", "١"], ["show", "points:b=9"], ["show", "nothing"],
        ["show", "@missing.csv"], ["check", "--sample", "-1"], ["check", "--time-limit", "nan"],
        ["build", "--out", "x.db", "--answers", "x.db"], ["build", "--out", ""], ["quer", "vc"],
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_with_one_line(capsys, monkeypatch, tmp_path, given):
    monkeypatch.chdir(tmp_path)
    assert main(["atlas", *given]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("ccsim: error: ")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_rows_are_checked_by_the_command(capsys, monkeypatch):
    monkeypatch.setattr("ccsim.cli.surveys.atlas.read_atlas", lambda: atlas()[:3])
    assert main(["atlas", "check", "--sample", "1", "--time-limit", "60"]) == 0
    assert "certified" in capsys.readouterr().out


def test_rows_that_are_not_reached_in_time_are_counted(capsys):
    given = ["atlas", "check", "--sample", "7", "--time-limit", "0"]
    assert main(given) == 3
    assert capsys.readouterr().out == "not checked within the time limit: 7 rows\n"
    assert main([*given, "--json"]) == 3
    assert json.loads(capsys.readouterr().out) == {"rows": [], "unchecked": 7}


def test_columns_are_explained(capsys):
    assert main(["atlas", "columns"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in QUANTITIES)
    assert max(map(len, out.splitlines())) <= 80


def test_questions_need_no_solver_and_no_arrays():
    code = (
        "import sys; from ccsim.cli.main import main; main(['atlas', 'query', 'vc = 1']);"
        "heavy = ('numpy', 'flint', 'highspy', 'networkx');"
        "sys.exit(any(m in sys.modules for m in heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_the_examples_of_the_page_are_what_is_printed(capsys):
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    examples = [part for block in blocks for part in block.split("$ ")[1:] if "\n" in part.strip()]
    assert len(examples) >= 6
    for example in examples:
        command, _, printed = example.partition("\n")
        main(shlex.split(command, comments=True)[1:])
        assert capsys.readouterr().out.strip() == printed.strip(), command


# ---- made anew


def test_a_small_atlas_is_built_from_its_certificates(tmp_path):
    out = tmp_path / "small.db"
    assert build.build_atlas(out, points=2)
    assert atlas(out) == tuple(e for e in stored_entries() if e.points <= 2)


def test_certificates_that_are_missing_or_contradict_the_counts_are_refused(tmp_path, monkeypatch):
    out, file = tmp_path / "small.db", tmp_path / "certificates.json.xz"
    file.write_bytes(pack({}))
    with pytest.raises(NotDecidedError, match="has no certificates"):
        build.build_atlas(out, file=file, points=1)
    file.write_bytes(pack({name: certificates()["C2.9"] for name in ("C1.1", "C1.3")}))
    with pytest.raises(CertificateError, match="about the class"):
        build.build_atlas(out, file=file, points=1)
    counted = build.counted_values
    wrong = {"littlestone": (Fraction(2), Fraction(3))}
    monkeypatch.setattr(build, "counted_values", lambda n, row: {**counted(n, row), **wrong})
    with pytest.raises(CertificateError, match=re.escape("littlestone is 2..3 in the atlas")):
        build.build_atlas(out, points=1)
    assert not out.exists()


def test_the_atlas_contains_what_certificates_prove_and_what_is_counted(tmp_path, monkeypatch):
    rows = [e for e in stored_entries() if e.points == 5][:40:4]
    listed = [0, *(e.chosen for e in rows), 11]  # the last one is isomorphic to class 7
    monkeypatch.setattr(build, "_on_five", lambda: listed)
    monkeypatch.setattr(build, "_NUMBER", len(listed))
    monkeypatch.setattr(build, "_TOGETHER", 3)
    monkeypatch.setattr(build, "check_documents", lambda *_: None)  # other tests check them
    out, answers = tmp_path / "atlas.db", tmp_path / "answers.db"
    asked = []

    def stop(done, number):
        asked.append((done, number))
        if len(asked) == 2:
            raise KeyboardInterrupt

    assert not build.build_atlas(out, answers=answers, progress=stop)
    assert not out.exists()
    assert asked[-1][1] == 4
    assert build.build_atlas(out, answers=answers)
    small = [e for e in atlas(out) if e.points < 5]
    assert small == [e for e in stored_entries() if e.points < 5]
    found = [e for e in atlas(out) if e.points == 5]
    assert [replace(e, classes=1) for e in found] == [replace(e, classes=1) for e in rows]
    assert [e.classes for e in found] == [2 if e.chosen == 7 else 1 for e in rows]


def test_an_altered_file_is_not_taken_for_the_shipped_one(tmp_path, monkeypatch):
    altered = tmp_path / "atlas.db"
    altered.write_bytes(FILE.read_bytes())
    with closing(sqlite3.connect(altered)) as database:
        database.execute("UPDATE atlas SET vc = '7' WHERE points = 2")
        database.commit()
    monkeypatch.setattr(table, "FILE", altered)
    with pytest.raises(UnreadableInputError, match="not the shipped atlas"):
        atlas(altered)


def test_a_file_without_a_new_column_is_read(tmp_path):
    older = tmp_path / "atlas.db"
    older.write_bytes(FILE.read_bytes())
    with closing(sqlite3.connect(older)) as database:
        database.execute("ALTER TABLE atlas DROP COLUMN star")
    for entry, known in zip(atlas(older), stored_entries(), strict=True):
        assert {**entry.values, "star": known.values["star"]} == known.values


@pytest.mark.parametrize(
    ("text", "same"),
    [("0.5 * vc = 1", "vc = 2"), ("vc >= 1.50", "vc >= 2"), ("vc < 12345678901234567", "vc >= 0")],
)
def test_numbers_are_decimals_too(text, same):
    assert query_atlas(text, points=3).count == query_atlas(same, points=3).count > 0


@pytest.mark.parametrize("number", ["9" * 19, "0." + "1" * 17])
def test_a_number_of_many_digits_is_refused_as_such(number):
    with pytest.raises(DomainError, match="numbers must have at most 18 digits"):
        read_question(f"vc = {number}")
