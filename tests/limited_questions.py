"""All public questions with a time limit, and inputs on which limits have failed.

`CASES` has at least one case for each public function with the parameter ``time_limit``.
`with_a_limit` lists these functions as they are found in the package, so that
`tests.test_limited_questions` detects a function without a case. `WITHOUT_PROOF` contains the
functions that read or build something, simulate, or return a number without a certificate.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import ccsim
from ccsim import measures
from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.classes import ConceptClass, PartialClass
from ccsim.communication import (
    MODELS,
    CommunicationProblem,
    communication_complexity,
    distributional_error,
    error_curve,
    fewest_seeds,
    minimax_error,
    sign_rank,
)
from ccsim.dimensions import (
    RepresentativeDomain,
    compression_size,
    ds_dimension,
    dual_vc_dimension,
    effective_domain_size,
    graph_dimension,
    hollow_star_number,
    littlestone_dimension,
    multiclass_littlestone_dimension,
    natarajan_dimension,
    no_clash_teaching_dimension,
    offline_mistakes,
    query_complexity,
    randomized_littlestone_dimension,
    recursive_teaching_dimension,
    representative_domain,
    self_directed_complexity,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.dimensions.mistakes import ORDERS
from ccsim.dimensions.queries import QUERIES
from ccsim.errors import CcsimError, NotDecidedError
from ccsim.exact import Epsilon
from ccsim.exact.bounds import Bounds
from ccsim.kernel import check as check_by_kernel
from ccsim.learning import PackingBound, learning_lower_bound, private_sample_complexity
from ccsim.learning.least_failure import least_private_failure
from ccsim.measures import BoundsTable
from ccsim.privacy import (
    AuditResult,
    TradeOff,
    Verdict,
    audit,
    audit_by_qualities,
    composed_delta,
    composed_epsilon,
    concentrated_privacy,
    gaussian_privacy,
    renyi_privacy,
    trade_off,
)
from ccsim.privacy.measure import PrivacyMeasure
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.privacy.mechanisms.stable_choice import StableChoice
from ccsim.privacy.qualities import QualityNeighbours
from ccsim.programs import LinearProgram, enclose_matrix_game, solve_linear_program
from ccsim.programs.program import ProgramBounds
from ccsim.release import ReleaseBound, release_lower_bound, sanitizer_lower_bound
from ccsim.representation import (
    EquivalenceTable,
    FailureCurve,
    HypothesisSet,
    MinimalityResult,
    ProbabilisticRepresentation,
    deterministic_representation_size,
    equivalence_table,
    failure_curve,
    failure_probability,
    least_failure,
    minimality,
    probabilistic_representation_size,
    representation_error,
)
from proofs_check import claims

__all__ = [
    "AT_ONCE",
    "CASES",
    "CLASSES",
    "LONG",
    "LONG_CASES",
    "LONG_CHECKS",
    "OF_CLASSES",
    "OF_PROBLEMS",
    "OF_SMALL_CLASSES",
    "PROBLEMS",
    "WITHOUT_PROOF",
    "agree",
    "outcome",
    "proved",
    "random_class",
    "random_problem",
    "with_a_limit",
]

Ask = Callable[[TimeLimit], object]
Call = Callable[..., object]
Cases = dict[tuple[str, str], dict[str, Ask]]

_ = None
PROBLEMS = MappingProxyType(
    {
        "equal rows": [[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1]],
        "equal and opposite columns": [[0, 0, 1, 1], [1, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0]],
        "dominated rows": [[0, 1, 1], [0, _, 1], [1, 0, 0], [_, _, 0], [1, 1, 0], [0, 1, _]],
        "rows and columns outside the promise": [[_, _, _], [1, _, 0], [0, _, 1], [_, _, _]],
        "compatible inputs": [[_, 0], [0, _], [1, _], [_, 1], [0, _]],
        "one row": [[0, 1, 1, _]],
        "one column": [[0], [1], [1], [_], [0]],
        "one entry": [[_, _], [_, 1]],
        "constant": [[1, 1], [1, 1], [1, 1]],
        "many equal rows": [[x >> y & 1 for y in range(2)] for x in (*range(4), 3, 0, 2, 2)],
    }
)
"""Matrices of problems; None lies outside the promise."""

CLASSES = MappingProxyType(
    {
        "equal columns": [[0, 0, 1, 1, 0], [0, 0, 0, 1, 1], [1, 1, 1, 1, 0], [1, 1, 0, 0, 0]],
        "two equal columns": [[0, 0, 1], [1, 1, 0], [1, 1, 1]],
        "constant columns": [[0, 1, 1], [0, 1, 0]],
        "opposite columns": [[0, 1, 0], [1, 0, 0], [1, 0, 1]],
        "one concept": [[0, 1, 1]],
        "one point": [[0], [1]],
        "one entry": [[1]],
        "points": [[int(x == y) for y in range(5)] for x in range(5)],
        "all functions": [[x >> y & 1 for y in range(2)] for x in range(4)],
    }
)
"""Matrices of concept classes."""

LONG = MappingProxyType(
    {
        "many equal rows": [[x >> y & 1 for y in range(3)] for x in (*range(7), 5, 3, 0, 6)],
        "an equal row": [[x * y >> 2 & 1 for y in range(1, 8)] for x in (*range(1, 9), 3)],
    }
)
"""Matrices of problems with which some searches take longer than a second."""


def _with_messages(messages: int, coins: str) -> Call:
    return lambda f, limit: minimax_error(f, messages, coins, time_limit=limit)


def _with_bits(bits: int, model: str) -> Call:
    return lambda f, limit: minimax_error(f, bits=bits, model=model, time_limit=limit)


def _with_error(error: str, coins: str) -> Call:
    return lambda f, limit: communication_complexity(f, error, coins, time_limit=limit)


def _under_all_inputs(f: CommunicationProblem, limit: TimeLimit) -> object:
    inputs = f.inputs()
    distribution = dict.fromkeys(inputs, Fraction(1, len(inputs)))
    return distributional_error(f, distribution, 2, time_limit=limit)


def _seeds(f: CommunicationProblem, limit: TimeLimit) -> object:
    protocol = minimax_error(f, 2).protocol.to_public_coin()
    return fewest_seeds(protocol, f, "1/10", time_limit=limit)


def _sets(C: ConceptClass) -> HypothesisSet:
    """Return all concepts, and the zero function."""
    return HypothesisSet.from_rows([0, *C.rows], len(C.points))


def _mixed(C: ConceptClass) -> ProbabilisticRepresentation:
    """Return the uniform distribution on single concepts."""
    sets = [HypothesisSet.from_rows([row], len(C.points)) for row in C.rows]
    return ProbabilisticRepresentation.mixture((Fraction(1, len(sets)), H) for H in sets)


_KINDS = ("public", "private", "deterministic")
OF_PROBLEMS: dict[str, dict[str, Call]] = {
    "minimax_error": {
        **{
            f"{k} messages, {coins}": _with_messages(k, coins)
            for k in (1, 2, 3)
            for coins in _KINDS
        },
        **{f"{c} bits, {model}": _with_bits(c, model) for c in (1, 2, 3, 6) for model in MODELS},
        "4 bits, two-way, 2 rounds": lambda f, limit: minimax_error(
            f, bits=4, model="two-way", rounds=2, time_limit=limit
        ),
    },
    "communication_complexity": {
        f"error {error}, {coins}": _with_error(error, coins)
        for error in ("0", "1/5", "1/2")
        for coins in _KINDS
    },
    "error_curve": {
        **{
            coins: lambda f, limit, coins=coins: error_curve(f, coins=coins, time_limit=limit)
            for coins in _KINDS
        },
        "all models": lambda f, limit: error_curve(f, bits=[1, 2], model="all", time_limit=limit),
    },
    "distributional_error": {"all inputs": _under_all_inputs},
    "fewest_seeds": {"two messages": _seeds},
    "sign_rank": {"": lambda f, limit: sign_rank(f, time_limit=limit)},
    "bounds": {
        "": lambda f, limit: measures.bounds(f, time_limit=limit),
        "error 1/4": lambda f, limit: measures.bounds(f, "1/4", time_limit=limit),
    },
    "deterministic_cost": {"": lambda f, limit: measures.deterministic_cost(f, time_limit=limit)},
    "protocol_size": {"": lambda f, limit: measures.protocol_size(f, time_limit=limit)},
    "simultaneous_cost": {"": lambda f, limit: measures.simultaneous_cost(f, time_limit=limit)},
    **{
        question.__name__: {
            f"value {v}": lambda f, limit, ask=question, v=v: ask(f, v, time_limit=limit)
            for v in (0, 1)
        }
        for question in (
            measures.cover_number,
            measures.fooling_number,
            measures.fractional_cover_number,
            measures.fractional_partition_number,
            measures.partition_number,
        )
    },
    "rank": {
        f"modulo {p}": lambda f, limit, p=p: measures.rank(f, p, time_limit=limit) for p in (0, 2)
    },
    "partition_bound": {
        "1/4": lambda f, limit: measures.partition_bound(f, "1/4", time_limit=limit)
    },
    **{
        of.__name__: {
            f"value {value}": lambda f, limit, of=of, value=value: of(
                f, "1/4", value, time_limit=limit
            )
            for value in (0, 1)
        }
        for of in (measures.rectangle_bound, measures.smooth_rectangle_bound)
    },
    "discrepancy": {
        of: lambda f, limit, of=of: measures.discrepancy(f, of, time_limit=limit)
        for of in ("uniform", "worst")
    },
    "gamma_2": {
        f"alpha {a}": lambda f, limit, a=a: measures.gamma_2(f, a, time_limit=limit)
        for a in ("1", "3/2")
    },
}
OF_CLASSES: dict[str, dict[str, Call]] = {
    **{
        question.__name__: {"": lambda C, limit, ask=question: ask(C, time_limit=limit)}
        for question in (
            ds_dimension,
            dual_vc_dimension,
            effective_domain_size,
            graph_dimension,
            hollow_star_number,
            littlestone_dimension,
            multiclass_littlestone_dimension,
            natarajan_dimension,
            no_clash_teaching_dimension,
            randomized_littlestone_dimension,
            recursive_teaching_dimension,
            representative_domain,
            self_directed_complexity,
            star_number,
            teaching_dimension,
            threshold_dimension,
            vc_dimension,
        )
    },
    "offline_mistakes": {
        order: lambda C, limit, order=order: offline_mistakes(C, order, time_limit=limit)
        for order in ORDERS
    },
    "query_complexity": {
        queries: lambda C, limit, queries=queries: query_complexity(C, queries, time_limit=limit)
        for queries in QUERIES
    },
    "compression_size": {
        "": lambda C, limit: compression_size(C, time_limit=limit),
        "stable, proper, no labels": lambda C, limit: compression_size(
            C, labelled=False, stable=True, proper=True, time_limit=limit
        ),
    },
    "deterministic_representation_size": {
        "all hypotheses": lambda C, limit: deterministic_representation_size(
            C, "1/4", time_limit=limit
        ),
        "proper": lambda C, limit: deterministic_representation_size(
            C, "1/4", C.rows, time_limit=limit
        ),
    },
    "probabilistic_representation_size": {
        "all hypotheses": lambda C, limit: probabilistic_representation_size(
            C, "1/4", "1/4", time_limit=limit
        ),
        "proper": lambda C, limit: probabilistic_representation_size(
            C, "1/4", "1/4", C.rows, time_limit=limit
        ),
    },
    "least_failure": {
        f"size {k}": lambda C, limit, k=k: least_failure(C, "1/4", k, time_limit=limit)
        for k in (1, 2)
    },
    "failure_curve": {"": lambda C, limit: failure_curve(C, "1/4", time_limit=limit)},
    "failure_probability": {
        "a concept": lambda C, limit: failure_probability(_mixed(C), C, "1/4", time_limit=limit)
    },
    "representation_error": {
        "concepts": lambda C, limit: representation_error(_sets(C), C, time_limit=limit),
        "nothing": lambda C, limit: representation_error(
            HypothesisSet.from_rows([0], len(C.points)), C, time_limit=limit
        ),
    },
    "minimality": {
        "concepts": lambda C, limit: minimality(_sets(C), C, "1/4", time_limit=limit),
    },
    "equivalence_table": {
        "": lambda C, limit: equivalence_table(C, "1/4", "1/4", time_limit=limit)
    },
    "learning_lower_bound": {
        kind: lambda C, limit, proper=kind == "proper": learning_lower_bound(
            C, "1/8", "1/8", "1/2", proper=proper, time_limit=limit
        )
        for kind in ("improper", "proper")
    },
    "release_lower_bound": {
        "": lambda C, limit: release_lower_bound(C, "1/8", "1/8", "1/2", time_limit=limit)
    },
    "sanitizer_lower_bound": {
        "": lambda C, limit: sanitizer_lower_bound(C, "1/8", "1/8", "1/2", time_limit=limit)
    },
}
OF_SMALL_CLASSES: dict[str, dict[str, Call]] = {
    "least_private_failure": {
        "2 examples": lambda C, limit: least_private_failure(C, 2, "1/4", "ln 3", time_limit=limit),
        "1 example and a delta": lambda C, limit: least_private_failure(
            C, 1, "1/4", "ln 3", delta="1/10", time_limit=limit
        ),
    },
    "private_sample_complexity": {
        "": lambda C, limit: private_sample_complexity(
            C, "1/4", "1/4", "ln 3", limit=2, time_limit=limit
        )
    },
}


def _program(limit: TimeLimit) -> object:
    constraints = [({0: 2, 1: 1}, ">=", 3), ({0: 2, 1: 1}, ">=", 3), ({0: 1, 1: 5}, ">=", 4)]
    program = LinearProgram.minimise([Fraction(1), Fraction(1)], constraints)
    return solve_linear_program(program, time_limit=limit)


def _by_qualities(limit: TimeLimit) -> object:
    choice = StableChoice((), ("a", "b"), max, Epsilon.of("ln 3"), Fraction(1, 8), "printed")
    near = QualityNeighbours.all_functions(2, 2)
    return audit_by_qualities(choice.distribution_of_scores, "ln 3", "1/8", near, time_limit=limit)


RESPONSE = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
OF_THEMSELVES: dict[str, dict[str, Ask]] = {
    "solve_linear_program": {"equal rows": _program},
    "enclose_matrix_game": {
        name: lambda limit, rows=rows: enclose_matrix_game(rows, time_limit=limit)
        for name, rows in CLASSES.items()
    },
    "audit": {
        epsilon: lambda limit, epsilon=epsilon: audit(
            RandomizedResponse((0, 1), Epsilon.of("ln 3")), epsilon, 0, 3, time_limit=limit
        )
        for epsilon in ("ln 3", "ln 2")
    },
    "audit_by_qualities": {"a stable choice": _by_qualities},
    "renyi_privacy": {"order 2": lambda limit: renyi_privacy(RESPONSE, 2, 3, time_limit=limit)},
    "concentrated_privacy": {
        "response": lambda limit: concentrated_privacy(RESPONSE, 2, time_limit=limit)
    },
    "gaussian_privacy": {"response": lambda limit: gaussian_privacy(RESPONSE, 2, time_limit=limit)},
    "trade_off": {"response": lambda limit: trade_off(RESPONSE, 2, time_limit=limit)},
    "composed_delta": {
        "ten runs": lambda limit: composed_delta(RESPONSE, 10, 1, 1, time_limit=limit)
    },
    "composed_epsilon": {
        "ten runs": lambda limit: composed_epsilon(RESPONSE, 10, "1/100", 1, time_limit=limit)
    },
}


def _asked_of(instances: dict[str, Any], questions: dict[str, dict[str, Call]]) -> Cases:
    return {
        (question, variant): {
            name: lambda limit, call=call, instance=instance: call(instance, limit)
            for name, instance in instances.items()
        }
        for question, variants in questions.items()
        for variant, call in variants.items()
    }


def _problems(matrices: Mapping[str, list[list[int | None]]]) -> dict[str, CommunicationProblem]:
    return {name: CommunicationProblem.from_matrix(rows) for name, rows in matrices.items()}


def _classes(points: int) -> dict[str, ConceptClass]:
    few = {name: rows for name, rows in CLASSES.items() if len(rows[0]) <= points}
    return {name: ConceptClass.from_matrix(rows) for name, rows in few.items()}


CASES: Cases = {
    **_asked_of(_problems(PROBLEMS), OF_PROBLEMS),
    **_asked_of(_classes(99), OF_CLASSES),
    **_asked_of(_classes(3), OF_SMALL_CLASSES),
    **{
        (question, variant): {"": ask}
        for question, variants in OF_THEMSELVES.items()
        for variant, ask in variants.items()
    },
}
"""What is asked, by question and parameters, then by the name of the instance."""

LONG_CASES: Cases = _asked_of(_problems(LONG), OF_PROBLEMS)
"""The same for longer searches, which a limit of a second stops."""

WITHOUT_PROOF = frozenset(
    {
        # they read or build
        "all_labellings",
        "balls",
        "balls_on_grid",
        "build_member",
        "dichotomies",
        "dominating_pair",
        "halfspaces",
        "halfspaces_on_grid",
        "k_points",
        "monotone_labellings",
        "parse_class",
        "parse_multiclass",
        "parse_instance",
        "parse_problem",
        "polynomials",
        "protocol_game",
        "random_class",
        "read_game",
        "read_hypotheses",
        "read_numbers",
        "read_program",
        "read_table",
        "unions",
        "compared_values",
        "value_records",
        # they draw at random
        "learn_rule",
        "learning_trial",
        "measure",
        "samples_needed",
        "simulate",
        "simulate_tracing",
        # they look over the answers of others
        "build_certificates",
        "check_entry",
        "prove",
        "survey",
        "verify",
        # they give a value, or nothing
        "is_minimal_representation",
        "least_paper_size",
        "paper_delta",
        "worst_error",
    }
)


def with_a_limit() -> set[str]:
    """Return the names of the public functions of the library with a ``time_limit``."""
    found = set()
    modules = [
        *walk_packages(ccsim.__path__, "ccsim."),
        *walk_packages(claims.__path__, f"{claims.__name__}."),
    ]
    for module in modules:
        of_claims = module.name.startswith(claims.__name__)
        if module.name.endswith("__main__") or (of_claims and ".constructions" not in module.name):
            continue
        loaded = import_module(module.name)
        for name, member in vars(loaded).items():
            if name.startswith("_") or not inspect.isfunction(member):
                continue
            is_own = member.__module__ == module.name
            if is_own and "time_limit" in inspect.signature(member).parameters:
                found.add(name)
    return found


def outcome(ask: Ask, limit: TimeLimit) -> object:
    """Return the answer to a question, the class of the exception, or None if it is undecided."""
    try:
        return ask(limit)
    except NotDecidedError:
        return None
    except OutOfTimeError:  # of a budget, which is someone else's
        assert isinstance(limit, Budget)
        return None
    except CcsimError as refusal:
        return type(refusal)


def proved(answer: object) -> None:
    """Check an answer, and its certificate by the kernel, as another program would read it."""
    undecided = isinstance(answer, AuditResult) and answer.verdict is Verdict.NOT_DECIDED
    undecided |= isinstance(answer, TradeOff) and bool(answer.reason)
    if undecided or (isinstance(answer, PrivacyMeasure) and not answer.pairs):
        with pytest.raises(NotDecidedError, match="stopped after"):
            answer.check()
        return
    for part in answer if isinstance(answer, tuple) else (answer,):
        part.check()
        check_by_kernel(json.loads(part.certificate().to_json()))


def parts_of(table: EquivalenceTable | BoundsTable) -> Sequence[object]:
    """Return the results of a table."""
    if isinstance(table, EquivalenceTable):
        return table.quantities
    return table.results


def _audits_agree(answer: AuditResult | PrivacyMeasure | TradeOff, exact: object) -> bool:
    if isinstance(answer, AuditResult):
        return answer.verdict in {exact.verdict, Verdict.NOT_DECIDED}
    if isinstance(answer, TradeOff):
        return bool(answer.reason) or answer == exact
    ends = (answer.lower, exact.upper), (exact.lower, answer.upper)
    return all(None in pair or pair[0] <= pair[1] for pair in ends)


def agree(answer: object, exact: object) -> bool:
    """Return whether the answer of a stopped search is consistent with the exact answer."""
    match answer:
        case tuple():  # a failure curve ends with the first number that is not decided
            short = isinstance(answer, FailureCurve) and len(answer) > 0
            same = short or len(answer) == len(exact)
            true = same and all(map(agree, answer, exact))
        case EquivalenceTable() | BoundsTable():
            true = all(map(agree, parts_of(answer), parts_of(exact)))
        case Bounds():
            low = exact.upper is None or answer.lower <= exact.upper
            true = low and (answer.upper is None or exact.lower <= answer.upper)
        case AuditResult() | PrivacyMeasure() | TradeOff():
            true = _audits_agree(answer, exact)
        case PackingBound():
            true = answer.samples <= exact.samples
        case ReleaseBound():
            true = answer.records <= exact.records
        case MinimalityResult():
            true = answer.minimal == exact.minimal
        case ProgramBounds():
            true = all(
                bound is None or sign * bound <= sign * exact.value
                for sign, bound in ((1, answer.lower), (-1, answer.upper))
            )
        case RepresentativeDomain():
            true = answer.points == exact.points
        case _:
            true = answer.value == exact.value
    return true


@cache
def random_class(rows: int, columns: int = 0) -> ConceptClass:
    """Return a class with random labels."""
    shape = (rows, columns or rows)
    return ConceptClass.from_matrix(np.random.default_rng(rows).integers(0, 2, shape).tolist())


@cache
def random_problem(size: int) -> CommunicationProblem:
    """Return a total problem with random values."""
    values = np.random.default_rng(size).integers(0, 2, (size, size)).tolist()
    return CommunicationProblem.from_matrix(values)


@cache
def random_partial_class(rows: int, columns: int) -> PartialClass:
    """Return a class whose entries are undefined with probability 1/5."""
    drawn = np.random.default_rng(rows).integers(0, 5, (rows, columns))
    return PartialClass.from_matrix(["".join("0011*"[i] for i in row) for row in drawn])


def _class_asked(question: Call, rows: int, columns: int = 0) -> Ask:
    return lambda limit: question(random_class(rows, columns), time_limit=limit)


def _partial_asked(question: Call) -> Ask:
    return lambda limit: question(random_partial_class(300, 57), time_limit=limit)


def _sets_asked(question: Call, rows: int, *asked: object) -> Ask:
    return lambda limit: question(random_class(rows), *asked, time_limit=limit)


AT_ONCE: dict[str, tuple[Ask, int | str, int | str | None]] = {
    "randomised Littlestone, random 300": (
        _class_asked(randomized_littlestone_dimension, 300),
        "4",
        "33/8",
    ),
    "randomised Littlestone, random 16 x 4096": (
        _class_asked(randomized_littlestone_dimension, 16, 4096),
        "2",
        "2",
    ),
    "randomised Littlestone, points 256": (
        lambda limit: randomized_littlestone_dimension("points:b=8", time_limit=limit),
        "255/256",
        "7/4",
    ),
    "Littlestone, random 2048": (_class_asked(littlestone_dimension, 2048), 10, 11),
    "Littlestone, random 300": (_class_asked(littlestone_dimension, 300), 7, 8),
    "VC, random 300": (_class_asked(vc_dimension, 300), 6, 8),
    "dual VC, random 300": (_class_asked(dual_vc_dimension, 300), 6, 8),
    "star, random 300": (_class_asked(star_number, 300), 5, 299),
    "hollow star, random 300": (_class_asked(hollow_star_number, 300), 0, 300),
    "no-clash teaching, random 300": (_class_asked(no_clash_teaching_dimension, 300), 1, 11),
    "threshold, random 300": (_class_asked(threshold_dimension, 300), 8, 171),
    "teaching, random 300": (_class_asked(teaching_dimension, 300), 1, 16),
    "teaching, random 1024": (_class_asked(teaching_dimension, 1024), 1, 20),
    "recursive teaching, random 300": (_class_asked(recursive_teaching_dimension, 300), 1, 16),
    "membership queries, random 300": (
        lambda limit: query_complexity(random_class(300), "membership", time_limit=limit),
        9,
        299,
    ),
    "membership and equivalence queries, random 300": (
        lambda limit: query_complexity(
            random_class(300), "membership and equivalence", time_limit=limit
        ),
        1,
        8,
    ),
    "self-directed, random 300": (_class_asked(self_directed_complexity, 300), 1, 8),
    "best order, random 300": (
        lambda limit: offline_mistakes(random_class(300), "best", time_limit=limit),
        1,
        7,
    ),
    "worst order, random 300": (
        lambda limit: offline_mistakes(random_class(300), "worst", time_limit=limit),
        5,
        8,
    ),
    "Littlestone, partial 300": (_partial_asked(littlestone_dimension), 5, 8),
    "VC, partial 300": (_partial_asked(vc_dimension), 4, 8),
    "dual VC, partial 300": (_partial_asked(dual_vc_dimension), 3, 5),
    "threshold, partial 300": (_partial_asked(threshold_dimension), 7, 57),
    "star, partial 300": (_partial_asked(star_number), 6, 57),
    "teaching, partial 300": (_partial_asked(teaching_dimension), 1, 54),
    "least failure, random 7": (_sets_asked(least_failure, 7, "1/4", 2), "3/7", "5/7"),
    "least failure, random 14": (_sets_asked(least_failure, 14, "1/4", 2), "3/7", "6/7"),
    "minimax error, random 300": (
        lambda limit: minimax_error(random_problem(300), 2, time_limit=limit),
        "2/5",
        "1/2",
    ),
    "minimax error of private coins, equality 200": (
        lambda limit: minimax_error("equality:n=200", 64, "private", time_limit=limit),
        "0",
        "1/3",
    ),
    "messages with private coins, equality 200": (
        lambda limit: communication_complexity(
            "equality:n=200", "1/4", coins="private", time_limit=limit
        ),
        2,
        128,
    ),
    "distributional error, random 30": (
        lambda limit: _under_all_inputs(random_problem(30), limit),
        "31/100",
        "7/20",
    ),
    "distributional error, random 100": (
        lambda limit: _under_all_inputs(random_problem(100), limit),
        "39/100",
        "21/50",
    ),
    "private failure, random 9": (
        lambda limit: least_private_failure(random_class(9), 2, "1/4", "ln 3", time_limit=limit),
        "1/2",
        "9/10",
    ),
    "private failure, points 8": (
        lambda limit: least_private_failure("points:b=3", 1, "1/4", "ln 3", time_limit=limit),
        "1/2",
        "7/8",
    ),
    "sign rank, random 200": (
        lambda limit: sign_rank(random_problem(200), time_limit=limit),
        6,
        100,
    ),
    "sign rank, inner product of 7 bits": (
        lambda limit: sign_rank("inner_product:n=7", time_limit=limit),
        11,
        127,
    ),
    "gamma_2, random 100": (
        lambda limit: measures.gamma_2(random_problem(100), time_limit=limit),
        "42/5",
        "9",
    ),
    "gamma_2 near the signs, random 100": (
        lambda limit: measures.gamma_2(random_problem(100), "3/2", time_limit=limit),
        "42/5",
        "9",
    ),
    "gamma_2, random 300": (
        lambda limit: measures.gamma_2(random_problem(300), time_limit=limit),
        "29/2",
        "88/5",
    ),
    "gamma_2 near the signs, random 300": (
        lambda limit: measures.gamma_2(random_problem(300), "3/2", time_limit=limit),
        "72/5",
        "88/5",
    ),
    "fooling number, random 100": (
        lambda limit: measures.fooling_number(random_problem(100), 1, time_limit=limit),
        15,
        100,
    ),
    "examples of private learners, random 512": (
        lambda limit: learning_lower_bound(random_class(512), "1/6", "1/10", 1, time_limit=limit),
        14,
        None,
    ),
    "examples of private learners, inner product of 8 bits": (
        lambda limit: learning_lower_bound(
            "inner_product:n=8", "1/100", "1/10", 1, time_limit=limit
        ),
        14,
        None,
    ),
    "size of sets, 64 points": (
        lambda limit: deterministic_representation_size("points:b=6", "1/4", time_limit=limit),
        8,
        32,
    ),
    "size of sets, 256 points": (
        lambda limit: deterministic_representation_size("points:b=8", "1/4", time_limit=limit),
        11,
        128,
    ),
    "size of sets, random 300": (
        lambda limit: deterministic_representation_size(random_class(300), "1/4", time_limit=limit),
        11,
        300,
    ),
    "size of sets, 512 thresholds": (
        lambda limit: deterministic_representation_size("thresholds:b=9", "1/4", time_limit=limit),
        9,
        512,
    ),
    "size of random sets, random 300": (
        lambda limit: probabilistic_representation_size(
            random_class(300), "1/8", "1/8", time_limit=limit
        ),
        4,
        300,
    ),
    "size of random sets, 512 thresholds": (
        lambda limit: probabilistic_representation_size(
            "thresholds:b=9", "1/8", "1/8", time_limit=limit
        ),
        4,
        512,
    ),
    "size of random sets, random 10": (
        _sets_asked(probabilistic_representation_size, 10, "1/4", "1/4"),
        3,
        8,
    ),
    "size of random sets, random 14": (
        _sets_asked(probabilistic_representation_size, 14, "1/4", "1/4"),
        6,
        11,
    ),
}
"""Questions about large instances, and bounds that are narrower than the trivial ones.

The upper bound is None for questions about lower bounds.
"""

LONG_CHECKS = frozenset({"gamma_2, random 300", "gamma_2 near the signs, random 300"})
"""Of these questions, those whose certificates take seconds to check."""
