"""Small files that an earlier kernel accepted wrongly, or that crashed it or filled its memory."""

import json

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import Work

STEPS = 1 << 20


def certificate(kind, instance, statement, lower=None, upper=None):
    statement = {"lower": None, "upper": None, **statement}
    parts = {"instance": instance, "statement": statement, "lower": lower, "upper": upper}
    return {"format": 2, "kind": kind, **parts, "made_by": {}}


def concepts(*rows):
    names = {"concepts": list(range(len(rows))), "points": list(range(len(rows[0])))}
    return {"type": "concept class", "name": "small", **names, "rows": list(rows)}


def pair(t, *laws):
    kept = {"type": "mechanism on pairs", "name": "pair", "t": t, "laws": list(laws)}
    return kept | {"outcomes": list(range(len(laws[0]))), "pairs": [[0, len(laws) - 1]]}


def private(instance, bound="1/2"):
    statement = {"factor": "1", "delta": None, "upper": bound}
    return certificate("privacy", instance, statement, None, {"all_neighbours": {"bound": bound}})


def test_databases_without_a_first_point_exclude_nothing():
    statement = {"accuracy": "1/2", "failure": "1/2", "factor": "2", "lower": 1001}
    proof = {"records": 1000, "points": [], "exchanged": 1000, "bits": 10}
    made = certificate("release", concepts("00", "01"), statement, {"points": proof})
    with pytest.raises(Rejected, match="there must be at least one point"):
        check(made)


@pytest.mark.parametrize("entry", [[], [0], [0, [], []], [0, 0, 0, 0, 0]])
def test_a_refutation_is_a_list_of_four(entry):
    proof = {"refutation": {"symmetries": [], "spaces": [entry]}}
    with pytest.raises(Rejected, match="must have 4 entries"):
        check(certificate("littlestone_dimension", concepts("0", "1"), {"upper": 1}, None, proof))


@pytest.mark.parametrize(("base", "bits"), [("1", 0), ("4", 1), ("9", 0), ("16", 2)])
def test_a_number_as_large_as_x_tells_no_sign(base, bits):
    t = {"root": 2, "base": base, "bits": bits}
    with pytest.raises(Rejected, match=f"{bits} bits do not suffice to decide a sign"):
        check(private(pair(t, [1, [0, 1]], [[0, 1], 1])))


def test_each_line_quotes_the_name_of_its_own_instance(tmp_path, capfdbinary):
    one, other = concepts("0", "1"), concepts("01") | {"name": "other"}
    made = [
        certificate("vc_dimension", instance, {"lower": -1}, {"trivial": {}})
        for instance in (one, other, None)
    ]
    file = tmp_path / "three.json"
    file.write_text(json.dumps(made))
    assert kernel.main([str(file)]) == 0
    names = [line.split("'")[1] for line in capfdbinary.readouterr().out.decode().splitlines()]
    assert names == ["small", "other", "small"]


def many_powers():
    return private(pair({"root": 1, "base": None, "bits": 0}, [1, [0] * 20000 + [1]]), "0")


def long_values():
    return private(pair({"root": 1, "base": None, "bits": 3000}, list(range(1, 5001))), "0")


def large_block():
    named = {"records": list(range(3000)), "size": 1, "symmetric": False, "public": 0}
    mechanism = {"type": "mechanism", "name": "", "outcomes": [0, 1], "t": None, "groups": None}
    return private(mechanism | named | {"laws": [[1, i] for i in range(3000)]}, "1")


def many_spaces():
    C = concepts(*(format(i, "013b") for i in range(1 << 13)))
    spaces = [[30, [i % 26], [], []] for i in range(5000)]
    proof = {"refutation": {"symmetries": [], "spaces": spaces}}
    return certificate("littlestone_dimension", C, {"upper": 29}, None, proof)


def deep_cuts():
    statement = {"samples": 0, "accuracy": "0", "laws": [[1, 1, 1, 1]], "upper": "1"}
    proof = {"subdivisions": {"trees": [[[0, 1]] * 6000]}}
    return certificate("learner_failure", concepts("00"), statement, None, proof)


def many_events():
    named = {"records": [0, 1], "size": 10, "symmetric": False, "public": 0, "groups": None}
    mechanism = {"type": "mechanism", "name": "", "outcomes": [0, 1], "t": None}
    instance = mechanism | named | {"laws": [[1, 1]] * 1024}
    proof = {"event": {"database": 1022, "neighbour": 1023, "outcomes": [], "bound": "0"}}
    statement = {"factor": "1", "delta": None, "lower": "0"}
    first = certificate("privacy", instance, statement, proof)
    return [first, *[first | {"instance": None}] * 200]


def many_statements():
    C = concepts(*(format(i, "013b") for i in range(1 << 13)))
    proof = {"extension": {"size": 41, "labels": "", "symmetries": []}}
    first = certificate("vc_dimension", C, {"upper": 40}, None, proof)
    return [first, *[first | {"instance": None}] * 100]


@pytest.mark.parametrize(
    "make",
    [
        many_powers,
        long_values,
        large_block,
        many_spaces,
        deep_cuts,
        many_events,
        many_statements,
    ],
)
def test_what_is_done_or_kept_is_counted(make, monkeypatch):
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(STEPS, tell))
    with pytest.raises(Rejected, match="steps to check"):
        check(make())
