"""Files designed to use much time or memory of a checker, for each kind and many forms of proof.

Python hashes an integer by its remainder modulo 2^61 - 1. Rows, columns, weights, labels and the
integers computed from them have the same remainder here if possible.
"""

# ruff: noqa: S311 - seeds, not secrets

import random
from itertools import combinations_with_replacement

from tests.kernel.made import concept_class, partial_class, problem

__all__ = ["BOMBS"]

P = 2**61 - 1
NINES = "9" * 4000
BOMBS = {}  # functions that make a document, by their names


def bomb(make):
    BOMBS[make.__name__] = make
    return make


def number(n):
    return n if abs(n) < 2**53 else str(n)


def alike(count):
    """Return integers that have the same hash."""
    return [number(P * i) for i in range(1, count + 1)]


def texts(count):
    """Return text rows of 122 characters that are integers with the same hash."""
    rng = random.Random(0)
    halves = (rng.randrange(1, P) for _ in range(count))
    return [format(low + (P - low << 61), "0122b")[::-1] for low in halves]


def across(rows):
    return ["".join(column) for column in zip(*rows, strict=True)]


def certificate(kind, instance, lower=None, upper=None, stated="0", **statement):
    bounds = {"lower": stated if lower else None, "upper": stated if upper else None}
    return {
        "format": 2,
        "kind": kind,
        "instance": instance,
        "statement": bounds | statement,
        "lower": lower,
        "upper": upper,
        "made_by": "hand",
    }


MANY = 10000
ROWS = concept_class(*texts(MANY))  # more than a megabyte each
COLUMNS = concept_class(*across(texts(MANY)))
PAIRS = problem(*texts(MANY))


def labelled(kind, names, others):
    """Return an instance that consists of labels with the same hash only."""
    instance = {"type": kind, "name": "", names: [P * i for i in range(65000)], others: []}
    return instance | {"rows": [""] * 65000 if names in ("concepts", "alice") else []}


@bomb
def labels_of_points():
    return certificate("star_number", labelled("concept class", "points", "concepts"), {})


@bomb
def labels_of_concepts():
    instance = labelled("concept class", "concepts", "points")
    return certificate("littlestone_dimension", instance, {})


@bomb
def labels_of_inputs():
    instance = labelled("communication problem", "alice", "bob")
    return certificate("sign_rank", instance, {"trivial": {}}, stated=0)


@bomb
def labels_of_outcomes():
    instance = {
        "type": "mechanism on pairs",
        "name": "",
        "outcomes": [P * i for i in range(70000)],
        "t": None,
    }
    instance |= {"laws": [], "pairs": []}
    return certificate("privacy", instance, factor="1", delta=None)


@bomb
def a_name_of_control_characters():
    return certificate("star_number", concept_class("0") | {"name": "\x7f" * 1900000}, {})


@bomb
def rows_of_many_widths():
    rows = ["0" * i for i in range(1900)]
    return certificate("vc_dimension", concept_class("0") | {"rows": rows}, {})


def packing(n, weights):
    said = {"hypotheses": None, "accuracy": "51/100", "failure": "1/4", "factor": "2"}
    instance = concept_class("0" * n, "1" * n)
    proof = {"samples": 1, "targets": [[0, weights], [1, weights]], "exchanged": [1], "bits": 1}
    kind = "private_sample_complexity"
    return certificate(kind, instance, {"packing": proof}, stated=2, **said)


@bomb
def packing_of_weights_with_one_hash():
    return packing(16, [number(P << i) for i in range(16)])


@bomb
def packing_of_more_weights():
    return packing(60, [number(P << i) for i in range(60)])


@bomb
def packing_of_wide_weights():
    return packing(20, [number(10**3980 + (10**3980 << i)) for i in range(20)])


@bomb
def packing_of_many_targets():
    made = packing(1, [1])
    targets = [[i % 2, [number(P * i + 1)]] for i in range(2000)]
    made["lower"]["packing"] |= {"targets": targets, "exchanged": [1] * 1999}
    made["statement"]["accuracy"] = "0"
    return made


def few_examples(kind, **more):
    said = {"accuracy": "1/4", "failure": "1/4", "factor": "2"} | more
    proof = {"flows": flows(2000) | {"weights": alike(4000)}}
    lower = {"too_few": {"samples": 1, "proof": proof}}
    return certificate(kind, concept_class("0", "1"), lower, stated=0, **said)


def flows(count):
    targets = [[i % 2, [number(P * (i + 1))]] for i in range(2 * count)]
    return {"targets": targets, "weights": alike(2 * count), "flows": []}


@bomb
def flows_of_sums_with_one_hash():
    return few_examples("private_sample_complexity", hypotheses=None)


@bomb
def flows_of_approximate_learners():
    return few_examples("approximate_sample_complexity", delta="0")


def failure(kind, **more):
    points = 7
    samples = [*combinations_with_replacement(range(2 * points), 2)]
    near = [
        [i, j, h, number(P * (h + 1))]
        for i, S in enumerate(samples)
        for j, T in enumerate(samples)
        if i != j and {*S} & {*T}
        for h in range(12)
    ]
    targets = [[0, [1] * points]]
    said = {"samples": 2, "accuracy": "1/4", "factor": "2"} | more
    proof = {"targets": targets, "weights": [1], "flows": near}
    return certificate(kind, concept_class("0" * points, "1" * points), {"flows": proof}, **said)


@bomb
def flows_of_private_failures():
    return failure("private_failure")


@bomb
def flows_of_approximate_failures():
    return failure("approximate_private_failure", delta="1/2")


@bomb
def laws_of_learners():
    laws = [[law, 0] for law in alike(4001)]
    said = {"samples": 4000, "accuracy": "1/4", "laws": laws}
    lower = {"target": {"target": [0, [1]]}}
    return certificate("learner_failure", concept_class("0", "1"), lower, **said)


@bomb
def points_of_releases():
    said = {"accuracy": "1/4", "failure": "1/4", "factor": "2"}
    points = {"records": 5, "points": [*range(MANY)], "exchanged": 1, "bits": 64}
    return certificate("release", COLUMNS, {"points": points}, stated=6, **said)


@bomb
def sizes_of_families():
    instance = {"type": "index", "name": "", "size": NINES}
    return certificate("family_error", instance, {"ball": {}}, messages=NINES)


@bomb
def slopes_of_families():
    instance = {"type": "equality", "name": "", "size": NINES}
    slope = {"slope": {"size": NINES, "ratio": f"{NINES}/2"}}
    return certificate("family_error", instance, slope, messages=NINES)


@bomb
def points_told_apart():
    lower = {"apart": {"points": [*range(MANY)]}}
    return certificate("effective_domain", COLUMNS, lower, stated=MANY)


def dimension(kind, instance, bound, form, stated=1, **proof):
    return certificate(kind, instance, **{bound: {form: proof}}, stated=stated)


@bomb
def rows_shattered():
    labels = {"size": 5, "labels": "0000", "symmetries": []}
    return dimension("vc_dimension", ROWS, "upper", "extension", **labels)


@bomb
def rows_counted():
    return dimension("vc_dimension", ROWS, "upper", "counting", size=7, symmetries=[])


@bomb
def rows_joined_by_a_tree():
    edges = [[i, i + 1] for i in range(MANY - 1)]
    return dimension("vc_dimension", ROWS, "upper", "spanning_tree", edges=edges)


@bomb
def columns_shattered():
    labels = {"size": 5, "labels": "0000", "symmetries": []}
    return dimension("dual_vc_dimension", COLUMNS, "upper", "extension", **labels)


@bomb
def vectors_of_rows():
    rows = concept_class(*[f"{i:011b}" for i in range(2000)])
    vectors = {"columns": [alike(20)] * 11, "rows": [alike(20)] * 2000, "positive": []}
    return dimension("vc_dimension", rows, "upper", "signs", **vectors)


@bomb
def a_mistake_tree():
    tree = [0] * (2**17 - 1)
    return dimension("littlestone_dimension", ROWS, "lower", "mistake_tree", tree=tree)


@bomb
def version_spaces():
    spaces = [[0, [*range(122)], [], []]] * 1000
    return dimension(
        "littlestone_dimension", ROWS, "upper", "refutation", symmetries=[], spaces=spaces
    )


@bomb
def spaces_with_potentials():
    spaces = [[[*range(122)], [], []]] * 1000
    kind = "randomized_littlestone_dimension"
    return dimension(kind, ROWS, "upper", "potentials", "1", symmetries=[], spaces=spaces)


@bomb
def thresholds_of_rows():
    return dimension("threshold_dimension", ROWS, "upper", "ones")


@bomb
def thresholds_of_columns():
    return dimension("threshold_dimension", COLUMNS, "upper", "extension", size=30)


@bomb
def tails_of_thresholds():
    tails = {"size": 12, "lines": "concepts", "label": 1}
    return dimension("threshold_dimension", ROWS, "upper", "tails", **tails)


@bomb
def stars():
    return dimension("star_number", ROWS, "upper", "extension", size=12)


@bomb
def hollow_stars():
    return dimension("hollow_star_number", ROWS, "upper", "extension", size=12)


def many_labels(columns):
    """Return an instance of random labels, of about a megabyte."""
    rng, rows = random.Random(0), 200000 // columns
    return {
        "type": "multiclass concept class",
        "name": "",
        "points": [*range(columns)],
        "concepts": [*range(rows)],
        "labels": [*range(8)],
        "rows": [[rng.randrange(8) for _ in range(columns)] for _ in range(rows)],
    }


@bomb
def labels_of_pairs():
    return dimension("natarajan_dimension", many_labels(60), "upper", "extension", size=6)


@bomb
def labels_of_a_graph():
    upper = {"size": 6, "symmetries": []}
    return dimension("graph_dimension", many_labels(60), "upper", "counting", **upper)


@bomb
def pseudo_cubes():
    return dimension("ds_dimension", many_labels(60), "upper", "extension", size=6)


@bomb
def peeled_in_many_rounds():
    """A path: only its two ends lack a neighbour, in each round."""
    path = [[i + t, i] for i in range(30000) for t in (0, 1)]
    names = {"points": [0, 1], "concepts": [*range(60000)], "labels": [*range(30001)]}
    instance = {"type": "multiclass concept class", "name": "", "rows": path} | names
    return dimension("ds_dimension", instance, "upper", "extension", size=2)


@bomb
def spaces_of_labels():
    spaces = [[12, [], [], []] for _ in range(30000)]
    kind = "multiclass_littlestone_dimension"
    return dimension(kind, many_labels(60), "upper", "refutation", spaces=spaces)


@bomb
def teaching_sets():
    sets = [[*range(80)]] * 4000
    instance = concept_class(*texts(4000))
    return dimension("teaching_dimension", instance, "upper", "sets", sets=sets)


@bomb
def concepts_hard_to_teach():
    lower = {"concept": 0, "size": 12}
    return dimension("teaching_dimension", ROWS, "lower", "concept", stated=12, **lower)


@bomb
def subclasses_hard_to_teach():
    lower = {"concepts": [*range(MANY)], "size": 3}
    return dimension("recursive_teaching_dimension", ROWS, "lower", "subclass", stated=3, **lower)


@bomb
def edges_of_teachers():
    lower = {"concepts": [*range(MANY)]}
    return dimension("no_clash_teaching_dimension", ROWS, "lower", "edges", **lower)


@bomb
def clashes_of_teachers():
    pairs = [[0, i] for i in range(1, 3000)]
    lower = {"size": 1, "pairs": pairs}
    return dimension("no_clash_teaching_dimension", ROWS, "lower", "cases", stated=2, **lower)


@bomb
def queries_about_version_spaces():
    spaces = [[13, [], [], []] for _ in range(30000)]
    said = {"stated": 13, "queries": "proper equivalence"}
    return certificate("query_complexity", ROWS, {"adversary": {"spaces": spaces}}, **said)


def compression(rows, side, form, stated, **proof):
    """Return a certificate about stable and proper schemes."""
    sides = {side: {form: proof}}
    return certificate(
        *("compression_size", concept_class(*rows)),
        **sides,
        stated=stated,
        labelled=True,
        stable=True,
        proper=True,
    )


@bomb
def samples_with_keys():
    rows = [format(i, "012b") for i in range(4096)]
    return compression(rows, "upper", "scheme", 12, size=12, keys=[0] * 3**12, functions=[])


@bomb
def clauses_of_schemes():
    rows = [format(i, "012b") for i in range(0, 4096, 64)]
    return compression(rows, "lower", "refutation", 4, size=3, steps=[[[], []]])


@bomb
def long_refutations():
    rows = [format(i, "08b") for i in range(0, 256, 2)]
    steps = [[[], [0] * 2000]] * 200
    return compression(rows, "lower", "refutation", 2, size=1, steps=steps)


@bomb
def counted_samples():
    return compression(texts(9000), "lower", "counting", 2, columns=[*range(122)])


@bomb
def predictions_on_version_spaces():
    spaces = [[13, [], [], []] for _ in range(30000)]
    return dimension("self_directed_complexity", ROWS, "upper", "learner", 13, spaces=spaces)


@bomb
def all_orders_of_points():
    said = {"stated": 9, "order": "best"}
    return certificate("offline_mistakes", ROWS, {"all_orders": {}}, **said)


PARTIAL = partial_class(*(f"*{row}" for row in texts(MANY)))


@bomb
def shattered_points_of_partial_classes():
    return dimension("partial_vc_dimension", PARTIAL, "upper", "counting", size=11)


@bomb
def shattered_concepts_of_partial_classes():
    instance = partial_class(*across(PARTIAL["rows"]))
    return dimension("partial_dual_vc_dimension", instance, "upper", "counting", size=11)


@bomb
def version_spaces_of_partial_classes():
    spaces = [[13, [], [], []]] * 30000
    kind = "partial_littlestone_dimension"
    return dimension(kind, PARTIAL, "upper", "refutation", spaces=spaces)


@bomb
def thresholds_of_partial_classes():
    return dimension("partial_threshold_dimension", PARTIAL, "upper", "extension", size=30)


@bomb
def stars_of_partial_classes():
    return dimension("partial_star_number", PARTIAL, "upper", "extension", size=16)


@bomb
def examples_of_partial_concepts():
    lower = {"concept": 0, "size": 12}
    return dimension("partial_teaching_dimension", PARTIAL, "lower", "concept", stated=12, **lower)


@bomb
def examples_of_all_partial_concepts():
    instance = partial_class(*(f"*{row}" for row in texts(4000)))
    sets = [[*range(1, 81)]] * 4000
    return dimension("partial_teaching_dimension", instance, "upper", "sets", sets=sets)


@bomb
def signs_of_lines():
    lower = {"side": "rows", "lines": [*range(30)]}
    instance = problem(*across(texts(MANY)))
    return dimension("sign_rank", instance, "lower", "shattered", stated=30, **lower)


@bomb
def vectors_of_signs():
    vectors = {"rows": [[NINES]] * 200, "columns": [[NINES]] * 200}
    return dimension("sign_rank", problem(*["1" * 200] * 200), "upper", "vectors", **vectors)


@bomb
def weights_of_determinants():
    product = {"product": [[NINES, 0, 2, 3, 1]] * 120}
    positive = [[i, j] for j in range(4) for i in range(j)]
    lemmas = [{"positive": positive, "negative": [], "nodes": [product]}]
    lower = {"side": "rows", "lines": [*range(16)], "dimension": 2, "lemmas": lemmas, "nodes": []}
    return dimension("sign_rank", PAIRS, "lower", "final_polynomials", stated=3, **lower)


@bomb
def determinants_of_signs():
    lower = {"side": "rows", "lines": [*range(16)], "dimension": 8, "nodes": [[*range(8)]] * 20000}
    return dimension("sign_rank", PAIRS, "lower", "chirotope", stated=9, **lower)


@bomb
def hypotheses_of_representations():
    said = {"hypotheses": texts(MANY)}
    weights = {"weights": [alike(MANY)]}
    instance = concept_class("0" * 122)
    return certificate(
        "deterministic_representation", instance, None, {"mixtures": weights}, **said
    )


@bomb
def sets_of_representations():
    support = {"sets": [texts(MANY)], "weights": [1]}
    said = {"error": "1/4", "support": support}
    upper = {"branching": {"trees": [[texts(1)[0], None, [], []]]}}
    return certificate(
        "probabilistic_representation", concept_class("0" * 122), None, upper, **said
    )


def covering(kind, instance, lower=None, upper=None, **more):
    said = {"error": "0", "pool": texts(7500)} | more
    return certificate(kind, instance, lower, upper, **said)


@bomb
def pools_of_representations():
    support = {"sets": [texts(7500)], "weights": [1]}
    proof = {"support": support, "failure": {"selection": {"weights": [[1] * 7500]}}}
    upper = {"representation": proof}
    return covering("least_failure", concept_class("0" * 122), None, upper, size=7500)


@bomb
def neighbourhoods_with_one_hash():
    """Hypotheses lie in sets of neighbourhoods that are integers with the same hash."""
    near = [[0, [int(x == y) for y in range(122)]] for x in range(122)]
    node = {"symmetries": [], "branches": [*range(40)], "weights": None}
    tree = [node, *[node | {"branches": []}] * 40]
    proof = {"neighbourhoods": near, "weights": [1] * 122, "symmetries": [], "tree": tree}
    return covering("least_failure", concept_class("0" * 122), {"branching": proof}, size=3)


@bomb
def points_separated():
    said = {"pool": None, "failure": "0"}
    lower = {"separation": {"points": [*range(MANY)]}}
    return covering("representation_size", COLUMNS, lower, stated=14, **said)


def protocol(alice, bob, *symmetries):
    part = {"weight": 1, "alice": alice, "bob": bob}
    return {"components": [part], "symmetries": [*symmetries]}


@bomb
def errors_of_a_protocol():
    """Each input of Bob has its own set of messages that he answers incorrectly."""
    bob = [[[1, row]] for row in across([f"{y:013b}" for y in range(8000)])]
    alice = [[[number(P << m), m] for m in range(13)]]
    tables = protocol(alice, bob)
    return certificate(
        "protocol_error", problem("0" * 8000), None, {"all_inputs": {}}, protocol=tables
    )


def classes(**more):
    rows = ["1"] * 16
    labels = [number(P << i) for i in range(16)]
    said = {"messages": 3, "distribution": [[x, 0, 1] for x in range(16)]}
    proof = {"symmetries": [], "labels": labels, "partition": None} | more
    return certificate("distributional_error", problem(*rows), {"partitions": proof}, **said)


@bomb
def labels_of_classes():
    return classes()


@bomb
def few_labels_of_classes():
    return classes(labels=[number(P * (i < 10) + P * 2**20 * (i > 9)) for i in range(16)])


@bomb
def a_distribution_of_wide_weights():
    lower = {"hard_distribution": {}}
    weights = [[x, 0, NINES] for x in range(400)]
    proof = {"partitions": {"symmetries": [], "labels": [1] * 400, "partition": None}}
    lower["hard_distribution"] = {"distribution": weights, "proof": proof}
    said = {"messages": 2, "coins": "public"}
    return certificate("minimax_error", problem(*["0"] * 400), lower, **said)


@bomb
def groups_of_rows():
    """Counting the rows of each of many groups separately takes quadratic time."""
    count = 50000
    cells = [[x, 0, 1] for x in range(count)]
    ends = {"sizes": [], "groups": [*range(count)]}
    squares = {"unit": 1, "potentials": [0, 0, 0], "ends": ends}
    said = {"messages": 2, "distribution": cells}
    return certificate(
        "distributional_error", problem(*["1"] * count), {"squares": squares}, **said
    )


@bomb
def relations_of_dependencies():
    relations = [[0, number(P * i), [i % 3], []] for i in range(1, 20000)]
    nodes = [{"inputs": [0, 1, 2]}, {"relations": relations}]
    lower = {"dependencies": {"unit": 2, "nodes": nodes}}
    said = {"messages": 2, "coins": "private"}
    return certificate("minimax_error", problem("01", "10", "11"), lower, **said)


@bomb
def messages_of_a_complexity():
    proof = {"hard_distribution": {"distribution": [[0, 0, NINES]], "proof": {"answers": {}}}}
    lower = {"too_few": {"messages": 2**53 - 1, "proof": proof}}
    said = {"error": "0", "coins": "public"}
    return certificate("communication_complexity", PAIRS, lower, stated=2**53, **said)


def mechanism(laws, outcomes, **more):
    instance = {"type": "mechanism on pairs", "name": "", "outcomes": [*range(outcomes)]}
    return (
        instance
        | {"t": None, "laws": laws, "pairs": [[i, i + 1] for i in range(len(laws) - 1)]}
        | more
    )


@bomb
def weights_of_mechanisms():
    instance = mechanism([[law] for law in alike(45000)], 1)
    upper = {"all_neighbours": {"bound": "1"}}
    return certificate("privacy", instance, None, upper, stated="1", factor=None, delta="0")


@bomb
def polynomials_of_mechanisms():
    laws = [[[number(P * i), 1]] for i in range(1, 30000)]
    instance = mechanism(laws, 1, t={"root": 1, "base": None, "bits": 64})
    upper = {"all_neighbours": {"bound": "1"}}
    return certificate("privacy", instance, None, upper, stated="1", factor=None, delta="0")


def runs(mechanisms, times, rounding, factor="2"):
    """Return a certificate of the adaptive composition of mechanisms."""
    instance = {"type": "composition", "name": "", "adaptive": True, "times": times}
    upper = {"losses_up": {"rounding": rounding, "bound": "1"}}
    return certificate(
        "composition", instance | {"mechanisms": mechanisms}, None, upper, stated="1",
        factor=factor, delta=None,
    )  # fmt: skip


@bomb
def ratios_of_compositions():
    return runs([mechanism([[*range(1, 60)], [*range(60, 1, -1)]], 59)], [1 << 19], None)


@bomb
def long_ratios_of_compositions():
    laws = [[number(10**3999 + i) for i in range(30)], [number(10**3999 - i) for i in range(30)]]
    return runs([mechanism(laws, 30)], [64], [4096, None])


@bomb
def powers_of_a_grid():
    return runs([mechanism([[1, 2], [2, 1]], 2)], [1 << 20], [4096, 2**53 - 1])


@bomb
def wide_tables_of_a_grid():
    return runs([mechanism([[1, NINES, 1], [1, 1, NINES]], 3)], [64], [64, 300])


@bomb
def pairs_of_compositions():
    laws = alike(3000)
    made = mechanism([[law, 1] for law in laws], 2)
    made["pairs"] = [[i, j] for i in range(500) for j in range(i)]
    return runs([made], [2], [64, 10])


@bomb
def quality_functions():
    instance = {"type": "mechanism of qualities", "name": "", "outcomes": [0], "t": None}
    instance |= {"laws": [[1]] * 55000, "qualities": [[q] for q in alike(55000)]}
    instance |= {"unit": 1, "growth": None, "pairs": []}
    upper = {"all_neighbours": {"bound": "1"}}
    return certificate("privacy", instance, None, upper, stated="1", factor=None, delta="0")


@bomb
def moments_of_a_large_order():
    instance = mechanism([[1, 2], [2, 1]], 2)
    upper = {"all_neighbours": {}}
    return certificate("renyi_moment", instance, None, upper, stated="1", order=2**53 - 1)


@bomb
def divergences_of_many_outcomes():
    laws = [[*range(1, 5001)], [*range(5000, 0, -1)]]
    upper = {"all_neighbours": {"bits": 16384, "bound": "9"}}
    instance = mechanism(laws, 5000)
    return certificate("renyi_divergence", instance, None, upper, stated="9", order="1000")


@bomb
def chords_of_many_orders():
    orders = [str(i) for i in range(2, 100000)]
    laws = [[i, i + 1, int(NINES)] for i in range(1, 20)]
    instance = mechanism([[*map(number, law)] for law in laws], 3)
    upper = {"orders": {"orders": orders, "bits": 16384, "bound": "1/1000"}}
    return certificate("concentrated_privacy", instance, None, upper, stated="1/1000")


@bomb
def quantiles_of_far_points():
    points = [str(-i) for i in range(1, 50000)]
    upper = {"points": {"points": points, "bits": 16384, "bound": "1"}}
    return certificate("gaussian_privacy", mechanism([[1], [1]], 1), None, upper, stated="1")


@bomb
def tests_of_many_outcomes():
    laws = [[number(10**400 + (i * j) % 1009) for i in range(900)] for j in (1, 2, 3, 5)]
    lower = {"all_neighbours": {"bound": "0"}}
    return certificate("type_two_error", mechanism(laws, 900), lower, None, level="1/2")


@bomb
def databases_of_many_sizes():
    instance = {"type": "mechanism of sizes", "name": "", "outcomes": [0], "t": None}
    instance |= {"records": [0, 1], "least": 0, "most": 16, "symmetric": False, "groups": None}
    instance |= {"change": "add or remove one", "laws": [[i] for i in range(1, 2**17)]}
    upper = {"all_neighbours": {"bound": "1"}}
    return certificate("privacy", instance, None, upper, stated="1", factor=None, delta="0")


@bomb
def terms_of_a_power():
    instance = {"type": "releases", "t": {"root": 1, "base": None, "bits": 2**53 - 1}}
    return certificate("release_probability", instance, None, {}, factor="1", delta="0", lead=1)


@bomb
def steps_of_releases():
    instance = {"type": "releases", "t": None}
    upper = {"chain": {"unit": NINES, "bounds": alike(60000)}}
    said = {"factor": "2", "delta": "0", "lead": 1}
    return certificate("release_probability", instance, None, upper, **said)


@bomb
def constraints_of_a_program():
    terms = [[j, a] for j, a in enumerate(alike(20000))]
    instance = {"type": "linear program", "unit": 1, "objective": [1] * 20000}
    instance |= {"lower": ["0"] * 20000, "upper": [None] * 20000, "constraints": [[terms, "<=", 1]]}
    upper = {"point": {"unit": NINES, "values": alike(20000)}}
    return certificate("linear_program", instance, None, upper)


@bomb
def bounds_of_unlike_denominators():
    ends = [f"1/{10**3999 + 2 * i + 1}" for i in range(400)]
    instance = {"type": "linear program", "unit": 1, "objective": [1] * 400}
    instance |= {"lower": ends, "upper": [None] * 400, "constraints": []}
    return certificate("linear_program", instance, {"prices": {"unit": 1, "prices": []}})


@bomb
def payoffs_of_a_game():
    instance = {"type": "matrix game", "unit": 1, "payoff": [[NINES] * 20] * 20}
    lower = {"row_strategy": {"weights": [NINES] * 20}}
    return certificate("matrix_game", instance, lower)


def random_rows(height, width, alphabet="01"):
    rng = random.Random(0)
    return ["".join(rng.choice(alphabet) for _ in range(width)) for _ in range(height)]


def inputs_with(rows, value, weight):
    return [[x, y, weight] for x, row in enumerate(rows) for y, c in enumerate(row) if c == value]


@bomb
def maximal_rectangles():
    lower = {"cases": {"nodes": [{"weights": [], "pairs": []}]}}
    return certificate("cover_number", problem(*random_rows(900, 900)), lower, stated=0, value=1)


@bomb
def weights_of_inputs():
    rows = random_rows(60, 60)
    lower = {"weights": {"weights": inputs_with(rows, "1", NINES[:100])}}
    return certificate("fractional_cover_number", problem(*rows), lower, value=1)


@bomb
def all_rectangles():
    lower = {"cases": {"nodes": [{"weights": [], "pairs": []}]}}
    return certificate("partition_number", problem(*["1" * 30] * 30), lower, stated=0, value=1)


@bomb
def long_weights_of_rectangles():
    upper = {"rectangles": {"unit": 1, "listed": [[[0], [0, 1], NINES]] * 400}}
    instance = problem("11", "11")
    return certificate("fractional_partition_number", instance, None, upper, value=1)


@bomb
def rectangles_of_a_power():
    """Rectangles of a million inputs in a large power, with long weights."""
    listed = [[[*range(1 << 10)], [*range(1 << 10)], NINES] for _ in range(140)]
    proof = {"symmetries": [], "transposition": None, "unit": 1, "listed": listed}
    instance = problem(*["1" * 2] * 2)
    upper = {"rectangles": proof}
    return certificate("fractional_partition_of_power", instance, None, upper, value=1, power=10)


@bomb
def weights_of_a_power():
    """A search for a heavy rectangle of a large power, without a useful bound."""
    rng = random.Random(0)
    types = [list(t) for t in combinations_with_replacement(range(4), 6)]
    weights = [[classes, number(rng.randrange(-(10**90), 10**90))] for classes in types]
    proof = {
        "symmetries": [],
        "transposition": None,
        "types": weights,
        "heaviest": number(45 * 10**91),
    }
    lower = {"weights": proof}
    instance = problem("11", "11")
    return certificate("fractional_partition_of_power", instance, lower, value=1, power=6)


@bomb
def products_of_a_power():
    """A power with many maximal rectangles, and so with many products of them."""
    rows = ["".join("01"[i != j] for j in range(6)) for i in range(6)]
    proof = {"symmetries": [], "transposition": None, "types": [], "heaviest": 1}
    return certificate(
        "fractional_partition_of_power", problem(*rows), {"weights": proof}, value=1, power=2
    )


@bomb
def classes_of_a_large_matrix():
    """Many symmetries of a matrix of ones, which has many inputs in one class."""
    n = 300
    kept, turned = [*range(n)], [*range(1, n), 0]
    proof = {
        "symmetries": [[turned, kept], [kept, turned]] * 100,
        "transposition": None,
        "unit": 1,
        "listed": [],
    }
    instance = problem(*["1" * n] * n)
    upper = {"rectangles": proof}
    return certificate("fractional_partition_of_power", instance, None, upper, value=1, power=1)


@bomb
def inputs_without_common_rectangles():
    upper = {"colours": {"size": 12}}
    instance = problem(*random_rows(60, 60))
    return certificate("fooling_number", instance, None, upper, stated=12, value=1)


@bomb
def digits_of_a_minor():
    lines = [*range(700)]
    lower = {"minor": {"rows": lines, "columns": lines}}
    instance = problem(*random_rows(700, 700))
    return certificate("rank", instance, lower, stated=700, field="rationals")


@bomb
def digits_of_factors():
    upper = {"factors": {"unit": 1, "left": [[NINES]] * 240, "right": [[NINES]] * 240}}
    instance = problem(*["1" * 240] * 240)
    return certificate("rank", instance, None, upper, stated=1, field="modulo 7")


@bomb
def rectangles_with_trees():
    lines = [*range(14)]
    lower = {"rectangles": {"rows": lines, "columns": lines}}
    return certificate("protocol_size", problem(*random_rows(14, 14)), lower, stated=40)


@bomb
def nodes_of_a_tree():
    nodes = [["rows", [x]] for x in range(3000)] + [None] * 3001
    instance = problem(*["10" * 100] * 3001)
    return certificate(
        "deterministic_cost", instance, None, {"tree": {"nodes": nodes}}, stated=3000
    )


@bomb
def distributions_of_inputs():
    rows = random_rows(50, 50)
    weights = [[x, y, number(10**90 + x)] for x in range(50) for y in range(50)]
    upper = {"weights": {"weights": weights}}
    return certificate("discrepancy", problem(*rows), None, upper, distribution="worst")


@bomb
def weights_with_an_error():
    rows = random_rows(60, 60)
    lower = {"weights": {"weights": inputs_with(rows, "1", NINES[:100])}}
    return certificate("rectangle_bound", problem(*rows), lower, value=1, error="1/4")


@bomb
def long_weights_with_an_error():
    upper = {"rectangles": {"unit": 1, "listed": [[[0], [0, 1], NINES]] * 400}}
    return certificate(
        "smooth_rectangle_bound", problem("11", "11"), None, upper, value=1, error="0"
    )


@bomb
def weights_of_partitions():
    rows = random_rows(50, 50)
    weights = [[x, y, number(10**90 + x), number(-(10**90))] for x in range(50) for y in range(50)]
    lower = {"weights": {"weights": weights}}
    return certificate("partition_bound", problem(*rows), lower, error="1/4")


def heavy(rows):
    """Return a distribution with weights of 90 digits on all inputs."""
    inputs = [(x, y) for x, row in enumerate(rows) for y in range(len(row))]
    return {"distribution": [[x, y, number(10**90 + 7 * x + y)] for x, y in inputs]}


@bomb
def trees_on_many_rectangles():
    rows = random_rows(13, 11)
    lower = {"hard_distribution": heavy(rows)}
    return certificate("two_way_error", problem(*rows), lower, bits=5, rounds=None)


@bomb
def trees_of_many_rounds():
    rows = random_rows(9, 9)
    lower = {"hard_distribution": heavy(rows)}
    return certificate("two_way_error", problem(*rows), lower, bits=2**52, rounds=2**51)


@bomb
def trees_of_two_bits():
    rows = random_rows(22, 22)
    lower = {"hard_distribution": heavy(rows)}
    return certificate("two_way_error", problem(*rows), lower, bits=2, rounds=None)


@bomb
def trees_on_many_lines():
    rows = random_rows(300, 300)
    lower = {"hard_distribution": heavy([row[:60] for row in rows])}
    return certificate("two_way_error", problem(*rows), lower, bits=3, rounds=2)


@bomb
def discrepancies_of_distributions():
    rows = random_rows(60, 60)
    lower = {"discrepancy": heavy(rows)}
    return certificate("two_way_error", problem(*rows), lower, bits=1, rounds=None)


@bomb
def mixtures_of_trees():
    rows = random_rows(200, 200)
    nodes = [["rows", [*range(100)]], ["columns", [*range(100)]], 0, 1, 1]
    trees = [[number(10**400 + i), nodes] for i in range(600)]
    upper = {"protocol": {"symmetries": [], "trees": trees}}
    return certificate("two_way_error", problem(*rows), None, upper, bits=2, rounds=2)


@bomb
def deep_trees():
    nodes = [["rows", [x % 300]] for x in range(20000)] + [0] * 20001
    upper = {"protocol": {"symmetries": [], "trees": [[1, nodes]]}}
    return certificate(
        "two_way_error", problem(*random_rows(300, 300)), None, upper, bits=10**9, rounds=1
    )


@bomb
def messages_of_two_bits():
    rows = random_rows(21, 21)
    lower = {"hard_distribution": heavy(rows)}
    return certificate("simultaneous_error", problem(*rows), lower, bits=2)


@bomb
def messages_of_four_bits():
    rows = random_rows(9, 9)
    lower = {"hard_distribution": heavy(rows)}
    return certificate("simultaneous_error", problem(*rows), lower, bits=4)


@bomb
def messages_of_many_bits():
    rows = random_rows(300, 300)
    lower = {"hard_distribution": heavy([row[:60] for row in rows])}
    return certificate("simultaneous_error", problem(*rows), lower, bits=2**52)


@bomb
def tables_of_answers():
    table = [1, [0] * 100, [0] * 100, ["0" * 4096] * 4]
    upper = {"protocol": {"symmetries": [], "tables": [table] * 90}}
    return certificate("simultaneous_error", problem(*random_rows(100, 100)), None, upper, bits=14)


@bomb
def products_of_vectors():
    form = [[NINES[:1500], *[1] * (39 - i)] for i in range(40)]
    upper = {"gram": {"unit": 1, "form": form}}
    return certificate("gamma_2", problem(*["1" * 20] * 20), None, upper, alpha="2")


@bomb
def brackets():
    return [[[[]] * 300000]]


@bomb
def certificates_of_one_instance():
    made = certificate("threshold_dimension", ROWS, None, {"ones": {}}, stated=61)
    return [made, *[made | {"instance": None}] * 3000]
