"""A result that passes its own check is true: results altered in every field, with oracles.

Numbers are increased and decreased; instances and proofs are replaced by others of the same shape,
shortened, permuted, emptied, or replaced by objects of another type. An altered result must be
refused with one line of an exception of this package, or its statement must be true according to an
oracle that uses no proof. Alterations that pass, such as those of an unnecessary proof, are altered
once more in every other field.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from inspect import signature
from itertools import combinations, islice, product
from math import log2, prod
from pkgutil import walk_packages

import pytest

import ccsim
import protocols
from ccsim.classes import (
    ConceptClass,
    all_functions,
    as_multiclass,
    points,
    random_class,
    thresholds,
)
from ccsim.communication import (
    CommunicationProblem,
    HardDistribution,
    augmented_index,
    augmented_index_error,
    code_error,
    communication_complexity,
    distributional_error,
    equality,
    equality_error,
    fewest_seeds,
    index_error,
    minimax_error,
    newman,
    sign_rank,
    two_message_error,
    worst_error,
)
from ccsim.dimensions import (
    compression_size,
    dimensions,
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
from ccsim.dimensions.vc import ShatteringResult
from ccsim.errors import CcsimError, CertificateError
from ccsim.exact import Epsilon, Interval
from ccsim.exact.exponentials import Exponential
from ccsim.learning import (
    LearningPacking,
    PrivateOccam,
    packing_bound,
    private_sample_complexity,
    worst_failure,
)
from ccsim.learning.least_failure import least_private_failure
from ccsim.measures import bounds, cover_number, simultaneous_cost
from ccsim.privacy import AuditResult
from ccsim.privacy.release_bound import release_bound
from ccsim.programs import (
    LinearProgram,
    enclose_matrix_game,
    solve_linear_program,
    solve_matrix_game,
)
from ccsim.programs.program import ProgramBounds
from ccsim.release import release_lower_bound
from ccsim.representation import (
    HypothesisSet,
    PointRepresentation,
    ProbabilisticRepresentation,
    counting_bound,
    deterministic_representation_size,
    equivalence_table,
    failure_probability,
    least_failure,
    littlestone_size_bound,
    minimality,
    probabilistic_representation_size,
    representation_error,
    separation_bound,
)
from tests.small_classes import EMPTY
from tests.truth import MEANINGS
from tests.truth.common import UndecidedError, game_value
from tests.truth.compression import least_scheme
from tests.truth.dimensions import longest_thresholds, mistake_bound, shattered_size
from tests.truth.mistakes import fewest_in_order, fewest_offline, fewest_self_directed
from tests.truth.multiclass import (
    largest_ds_set,
    largest_graph_set,
    largest_natarajan_set,
    largest_tree,
)
from tests.truth.partial_classes import (
    largest_dual,
    largest_partial_chain,
    largest_partial_star,
    largest_realised_tree,
    largest_shattered_by_defined,
    least_excluding_examples,
)
from tests.truth.protocols import distributional, public_error, simultaneous_bits
from tests.truth.queries import fewest_queries
from tests.truth.randomized_littlestone import half_of_mean_depth
from tests.truth.representations import failure, fewest, set_error
from tests.truth.signs import least_dimension
from tests.truth.teaching import (
    largest_hollow_star,
    largest_star,
    least_no_clash,
    least_plan,
    least_teaching,
)

F = Fraction
MOST_AGAIN = 25


# --- Alterations -------------------------------------------------------------------------------


def others(value, depth=2) -> Iterator[object]:
    """Yield other values of the type of a value, close to it and at the ends of its range."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, -value - 1, value + 7)
        case Fraction():
            yield from (value + F(1, 97), value - F(1, 97), -value, F(0), F(1), F(3, 2))
        case str():
            yield from ("public", "private", "deterministic", "size", "extension", "none such")
        case tuple():
            yield from ((), value[:-1], value[1:], (*value, *value[:1]), value[::-1])
            for i in {0, len(value) - 1} if value and depth else ():
                parts = others(value[i], depth - 1)
                yield from ((*value[:i], part, *value[i + 1 :]) for part in parts)
        case ConceptClass() | CommunicationProblem():
            yield from same_shape(value)
        case _ if is_dataclass(value) and depth:
            yield from with_other_parts(value, depth)


def with_other_parts(value, depth) -> Iterator[object]:
    """Yield a part of a result with one of its fields altered, if this can be constructed."""
    for field in fields(value):
        for part in others(getattr(value, field.name), depth - 1):
            try:
                yield replace(value, **{field.name: part})
            except CcsimError:
                continue


def same_shape(instance) -> Iterator[object]:
    """Yield other classes or problems with equally many rows and columns, and some with fewer."""
    table = table_of(instance)
    for i in range(min(len(table), 3)):
        for j in range(min(len(table[i]), 3)):
            flipped = [list(row) for row in table]
            flipped[i][j] = 1 if not table[i][j] else 0
            yield from built(instance, flipped)
    yield from built(instance, [[1 - (entry or 0) for entry in row] for row in table])
    yield from built(instance, table[:-1])
    yield from built(instance, [row[:-1] for row in table])


def built(instance, table) -> Iterator[object]:
    """Yield the instance of a table, unless its rows must be distinct and are not."""
    if isinstance(instance, CommunicationProblem):
        yield from [CommunicationProblem.from_matrix(table)] if table and table[0] else []
    elif len(set(map(tuple, table))) == len(table):
        width = len(table[0]) if table else len(instance.points)
        rows = [sum(bit << x for x, bit in enumerate(row)) for row in table]
        yield ConceptClass.from_rows(rows, range(width))


def table_of(instance):
    if isinstance(instance, CommunicationProblem):
        sides = range(len(instance.alice)), range(len(instance.bob))
    else:
        sides = range(len(instance.concepts)), range(len(instance.points))
    return [[instance.value(x, y) for y in sides[1]] for x in sides[0]]


def alterations(result, *, but=()) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each field by name with another value, except fields that describe the search."""
    for field in fields(result):
        if field.name in {"method", "tries", "name", *but}:
            continue
        value = getattr(result, field.name)
        seen = [value]
        for other in (None, *others(value), 1.5, "1", (None,), ((),), object()):
            if not any(type(other) is type(old) and other == old for old in seen):
                seen.append(other)
                yield field.name, other


def refused(result, field, other):
    """Return the altered result if its check passes, or None if it raises a one-line error."""
    try:
        altered = replace(result, **{field: other})
        altered.check()
    except CcsimError as error:
        said = str(error)
    else:
        return altered
    assert said, (field, other)
    assert "\n" not in said, (field, other)
    return None


# --- Oracles -----------------------------------------------------------------------------------


def texts(instance):
    return tuple("".join("*" if e is None else str(e) for e in row) for row in table_of(instance))


def bounded(result, value):
    return result.lower <= value <= result.upper


def about_points(truth):
    """Return an oracle that checks bounds on a number of points by the given definition."""
    return lambda r: bounded(r, truth(texts(r.concept_class), len(r.concept_class.points)))


def compression_is_true(r):
    variant = {name: getattr(r, name) for name in ("labelled", "stable", "proper")}
    C = r.concept_class
    return bounded(r, least_scheme(texts(C), len(C.points), **variant))


def hollow_star_is_right(r):
    """Check the hollow star of a result by the definition."""
    C = r.concept_class
    flips = [
        [C.value(c, x) ^ b for x, b in zip(r.points, r.labels, strict=True)]
        for c in (*r.neighbours, *range(len(C)))
    ]
    alone = [[int(i == j) for j in range(r.lower)] for i in range(r.lower)]
    return flips[: r.lower] == alone and (not r.lower or all(map(any, flips)))


def points_are_right(r):
    """Check the order of an offline bound by the definition."""
    reached = fewest_in_order(texts(r.concept_class), r.points)
    return reached == (r.upper if r.order == "best" else r.lower)


def about_labels(truth):
    """Return the same for a multiclass class."""
    return lambda r: bounded(r, truth(r.concept_class.rows, len(r.concept_class.points)))


def mean_depth_is_true(r):
    return r.value == half_of_mean_depth(texts(r.concept_class))


def measure_is_true(r):
    try:
        ends = [v if isinstance(v, int) else str(v) for v in (r.lower, r.upper)]
        statement = {"lower": ends[0], "upper": ends[1], **dict(r.parameters)}
        return MEANINGS[r.measure](r.problem.to_json(), statement)
    except UndecidedError:
        return True


def measures_are_true(r):
    return all(measure_is_true(row.result) for row in r.rows if row.result is not None)


def sign_rank_is_true(r):
    return bounded(r, least_dimension(r.instance.to_json()["rows"]))


def dual_texts(C):
    table = table_of(C)
    return ["".join(str(row[x]) for row in table) for x in range(len(C.points))]


@cache
def least_public(problem, k):
    if k >= len(problem.alice):  # a message for each input
        return F(0)
    return public_error(texts(problem), k)


def errs(problem, k, coins):
    """Return the least error for a kind of coins; for private coins only for two messages."""
    public = least_public(problem, k)
    if coins == "deterministic":
        return F(public > 0)
    if coins == "private" and public:
        assert k == 2
        return two_message_error(problem).lower  # up to 2^-60
    return public


def minimax_is_true(r):
    return bounded(r, errs(r.problem, r.messages, r.coins))


def interactive_is_true(r):
    f, messages = r.problem, 1 << r.bits >> 1
    if r.model.startswith("one-way") and messages:
        assert r.rounds is None
        turned = f.transposed() if r.model == "one-way-from-bob" else f
        return bounded(r, least_public(turned, messages))
    kind = "simultaneous_error" if r.model == "simultaneous" else "two_way_error"
    stated = {"bits": r.bits, "rounds": r.rounds, "lower": str(r.lower), "upper": str(r.upper)}
    try:
        return MEANINGS[kind](f.to_json(), stated)
    except UndecidedError:  # too many trees
        return True


def complexity_is_true(r):
    enough = errs(r.problem, r.upper, r.coins) <= r.error
    return enough and (r.lower == 1 or errs(r.problem, r.lower - 1, r.coins) > r.error)


def distributional_is_true(r):
    stated = {
        "distribution": r.distribution.to_json(),
        "messages": r.messages,
        "lower": str(r.value),
        "upper": str(r.value),
    }
    return distributional(r.problem.to_json(), stated)


def index_is_true(r):
    words = range(1 << r.d)
    codes = combinations(words, min(r.messages, 1 << r.d))
    return bounded(r, min(code_error(r.d, code) for code in codes))


def seeds_are_fewest(r):
    def error(parts):
        rows = [
            [int(part.answer(x, y) != r.problem.value(x, y)) for part in parts]
            for x, y in r.problem.inputs()
        ]
        return solve_matrix_game(rows).value

    parts = r.source.components
    sizes = range(1, len(parts) + 1)
    enough = (s for s in sizes if any(error(c) <= r.allowed for c in combinations(parts, s)))
    return worst_error(r.mixture, r.problem).value <= r.allowed and bounded(r, next(enough))


def program_is_true(r):
    end = solve_linear_program(r.program)
    if isinstance(r, ProgramBounds):
        values = [v for v in (r.lower, end.value, r.upper) if v is not None]
        return values == sorted(values)
    return end.status == r.status and getattr(r, "value", None) == getattr(end, "value", None)


def representation_is_true(r):
    C = r.concept_class
    rows, H = texts(C), tuple(r.hypotheses.to_json())
    errors = [set_error(H, f) for f in rows]
    return bounded(r, max(errors)) and r.lower <= errors[r.concept]


def failure_is_true(r):
    R = r.representation
    support = tuple((w, tuple(H.to_json())) for w, H in zip(R.weights, R.sets, strict=True))
    rows = texts(r.concept_class)
    return bounded(r, max(failure(support, f, r.error) for f in rows))


def pool_of(r):
    width = len(r.concept_class.points)
    pool = range(1 << width) if r.pool is None else r.pool
    return tuple("".join(str(h >> x & 1) for x in range(width)) for h in pool)


def size_is_true(r):
    return bounded(r, fewest(texts(r.concept_class), pool_of(r), r.error))


@cache
def probabilistic_size(C, error, failure, pool=None):
    return probabilistic_representation_size(C, error, failure, pool).size


def lower_bound_is_true(r):
    if r.failure is not None:
        return r.lower <= probabilistic_size(r.concept_class, r.error, r.failure)
    rows, width = texts(r.concept_class), len(r.concept_class.points)
    return r.lower <= fewest(
        rows, tuple("".join(bits) for bits in product("01", repeat=width)), r.error
    )


def minimality_is_true(r):
    C, H = r.whole.concept_class, set(r.whole.hypotheses.to_json())

    def represents(kept):
        return kept and all(set_error(tuple(sorted(kept)), f) <= r.error for f in texts(C))

    needed = [h for h in H if not represents(H - {h})]
    minimal = bool(represents(H)) and len(needed) == len(H)
    return r.minimal == minimal and (r.dropped is None or represents(H))


def point_errors_are_true(r):
    rows = texts(r.concept_class)
    return max(set_error(tuple(r.hypotheses.to_json()), f) for f in rows) <= r.value


@cache
def table_for(C, error, failure):
    return equivalence_table(C, error, failure)


def table_is_true(r):
    fresh = table_for(r.concept_class, r.error, r.failure)
    pairs = zip(r.quantities, fresh.quantities, strict=True)
    return r.holds in (None, fresh.holds) and all(  # without a result there may be mere bounds
        mine.name == known.name and mine.lower <= known.lower <= known.upper <= mine.upper
        for mine, known in pairs
    )


def domain_size_is_true(r):
    column = dual_texts(r.concept_class)
    represented = [column[x] == column[y] for x, y in enumerate(r.representatives)]
    assert len(represented) == len(column)
    assert all(represented)
    assert len({column[x] for x in r.points}) == len(r.points)
    return len(r.points) == r.lower == r.upper == len(set(column))


def domain_is_true(r):
    column = dual_texts(r.concept_class)
    represented = [column[x] == column[y] for x, y in enumerate(r.representatives)]
    assert len(represented) == len(column)
    chosen = [column[x] for x in r.points]
    return all(represented) and len(set(chosen)) == len(chosen) == len(set(column))


def packing_is_true(r):
    good = [
        {
            h
            for h in range(1 << len(distribution))
            if wrong(h ^ r.concept_class.rows[f], distribution) <= r.accuracy
        }
        for f, distribution in r.targets
    ]
    if r.hypotheses is not None:
        good = [each & set(r.hypotheses.rows) for each in good]
    return not any(a & b for a, b in combinations(good, 2))


def wrong(differ, distribution):
    return sum((p for x, p in enumerate(distribution) if differ >> x & 1), F(0))


def is_above(factor, epsilon):
    return float(epsilon) <= log2(factor) / log2(2.718281828459045) + 1e-9


def excluded(distances, failure, factor, samples):
    """Return whether the inequality excludes a number of examples, by single exchanges."""
    growths = [1 + t * (factor - 1) for t in distances]
    likely = [1 - failure for _ in growths]
    for _ in range(samples):
        likely = [max(p / g, 1 - (1 - p) * g) for p, g in zip(likely, growths, strict=True)]
    return sum(likely) > failure


def packing_bound_is_true(r):
    if not r.samples:
        return True
    others = [i for i in range(len(r.packing.targets)) if i != r.center]
    apart = [r.packing.distance(r.center, i) for i in others]
    few = excluded(apart, r.failure, r.factor, r.samples - 1)
    return few and packing_is_true(r.packing) and is_above(r.factor, r.epsilon)


def release_is_true(r):
    if r.records == 1:
        return True
    column = dual_texts(r.concept_class)
    told = len({column[x] for x in r.points}) == len(r.points)
    replaced = int(-(-2 * r.accuracy * (r.records - 1) // 1))
    few = excluded([F(1)] * (len(r.points) - 1), r.failure, r.factor, replaced)
    return told and few and 2 * r.accuracy <= 1 and is_above(r.factor, r.epsilon)


@cache
def private_failure(C, samples, accuracy, factor, delta):
    return least_private_failure(C, samples, accuracy, Epsilon(F(0), factor), delta=delta)


def least_failure_is_true(r):
    known = private_failure(r.concept_class, r.samples, r.accuracy, r.epsilon.exp(), r.delta)
    return r.lower <= known.upper and known.lower <= r.upper


def samples_are_true(r):
    exact = r.epsilon.exp()
    ends = exact.enclose(40) if isinstance(exact, Exponential) else Interval(exact, exact)

    def known(samples, factor):
        return private_failure(r.concept_class, samples, r.accuracy, factor, r.delta)

    few = not r.lower or known(r.lower - 1, ends.lower).upper > r.failure
    return few and (r.upper is None or known(r.upper, ends.upper).lower <= r.failure)


CLASS = ConceptClass.from_matrix([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]])
PAIR = points(1)
PARTIAL = ["00*", "01*", "1*0", "1*1"]
LABELLED = as_multiclass(["00", "01", "11", "12", "22", "20", "21"])
SPREAD = ConceptClass.from_rows([0, 1, 2, 3, 4, 7], range(3))
SKEW = CommunicationProblem.from_matrix([[0, 0, 1], [0, 1, 0], [1, 1, None]])
GAME = [[0, 2, 1], [3, 0, F(1, 2)]]
PROGRAM = LinearProgram.minimise([2, 3], [([1, 1], ">=", "1/2"), ([1, -1], "<=", 5)])
HALVES = ProbabilisticRepresentation.mixture(
    [(F(1, 2), HypothesisSet.from_rows(rows, 2)) for rows in ([0, 1], [2, 3])]
)


UNIT = tuple(tuple(F(int(x == i)) for x in range(4)) for i in range(4))
EVEN = (F(1, 3),) * 3
PROPER = LearningPacking(
    points(2), HypothesisSet.from_rows(points(2).rows, 4), F(1, 4), tuple(enumerate(UNIT))
)
CUBE = LearningPacking(all_functions(3), None, F(1, 4), tuple((f, EVEN) for f in (0, 3, 5, 6)))
SKEWED = {(x, y): F(1 + (x == y), 12) for x in range(3) for y in range(3)}


def vc_is_true(r):
    return bounded(r, shattered_size(texts(r.concept_class)))


def dual_vc_is_true(r):
    return bounded(r, shattered_size(dual_texts(r.concept_class)))


def littlestone_is_true(r):
    return bounded(r, mistake_bound(texts(r.concept_class)))


def dimensions_are_true(r):
    alike = r.vc.concept_class == r.dual_vc.concept_class == r.littlestone.concept_class
    return (
        alike
        and vc_is_true(r.vc)
        and dual_vc_is_true(r.dual_vc)
        and littlestone_is_true(r.littlestone)
    )


def release_bound_is_true(result):
    """Return whether the bound is at least the largest private release probability."""
    allowed, factor = F(0), result.epsilon.exp()
    for counts, bound in zip(result.chain, result.bounds, strict=True):
        if counts[0] > counts[1]:
            up, down = factor * allowed + result.delta, 1 - (1 - allowed - result.delta) / factor
            allowed = min(up, down, 1)
        if bound < allowed:
            return False
    return result.lead == result.chain[-1][0] - result.chain[-1][1]


def learner_failure_is_true(r):
    """Check the failure on the stated target and on a grid of targets, by the distributions."""
    C, distributions, m = (
        r.concept_class,
        dict(r.learner.distributions),
        len(r.concept_class.points),
    )

    def fails(row, D):
        return sum(
            prod(D[x] for x in S) * p
            for S in product(range(m), repeat=r.samples)
            for h, p in distributions[tuple(sorted((x, row >> x & 1) for x in S))].items
            if wrong(h ^ row, D) > r.accuracy
        )

    grid = [tuple(F(k, 8) for k in D) for D in product(range(9), repeat=m) if sum(D) == 8]
    reached = fails(C.rows[r.concept], r.distribution)
    most = max(fails(row, D) for row, D in product(C.rows, grid))
    return r.lower == reached and most <= r.upper


CASES = {
    "VC by size": (lambda: vc_dimension(all_functions(2)), vc_is_true),
    "VC by extension": (lambda: vc_dimension(CLASS), vc_is_true),
    "VC by a tree": (lambda: vc_dimension(thresholds(2)), vc_is_true),
    "VC of the empty class": (lambda: vc_dimension(EMPTY), vc_is_true),
    "dual VC": (lambda: dual_vc_dimension(CLASS), dual_vc_is_true),
    "Littlestone": (lambda: littlestone_dimension(CLASS), littlestone_is_true),
    "Littlestone of points": (lambda: littlestone_dimension(points(2)), littlestone_is_true),
    "dimensions": (lambda: dimensions(PAIR), dimensions_are_true),
    "five thresholds": (
        lambda: threshold_dimension(
            ConceptClass.from_rows([(1 << i) - 1 for i in range(1, 6)], range(5))
        ),
        lambda r: bounded(r, longest_thresholds(texts(r.concept_class))),
    ),
    "thresholds of a class": (
        lambda: threshold_dimension(CLASS),
        lambda r: bounded(r, longest_thresholds(texts(r.concept_class))),
    ),
    "mean depth": (lambda: randomized_littlestone_dimension(CLASS), mean_depth_is_true),
    "star": (lambda: star_number(thresholds(2)), about_points(largest_star)),
    "hollow star": (
        lambda: hollow_star_number(CLASS),
        lambda r: about_points(largest_hollow_star)(r) and hollow_star_is_right(r),
    ),
    "star of all functions": (lambda: star_number(all_functions(2)), about_points(largest_star)),
    "cover": (lambda: cover_number(equality(3), 0), measure_is_true),
    "all measures": (
        lambda: bounds(SKEW, only=["D", "leaves", "rank", "cover_1", "discrepancy", "gamma_2"]),
        measures_are_true,
    ),
    "simultaneous": (
        lambda: simultaneous_cost(SKEW),
        lambda r: bounded(r, simultaneous_bits(r.problem)),
    ),
    "sign rank": (lambda: sign_rank(["000", "100", "010", "001"]), sign_rank_is_true),
    "sign rank by cases": (
        lambda: sign_rank(["01*", "*01", "1*0"]),
        sign_rank_is_true,
    ),
    "Natarajan": (lambda: natarajan_dimension(LABELLED), about_labels(largest_natarajan_set)),
    "graph": (lambda: graph_dimension(LABELLED), about_labels(largest_graph_set)),
    "DS": (lambda: ds_dimension(LABELLED), about_labels(largest_ds_set)),
    "tree of labels": (
        lambda: multiclass_littlestone_dimension(LABELLED),
        about_labels(largest_tree),
    ),
    **{
        f"{queries} queries": (
            lambda queries=queries: query_complexity(CLASS, queries),
            lambda r, queries=queries: bounded(r, fewest_queries(texts(CLASS), 3, r.queries)),
        )
        for queries in QUERIES
    },
    "self-directed": (
        lambda: self_directed_complexity(CLASS),
        about_points(fewest_self_directed),
    ),
    **{
        f"{order} order": (
            lambda order=order: offline_mistakes(CLASS, order),
            lambda r: bounded(r, fewest_offline(texts(CLASS), 3, r.order)) and points_are_right(r),
        )
        for order in ORDERS
    },
    "teaching": (lambda: teaching_dimension(CLASS), about_points(least_teaching)),
    "VC of a partial class": (
        lambda: vc_dimension(PARTIAL),
        about_points(largest_shattered_by_defined),
    ),
    "dual VC of a partial class": (
        lambda: dual_vc_dimension(PARTIAL),
        about_points(largest_dual),
    ),
    "Littlestone of a partial class": (
        lambda: littlestone_dimension(PARTIAL),
        about_points(largest_realised_tree),
    ),
    "thresholds of a partial class": (
        lambda: threshold_dimension(PARTIAL),
        about_points(largest_partial_chain),
    ),
    "star of a partial class": (
        lambda: star_number(PARTIAL),
        about_points(largest_partial_star),
    ),
    "teaching of a partial class": (
        lambda: teaching_dimension(PARTIAL),
        about_points(least_excluding_examples),
    ),
    "teaching plan": (
        lambda: recursive_teaching_dimension(CLASS),
        about_points(least_plan),
    ),
    "no clash by edges": (
        lambda: no_clash_teaching_dimension(all_functions(2)),
        about_points(least_no_clash),
    ),
    "no clash by counting": (
        lambda: no_clash_teaching_dimension(ConceptClass.from_rows([0, 3], range(2))),
        about_points(least_no_clash),
    ),
    "no clash by cases": (
        lambda: no_clash_teaching_dimension(SPREAD),
        about_points(least_no_clash),
    ),
    "compression": (lambda: compression_size(all_functions(2)), compression_is_true),
    "unlabelled compression": (
        lambda: compression_size(SPREAD, labelled=False, stable=True, proper=True),
        compression_is_true,
    ),
    "domain size": (
        lambda: effective_domain_size(ConceptClass.from_matrix([[0, 1, 0, 1], [1, 1, 1, 0]])),
        domain_size_is_true,
    ),
    "domain": (
        lambda: representative_domain(ConceptClass.from_matrix([[0, 1, 0, 1], [1, 1, 1, 0]])),
        domain_is_true,
    ),
    "public coins": (lambda: minimax_error(equality(3), 2), minimax_is_true),
    "public coins with a promise": (lambda: minimax_error(SKEW, 2), minimax_is_true),
    "private coins": (lambda: minimax_error(equality(3), 2, "private"), minimax_is_true),
    "no coins": (lambda: minimax_error(equality(3), 2, "deterministic"), minimax_is_true),
    "no error": (lambda: minimax_error(equality(3), 3, "deterministic"), minimax_is_true),
    "complexity": (lambda: communication_complexity(equality(3), "1/4"), complexity_is_true),
    "one-way bits": (lambda: minimax_error(SKEW, bits=2), interactive_is_true),
    "one-way bits from Bob": (
        lambda: minimax_error(SKEW, bits=2, model="one-way-from-bob"),
        interactive_is_true,
    ),
    "constant answers": (lambda: minimax_error(SKEW, bits=0), interactive_is_true),
    "two-way bits": (lambda: minimax_error(SKEW, bits=1, model="two-way"), interactive_is_true),
    "rounds": (
        lambda: minimax_error(equality(3), bits=2, model="two-way", rounds=1),
        interactive_is_true,
    ),
    "simultaneous bits": (
        lambda: minimax_error(SKEW, bits=1, model="simultaneous"),
        interactive_is_true,
    ),
    "complexity of the minimax error": (
        lambda: communication_complexity(equality(3), minimax_error(equality(3), 2).value),
        complexity_is_true,
    ),
    "deterministic complexity": (
        lambda: communication_complexity(SKEW, "1/4", "deterministic"),
        complexity_is_true,
    ),
    "distribution": (lambda: distributional_error(equality(3), SKEWED, 2), distributional_is_true),
    "index by all codes": (lambda: index_error(3, 3), index_is_true),
    "index by balls": (lambda: index_error(3, 2), index_is_true),
    "augmented index": (
        lambda: augmented_index_error(2, 2),
        lambda r: bounded(r, least_public(augmented_index(r.d), r.messages)),
    ),
    "equality": (
        lambda: equality_error(3, 2),
        lambda r: bounded(r, least_public(equality(r.n), r.messages)),
    ),
    "equality without error": (
        lambda: equality_error(2, 2),
        lambda r: bounded(r, least_public(equality(r.n), r.messages)),
    ),
    "seeds": (
        lambda: fewest_seeds(
            minimax_error(equality(3), 2).protocol.to_public_coin(), equality(3), "1/3"
        ),
        seeds_are_fewest,
    ),
    "Newman": (
        lambda: newman(
            minimax_error(equality(3), 2).protocol.to_public_coin(), equality(3), "1/3", 0
        ),
        lambda r: (
            (r.public_error, r.private_error)
            == tuple(worst_error(p, r.problem).value for p in (r.source, r.protocol))
        ),
    ),
    "game": (lambda: solve_matrix_game(GAME), lambda r: r.value == game_value(r.payoff)),
    "game in bounds": (
        lambda: enclose_matrix_game(GAME),
        lambda r: bounded(r, game_value(r.payoff)),
    ),
    "program": (lambda: solve_linear_program(PROGRAM), program_is_true),
    "program without point": (
        lambda: solve_linear_program(LinearProgram.minimise([1], [([1], "<=", -1)])),
        program_is_true,
    ),
    "program without end": (
        lambda: solve_linear_program(LinearProgram.minimise([-1, 0], [([1, -1], "<=", 1)])),
        program_is_true,
    ),
    "program in bounds": (
        lambda: ProgramBounds(PROGRAM, F(0), F(2), (F(1), F(0)), (F(0), F(0))),
        program_is_true,
    ),
    "representation": (
        lambda: representation_error(HypothesisSet.from_rows([0, 1, 6], 3), CLASS),
        representation_is_true,
    ),
    "failure by branching": (lambda: failure_probability(HALVES, PAIR, "1/4"), failure_is_true),
    "failure by selection": (
        lambda: failure_probability(HALVES, PAIR, "1/2", work=0),
        failure_is_true,
    ),
    "failure without error": (
        lambda: failure_probability(
            ProbabilisticRepresentation.mixture([(1, HypothesisSet.from_rows([1, 2], 2))]), PAIR, 0
        ),
        failure_is_true,
    ),
    "size": (lambda: deterministic_representation_size(CLASS, "1/3"), size_is_true),
    "proper size": (
        lambda: deterministic_representation_size(thresholds(1), "1/4", thresholds(1).rows),
        size_is_true,
    ),
    "least failure": (
        lambda: least_failure(PAIR, "1/4", 1),
        lambda r: bounded(r, least_failure(r.concept_class, r.error, r.size, r.pool).value),
    ),
    "probabilistic size": (
        lambda: probabilistic_representation_size(points(2), "1/4", "1/4"),
        lambda r: bounded(r, probabilistic_size(r.concept_class, r.error, r.failure, r.pool)),
    ),
    "size by points": (lambda: separation_bound(points(1), "1/3"), lower_bound_is_true),
    "size by counting": (lambda: counting_bound(all_functions(2), "1/4"), lower_bound_is_true),
    "size by a mistake tree": (
        lambda: littlestone_size_bound(all_functions(2), "1/16", "1/32"),
        lower_bound_is_true,
    ),
    "minimal": (
        lambda: minimality(HypothesisSet.from_rows(points(2).rows, 4), points(2), "1/4"),
        minimality_is_true,
    ),
    "not minimal": (
        lambda: minimality(HypothesisSet.from_rows([0, 1, 2, 3], 2), PAIR, "1/4"),
        minimality_is_true,
    ),
    "points": (
        lambda: PointRepresentation.from_witnesses(
            HypothesisSet.from_matrix([[1, 1, 0], [1, 0, 1], [0, 1, 1]]), [(0, 1), (0, 2), (1, 2)]
        ),
        point_errors_are_true,
    ),
    "equivalence": (lambda: equivalence_table(thresholds(1), "1/4", "1/8"), table_is_true),
    "packing bound": (lambda: packing_bound(PROPER, "1/10", "ln 2"), packing_bound_is_true),
    "packing bound for e": (lambda: packing_bound(CUBE, "1/10", 1), packing_bound_is_true),
    "release": (lambda: release_lower_bound(points(2), "1/4", "1/10", "ln 2"), release_is_true),
    "private failure": (
        lambda: least_private_failure(PAIR, 1, F(1, 4), Epsilon.of("ln 3")),
        least_failure_is_true,
    ),
    "approximate failure": (
        lambda: least_private_failure(PAIR, 1, F(1, 4), Epsilon.of("ln 3"), delta="1/10"),
        least_failure_is_true,
    ),
    "chain of releases": (
        lambda: release_bound(5, Epsilon.of("ln 4"), F(1, 50)),
        release_bound_is_true,
    ),
    "learner": (
        lambda: worst_failure(PrivateOccam(2, PAIR.rows, Epsilon.of("ln 4")), PAIR, 1, "1/4"),
        learner_failure_is_true,
    ),
    "approximate samples": (
        lambda: private_sample_complexity(PAIR, "1/4", "9/40", "ln 3", delta="1/10"),
        samples_are_true,
    ),
    "private samples": (
        lambda: private_sample_complexity(PAIR, "1/4", "1/6", "ln 3"),
        samples_are_true,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_passes_its_check_is_true(case):
    make, is_true = CASES[case]
    result = make()
    result.check()
    assert is_true(result)
    for field, other in alterations(result):
        altered = refused(result, field, other)
        if altered is None:
            continue
        assert is_true(altered), (field, other)
        for again, more in islice(alterations(altered, but=(field,)), MOST_AGAIN):
            twice = refused(altered, again, more)
            assert twice is None or is_true(twice), (field, other, again, more)


def test_every_result_that_checks_itself_is_among_the_cases():
    """The audit's own check is tested with privacy; proofs that need an instance are parts."""
    known = {type(make()) for make, _ in CASES.values()} | {AuditResult, ShatteringResult}
    found = {
        kind
        for package in (ccsim, protocols)
        for module in walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
        for kind in vars(import_module(module.name)).values()
        if isinstance(kind, type) and is_dataclass(kind) and hasattr(kind, "check")
        if len(signature(kind.check).parameters) == 1
    }
    assert found - known == set()


# --- Proofs of another statement, which no change of a single field brings in ---------------------


def is_refused(result, reason):
    with pytest.raises(CertificateError, match=reason):
        result.check()


def test_augmented_index_without_words_is_refused():
    result = augmented_index_error(2, 2)
    is_refused(replace(result, upper=F(0), partitions=((),), shares=(F(1),)), "of 2.2 words, not 0")


def test_release_with_more_than_half_the_accuracy_is_refused():
    result = release_lower_bound(points(2), "1/2", "1/10", "ln 2")
    is_refused(replace(result, accuracy=F(3, 4)), "accuracy must be at most 1/2, not 3/4")


def test_longer_chain_of_thresholds_is_found():
    chain = threshold_dimension(thresholds(5))
    short = replace(chain, lower=3, upper=3, points=chain.points[:3], concepts=chain.concepts[:3])
    is_refused(short, "a chain has 4 thresholds")
    threshold_dimension(random_class(30, 20, seed=1)).check()


def test_equivalence_of_another_class_or_without_inequalities_is_refused():
    table = equivalence_table(thresholds(1), "1/4", "1/8")
    other = ConceptClass.from_rows([1, 2, 3], range(2))
    is_refused(replace(table, concept_class=other), "is about another quantity")
    is_refused(replace(table, results=table.results[:-1]), "results must have")
    foreign = equivalence_table(thresholds(1), "1/3", "1/8").results[0]
    is_refused(replace(table, results=(foreign, *table.results[1:])), "is about another quantity")


def test_proof_for_single_sets_is_none_for_random_ones():
    C = points(2)
    single = deterministic_representation_size(C, "1/4")
    random = probabilistic_representation_size(C, "1/4", "1/2")
    assert random.upper < single.lower
    is_refused(
        replace(random, lower=random.upper, proof=single.proof),
        "failure above 0 requires weights",
    )
    counted = counting_bound(C, "1/4")
    is_refused(replace(counted, failure=F(1, 2)), "failure above 0 requires weights")
    is_refused(
        replace(separation_bound(C, "1/4"), failure=F(1, 2)),
        "error must be below 1/2 and failure 0",
    )
    is_refused(replace(separation_bound(C, "1/4"), error=F(1, 2)), "error must be below 1/2")


def test_mixture_with_other_weights_than_positive_ones_is_refused():
    result = least_failure(points(2), "1/4", 2)
    weights = result.proof.weights
    for altered in ((0,) * len(weights), (-1, *weights[1:]), weights[1:], (*weights, 1)):
        reason = r"weights must not all be 0|must be at least 0|must have \d+ entries"
        is_refused(replace(result, proof=replace(result.proof, weights=altered)), reason)


def test_distributions_outside_the_promise_prove_no_number_of_seeds():
    result = fewest_seeds(minimax_error(SKEW, 2).protocol.to_public_coin(), SKEW, 0)
    for cell in ((2, 2), (0, 3)):
        mu = HardDistribution(((*cell, 1),))
        is_refused(replace(result, distributions=(mu,)), "must lie inside the promise")
