"""The ``ccsim`` command: its output, its exit status, and its one-line errors."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from ccsim import dimensions
from ccsim.budget import OutOfTimeError
from ccsim.certificates import verify
from ccsim.cli.main import main
from ccsim.dimensions.queries import QUERIES
from ccsim.kernel import Rejected, read

ROOT = Path(__file__).parents[2]

PROTOCOLS = """
[ccsim.protocols]
augmented_index = protocols.augmented_index:AugmentedIndexSendAll
equality = protocols.equality:EqualityHashing
greater_than = protocols.greater_than:GreaterThanSendAll
broken = a_family_for_tests_that_is_nowhere:Family
no_family = fractions:Fraction
no_protocol = families_for_tests:no_protocol
crashes = families_for_tests:Crashes
interrupted = families_for_tests:Interrupted
wrong = families_for_tests:Wrong
"""

FAMILIES = '''
from dataclasses import dataclass
from fractions import Fraction

from protocols.equality import EqualityHashing


@dataclass(frozen=True, slots=True)
class Crashes(EqualityHashing):
    """Fails in a way that nobody foresaw."""

    def __post_init__(self):
        raise RuntimeError("unforeseen")


@dataclass(frozen=True, slots=True)
class Interrupted(EqualityHashing):
    """Stops as if control-C had been pressed."""

    def __post_init__(self):
        raise KeyboardInterrupt


@dataclass(frozen=True, slots=True)
class Wrong(EqualityHashing):
    """Claims an error that is too small."""

    @property
    def stated_error(self):
        return Fraction(0)


def no_protocol(bits):
    """Makes something else."""
    return bits
'''


@pytest.fixture(autouse=True)
def _in_an_empty_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def families(tmp_path, monkeypatch):
    """Install families of protocols, valid and invalid, as another distribution would."""
    info = tmp_path / "site" / "families_for_tests-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: families_for_tests\nVersion: 1\n")
    (info / "entry_points.txt").write_text(PROTOCOLS)
    (tmp_path / "site" / "families_for_tests.py").write_text(FAMILIES)
    monkeypatch.syspath_prepend(tmp_path / "site")


@pytest.fixture
def run(capsys):
    """Run the command in this process and return its JSON."""

    def call(*arguments, status=0):
        assert main([*arguments, "--json"]) == status
        out, err = capsys.readouterr()
        assert err == ""
        return json.loads(out)

    return call


@pytest.fixture
def fails(capsys):
    """Run the command, which must print one line to standard error only, and return the line."""

    def call(*arguments, status=2):
        assert main(arguments) == status
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("ccsim: error: ")
        assert err.count("\n") == 1
        return err.removeprefix("ccsim: error: ").rstrip("\n")

    return call


@pytest.fixture
def says(capsys):
    """Run the command and return its output without ``--json``."""

    def call(*arguments, status=0):
        assert main(arguments) == status
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return call


def ccsim(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "ccsim", *arguments],
        env=environment,
        timeout=60,
        check=False,
        **options,
    )


@pytest.mark.parametrize(
    ("instance", "expected"),
    [
        ("lines:p=5", (25, 25, 2, 2, 2)),
        ("thresholds:b=5", (32, 32, 1, 1, 5)),
        ("equality:n=4", (4, 4, 1, 1, 1)),
        ("all_functions:n=3", (8, 3, 3, 1, 3)),
    ],
)
def test_dims_gives_the_three_dimensions(run, instance, expected):
    data = run("dimensions", instance)
    keys = ("concepts", "points", "vc", "dual_vc", "littlestone")
    assert tuple(data[key] for key in keys) == expected
    assert (data["instance"], data["merged"]) == (instance, 0)


def test_dims_names_witnesses_by_label_and_reports_merged_rows(run, says):
    Path("f.csv").write_text(",a,b\nx,0,1\ny,1,1\nz,0,1\nw,0,0\nv,1,0\n")
    assert run("dimensions", "@f.csv")["merged"] == 1
    text = says("dimensions", "@f.csv")
    assert "shattered points: a, b\n" in text
    assert "mistake tree: root a, then b after label 0, b after label 1\n" in text
    assert "1 row equal to an earlier one was merged" in text


def test_dims_of_a_partial_class(run, says, fails):
    rows = ["p,0,0,*", "q,0,1,*", "r,1,*,0", "s,1,*,1"]
    Path("f.csv").write_text("\n".join([",a,b,c", *rows]))
    data = run("dimensions", "@f.csv", "--certificate=c.json")
    assert [data[name] for name in ("littlestone", "vc", "dual_vc")] == [2, 1, 1]
    assert {each["kind"] for each in read("c.json")} == {
        "partial_littlestone_dimension",
        "partial_vc_dimension",
        "partial_dual_vc_dimension",
    }
    verify(read("c.json"))
    text = says("dimensions", "@f.csv")
    assert "f.csv: 4 concepts over 3 points, partial\n" in text
    assert "mistake tree: root a, then b after label 0, c after label 1\n" in text
    data = run("dimensions", "@f.csv", "--only=threshold", "--only=star", "--only=teaching")
    assert [data[name] for name in ("threshold", "star", "teaching")] == [2, 1, 1]
    assert "  1: point c\n    0: r\n    1: s\n" in says("tree", "@f.csv")
    for name in ("recursive_teaching", "no_clash", "sign_rank"):
        said = fails("dimensions", "@f.csv", f"--only={name}")
        assert f"--only {name} needs a total class" in said


def test_dims_of_those_asked_for_alone(run, says):
    names = ("threshold", "star", "teaching", "recursive_teaching", "no_clash", "sign_rank")
    data = run("dimensions", "intervals:n=5", *(f"--only={name}" for name in names))
    assert [data[name] for name in names] == [5, 5, 5, 2, 2, 3]
    assert not data.keys() & {"vc", "dual_vc", "littlestone"}
    assert (
        run("dimensions", "lines:p=3", "--only=littlestone", "--certificate=c.json")["littlestone"]
        == 2
    )
    assert [each["kind"] for each in read("c.json")] == ["littlestone_dimension"]
    run("dimensions", "lines:p=2", "--certificate=c.json", *(f"--only={name}" for name in names))
    assert [each["kind"].removesuffix("_dimension") for each in read("c.json")] == [
        *("threshold", "star_number", "teaching", "recursive_teaching", "no_clash_teaching"),
        "sign_rank",
    ]
    verify(read("c.json"))
    Path("f.csv").write_text(",a,b\nx,0,1\ny,1,1\nw,0,0\nv,1,0\n")
    text = says("dimensions", "@f.csv", "--only=star", "--only=teaching", "--only=no_clash")
    assert "star number             2  centre x; points a, b; adjacent concepts y, w\n" in text
    assert "teaching dimension      2  hardest concept x, teaching set a, b\n" in text
    assert "no-clash teaching dim.  1  largest set, for x: " in text
    text = says("dimensions", "intervals:n=5", "--only=recursive_teaching")
    assert "2  subclass attaining it: empty, [0,0], [0,1], [0,2], [0,3], [0,4], ... (16)" in text
    text = says("dimensions", "intervals:n=5", "--only=sign_rank")
    assert "sign rank  3  vectors of 3 integers of at most " in text
    assert "digits; fewer dimensions excluded by 3 shattered " in text
    Path("none.json").write_text("[]")
    data = run("dimensions", "@none.json", *(f"--only={name}" for name in names))
    assert [data[name] for name in names] == [-1] * 5 + [0]
    says("dimensions", "@none.json", *(f"--only={name}" for name in names))


def test_dims_of_queries(run, says, fails):
    names = [f"{queries.replace(' ', '_')}_queries" for queries in QUERIES]
    instance = "some_functions:n=4,chosen=36375"
    data = run("dims", instance, *(f"--only={name}" for name in names), "--certificate=c.json")
    assert [data[name] for name in names] == [3, 3, 3, 2, 2]
    assert [each["statement"]["queries"] for each in read("c.json")] == list(QUERIES)
    verify(read("c.json"))
    text = says("dims", instance, "--only=membership_and_equivalence_queries")
    assert "membership and equivalence queries  2  first query: the label of 3\n" in text
    text = says("dims", instance, "--only=proper_equivalence_queries")
    assert "proper equivalence queries  3  first query: the concept 0000\n" in text
    text = says("dims", "points:b=2", "--only=equivalence_queries")
    assert "equivalence queries  1  first query: the hypothesis 0000\n" in text
    Path("f.csv").write_text(",a,b\nx,0,*\n")
    assert "needs a total class" in fails("dims", "@f.csv", "--only=membership_queries")


def test_dims_of_mistakes(run, says):
    names = ("self_directed", "best_mistakes", "worst_mistakes")
    asked = (f"--only={name}" for name in names)
    data = run("dims", "thresholds:b=2", *asked, "--certificate=c.json")
    assert [data[name] for name in names] == [1, 1, 2]
    kinds = ["self_directed_complexity", "offline_mistakes", "offline_mistakes"]
    assert [each["kind"] for each in read("c.json")] == kinds
    verify(read("c.json"))
    text = says("dims", "thresholds:b=2", *(f"--only={name}" for name in names))
    assert "self-directed mistakes  1  first prediction: label 0 of 0\n" in text
    assert "mistakes, best order    1  order: 0, 1, 2, 3\n" in text
    assert "mistakes, worst order   2  order: 1, 2, 0, 3\n" in text


def test_dims_of_compression_schemes(run, says, fails):
    names = [
        f"{keys}{stable}{proper}compression"
        for keys in ("", "unlabelled_")
        for stable in ("", "stable_")
        for proper in ("", "proper_")
    ]
    asked = [f"--only={name}" for name in names]
    data = run("dimensions", "points:b=1", *asked, "--certificate=c.json")
    assert [data[name] for name in names] == [1] * 8
    parts = read("c.json")
    assert {each["kind"] for each in parts} == {"compression_size"}
    flags = [
        [each["statement"][flag] for flag in ("labelled", "stable", "proper")] for each in parts
    ]
    assert flags == [[*each] for each in product((True, False), (False, True), (False, True))]
    verify(read("c.json"))
    text = says("dimensions", "all_functions:n=3", "--only=unlabelled_compression")
    assert "unlabelled compression size  3" in text
    text = says("dimensions", "all_functions:n=3", "--only=compression")
    assert "compression size  2  scheme that compresses 27 samples to " in text
    Path("f.csv").write_text(",a,b\nx,0,1\ny,1,*\n")
    said = fails("dimensions", "@f.csv", "--only=stable_compression")
    assert "--only stable_compression needs a total class" in said


def test_dims_of_a_table_of_labels(run, says):
    Path("f.csv").write_text(",a,b\nu,cat,cat\nv,cat,dog\nw,dog,dog\nx,dog,cat\ny,dog,cat\n")
    data = run("dimensions", "--multiclass", "@f.csv", "--certificate=c.json")
    expected = {"concepts": 4, "points": 2, "labels": 2, "merged": 1, "multiclass_littlestone": 2}
    assert data.items() >= (expected | dict.fromkeys(("natarajan", "graph", "ds"), 2)).items()
    verify(read("c.json"))
    assert [each["kind"].removesuffix("_dimension") for each in read("c.json")] == [
        *("multiclass_littlestone", "natarajan", "graph", "ds"),
    ]
    text = says("dimensions", "--multiclass", "@f.csv", "--only=natarajan", "--only=ds")
    assert "class                f.csv: 4 concepts over 2 points, 2 labels\n" in text
    assert "Natarajan dimension  2  shattered points: a (cat or dog), b (cat or dog)\n" in text
    assert "DS dimension         2  shattered points: a, b; pseudo-cube of 4 labellings\n" in text
    assert run("dimensions", "--multiclass", "first_cantor:n=4", "--only=graph")["graph"] == 4
    Path("none.json").write_text("[]")
    data = run("dimensions", "--multiclass", "@none.json")
    assert [data[name] for name in ("multiclass_littlestone", "natarajan", "graph", "ds")] == [
        -1
    ] * 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "ds"], "--only ds is defined for multiclass classes; add --multiclass"),
        (
            ["--multiclass", "--only", "vc"],
            "--only vc is defined for Boolean classes; leave out --multiclass",
        ),
        (
            ["--multiclass", "--out", "tree.svg"],
            "--out draws a mistake tree of the Littlestone dimension; leave out --multiclass",
        ),
    ],
)
def test_dims_of_the_other_kind_of_classes_are_refused(fails, arguments, message):
    assert fails("dimensions", "points:b=1", *arguments) == message


def test_dims_of_a_table_of_other_numbers_names_the_option(fails):
    Path("f.csv").write_text("1,1,0\n2,0,1\n0,2,2\n")
    assert fails("dimensions", "@f.csv").endswith(", or --multiclass for more labels")
    Path("g.csv").write_text("0,1\n0,x\n1,0\n")
    assert "--multiclass" not in fails("dimensions", "@g.csv")


def test_labels_that_are_numbers_are_reported(capsys):
    Path("f.csv").write_text("0,1,2\n2,1,0\n3,0,1\n")
    assert main(["dimensions", "@f.csv", "--json"]) == 0
    assert "the first row and column are read as labels, although" in capsys.readouterr().err


def test_dims_without_time_gives_bounds_that_the_certificate_states(capsys):
    instance = "random:m=1000,n=30,seed=0"
    assert (
        main(["dimensions", instance, "--time-limit", "0", "--json", "--certificate", "c.json"])
        == 3
    )
    data = json.loads(capsys.readouterr().out)
    assert data["vc"] is None
    assert data["vc_lower"] <= 8 <= data["vc_upper"]
    certificate = read("c.json")
    verify(certificate)
    bounds = {"lower": data["vc_lower"], "upper": data["vc_upper"]}
    assert certificate[0]["statement"] == bounds


def test_interrupted_dims_say_what_is_proved_of_all_three(capsys, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    for name in ("along_rows", "spanning_tree"):
        monkeypatch.setattr(f"ccsim.dimensions.shattering.search.{name}", interrupted)
    assert main(["dimensions", "intervals:n=30"]) == 3
    lines = [line.split("  ", 1) for line in capsys.readouterr().out.splitlines()]
    names, bounds = zip(*lines, strict=True)
    assert names == ("class", "Littlestone dimension", "VC dimension", "dual VC dimension")
    assert bounds[1].startswith("8  mistake tree: ")
    assert bounds[2].strip().startswith("between 2 and 8  ")
    assert bounds[3].strip().startswith("between 1 and 4  ")


def test_dims_print_each_dimension_as_it_comes(capsys, monkeypatch):
    seen = []

    def recorded(solve):
        def solve_later(C, *, time_limit):
            seen.append(capsys.readouterr().out)
            return solve(C, time_limit=time_limit)

        return solve_later

    for name in ("littlestone_dimension", "vc_dimension", "dual_vc_dimension"):
        monkeypatch.setattr(f"ccsim.cli.dimensions.{name}", recorded(getattr(dimensions, name)))
    assert main(["dimensions", "points:b=1"]) == 0
    seen.append(capsys.readouterr().out)
    assert [text.count("\n") for text in seen] == [1, 1, 1, 1]
    starts = (
        "class   ",
        "Littlestone dimension  1",
        "VC dimension           1",
        "dual VC dimension      1",
    )
    for text, start in zip(seen, starts, strict=True):
        assert text.startswith(start)


@pytest.mark.parametrize(
    ("command", "name", "least", "most"),
    [
        (("error", "greater_than:n=9", "--messages", "3"), "lower", "1/8", "1/7"),
        (("complexity", "greater_than:n=9", "--error", "1/9"), "messages_lower", 1, 1),
    ],
)
def test_for_a_lower_bound_that_there_is_no_time_to_check_a_weaker_one_is_stated(
    capsys, monkeypatch, command, name, least, most
):
    """For errors, this is the bound that squares prove, whose check is fast."""

    def late(document, *, time_limit):
        lower = document["lower"].get("too_few", {}).get("proof", document["lower"])
        if "trivial" not in lower and "squares" not in lower["hard_distribution"]["proof"]:
            raise OutOfTimeError
        return verify(document)

    monkeypatch.setattr("ccsim.certificates.answer.verify", late)
    arguments = ["--time-limit", "60", "--json", "--certificate", "c.json"]
    assert main([*command, *arguments]) == 3
    printed = capsys.readouterr()
    assert Fraction(least) <= Fraction(json.loads(printed.out)[name]) <= Fraction(most)
    assert printed.err == "note: the check of the lower bound was stopped by the time limit\n"
    verify(read("c.json"))


@pytest.mark.parametrize("asked", [("--failure", "1/3"), ("--samples", "2")])
@pytest.mark.parametrize("delta", ["0", "1/10"])
def test_a_learner_that_there_is_no_time_to_check_is_given_up(capsys, monkeypatch, asked, delta):
    def late(document, *, time_limit):
        about_learners = "accuracy" in document["statement"]
        if about_learners and document["statement"]["upper"] not in (None, "1"):
            raise OutOfTimeError
        return verify(document)

    monkeypatch.setattr("ccsim.certificates.answer.verify", late)
    command = [
        "sample-complexity",
        "all_functions:n=2",
        "--accuracy",
        "1/4",
        "--epsilon",
        "ln 3",
        *asked,
    ]
    arguments = ["--delta", delta, "--limit", "9", "--json", "--certificate", "c.json"]
    assert main([*command, *arguments]) == 3
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    assert data["upper"] in (None, "1")
    assert Fraction(data["lower"]) > Fraction(1, 10)
    assert printed.err == "note: the check of the upper bound was stopped by the time limit\n"
    verify(read("c.json"))


def test_dims_without_time_for_a_check_certify_less_than_they_found(run, says, monkeypatch):
    """Lines over nine points of the plane shatter two points; checking this takes a search."""
    calls = []

    def late(document, *, time_limit):
        if document["kind"].endswith("vc_dimension") and document["statement"]["upper"] == 2:
            calls.append(document)
            raise OutOfTimeError
        return verify(document, time_limit=time_limit)

    monkeypatch.setattr("ccsim.certificates.answer.verify", late)
    data = run("dimensions", "lines:p=3", "--certificate", "c.json")
    assert (data["vc"], data["dual_vc"], data["unchecked"]) == (2, 2, ["vc", "dual_vc"])
    vc, dual_vc, _ = read("c.json")
    assert vc["statement"] == dual_vc["statement"] == {"lower": 2, "upper": 3}
    verify(read("c.json"))
    assert len(calls) == 2
    text = says("dimensions", "lines:p=3")
    assert "check of the upper bound of the VC dimension was stopped by the time limit" in text


@pytest.mark.parametrize("name", ["threshold", "star", "recursive_teaching", "sign_rank"])
@pytest.mark.parametrize("slow", [(), ("lower",), ("upper",)])
def test_dims_certify_what_was_found_when_the_time_ran_out(run, says, monkeypatch, name, slow):
    """This also holds if there is no time to check one of the bounds."""

    def late(document, *, time_limit):
        if any(document[side] is not None for side in slow):
            raise OutOfTimeError
        return verify(document, time_limit=time_limit)

    monkeypatch.setattr("ccsim.certificates.answer.verify", late)
    asked = ("random:m=40,n=20,seed=1", "--only", name, "--time-limit", "0")
    data = run("dimensions", *asked, "--certificate", "c.json", status=3)
    assert data[name] is None
    assert data["unchecked"] == [name] * len(slow)
    (certificate,) = read("c.json")
    bounds = {side: data[f"{name}_{side}"] for side in ("lower", "upper")}
    assert certificate["statement"] == bounds | dict.fromkeys(slow)
    verify(read("c.json"))
    for side in slow:
        assert f"the check of the {side} bound of the " in says("dimensions", *asked, status=3)


def test_a_time_limit_of_none_is_no_limit(run, says):
    assert run("dimensions", "lines:p=3", "--time-limit", "none")["vc"] == 2
    assert "0" in says("error", "equality:n=2", "--messages", "2", "--time-limit", "none")


def test_dims_of_the_empty_class_and_of_one_concept(run):
    Path("empty.json").write_text("[]")
    Path("one.csv").write_text("0,1\n")
    assert [run("dimensions", "@empty.json")[key] for key in ("vc", "littlestone")] == [-1, -1]
    assert [run("dimensions", "@one.csv:index=no")[key] for key in ("vc", "littlestone")] == [0, 0]


def test_error_is_an_exact_fraction_with_a_certificate_that_the_kernel_accepts(run):
    data = run("error", "equality:n=4", "--messages", "2", "--certificate", "c.json")
    assert (data["value"], data["lower"], data["upper"]) == ("3/13", "3/13", "3/13")
    assert (data["messages"], data["bits"], data["coins"], data["exact"]) == (2, 1, "public", True)
    certificate = read("c.json")
    verify(certificate)
    certificate["statement"]["upper"] = "2/13"
    certificate["statement"]["lower"] = "2/13"
    with pytest.raises(Rejected):
        verify(certificate)


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("vc_dimension", ("dimensions", "intervals:n=4")),
        ("minimax_error", ("error", "equality:n=3", "--messages", "2", "--coins", "deterministic")),
        ("communication_complexity", ("complexity", "equality:n=4", "--error", "1/4")),
        ("representation_size", ("represent", "points:b=2", "--error", "1/4")),
        (
            "representation_size",
            ("represent", "points:b=1", "--error", "1/4", "--failure", "1/4"),
        ),
        ("protocol_error", ("protocol", "equality:bits=2,repetitions=1", "--tabulate")),
    ],
)
@pytest.mark.usefixtures("families")
def test_every_certificate_is_accepted_by_the_kernel(run, kind, arguments):
    run(*arguments, "--certificate", "c.json")
    certificate = read("c.json")
    first = certificate[0] if isinstance(certificate, list) else certificate
    assert first["kind"] == kind
    verify(certificate)


def test_error_for_people_names_the_heaviest_inputs(says):
    text = says("error", "augmented_index:d=2", "--messages", "2")
    assert "minimax error            1/4 (0.25)\n" in text
    assert "(00, 1:) 1/8" in text


def test_deterministic_error_is_zero_or_one(run):
    few = run("error", "equality:n=4", "--messages", "3", "--coins", "deterministic")
    enough = run("error", "equality:n=4", "--messages", "4", "--coins", "deterministic")
    assert (few["value"], enough["value"]) == ("1", "0")


def test_the_curve_of_errors_is_one_line_or_object_for_each_number(run, says):
    curve = run("error", "equality:n=4", "--curve")
    assert [(each["messages"], each["value"]) for each in curve] == [
        (1, "1/2"),
        (2, "3/13"),
        (3, "1/8"),
        (4, "0"),
    ]
    assert run("error", "equality:n=4", "--messages", "2..3") == curve[1:3]
    text = says("error", "equality:n=4", "--messages", "2..3")
    assert "messages    minimax error, public coins\n" in text
    assert text.endswith("2 (1 bit)   3/13 (0.230769)\n3 (2 bits)  1/8 (0.125)\n")


def test_bounds_are_given_when_time_runs_out(capsys):
    arguments = ("greater_than:n=9", "--time-limit", "0", "--json")
    assert main(("error", *arguments, "--messages", "3")) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["exact"]) == (None, False)
    assert 0 <= Fraction(data["lower"]) < Fraction(data["upper"]) <= 1
    assert main(("complexity", *arguments, "--error", "1/9")) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["messages"], data["bits"]) == (None, None)
    assert 1 <= data["messages_lower"] < data["messages_upper"] <= 9


@pytest.mark.parametrize(
    "arguments",
    [
        ("dimensions", "points:b=1"),
        ("error", "equality:n=3", "--messages", "2"),
        ("complexity", "equality:n=3", "--error", "1/4"),
        ("represent", "points:b=1", "--error", "1/4"),
        ("protocol", "equality:bits=2,repetitions=1"),
        ("tree", "points:b=1", "--out", "tree.txt"),
        ("audit", "points:b=1", "--mechanism=exponential", "--samples=2", "--epsilon=1"),
        ("packing", "points:b=1", "--accuracy=1/4", "--failure=1/4", "--epsilon=1"),
        ("sample-complexity", "points:b=1", "--accuracy=1/4", "--failure=1/4", "--epsilon=ln 3"),
        (
            "learn",
            "points:b=3",
            "--learner=proper",
            "--accuracy=1/4",
            "--failure=1/4",
            "--epsilon=1",
            "--runs=2",
        ),
    ],
)
def test_json_has_the_documented_keys(run, monkeypatch, tmp_path, arguments):
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{arguments[0]}` |"))
    always, _, sometimes = row.split("|")[2].partition(";")
    expected = set(re.findall(r"`(\w+)`", always))
    if "--learner=proper" in arguments:
        assert "for `proper` with up to 65536 samples, also `worst`" in sometimes
        expected.add("worst")
    monkeypatch.chdir(tmp_path)
    assert set(run(*arguments)) == expected


def test_a_single_hypothesis_is_one(capsys):
    assert main(("represent", "points:b=1", "--error", "1")) == 0
    assert "  1 hypothesis\n" in capsys.readouterr().out


def test_complexity_draws_the_errors_that_decide(run, tmp_path):
    path = tmp_path / "errors.svg"
    run("complexity", "equality:n=4", "--error", "1/5", "--out", str(path))
    text = path.read_text()
    assert "minimax error" in text
    assert "<svg" in text


def test_complexity_counts_messages_that_are_no_power_of_two(run):
    data = run("complexity", "equality:n=6", "--error", "1/5")
    assert (data["messages"], data["bits"], data["error"], data["coins"]) == (3, 2, "1/5", "public")


def test_decimal_error_is_read_exactly(run):
    assert run("complexity", "equality:n=4", "--error", "0.25")["error"] == "1/4"


def test_smallest_representation_is_printed_with_its_size(run, says):
    data = run("represent", "thresholds:b=2", "--error", "0")
    assert (data["kind"], data["size"], data["represents"]) == ("deterministic", 4, True)
    assert (data["error"], data["lower"], data["upper"]) == ("0", 4, 4)
    assert run("represent", "all_functions:n=3", "--error", "1/3")["size"] == 4
    assert run("represent", "all_functions:n=3", "--error", "1/3", "--proper")["size"] == 4
    text = says("represent", "equality:n=3", "--error", "1/4")
    assert "smallest representation  3 hypotheses\n" in text
    assert text.count("\nhypothesis ") == 3


def test_equivalence_table_is_printed_with_its_inequalities(run, says):
    arguments = ("represent", "points:b=1", "--error", "1/4", "--failure", "1/4")
    data = run(*arguments)
    assert (data["kind"], data["size"]) == ("probabilistic", 2)
    own = {"lower_from": None, "upper_from": None}
    assert data["table"]["DRDim(1/4)"] == {"lower": 2, "upper": 2} | own
    assert own.items() <= data.items()
    assert all(each["holds"] for each in data["inequalities"])
    assert len(data["table"]) == 11
    text = says(*arguments)
    assert "PRDim(1/4, 1/4) <= R_pub(1/16)" in text
    assert "holds, slack 0 (Theorem 7 (=3.1), first part)" in text


def test_a_search_that_is_stopped_prints_bounds_and_has_status_three(run):
    arguments = ("represent", "equality:n=6", "--error", "1/3", "--time-limit", "0")
    data = run(*arguments, status=3)
    assert (data["size"], data["lower"], data["upper"]) == (None, 1, 6)
    data = run(*arguments, "--failure", "1/4", "--proper", status=3)
    assert (data["size"], data["lower"], data["upper"]) == (None, 1, 5)


def test_given_hypotheses_are_checked(run):
    Path("H.json").write_text('["1000", "0100", "0010", "0001"]')
    arguments = ("represent", "points:b=2", "--error", "0", "--hypotheses", "H.json")
    data = run(*arguments, "--certificate", "c.json")
    assert (data["kind"], data["size"], data["represents"]) == ("deterministic", 4, True)
    assert (data["error"], data["lower"], data["upper"]) == ("0", "0", "0")
    assert read("c.json")["kind"] == "deterministic_representation"
    verify(read("c.json"))


def test_representation_that_fails_is_refuted_by_labels(run, says):
    Path("C.csv").write_text(",p,q\nf,0,1\ng,1,1\n")
    Path("H.csv").write_text("0,1\n")
    arguments = ("represent", "@C.csv", "--error", "1/4", "--hypotheses", "@H.csv:index=no")
    data = run(*arguments)
    assert (data["represents"], data["lower"], data["size"]) == (False, "1", 1)
    text = says(*arguments)
    assert "not represented         g\n" in text
    assert "under the distribution  Pr(p) = 1\n" in text


def test_halves_of_a_pair_represent_its_union_with_error_one_half(run):
    Path("C.json").write_text('["11"]')
    Path("H.npy").write_bytes(b"")
    np.save("H.npy", np.array([[0, 1], [1, 0]]))
    arguments = ("represent", "@C.json", "--hypotheses", "H.npy", "--error")
    assert run(*arguments, "1/2")["represents"] is True
    assert run(*arguments, "0.49")["represents"] is False


MIXTURE = {
    "support": [
        {"weight": "1/2", "hypotheses": ["1000", "0100"]},
        {"weight": "1/2", "hypotheses": ["0010", "0001"]},
    ]
}


def test_mixture_of_sets_represents_with_a_failure_probability(run):
    Path("R.json").write_text(json.dumps(MIXTURE))
    arguments = ("represent", "points:b=2", "--error", "1/4", "--hypotheses", "R.json")
    data = run(*arguments, "--failure", "1/2", "--certificate", "c.json")
    assert (data["kind"], data["size"], data["represents"]) == ("probabilistic", 2, True)
    assert (data["failure"], data["upper"]) == ("1/2", "1/2")
    assert run(*arguments, "--failure", "1/4")["represents"] is False
    again = run(*arguments[:-1], "c.json", "--failure", "1/2")
    assert again == data


def test_what_is_not_decided_is_neither_yes_nor_no_and_has_status_three(run):
    pairs = [sum(1 << x for x in pair) for pair in combinations(range(10), 2)]
    support = [{"weight": "1/45", "hypotheses": [f"{pair:010b}"]} for pair in pairs]
    Path("R.json").write_text(json.dumps({"support": support}))
    Path("C.json").write_text('["0000000000"]')
    arguments = ("--error", "1/3", "--failure", "2/5", "--hypotheses", "R.json")
    data = run("represent", "@C.json", *arguments, status=3)
    assert data["represents"] is None
    assert Fraction(data["lower"]) <= Fraction(2, 5) < Fraction(data["upper"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"support": 3}', "h.json: support must be a list"),
        ('{"support": []}', "h.json: support: "),
        ('{"support": [{"weight": "1/2"}]}', "set 1 of the support: expected the keys weight"),
        ('{"support": [{"weight": 0.5, "hypotheses": ["0000"]}]}', "h.json: support: weights"),
        ('{"support": [{"weight": NaN, "hypotheses": ["0000"]}]}', "h.json: support: weight must"),
        ('{"support": [{"weight": "1/2", "hypotheses": ["0000"]}]}', "h.json: support: weights"),
        ('["01"]', "h.json: rows have 2 entries, the class 4 points"),
        ('{"rows": ["0000"], "points": [1, 2, 3, 4]}', "h.json: the labels of the columns must be"),
        ('["01*1"]', "h.json: row 1, column 3: a concept class must have 0 or 1 here, not '*'"),
        ("[]", "h.json: rows have 0 entries, the class 4 points"),
        ('{"statement": {"rows": []}}', "unknown key 'rows'"),
    ],
)
def test_hypotheses_that_cannot_be_read_are_refused(fails, content, message):
    Path("h.json").write_text(content)
    line = fails("represent", "points:b=2", "--error=0", "--failure=0", "--hypotheses=h.json")
    assert message in line


def test_mixture_without_a_failure_probability_is_refused(fails):
    Path("R.json").write_text(json.dumps(MIXTURE))
    line = fails("represent", "points:b=2", "--error", "1/4", "--hypotheses", "R.json")
    assert "--failure is required" in line


@pytest.mark.usefixtures("families")
def test_protocol_has_the_cost_and_error_of_its_formula(run):
    data = run("protocol", "equality:bits=256,repetitions=3")
    assert (data["messages"], data["bits"], data["error"]) == (8, 3, "1/8")
    assert (data["coins"], data["coin_bits"]) == (str(2**768), 768)
    assert run("protocol", "augmented_index:d=2")["bits_at_least"] == 2


@pytest.mark.usefixtures("families")
def test_protocol_shows_the_bound_beside_the_cost(says):
    text = says("protocol", "greater_than:bits=5")
    assert "lower bound   (1 - H(error)) 5 = 5 bits\n" in text
    assert "lower bound" not in says("protocol", "equality:bits=2,repetitions=1")


@pytest.mark.usefixtures("families")
def test_tables_of_a_protocol_err_as_much_as_its_formula_says(run, says):
    data = run("protocol", "equality:bits=2,repetitions=2", "--tabulate")
    assert (data["table"]["error"], data["error"]) == ("1/4", "1/4")
    assert data["table"]["x"] != data["table"]["y"]
    text = says("protocol", "augmented_index:d=2", "--tabulate")
    assert "error of the tables  0 on (00, 1:)\n" in text


@pytest.mark.usefixtures("families")
def test_simulation_is_repeated_by_its_seed_and_encloses_the_exact_error(run, says):
    arguments = ("protocol", "equality:bits=64,repetitions=2", "--simulate", "2000", "--seed", "5")
    simulation = run(*arguments)["simulation"]
    assert (simulation["runs"], simulation["seed"], simulation["exact"]) == (2000, 5, "1/4")
    assert simulation["agrees"] is True
    assert Fraction(simulation["lower"]) < Fraction(1, 4) < Fraction(simulation["upper"])
    assert Fraction(simulation["estimate"]) == Fraction(simulation["wrong"], 2000)
    for jobs in ("1", "2", "4"):
        assert run(*arguments, "--jobs", jobs)["simulation"] == simulation
    assert "1/4 (0.25), inside the interval\n" in says(*arguments)


@pytest.mark.usefixtures("families")
def test_numbers_that_are_too_long_to_print_are_given_by_their_bits(run, says):
    data = run("protocol", "greater_than:bits=100000", "--simulate", "1")
    assert (data["messages"], data["bits"], data["simulation"]["x"]) == (None, 100000, None)
    text = says("protocol", "greater_than:bits=100000")
    assert "messages      2^100000 (100000 bits)\n" in text
    assert run("protocol", "equality:bits=20,repetitions=20000")["error"] is None
    assert "2^-20000" in says("protocol", "equality:bits=20,repetitions=20000")


@pytest.mark.usefixtures("families")
def test_broken_family_is_listed_and_does_not_break_others(run, fails):
    listed = run("protocol", "--list")["protocols"]
    assert "inner products" in listed["equality:bits=...,repetitions=..."]
    assert "cannot be loaded" in listed["broken"]
    assert "not a ProceduralProtocol" in listed["no_family"]
    assert "cannot be loaded" in fails("protocol", "broken")
    assert "must return a ProceduralProtocol" in fails("protocol", "no_protocol:bits=2")


@pytest.mark.usefixtures("families")
def test_tables_that_contradict_their_formula_are_rejected(fails):
    line = fails("protocol", "wrong:bits=2,repetitions=1", "--tabulate", status=4)
    assert "the tables have error 1/2, but the formula gives 0" in line


@pytest.mark.usefixtures("families")
def test_interrupt_is_one_line_and_a_crash_is_not_hidden(fails):
    line = fails("protocol", "interrupted:bits=2,repetitions=1", status=130)
    assert line == "interrupted"
    with pytest.raises(RuntimeError, match="unforeseen"):
        main(["protocol", "crashes:bits=2,repetitions=1"])


@pytest.mark.usefixtures("families")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gibberish",), "unknown command 'gibberish'; 'ccsim help' lists the commands"),
        (("a.nfg",), "unknown command 'a.nfg'; write: ccsim game @a.nfg"),
        (("@a.LP",), "unknown command '@a.LP'; write: ccsim program a.LP"),
        (("a.mps.gz",), "unknown command 'a.mps.gz'; write: ccsim program a.mps.gz"),
        (
            ("verify", "a.json"),
            "unknown command 'verify'; 'proofs-check verify' checks certificates",
        ),
        (("plot", "lines:p=5"), "'plot'; the option --out of a command draws its answer"),
        (("vc", "lines:p=5"), "'vc'; 'ccsim dimensions' computes dimensions"),
        (("dimz",), "unknown command 'dimz'; did you mean 'dimensions'?"),
        (("dimensions",), "Missing argument 'INSTANCE'"),
        (("dimensions", "lines:p=5", "--bits", "3"), "No such option"),
        (
            ("dimensions", "lines:p=5", "--only", "stars"),
            "'stars' is not one of 'littlestone', 'vc'",
        ),
        (
            ("dimensions", "points:b=11", "--only=star", "--json"),
            "2048 points; the limit of the search is 600",
        ),
        (("dimensions", "lines:p=5", "lines:p=5"), "unexpected extra argument"),
        (("dimensions", "line:p=5"), "unknown family 'line' (lines?)"),
        (("dimensions", "lines:p=1000003"), "the limit is 67108864 in all"),
        (("dimensions", "thresholds:b=40"), "the limit is 67108864 in all"),
        (("dimensions", "thresholds:b=999999999999"), "b must be at most 62, not 999999999999"),
        (("dimensions", "random:m=100000,n=100000,seed=0"), "the limit is 67108864 in all"),
        (("dimensions", "thresholds:b=" + "9" * 5000), "b has 5000 digits"),
        (("dimensions", "lines:p=6"), "p must be a prime, not 6"),
        (("dimensions", "augmented_index:d=2", "--only=no_clash"), "no_clash needs a total class"),
        (("dimensions", "augmented_index:d=2", "--only=sign_rank"), "ccsim.sign_rank of the comm"),
        (("represent", "augmented_index:d=2", "--error=1/4"), "must be total to become a concept"),
        (("error", "equality:n=4"), "give one of --messages K"),
        (("error", "equality:n=4", "--messages", "0"), "it must be at least 1, not 0"),
        (("error", "equality:n=4", "--messages", "two"), "it must be an integer, not 'two'"),
        (("error", "equality:n=4", "--messages", "1..two"), "it must be an integer, not 'two'"),
        (("error", "equality:n=4", "--messages", "0..2"), "it must be at least 1, not 0"),
        (("error", "equality:n=4", "--messages", "3..2"), "the range '3..2' must not be empty"),
        (("error", "equality:n=4", "--messages", "3", "--curve"), "give one of --messages K"),
        (("error", "equality:n=4", "--curve", "--certificate", "c"), "a single number of messages"),
        (("error", "equality:n=4", "--messages", "2", "--coins", "fair"), "'fair' is not one of"),
        (("complexity", "equality:n=4", "--error", "5/4"), "between 0 and 1, not 5/4"),
        (("error", "equality:n=4", "--messages", "..2"), "'..2' must be a number or a range"),
        (("error", "equality:n=4", "--messages", "2.."), "'2..' must be a number or a range"),
        (
            ("error", "equality:n=4", "--messages", "2", "--time-limit", "nan"),
            "nan must be a number",
        ),
        (("dimensions", "points:b=2", "--time-limit", "nan"), "nan must be a number of seconds"),
        (("dimensions", "points:b=2", "--time-limit", "-1"), "-1 must be a number of seconds"),
        (("dimensions", "points:b=2", "--time-limit", "1_0"), "1_0 must be a number of seconds"),
        (
            ("dimensions", "points:b=2", "--time-limit", "1e400"),
            "1e400 must be a number of seconds",
        ),
        (
            ("dimensions", "points:b=2", "--time-limit", "never"),
            "never must be a number of seconds",
        ),
        (
            ("dimensions", "points:b=2", "--certificate", "/nowhere/a.json"),
            "/nowhere/a.json: cannot be written: there is no directory /nowhere",
        ),
        (("complexity", "equality:n=4", "--error", "-1"), "between 0 and 1, not -1"),
        (("complexity", "equality:n=4", "--error", "abc"), "fraction p/q or a decimal number"),
        (("complexity", "equality:n=4", "--error", "1/0"), "fraction p/q or a decimal number"),
        (("complexity", "equality:n=4", "--error", "1e-"), "fraction p/q or a decimal number"),
        (
            ("represent", "points:b=2", "--error", "1/4", "--failure", "2"),
            "--failure must be between 0 and 1, not 2",
        ),
        (("represent", "@empty.json", "--error", "0"), "at least one"),
        (("protocol",), "give a protocol NAME:key=value"),
        (("protocol", "unheard_of:n=3"), "unknown protocol 'unheard_of'; known: "),
        (("protocol", "equality:bits=3"), "parameter repetitions is missing"),
        (("protocol", "equality:bits=0,repetitions=1"), "bits must be an integer, at least 1"),
        (("protocol", "equality:bits=40,repetitions=2", "--tabulate"), "the limit is"),
        (
            ("protocol", "equality:bits=4,repetitions=2", "--simulate", "0"),
            "it must be at least 1, not 0",
        ),
        (("protocol", "equality:bits=4,repetitions=2", "--certificate", "c"), "needs --tabulate"),
        (("dimensions", "lines:p=2", "--certificate", "no/c.json"), "no/c.json: cannot be written"),
    ],
)
def test_mistakes_of_usage_are_one_line_and_status_two(fails, arguments, message):
    Path("empty.json").write_text("[]")
    assert message in fails(*arguments)


def pickled():
    np.save("bad.npy", np.array([[0, {}]], dtype=object), allow_pickle=True)
    return "bad.npy"


def written(name, data):
    Path(name).write_bytes(data)
    return name


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: written("bad.csv", b"0,1\n1\n"), "bad.csv: row 2, column 2: expected 0, 1 or *"),
        (lambda: written("bad.csv", b"0,1\n1,a\n"), "bad.csv: row 2, column 2: expected 0, 1 or *"),
        (lambda: written("bad.csv", b""), "bad.csv: the file is empty"),
        (lambda: "missing.csv", "missing.csv: no such file"),
        (lambda: os.curdir, "not a regular file"),
        (lambda: "", "expected the name of a file"),
        (pickled, "bad.npy: expected numbers or text, found Python objects; pickles are not read"),
        (lambda: written("bad.json", b"[" * 100_000), "nested 100000 levels deep; the limit is 64"),
        (lambda: written("bad.json", b'{"rows": ['), "bad.json: row 1, column 11: not JSON"),
        (lambda: written("bad\n.csv", b"a"), r"bad .csv: row 1, column 1"),
        (lambda: written("bad\x1b.csv", b"a"), r"bad\x1b.csv: row 1, column 1"),
        (lambda: "nul\0.csv", r"nul\x00.csv: "),
    ],
)
def test_unreadable_files_are_one_line_and_status_two(fails, make, message):
    assert message in fails("dimensions", f"@{make()}")


def test_labels_cannot_break_the_lines_of_the_output(says):
    Path("f.json").write_text('{"rows": ["01", "10"], "points": ["a\\nb", "\\u001b[2J"]}')
    text = says("dimensions", "@f.json")
    assert "\x1b" not in text
    assert text.count("\n") == 4


def test_command_line_from_a_shell():
    done = ccsim("dimensions", "thresholds:b=3", "--json", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["littlestone"] == 3
    Path("bad.csv").write_text("0,1\n0\n")
    failed = ccsim("dimensions", "@bad.csv", capture_output=True, text=True)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == (
        "ccsim: error: bad.csv: row 2, column 2: expected 0, 1 or *, found the end of the row\n"
    )


def test_help_and_version_import_no_command():
    code = (
        "import sys; from ccsim.cli.main import main; "
        "statuses = [main([flag]) for flag in ('--help', '--version')]; "
        "heavy = {'sympy', 'networkx', 'rich', 'ccsim.cli.dimensions'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy or any(statuses) else 0)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("complexity", "dimensions", "error", "protocol", "represent", "tree"):
        assert command in done.stdout


@pytest.mark.parametrize(
    "command", ["complexity", "dimensions", "error", "protocol", "represent", "tree"]
)
def test_every_command_explains_itself(says, command):
    assert f"Usage: ccsim {command} [OPTIONS]" in says(command, "--help")


def test_closed_pipe_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = ccsim("dimensions", "points:b=1", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
