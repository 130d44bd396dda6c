"""Every result states its question, parameters and answer in all its representations."""

import json
import re
from dataclasses import is_dataclass
from fractions import Fraction
from html import unescape
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages

import pytest

import ccsim
from ccsim.appearance import MOST_OF_A_RESULT, in_short, in_words
from ccsim.certificates import Certified
from ccsim.certificates.answer import OneBound, question_of
from ccsim.exact import Epsilon
from ccsim.learning import PrivateOccam
from ccsim.privacy import (
    FunctionMechanism,
    RandomizedResponse,
    audit,
    composed_delta,
    composed_epsilon,
    concentrated_privacy,
    gaussian_privacy,
    mechanism,
    renyi_privacy,
    trade_off,
)
from tests.test_altered_results import CASES

MODULES = [
    import_module(found.name)
    for found in walk_packages(ccsim.__path__, "ccsim.")
    if not found.name.endswith("__main__")
]


def results_of(kind):
    for each in kind.__subclasses__():
        yield each
        yield from results_of(each)


KINDS = {
    kind
    for kind in results_of(Certified)
    if is_dataclass(kind) and not isabstract(kind) and not kind.__name__.startswith("_")
    if kind is not OneBound  # a part of another result
    if vars(import_module(kind.__module__)).get(kind.__name__) is kind
}
RESPONSE = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
OCCAM = PrivateOccam(2, (1, 2), Epsilon.of("ln 3"))


def agreed(records):
    return {records[0] if len(set(records[:2])) < len(records[:2]) else "nothing": 1}


AUDITS = {
    "audit that holds": lambda: audit(OCCAM, "ln 3", 0, 2),
    "audit that fails": lambda: audit(FunctionMechanism((0, 1), agreed), 1, "1/8", 2),
    "audit of a noise program": lambda: audit(
        mechanism(lambda queries, noise: queries[0] + noise.discrete_gaussian(1)),
        1,
        "1/5",
        [((0,), (1,))],
    ),
    "composed delta": lambda: composed_delta(RESPONSE, 2, 1, 1),
    "composed epsilon": lambda: composed_epsilon(RESPONSE, 2, "1/10", 1, adaptive=False),
    "audit in two bases": lambda: audit(OCCAM, "1/4", "1/3", 1),
    "audit that is stopped": lambda: audit(OCCAM, "ln 3", 0, 12, time_limit=0),
    "Renyi privacy": lambda: renyi_privacy(OCCAM, 2, 1),
    "concentrated privacy": lambda: concentrated_privacy(OCCAM, 1, target="1/2"),
    "Gaussian privacy": lambda: gaussian_privacy(OCCAM, 1),
    "trade-off function": lambda: trade_off(OCCAM, 1),
}
MADE = {name: make for name, (make, _) in CASES.items()} | AUDITS


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: f"{kind.__module__}{kind}"))
def test_every_kind_of_result_names_its_question(kind):
    assert kind.question or kind.quantity
    assert kind.asked
    assert all(hasattr(kind, name) for name in (*kind.asked, *kind.answered))
    assert kind.answered or {"lower", "upper"} <= set(kind.__dataclass_fields__)


def test_there_are_results_to_look_at():
    assert len(KINDS) >= 40
    assert {"AuditResult", "MinimaxResult", "EquivalenceTable"} <= {k.__name__ for k in KINDS}


def text_of(table):
    table = re.sub(r"<img[^>]*>", "", table)
    return unescape(re.sub(r"<[^>]*>", " ", table))


def numbers_of(value):
    """Return the numbers and texts of a parameter or an answer that must be displayed."""
    if isinstance(value, bool | int | str | Fraction) and len(str(value)) < 40:
        return str(value)
    return str(value) if isinstance(value, Epsilon) else None


@pytest.fixture(scope="module")
def made():
    return {name: make() for name, make in MADE.items()}


@pytest.mark.parametrize("name", MADE)
def test_a_result_states_its_parameters_and_its_answer(name, made):
    result = made[name]
    shown, table, data = repr(result), text_of(result._repr_html_()), result.to_dict()
    assert shown.isprintable()
    assert len(shown) <= MOST_OF_A_RESULT
    assert shown.startswith(f"{type(result).__name__}(")
    assert data["question"] == question_of(result)
    assert question_of(result) in table
    assert json.loads(json.dumps(data)) == data
    for key, value in result.stated().items():
        assert f"{key}=" in shown
        if key in {"problem", "concept_class", "instance"}:
            assert value.name in shown
            assert in_words(value) in table
            assert data["instance"] == value.name.removeprefix("Eval(").removesuffix(")")
        elif (said := numbers_of(value)) is not None:
            assert said in shown
            assert said in table
            assert key in data
            assert type(data[key]) in {bool, int, str}
        elif value is not None and key not in {"lower", "upper"}:
            assert in_short(value).strip("<>") in table or key in {"distribution"}


@pytest.mark.parametrize("name", MADE)
def test_a_table_has_no_brackets_no_empty_cells_and_no_names_of_types(name, made):
    cells = re.findall(r"<td>(.*?)</td>", made[name]._repr_html_())
    assert cells
    asked = {type(value).__name__ for value in made[name].stated().values()}
    kinds = {type(value).__name__ for value in vars_of(made[name]) if is_dataclass(value)}
    assert not set(cells) & (kinds - asked)
    assert all(cell and not cell.startswith("&lt;") for cell in cells)


def vars_of(result):
    return [getattr(result, name) for name in result.__dataclass_fields__]


def test_a_packing_bound_states_the_class_and_the_accuracy():
    bound = ccsim.learning_lower_bound("points:b=3", "1/4", "1/5", "ln 3")
    assert repr(bound).startswith("PackingBound(samples=3, concept_class=<points:b=3: 8 concepts")
    data = bound.to_dict()
    assert (data["instance"], data["accuracy"], data["failure"]) == ("points:b=3", "1/4", "1/5")
    assert (data["samples"], data["epsilon"], data["hypotheses"]) == (3, "ln 3", None)


def test_all_kinds_of_results_are_looked_at(made):
    left = {kind.__name__ for kind in KINDS - {type(result) for result in made.values()}}
    assert left == set()


def test_an_audit_states_its_verdict_and_the_size_of_databases(made):
    found = made["audit that fails"]
    assert repr(found) == (
        "AuditResult(verdict='fails', mechanism=FunctionMechanism, epsilon=<1>, delta=1/8, "
        "neighbours=2)"
    )
    data = made["audit that is stopped"].to_dict()
    assert (data["verdict"], data["epsilon"], data["neighbours"]) == ("not decided", "ln 3", 12)
    assert "verdict holds" in " ".join(text_of(made["audit that holds"]._repr_html_()).split())


def test_curves_state_their_question():
    curve = ccsim.failure_curve([[0, 1], [1, 0]], "1/4", 2)
    assert repr(curve) == (
        "FailureCurve(class: 2 concepts over 2 points; error 1/4; failures 1/2, 0)"
    )
    first = curve.to_dict()[0]
    assert (first["question"], first["error"]) == ("least failure probability", "1/4")
    assert "class: 2 concepts over 2 points" in text_of(curve._repr_html_())
    errors = ccsim.error_curve([[0, 1], [1, 0]])
    assert errors.to_dict()[0]["question"] == "minimax error"
    assert "problem: 2 x 2, total" in repr(errors)
