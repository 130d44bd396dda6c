"""However small a file is, the kernel decides it in bounded time and memory.

Each hostile certificate asks for far more than its bytes suggest. The kernel runs on it in a
process that the system ends if it takes more processor time, or more memory, than its count of
steps allows; with few steps in every run of the tests, with all of them among the slow ones.
"""

import json
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel.parts import MAX_WORK, Part

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import kernel
kernel.parts.MAX_WORK = int(sys.argv[2])
raise SystemExit(kernel.main(sys.argv[3:]))
"""
ROOT = Path(kernel.__file__).parents[1]
FEW = 1 << 20
SIDES = ("instance", "statement", "lower", "upper")
MEMORY = 1 << 31


def verdict(file, steps):
    """Return what the kernel says of a file, with a processor second for 2^20 steps and 8 more."""
    seconds = 8 + (steps >> 20)

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-I", "-S", "-c", PROGRAM, str(ROOT), str(steps), str(file)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    assert (found.stderr, found.stdout.count("\n")) == ("", 1)
    assert found.returncode in (0, 2, 4)
    return found.stdout


# --- Parts of certificates ---------------------------------------------------------------------


def made(kind, instance, statement, lower=None, upper=None):
    return {
        "format": 1,
        "kind": kind,
        "instance": instance,
        "statement": {"lower": None, "upper": None} | statement,
        "lower": lower,
        "upper": upper,
        "made_by": "",
    }


def concept_class(rows, width=None):
    width = len(rows[0]) if width is None else width
    labels = {"points": list(range(width)), "concepts": list(range(len(rows)))}
    return {"type": "concept class", "name": "", "rows": rows} | labels


def problem(rows):
    labels = {"alice": list(range(len(rows))), "bob": list(range(len(rows[0])))}
    return {"type": "communication problem", "name": "", "rows": rows} | labels


def counting(number, width):
    """The numbers from 0 as text rows."""
    return [format(i, f"0{width}b") for i in range(number)]


def scattered(height, width):
    """A matrix without structure, the same every time."""
    state, rows = 1, []
    for _ in range(height):
        state = state * 6364136223846793005 % (1 << 64 * -(-width // 64)) | 1
        rows.append(format(pow(3, state, 1 << width + 64) >> 64, f"0{width}b"))
    return rows


def unlike(number, digits):
    """Fractions with unlike denominators, next to nothing."""
    base = 10 ** (digits - 1)
    return [f"1/{base + 2 * i + 1}" for i in range(number)]


def law(number, digits):
    """A law whose denominators have nothing in common, except in pairs."""
    share = Fraction(2, number)
    small = [share / (10 ** (digits - 1) + 2 * i + 1) for i in range(number // 2)]
    return [str(p) for each in small for p in (each, share - each)]


# --- One certificate or more for each kind -----------------------------------------------------


def matrix_game():
    yield made(
        "matrix_game",
        {"type": "matrix game", "payoff": [unlike(15, 400)] * 15},
        {"lower": "0"},
        {"row_strategy": unlike(15, 4000)},
    )
    payoff = [[f"1/{10**300 + 31 * i + 7 * j}" for j in range(18)] for i in range(18)]
    game = {"type": "matrix game", "payoff": payoff}
    yield made("matrix_game", game, {"lower": "0"}, {"row_strategy": law(18, 200)})


def dimensions():
    rows = scattered(250, 300)
    yield made("vc_dimension", concept_class(rows), {"upper": 6}, upper={})
    yield made("dual_vc_dimension", concept_class(rows), {"upper": 6}, upper={})
    side = {"vc": {}, "dual_vc": {}, "littlestone": None}
    bounds = {name: {"lower": None, "upper": 6 if side[name] == {} else None} for name in side}
    yield made("dimensions", concept_class(rows), {}, upper=side) | {"statement": bounds}
    identity = {"rows": [*range(64)], "columns": [*range(6)], "flips": "000000"}
    cube = concept_class(counting(64, 6))
    yield made("vc_dimension", cube, {"upper": 5}, upper={"symmetries": [identity] * 300})


def refutations():
    C = concept_class(counting(1000, 10))
    long = {"version_space": [[0, 0]] * 4000, "depth": 9, "steps": []}
    yield made("littlestone_dimension", C, {"upper": 9}, upper={"refutation": [long] * 4})
    deep = {"version_space": [[0, 0], [0, 1]], "depth": 0, "steps": []}
    many = {"version_space": [], "depth": 10**3999, "steps": [[0, 0, 0]] * 9000}
    yield made("littlestone_dimension", C, {"upper": 9}, upper={"refutation": [deep, many]})
    turn = {"rows": [*range(len(C["rows"]))], "columns": [*range(10)], "flips": "0" * 10}
    none = {"version_space": [[x, 0] for x in range(10)], "depth": 0, "steps": []}
    steps = [[0, 0, 0, [0] * 9000]] * 3
    up = {"refutation": [none, {"version_space": [], "depth": 1, "steps": steps}]}
    yield made("littlestone_dimension", C, {"upper": 9}, upper=up | {"symmetries": [turn]})


def least_errors():
    wide = ["".join("01"[(x * y) % 3 > 1] for y in range(700)) for x in range(20)]
    weights = [[x, y, 1] for x in range(20) for y in range(700) if (x + y) % 10 == 0]
    hard = {"total": len(weights), "weights": weights}
    stated = {"lower": "1/9", "messages": 2, "distribution": hard}
    yield made("distributional_error", problem(wide), stated, {})
    few = [[x, y, int("9" * 4000)] for x in range(20) for y in range(1)]
    heavy = {"total": sum(w for *_, w in few), "weights": few}
    yield made("distributional_error", problem(wide), stated | {"distribution": heavy}, {})
    up = {"potentials": unlike(20, 4000)}
    yield made("distributional_error", problem(wide), stated | {"distribution": hard}, up)
    tall = [format(x % 256, "08b") for x in range(5000)]
    cells = [[x, x % 8, 1] for x in range(5000)]
    low = {"distribution": {"total": 5000, "weights": cells}}
    stated = {"lower": "1/9", "messages": 254, "coins": "public"}
    yield made("minimax_error", problem(tall), stated, low)
    stated = {"lower": 200, "error": "0", "coins": "public"}
    yield made("communication_complexity", problem(tall), stated, low)


def partitions():
    rows = scattered(25, 25)
    weights = [[x, y, 1 + (x * y) % 7] for x in range(25) for y in range(25)]
    hard = {"total": sum(w for *_, w in weights), "weights": weights}
    stated = {"lower": "1/9", "messages": 12, "distribution": hard}
    for sent in None, [x % 12 for x in range(25)]:
        low = {"partitions": {"symmetries": [], "partition": sent}}
        yield made("distributional_error", problem(rows), stated, low)
    equal = problem(["".join("01"[x == y] for y in range(25)) for x in range(25)])
    ones = {"total": 25, "weights": [[x, x, 1] for x in range(25)]}
    orders = [[1, 0, *range(2, 25)], [*range(1, 25), 0]]
    listed = [{"rows": order, "columns": order, "flips": "0" * 25} for order in orders]
    low = {"partitions": {"symmetries": listed, "partition": None}}
    yield made("distributional_error", equal, stated | {"distribution": ones}, low)
    yield made(
        "distributional_error",
        equal,
        stated | {"distribution": ones},
        {"partitions": {"symmetries": listed[1:], "partition": None}},
    )
    listed = [{"rows": [*range(25)], "columns": [*range(25)], "flips": "0" * 25}] * 100
    low = {"partitions": {"symmetries": listed, "partition": None}}
    yield made("distributional_error", equal, stated | {"distribution": ones}, low)


def conflicts():
    stars = ["".join("01*"[(x * x + 3 * y * x + y) % 3] for y in range(24)) for x in range(24)]
    stated = {"lower": "1", "messages": 7, "coins": "deterministic"}
    yield made("minimax_error", problem(stars), stated, {})


def protocols():
    F = problem(["01" * 60] * 120)
    alice, bob = [law(6, 600)] * 120, [unlike(120, 60)] * 6
    coin = {"kind": "private-coin", "alice": alice, "bob": bob}
    yield made("protocol_error", F, {"upper": "1", "protocol": coin}, upper={})
    weights = law(30, 700)
    parts = [{"weight": w, "alice": [0] * 120, "bob": ["01" * 60]} for w in weights]
    public = {"kind": "public-coin", "components": parts}
    yield made("protocol_error", F, {"upper": "1", "protocol": public}, upper={})
    same = {"rows": [*range(1, 120), 0], "columns": [*range(120)], "flips": "0" * 120}
    public = {"kind": "symmetric public-coin", "components": parts[:1], "symmetries": [same] * 50}
    parts[0]["weight"] = "1"
    yield made("protocol_error", F, {"upper": "1", "protocol": public}, upper={})


def boxes():
    F = problem(["0110", "1010", "0011", "1111"])
    stated = {"lower": "1/9", "messages": 3, "coins": "private"}
    cuts = [["alice", 1, 0, f"{10**30 - i}/{10**30 - i + 1}"] for i in range(1800)]
    yield made("minimax_error", F, stated, {"boxes": {"ordered": 0, "nodes": cuts}})
    cuts = [["alice", i % 4, i % 3, f"{n}/{2 * n + 1}"] for i in range(90) for n in [10**300 + i]]
    leaf = {"weights": [[0, 0, int("9" * 4000), [1, 1, 1]]]}
    low = {"boxes": {"ordered": 0, "nodes": [*cuts, leaf]}}
    yield made("minimax_error", F, stated, low)
    big = problem(["01" * 100] * 200)
    spread = [["bob", i % 200, i // 200, "1/2"] for i in range(4000)]
    low = {"boxes": {"ordered": 0, "nodes": spread}}
    yield made("minimax_error", big, stated | {"messages": 199}, low)


def representations():
    rows = scattered(100, 100)
    C = concept_class(rows)
    H = rows[:12]
    weights = [law(12, 100)] * 100
    stated = {"upper": "1", "hypotheses": H}
    yield made("deterministic_representation", C, stated, upper={"weights": weights})
    low = {"concept": 0, "distribution": law(100, 300)}
    yield made("deterministic_representation", C, {"lower": "0", "hypotheses": H * 4}, low)
    support = [{"weight": w, "hypotheses": rows[:1]} for w in law(100, 200)]
    stated = {"error": "1/2", "support": support}
    tree = "small"
    for _ in range(99):
        tree = [tree, "small"]
    up = {"method": "branching", "trees": [tree] * 20 + ["small"] * 80}
    yield made("probabilistic_representation", C, stated | {"upper": "1"}, upper=up)
    up = {"method": "selection", "selections": [[["1"]] * 100] * 100}
    yield made("probabilistic_representation", C, stated | {"upper": "1"}, upper=up)


def sizes():
    C = concept_class(scattered(40, 12))
    near = [[f, [int("9" * 50) - x for x in range(12)]] for f in range(40)]
    child = {"symmetries": [], "branches": [], "weights": [[i, 1] for i in range(40)]}
    node = child | {"branches": [["0" * 12, child]] * 700}
    same = {"symmetries": [0] * 3000, "branches": [], "weights": [[0, 1]]}
    for tree in node, same, child | {"symmetries": [0] * 3000, "branches": [["0" * 12, child]]}:
        low = {"method": "branching", "neighbourhoods": near, "symmetries": [[*range(40)]]}
        stated = {"lower": 2, "error": "1/3", "pool": None}
        low |= {"tree": tree}
        yield made("deterministic_representation_size", C, stated, low)
    plain = {"symmetries": [0] * 9000, "branches": []}
    mix = {"neighbourhoods": near * 15, "symmetries": [[*range(600)]], "tree": plain}
    mix |= {"weights": [int("9" * 60)] * 600}
    stated = {"error": "1/3", "pool": None, "size": 2, "lower": "1/9"}
    yield made("least_failure", C, stated, mix)
    stated = {"error": "1/3", "failure": "1/9", "pool": None, "lower": 2}
    yield made("probabilistic_representation_size", C, stated, mix | {"method": "mixture"})
    tree = {"method": "littlestone", "dimension": 10**3999, "proof": {"tree": 0}}
    yield made("probabilistic_representation_size", C, stated, tree)
    points = {"method": "separation", "points": [*range(12)]}
    stated = {"error": "1/3", "pool": None, "lower": 2}
    yield made("deterministic_representation_size", C, stated, points)


def mechanism(size, records, laws, *, symmetric=True, **more):
    named = {"records": list(range(records)), "outcomes": list(range(len(laws[0])))}
    kind = {"type": "mechanism", "name": "", "size": size, "symmetric": symmetric}
    return kind | named | {"laws": laws} | more


def privacy():
    stated = {"upper": "0", "factor": "1"}
    yield made("privacy", mechanism(3000, 2, [["1"]] * 3001), stated, upper={})
    yield made("privacy", mechanism(9000, 9000, [["1"]] * 9001), stated, upper={})
    yield made("privacy", mechanism(12, 2, [["1"]] * 4096, symmetric=False), stated, upper={})
    yield made("privacy", mechanism(4096, 2, [["1"]] * 4096, symmetric=False), stated, upper={})
    near = {"type": "mechanism of qualities", "name": "", "outcomes": [0], "growth": None}
    near |= {"pairs": None}
    for functions in (
        [[str(i)] for i in range(9000)],
        [[f"1/{10**3999 + i}"] for i in range(240)],
        [[*format(i, "b").zfill(11)] for i in range(2048)],
    ):
        alike = {"qualities": functions, "laws": [["1"]] * len(functions)}
        yield made("privacy", near | alike, stated, upper={})
    unlike_laws = [law(6, 400 + i) for i in range(25)]
    yield made("privacy", mechanism(24, 2, unlike_laws), {"upper": "1", "factor": "3/2"}, upper={})


def exponential_privacy():
    even = [[["1"], ["1"]]] * 2
    stated = {"upper": "0", "factor": ["1"]}
    zeros = ["0"] * 4094
    near = [["1"], ["-1", *zeros, "1"]]
    for root in 1, 10**3999:
        weights = mechanism(1, 2, [near, near], root=root)
        yield made("exponential_privacy", weights, stated, upper={})
    long = ["-1", *(f"1/{10**20 + i}" for i in range(700))]
    yield made("exponential_privacy", mechanism(1, 2, [[long, long]] * 2, root=1), stated, upper={})
    ratio = {"over": ["1", *zeros, "1"], "under": ["1", *zeros, "2"]}
    bound = {"lower": ratio, "upper": ratio, "factor": ["1"]}
    event = {"database": 0, "neighbour": 1, "event": [0]}
    yield made("exponential_privacy", mechanism(1, 2, even, root=1), bound, event, {})
    close = ["-" + "2718281828459045235360287471352662497757", "1" + "0" * 39]
    weights = mechanism(1, 2, [[close, ["1"]]] * 2, root=1)
    yield made("exponential_privacy", weights, stated, upper={})
    for root, base in ((4096, "3"), (4096, f"{10**3999 + 1}/{10**3999}"), (2, f"{10**3999 + 1}")):
        plain = [[["1"], ["-1", *["0"] * (root - 2), "1"]]] * 2
        weights = mechanism(1, 2, plain, root=root, base=base)
        yield made("exponential_privacy", weights, stated, upper={})
    spread = [["-1/2", *(f"1/{10**12 + i}" for i in range(29)), "1"], ["1"]]
    weights = mechanism(1, 2, [spread] * 2, root=31, base=f"{10**60 + 1}/{10**60}")
    yield made("exponential_privacy", weights, stated, upper={})


def private_failure():
    stated = {"accuracy": "1/4", "factor": "2"}
    C = concept_class(["0", "1"])
    for n in 32766, 250:
        low = {"targets": [[0, ["1"], "1"]], "flows": []}
        yield made("private_failure", C, stated | {"samples": n, "lower": "0"}, low)
        laws = [[["0", "1"]]] * (n + 1)
        up = {"laws": laws, "subdivisions": [None, None]}
        yield made("private_failure", C, stated | {"samples": n, "upper": "1"}, upper=up)
    two = concept_class(["00", "01", "10", "11"])
    tree = None
    for i in range(300):
        tree = [0, 1, tree, None] if i % 2 else [1, 0, tree, None]
    up = {"laws": [[["00", "1"]]] * 1771, "subdivisions": [tree] * 4}
    yield made("private_failure", two, stated | {"samples": 20, "upper": "1"}, upper=up)
    D = law(2, 4000)
    low = {"targets": [[f, D, "1/4"] for f in range(4)], "flows": []}
    yield made("private_failure", two, stated | {"samples": 20, "lower": "0"}, low)
    flow = [0, 1, "00", f"1/{10**3999 + 1}"]
    low["flows"] = [flow] * 20
    yield made("private_failure", two, stated | {"samples": 20, "lower": "0"}, low)


def packings():
    C = concept_class(scattered(60, 40))
    stated = {"accuracy": "1/4", "failure": "1/3", "factor": "2", "pool": None, "lower": 1}
    targets = [[f, law(40, 40)] for f in range(12)]
    yield made("packing", C, stated, {"targets": targets, "center": 0})
    even = [[f, ["1/40"] * 40] for f in range(60)]
    yield made("packing", C, stated | {"accuracy": "2/5"}, {"targets": even, "center": 0})
    geometric = [f"{2**x}/{2**40 - 1}" for x in range(40)]
    reduced = [str(Fraction(p)) for p in geometric]
    spread = [[f, reduced] for f in range(60)]
    yield made("packing", C, stated | {"accuracy": "2/5"}, {"targets": spread, "center": 0})
    single = concept_class(["0", "1"])
    sure = {"targets": [[0, ["1"]], [1, ["1"]]], "center": 0}
    for lower, factor, failure in (
        (10**3999, "2", "1/3"),
        (200_000, "1000/999", "1/3"),
        (130_000, "65537/65536", f"1/{10**3999}"),
        (300, f"{10**3999 + 1}/{10**3999}", "1/3"),
    ):
        bound = stated | {"lower": lower, "factor": factor, "failure": failure}
        yield made("packing", single, bound, sure)
        told = bound | {"accuracy": "1/2"}
        del told["pool"]
        yield made("release", concept_class(["01", "10"]), told, {"points": [0, 1]})


MAKERS = (
    matrix_game, dimensions, refutations, least_errors, partitions, conflicts, protocols, boxes,
    representations, sizes, privacy, exponential_privacy, private_failure, packings,
)  # fmt: skip
HOSTILE = [(f"{make.__name__}-{i}", c) for make in MAKERS for i, c in enumerate(make())]


def test_every_kind_has_a_hostile_certificate():
    assert {c["kind"] for _, c in HOSTILE} == set(kernel.KINDS)


def written(folder, name, certificate):
    file = folder / f"{name}.json"
    file.write_text(json.dumps(certificate))
    assert file.stat().st_size < 1_000_000
    return file


@pytest.mark.parametrize(("name", "certificate"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_hostile_certificate_takes_no_more_than_its_steps(name, certificate, tmp_path):
    file = written(tmp_path, name, certificate)
    assert verdict(file, FEW).startswith(f"{file}: ")


def test_some_hostile_certificates_are_refused_for_their_steps(tmp_path):
    refused = [c for name, c in HOSTILE if name in ("dimensions-0", "privacy-0", "sizes-3")]
    for i, c in enumerate(refused):
        said = verdict(written(tmp_path, str(i), c), FEW)
        assert said.endswith(f": takes more than {FEW} steps to check\n")


@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.parametrize(("name", "certificate"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_hostile_certificate_is_decided_within_minutes(name, certificate, tmp_path):
    file = written(tmp_path, name, certificate)
    assert verdict(file, MAX_WORK).startswith(f"{file}: ")


def test_the_largest_stored_certificates_take_few_of_the_steps():
    folder = Path(__file__).parents[1] / "certificate_corpus"
    for path in folder.glob("**/accepted/*.json"):
        part = kernel.parts.Part(kernel.read(path))
        used = part.work
        sides = (Part(part.value[key], key, part, used) for key in SIDES)
        kernel.KINDS[part.value["kind"]](*sides)
        assert MAX_WORK - used.left < MAX_WORK >> 6
