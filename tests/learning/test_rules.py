"""Rules learned privately from a table: the set of rules, the choice, and the file."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
import pytest

from ccsim import ConceptClass, DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.errors import NotDecidedError
from ccsim.exact import Epsilon
from ccsim.exact.probability import SystemRandomness
from ccsim.learning.rules import (
    Numbers,
    RuleChoice,
    Values,
    column_of,
    learn_rule,
    read_model,
    rules_of,
)
from ccsim.learning.rules import learn as module
from ccsim.learning.rules.learn import most_excess
from ccsim.learning.rules.rule import number_text
from ccsim.privacy import Verdict, audit

AGE, CITY = Numbers.between("age", 0, 3), Values("city", ("Bern", "Rome", "Oslo"))
SEX = Values("sex", ("f", "m"))
CELLS = {"age": range(4), "city": CITY.values, "sex": SEX.values}


def table(columns):
    """Return a record for every cell of the table of the given columns."""
    names = [column.name for column in columns]
    return [dict(zip(names, cell, strict=True)) for cell in product(*(CELLS[n] for n in names))]


def subsets(values):
    return chain.from_iterable(combinations(values, k) for k in range(len(values) + 1))


def by_definition(learner, columns):
    """Return the functions among which a learner chooses, as sets of records with label 1."""
    cells = table(columns)
    spans = [lambda a, i=i, j=j: i <= a < j for i in range(5) for j in range(i, 5)]
    tails = [lambda a, t=t: a >= t for t in range(5)]
    found = {
        "thresholds": [lambda r, f=f: f(r["age"]) for f in tails],
        "intervals": [lambda r, f=f: f(r["age"]) for f in spans],
        "points": [lambda r, c=c: r["city"] == c for c in CITY.values],
        "sets": [lambda r, s=s: r["city"] in s for s in subsets(CITY.values)],
    }
    if learner == "stumps":
        tests = [lambda r: True]
        for column in columns:
            if column is AGE:
                tests += found["thresholds"]
            else:
                tests += [lambda r, c=column, v=v: r[c.name] == v for v in column.values]
        found["stumps"] = tests
    if learner == "boxes":
        sides = []
        for column in columns:
            if column is AGE:
                sides.append(found["intervals"])
            else:
                one = [lambda r, c=column, v=v: r[c.name] == v for v in column.values]
                sides.append([*one, lambda r: True])
        found["boxes"] = [lambda r, s=s: all(f(r) for f in s) for s in product(*sides)]
    ones = [frozenset(i for i, r in enumerate(cells) if f(r)) for f in found[learner]]
    if learner in {"thresholds", "stumps"}:
        ones += [frozenset(range(len(cells))) - one for one in ones]
    return set(ones)


CASES = [
    ("thresholds", (AGE,)),
    ("intervals", (AGE,)),
    ("points", (CITY,)),
    ("sets", (CITY,)),
    ("stumps", (AGE,)),
    ("stumps", (CITY, AGE, SEX)),
    ("boxes", (AGE,)),
    ("boxes", (SEX, AGE, CITY)),
]


@pytest.mark.parametrize(("learner", "columns"), CASES)
def test_rules_are_those_of_the_definition_each_once(learner, columns):
    rules, cells = rules_of(learner, columns), table(columns)
    found = [
        frozenset(i for i, r in enumerate(cells) if rules.rule(h).predict(r))
        for h in range(rules.size)
    ]
    assert set(found) == by_definition(learner, columns)
    assert len(found) == len(set(found))
    with pytest.raises(DomainError, match="index of a rule must be between"):
        rules.rule(rules.size)


@pytest.mark.parametrize(("learner", "columns"), CASES)
def test_errors_are_those_of_the_rules_one_by_one(learner, columns):
    rng = np.random.default_rng(1)
    rules, cells = rules_of(learner, columns), table(columns)
    records = [cells[i] for i in rng.integers(len(cells), size=30)]
    labels = rng.integers(2, size=30).tolist()
    places = [[column.place(r[column.name]) for column in columns] for r in records]
    expected = [
        sum(rules.rule(h).predict(r) != label for r, label in zip(records, labels, strict=True))
        for h in range(rules.size)
    ]
    assert rules.errors(places, labels).tolist() == expected


def test_concepts_of_a_class_are_rules():
    C = ConceptClass.from_sets({"sweet": {"fig", "plum"}, "blue": {"plum"}, "none": set()})
    people = [{"fruit": f, "likes": int(f == "plum")} for f in ("fig", "plum") * 20]
    model = learn_rule(
        people, target="likes", columns=["fruit"], learner="occam", concept_class=C, epsilon=9
    )
    assert model.in_words == "1 if fruit is plum, else 0"
    assert model.hypotheses == 3


@pytest.mark.parametrize(("learner", "columns"), [("thresholds", (AGE,)), ("stumps", (SEX, CITY))])
def test_the_choice_is_private_and_a_larger_weight_is_noticed(learner, columns):
    rules = rules_of(learner, columns)
    assert audit(RuleChoice(rules, Epsilon.of("ln 4")), "ln 4", 0, 1).verdict is Verdict.HOLDS
    faulty = RuleChoice(rules, Epsilon.of("ln 4"), Fraction(1, 3))
    assert audit(faulty, "ln 4", 0, 1).verdict is Verdict.FAILS


def test_what_is_drawn_has_the_audited_distribution(monkeypatch):
    asked = {}

    def choose(scores, epsilon, rng):
        asked.update(scores=scores, epsilon=epsilon, rng=rng)
        return 3

    monkeypatch.setattr(module, "choose_by_score", choose)
    records = [{"age": 1, "y": 0}, {"age": 2, "y": 1}, {"age": 3, "y": 0}]
    model = learn_rule(records, target="y", columns=["age:0..3"], learner="thresholds", epsilon=2)
    mechanism = RuleChoice(rules_of("thresholds", (AGE,)), Epsilon.of(2))
    database = mechanism.canonical([((1,), 0), ((2,), 1), ((3,), 0)])
    score = mechanism.exponential.score
    assert asked["scores"] == [score(database, o) for o in mechanism.exponential.outcomes]
    assert asked["epsilon"] == Epsilon.of(2)
    assert isinstance(asked["rng"], SystemRandomness)
    assert model.rule == mechanism.rules.rule(3)
    assert (model.noise, model.is_private) == ("system", True)
    seeded = learn_rule(
        records, target="y", columns=["age:0..3"], learner="thresholds", epsilon=2, seed=7
    )
    assert asked["rng"].bytes(8) == np.random.default_rng(7).bytes(8)
    assert (seeded.noise, seeded.seed, seeded.is_private) == ("seed", 7, False)
    assert "compute the noise" in seeded.privacy


@pytest.mark.parametrize("failure", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)])
def test_the_promised_excess_holds_by_the_exact_distribution(failure):
    rules, epsilon = rules_of("thresholds", (AGE,)), Epsilon.of("ln 4")
    allowed = most_excess(rules.size, epsilon, failure)
    for database in ([((0,), 1)] * 9, [((0,), 0), ((3,), 1)] * 8, [((2,), 1)] * 20):
        errors = rules.errors([x for x, _ in database], [y for _, y in database])
        distribution = RuleChoice(rules, epsilon).distribution(database)
        more = sum(p for h, p in distribution.items if errors[h] > errors.min() + allowed)
        assert more <= failure


PEOPLE = [{"age": a, "city": c, "smokes": "yes" if a > 1 else "no"} for a in range(4) for c in
          CITY.values]  # fmt: skip


def learned(**more):
    given = {"columns": ["age:0..3"], "learner": "thresholds", "labels": ("no", "yes")} | more
    return learn_rule(given.pop("records", PEOPLE), target="smokes", **given)


def test_nothing_but_the_rule_and_the_number_of_records_depends_on_these():
    shown = set()
    for people in (PEOPLE, PEOPLE[:1] * 12, PEOPLE[-1:] * 12):
        document = learned(records=people, seed=1).to_dict()
        shown.add(json.dumps(document | {"rule": None, "digest": None}))
    assert len(shown) == 1


def test_public_columns_are_read_off_the_records_and_the_labels_are_not():
    models = [
        learned(records=[r | {"smokes": label} for r in PEOPLE], columns=["age", "city"],
                learner="stumps", labels_only=True, seed=1)
        for label in ("no", "yes")
    ]  # fmt: skip
    assert models[0].hypotheses == models[1].hypotheses == 2 * (1 + 3 + 3)
    assert models[0].predict([{"age": 77, "city": "Paris"}]) in (["no"], ["yes"])
    assert models[0].privacy == "none: anyone who knows the seed 1 can compute the noise"
    assert "the label of one record" in learned(columns=["age"], labels_only=True).privacy


def test_a_model_comes_back_from_its_file(tmp_path):
    path = tmp_path / "model.json"
    for model in (
        learned(),
        learned(seed=2**70),
        learned(columns=["age", "city:Bern,Rome,Oslo"], learner="boxes", labels_only=True),
        learned(columns=["city:Bern,Rome,Oslo"], learner="sets", epsilon="ln 3"),
    ):
        model.write(path)
        assert read_model(path) == model


def leaves(value, path=()):
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    yield path


def test_whatever_is_altered_in_a_file_is_noticed_in_one_line(tmp_path):
    path = tmp_path / "model.json"
    for model in (learned(epsilon=8), learned(columns=["city:Bern,Rome,Oslo"], learner="sets")):
        document = json.dumps(model.to_dict())
        for place in list(leaves(json.loads(document))):
            for other in (None, 0, -1, "x", "", "9" * 99, [], {}, [[]], True, 1e9, "drop"):
                altered = json.loads(document)
                if place:
                    *upper, last = place
                    inner = altered
                    for key in upper:
                        inner = inner[key]
                    if inner[last] == other and type(inner[last]) is type(other):
                        continue
                    inner[last] = other
                    if other == "drop":
                        del inner[last]
                else:
                    altered = other
                path.write_text(json.dumps(altered))
                with pytest.raises(UnreadableInputError) as caught:
                    read_model(path)
                assert "\n" not in str(caught.value)
                assert "Error: " not in str(caught.value)
                assert len(str(caught.value)) < 300 + len(str(path))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"columns": ["age"]}, "column age: give its possible values"),
        ({"columns": []}, "columns must be one or more"),
        ({"columns": ["age:0..3", "age:0..3"]}, "different names"),
        ({"columns": ["smokes:no,yes"], "learner": "sets"}, "must not be one of the columns"),
        ({"columns": ["age:0..2"]}, "record 10: age must be between 0 and 2"),
        ({"columns": ["age:0..3/0"]}, "step 0 must be positive"),
        ({"columns": ["age:5..3"]}, "range 5..3 must not be empty"),
        ({"columns": ["age:a..b"]}, "age: first number must be a fraction"),
        ({"columns": ["age:,"], "learner": "sets"}, "values of age"),
        ({"columns": ["age:"]}, "a column must be given as"),
        ({"columns": [":1..2"]}, "a column must be given as"),
        ({"columns": [5]}, "a column must be a string"),
        (
            {"columns": ["weight:0..3"]},
            "record 1: there is no column weight; the columns are 'age, city, smokes'",
        ),
        ({"columns": ["city:Bern,Rome"], "learner": "sets"}, "record 3: city must be one of"),
        ({"columns": ["city:Bern,Rome"]}, "learner thresholds needs exactly one column of numbers"),
        ({"columns": ["age:0..3"], "learner": "sets"}, "learner sets needs exactly one column"),
        ({"learner": "trees"}, "learner must be one of"),
        ({"learner": "occam"}, "a class must be given with the learner occam"),
        ({"labels": ("0", "1")}, "record 1: smokes must be 0 or 1; labels"),
        ({"labels": ("no", "no")}, "labels must be two different strings"),
        ({"epsilon": 0}, "epsilon must be positive"),
        ({"noise": "none"}, "noise must be system or opendp"),
        ({"noise": "opendp", "seed": 1}, "system if a seed is given"),
        ({"records": []}, "there must be at least one record"),
        ({"records": "people"}, "records must be mappings"),
        ({"records": [5]}, "record 1 must be a mapping"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(more, message):
    with pytest.raises(DomainError) as caught:
        learned(**more)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("learner", "columns"),
    [
        ("thresholds", ["age:0..99999999999"]),
        ("intervals", ["age:0..9999"]),
        ("boxes", ["age:0..100", "b:0..100"]),
        ("stumps", ["age:0..1048575"]),
        ("sets", ["city:" + ",".join(map(str, range(25)))]),
    ],
)
def test_sizes_are_checked_before_the_work(learner, columns):
    with pytest.raises(InstanceTooLargeError, match=r"exceed the limit|at most"):
        learned(columns=columns, learner=learner, records=())


def test_time_limits_are_heeded():
    with pytest.raises(NotDecidedError):
        learned(time_limit=0)


def test_predictions_refuse_what_the_model_does_not_know():
    model = learned(columns=["city:Bern,Rome,Oslo"], learner="points")
    with pytest.raises(DomainError, match="record 2: city must be one of the values declared when"):
        model.predict([{"city": "Bern"}, {"city": "Paris"}])
    with pytest.raises(DomainError, match="record 1: there is no column city"):
        model.predict([{"age": 1}])
    assert len(model.predict(())) == 0


def test_frames_are_tables():
    import pandas

    model = learned(records=pandas.DataFrame(PEOPLE), epsilon=50)
    assert model.in_words == "yes if age >= 2, else no"
    assert model.predict(pandas.DataFrame({"age": [1, 2]})) == ["no", "yes"]


def test_columns_are_described_by_texts():
    assert column_of("h:1.5..2/0.25").cuts == tuple(Fraction(n, 4) for n in (6, 7, 8))
    assert column_of('c:"a,b",c').values == ("a,b", "c")
    assert column_of("t:-5..5/2.5").place("-2.6") == 0
    assert [number_text(Fraction(n, 100)) for n in (-5, 5, -150)] == ["-0.05", "0.05", "-1.5"]


def test_no_excess_is_promised_where_epsilon_is_large_enough():
    assert most_excess(2, Epsilon.of(100), Fraction(1, 10)) == 0
    assert most_excess(2, Epsilon.of(2), Fraction(1, 10)) == 2  # 2 ln(20) / 2 is 2.99...
