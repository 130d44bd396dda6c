"""``ccsim dimensions`` and ``ccsim tree``: the dimensions of a class, and its mistake trees."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

import ccsim.dimensions
from ccsim.appearance import show_label
from ccsim.budget import Budget, Workers
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.certificates.answer import certified_part, instances_read_once, is_checked
from ccsim.certificates.files import write_text_atomically
from ccsim.classes import ConceptClass, Label, PartialClass
from ccsim.classes.given import as_total_or_partial
from ccsim.classes.multiclass import MulticlassConceptClass, as_multiclass
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    Column,
    closing_in,
    output_options,
    overtime,
    print_table,
    report,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command, Name, Picture, picture_option
from ccsim.cli.workers import workers_options
from ccsim.dimensions import (
    CompressionResult,
    DSResult,
    GraphDimensionResult,
    LittlestoneResult,
    MistakeTree,
    MulticlassLittlestoneResult,
    NatarajanResult,
    NoClashResult,
    QueryComplexityResult,
    RecursiveTeachingResult,
    StarResult,
    TeachingResult,
    ds_dimension,
    dual_vc_dimension,
    graph_dimension,
    littlestone_dimension,
    multiclass_littlestone_dimension,
    natarajan_dimension,
    no_clash_teaching_dimension,
    query_complexity,
    recursive_teaching_dimension,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.dimensions.mistake_trees import Node
from ccsim.dimensions.queries import QUERIES
from ccsim.errors import (
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
    UnreadableInputError,
)
from ccsim.pictures import draw_mistake_tree, save_figure
from ccsim.pictures.figures import SUFFIXES
from ccsim.pictures.mistake_tree import draw_tree

if TYPE_CHECKING:
    from ccsim.dimensions import HollowStarResult, OfflineMistakesResult, SelfDirectedResult

AnyClass = ConceptClass | PartialClass
_Given = AnyClass | MulticlassConceptClass


class _Result(Protocol):
    """Bounds on one dimension."""

    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...


@dataclass(frozen=True, slots=True)
class _Dimension:
    """A dimension: its title in the output, its question, and the printed form of its witness."""

    title: str
    solve: Callable[..., Any]
    witness: Callable[[Any, Any], str]


def _dimensions() -> Mapping[str, _Dimension]:
    """Return the dimensions in the order in which they are printed."""
    return {
        "littlestone": _Dimension(
            "Littlestone dimension", littlestone_dimension, lambda C, found: _root(C, found.tree)
        ),
        "vc": _Dimension(
            "VC dimension",
            vc_dimension,
            lambda C, found: f"shattered points: {_listed(C.points, found.points)}",
        ),
        "dual_vc": _Dimension(
            "dual VC dimension",
            dual_vc_dimension,
            lambda C, found: f"shattered concepts: {_listed(C.concepts, found.concepts)}",
        ),
        "threshold": _Dimension(
            "threshold dimension",
            threshold_dimension,
            lambda C, found: (
                f"concepts {_listed(C.concepts, found.concepts)}; "
                f"points {_listed(C.points, found.points)}"
            ),
        ),
        "star": _Dimension("star number", star_number, _star),
        "hollow_star": _Dimension("hollow star number", _later("hollow_star_number"), _hollow_star),
        "teaching": _Dimension("teaching dimension", teaching_dimension, _hardest),
        "recursive_teaching": _Dimension(
            "recursive teaching dim.", recursive_teaching_dimension, _subclass
        ),
        "no_clash": _Dimension("no-clash teaching dim.", no_clash_teaching_dimension, _sample),
        "sign_rank": _Dimension("sign rank", _sign_rank, lambda C, found: found.description()),
        **{
            name: _Dimension(
                name.replace("_", " "), partial(query_complexity, queries=queries), _query
            )
            for name, queries in _QUERIES.items()
        },
        **{
            name: _Dimension(
                f"{name.replace('_', ' ')} size",
                _compression(name),
                lambda _, found: _scheme(found),
            )
            for name in _COMPRESSION
        },
        "self_directed": _Dimension(
            "self-directed mistakes", _later("self_directed_complexity"), _prediction
        ),
        **{
            f"{order}_mistakes": _Dimension(
                f"mistakes, {order} order", _later("offline_mistakes", order=order), _order
            )
            for order in ("best", "worst")
        },
    }


def _multiclass_dimensions() -> Mapping[str, _Dimension]:
    """Return the dimensions of multiclass classes in the order in which they are printed."""
    return {
        "multiclass_littlestone": _Dimension(
            "Littlestone dimension", multiclass_littlestone_dimension, _multiclass_root
        ),
        "natarajan": _Dimension("Natarajan dimension", natarajan_dimension, _two_labellings),
        "graph": _Dimension("graph dimension", graph_dimension, _one_labelling),
        "ds": _Dimension("DS dimension", ds_dimension, _pseudo_cube),
    }


def _later(question: str, **inputs: str) -> Callable[..., Any]:
    """Return a question of `ccsim.dimensions` whose module is loaded when it is asked."""
    return lambda C, *, time_limit: getattr(ccsim.dimensions, question)(
        C, **inputs, time_limit=time_limit
    )


def _sign_rank(C: ConceptClass, *, time_limit: Budget) -> _Result:
    from ccsim.communication import sign_rank  # which loads solvers

    return sign_rank(C, time_limit=time_limit)


def _compression(name: str) -> Callable[..., _Result]:
    """Return the question about the compression schemes with the properties in a name."""

    def solve(C: ConceptClass, *, time_limit: Budget) -> _Result:
        from ccsim.dimensions import compression_size

        properties = name.split("_")
        return compression_size(
            C,
            labelled="unlabelled" not in properties,
            stable="stable" in properties,
            proper="proper" in properties,
            time_limit=time_limit,
        )

    return solve


_MOST_LISTED = 6
_USUAL = ("littlestone", "vc", "dual_vc")
_QUERIES = {f"{queries.replace(' ', '_')}_queries": queries for queries in QUERIES}
_COMPRESSION = tuple(
    f"{keys}{stable}{proper}compression"
    for keys in ("", "unlabelled_")
    for stable in ("", "stable_")
    for proper in ("", "proper_")
)
_BOOLEAN = (
    *(*_USUAL, "threshold", "star", "teaching", "recursive_teaching", "no_clash", "sign_rank"),
    *_QUERIES,
    *_COMPRESSION,
    *("self_directed", "best_mistakes", "worst_mistakes", "hollow_star"),
)
_MULTICLASS = ("multiclass_littlestone", "natarajan", "graph", "ds")
_NAMES = (*_BOOLEAN, *_MULTICLASS)
_OF_TOTAL = _BOOLEAN[_BOOLEAN.index("recursive_teaching") :]
"""The dimensions that are not defined for partial classes."""
_IN_JSON = ("vc", "dual_vc", "littlestone")
"""The order of keys and certificates of the dimensions that are printed by default."""


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--only",
    multiple=True,
    type=Name(_NAMES),
    metavar="NAME",
    help="Compute only this dimension; may be repeated.",
)
@click.option("--multiclass", is_flag=True, help="Read a class with any number of labels.")
@time_limit_option("Stop all searches after S seconds.", default=60)
@workers_options
@picture_option("Draw a mistake tree")
@output_options
def dimensions(  # noqa: PLR0913 - one parameter for each option
    *,
    instance: str,
    only: tuple[str, ...],
    multiclass: bool,
    time_limit: float,
    workers: Workers,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> int | None:
    """Compute the Littlestone, VC and dual VC dimension of the class INSTANCE, with witnesses.

    An entry * of a file is undefined: the dimensions are then those of a partial class.

    With --only NAME, other dimensions are computed instead. NAME is littlestone, vc, dual_vc,
    threshold, star, hollow_star (two star numbers), teaching, recursive_teaching, no_clash (three
    teaching dimensions), sign_rank, compression (the least size of a sample compression scheme, or
    of one with some of the properties in unlabelled_stable_proper_compression), a query complexity:
    membership_queries, equivalence_queries, proper_equivalence_queries,
    membership_and_equivalence_queries or membership_and_proper_equivalence_queries; or a mistake
    bound of a learner that chooses the points (self_directed) or knows their best or worst order
    (best_mistakes, worst_mistakes).

    With --multiclass, a concept may have any label on a point, and the Littlestone, Natarajan,
    graph and DS dimension are computed. NAME is then multiclass_littlestone, natarajan, graph or
    ds. INSTANCE is a table of labels, a family of multiclass classes, or any other class.

    The Littlestone dimension gets at most half of the time limit, the next dimension half of the
    remaining time, and so on. Ctrl-C stops all searches like a time limit. If only bounds are known
    for a dimension, its value is null in JSON, next to NAME_lower and NAME_upper, and the exit
    status is 3. If a bound was found but there was no time to check it, a note reports this, and
    the certificate omits the bound or states a weaker one.
    """
    known = _multiclass_dimensions() if multiclass else _dimensions()
    asked = _asked(known, only, out, multiclass=multiclass)
    width = max(len(known[name].title) for name in asked)
    run = _Run(Budget.of(time_limit, jobs=workers), width, aloud=not as_json)
    C = (as_multiclass if multiclass else _boolean)(instance, run.budget)
    _refuse_undefined(C, asked)
    run.say("class", show_label(C))
    found: dict[str, _Result] = {}
    stated: dict[str, Certified] = {}
    with instances_read_once():
        for name in asked:
            dimension, part = known[name], 1 / 2 if name != asked[-1] else 1
            found[name], certified = run.solve(name, dimension, C, part)
            if certified is not None:
                stated[name] = certified
            witness = dimension.witness(C, found[name])
            run.say(dimension.title, f"{_show(found[name])}  {witness}")
    for name in run.unchecked:
        title = known[name].title
        lacking = _lacking(stated.get(name))
        run.say("note", f"the check of the {lacking} of the {title} was stopped by the time limit")
    run.say_merged(C)
    in_order = [name for name in (*_IN_JSON, *_NAMES[3:]) if name in found]
    if certificate is not None:
        _written([stated[name] for name in in_order if name in stated], certificate)
    if out is not None and isinstance(C, AnyClass):
        draw_found(C, found["littlestone"], out)
    data = _numbers(C, {name: found[name] for name in in_order})
    data |= {"unchecked": run.unchecked, "merged": C.merged}
    if as_json:
        report(data, [], as_json=True)
    return EXIT_NOT_DECIDED if None in data.values() else None


def _refuse_undefined(C: object, asked: Sequence[str]) -> None:
    """Raise an error if a dimension of a partial class is asked for that is not defined."""
    refused = next((name for name in asked if name in _OF_TOTAL), None)
    if not isinstance(C, PartialClass) or refused is None:
        return
    help_ = ""
    if refused == "sign_rank":
        help_ = "; ccsim.sign_rank of the communication problem allows any sign at these entries"
    raise DomainError(
        f"{show_label(C)}: --only {refused} needs a total class, since this dimension is not "
        f"defined for concepts that are undefined (*) on some points{help_}"
    )


def _asked(
    known: Mapping[str, _Dimension], only: Sequence[str], out: str | None, *, multiclass: bool
) -> list[str]:
    """Return the names of the dimensions to compute, after checks of the options."""
    wrong = next((name for name in only if name not in known), None)
    if wrong is not None:
        kind, rule = ("Boolean", "leave out") if multiclass else ("multiclass", "add")
        raise DomainError(f"--only {wrong} is defined for {kind} classes; {rule} --multiclass")
    asked = [name for name in known if name in (only or (known if multiclass else _USUAL))]
    if out is not None and "littlestone" not in asked:
        way = "leave out --multiclass" if multiclass else "add --only littlestone"
        raise DomainError(f"--out draws a mistake tree of the Littlestone dimension; {way}")
    return asked


def _boolean(instance: str, budget: Budget) -> AnyClass:
    """Read a class; the message about a file with other numbers names the option for labels."""
    try:
        return as_total_or_partial(instance, budget)
    except UnreadableInputError as error:
        labels: tuple[Label, ...] = ("",)
        with suppress(DomainError):
            labels = as_multiclass(instance, budget).labels
        if all(isinstance(label, int) for label in labels):
            raise UnreadableInputError(f"{error}, or --multiclass for more labels") from None
        raise


def _numbers(C: _Given, found: Mapping[str, _Result]) -> dict[str, object]:
    """Return the numbers of concepts and points of a class and its dimensions, for JSON."""
    sizes = {"concepts": len(C.concepts), "points": len(C.points)}
    if isinstance(C, MulticlassConceptClass):
        sizes["labels"] = len(C.labels)
    data: dict[str, object] = {"question": "dimensions of a class", "instance": C.name, **sizes}
    for name, result in found.items():
        data[name] = result.lower if result.lower == result.upper else None
        if data[name] is None:
            data |= {f"{name}_lower": result.lower, f"{name}_upper": result.upper}
    return data


def _lacking(stated: Certified | None) -> str:
    """Return which bounds a certificate omits or states in a weaker form, as text."""
    if stated is None:
        return "bounds"
    one = stated.certificate()
    return "lower bound" if isinstance(one, Certificate) and one.lower is None else "upper bound"


def _written(results: Sequence[Certified], path: str) -> None:
    """Write the certificates of results to one file."""
    parts: list[Certificate] = []
    for found in (result.certificate() for result in results):
        parts += found.parts if isinstance(found, Certificates) else (found,)
    if not parts:
        raise NotDecidedError(f"{path}: not written, as there was no time to check any bound")
    Certificates(tuple(parts)).write(path)


class _Run:
    """Searches that share a time limit, and the lines printed during the searches."""

    def __init__(self, budget: Budget, width: int, *, aloud: bool) -> None:
        self.budget, self.width, self.aloud = budget, width, aloud
        self.overtime = overtime(budget)
        self.unchecked: list[str] = []

    def say(self, name: str, value: str) -> None:
        """Print a line immediately, unless JSON is requested."""
        if self.aloud:
            print_table([Column(least=self.width), Column(breaks=True)], [(name, value)])

    def say_merged(self, C: _Given) -> None:
        """Print the number of merged equal rows, if there are any."""
        if C.merged:
            rows = "1 row equal to an earlier one was"
            rows = rows if C.merged == 1 else f"{C.merged} rows equal to earlier ones were"
            self.say("note", f"{rows} merged")

    def solve(self, name: str, dimension: _Dimension, C: object, part: float) -> tuple[Any, Any]:
        """Search and check in a part of the remaining time; return the result and its checked form.

        The checked form lacks or weakens a bound that was not checked in time; it may be None.
        """
        with closing_in(dimension.title) as progress:
            budget = self.budget.share(part, progress=progress)
            result = dimension.solve(C, time_limit=budget.share(SEARCHING))
            left = time_to_check(budget, self.overtime)
            by_size = getattr(result, "with_upper_by_size", None)
            if by_size is None:
                certified = certified_part(result, left)
            elif is_checked(result, left):
                certified = result
            else:
                (certified := by_size()).check(Budget())
        if certified is not result:
            self.unchecked.append(name)
        return result, certified


def _show(bounds: _Result) -> str:
    if bounds.lower == bounds.upper:
        return f"{bounds.lower}"
    return f"between {bounds.lower} and {bounds.upper}"


def _listed(labels: Sequence[Label], chosen: Sequence[int]) -> str:
    return ", ".join(show_label(labels[i]) for i in chosen) or "none"


def _few(labels: Sequence[Label], chosen: Sequence[int]) -> str:
    """Return the labels with the chosen indices as text, shortened if there are many."""
    if len(chosen) <= _MOST_LISTED:
        return _listed(labels, chosen)
    return f"{_listed(labels, chosen[:_MOST_LISTED])}, ... ({len(chosen)})"


def _root(C: AnyClass, tree: MistakeTree | None) -> str:
    """Return a text with the point at the root of a mistake tree and those at its two children."""
    if tree is None or tree.depth == 0:
        return ""
    paths = ("", "0", "1") if tree.depth > 1 else ("",)
    asked = [show_label(C.points[tree.node(path)]) for path in paths]
    if len(asked) == 1:
        return f"mistake tree: root {asked[0]}"
    return f"mistake tree: root {asked[0]}, then {asked[1]} after label 0, {asked[2]} after label 1"


def _star(C: AnyClass, found: StarResult) -> str:
    """Return a text with the centre of a star, its points, and the adjacent concepts."""
    if found.centre is None:
        return ""
    points, near = _few(C.points, found.points), _few(C.concepts, found.neighbours)
    return (
        f"centre {show_label(C.concepts[found.centre])}; points {points}; adjacent concepts {near}"
    )


def _hollow_star(C: ConceptClass, found: HollowStarResult) -> str:
    """Return a text with the labelled points of a hollow star and its concepts."""
    if not found.points:
        return ""
    pairs = zip(found.points, found.labels, strict=True)
    literals = [f"{show_label(C.points[x])} ({b})" for x, b in pairs]
    near = _few(C.concepts, found.neighbours)
    return f"labelled points {_few(literals, range(len(literals)))}; adjacent concepts {near}"


def _hardest(C: AnyClass, found: TeachingResult) -> str:
    """Return a text with a concept that is hardest to teach, and a smallest teaching set for it."""
    if found.hardest is None:
        return ""
    points = _few(C.points, found.sets[found.hardest])
    return f"hardest concept {show_label(C.concepts[found.hardest])}, teaching set {points}"


def _subclass(C: AnyClass, found: RecursiveTeachingResult) -> str:
    """Return a text with a subclass that attains the recursive teaching dimension."""
    return f"subclass attaining it: {_few(C.concepts, found.subclass)}"


def _sample(C: AnyClass, found: NoClashResult) -> str:
    """Return a text with the concept that has the largest teaching set, and this set."""
    if not found.sets:
        return ""
    c = max(range(len(C)), key=lambda c: len(found.sets[c]))
    return f"largest set, for {show_label(C.concepts[c])}: {_few(C.points, found.sets[c])}"


def _query(C: ConceptClass, found: QueryComplexityResult) -> str:
    """Return a text with the first query of a learner."""
    if found.first_query is None:
        return ""
    if isinstance(found.first_query, int):
        return f"first query: the label of {show_label(C.points[found.first_query])}"
    row = sum(label << x for x, label in enumerate(found.first_query))
    if row in C.rows:
        return f"first query: the concept {show_label(C.concepts[C.rows.index(row)])}"
    return f"first query: the hypothesis {''.join(map(str, found.first_query))}"


def _scheme(found: CompressionResult) -> str:
    """Return a text with the numbers of samples and of keys of a scheme."""
    if found.scheme is None:
        return ""
    samples, used = len(found.scheme.keys), len(set(found.scheme.keys))
    return f"scheme that compresses {samples} samples to {used} keys"


def _prediction(C: ConceptClass, found: SelfDirectedResult) -> str:
    """Return a text with the first prediction of a learner."""
    if found.first_prediction is None:
        return ""
    x, label = found.first_prediction
    return f"first prediction: label {label} of {show_label(C.points[x])}"


def _order(C: ConceptClass, found: OfflineMistakesResult) -> str:
    """Return a text with an order of the points."""
    return f"order: {_few(C.points, found.points)}"


def _multiclass_root(C: MulticlassConceptClass, found: MulticlassLittlestoneResult) -> str:
    """Return a text with the point and the two labels at the root of a mistake tree."""
    node = found.tree[0] if found.lower > 0 else 0
    if isinstance(node, int):
        return ""
    point, *labels = show_label(C.points[node[0]]), *(show_label(C.labels[y]) for y in node[1:])
    return f"mistake tree: root {point} with labels {labels[0]} and {labels[1]}"


def _two_labellings(C: MulticlassConceptClass, found: NatarajanResult) -> str:
    """Return a text with the shattered points and the two labels of each."""
    pairs = [
        f"{show_label(C.points[x])} ({show_label(C.labels[a])} or {show_label(C.labels[b])})"
        for x, a, b in found.pairs
    ]
    return f"shattered points: {', '.join(pairs) or 'none'}"


def _one_labelling(C: MulticlassConceptClass, found: GraphDimensionResult) -> str:
    """Return a text with the shattered points and the label of each."""
    pairs = [f"{show_label(C.points[x])} ({show_label(C.labels[y])})" for x, y in found.literals]
    return f"shattered points: {', '.join(pairs) or 'none'}"


def _pseudo_cube(C: MulticlassConceptClass, found: DSResult) -> str:
    """Return a text with the shattered points and the number of labellings of a pseudo-cube."""
    points = _listed(C.points, found.points)
    return f"shattered points: {points}; pseudo-cube of {len(found.pseudo_cube)} labellings"


_MAX_DEPTH = {**dict.fromkeys(SUFFIXES, 7), ".txt": 14, ".json": 14}
"""Maximum depth of a tree in a file, by the ending of the file name."""


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--out",
    type=Picture(".txt", ".json"),
    metavar="FILE",
    help="Write the tree to FILE: a picture, text (.txt) or .json.",
)
@time_limit_option("Stop after S seconds with the deepest tree found so far.")
@workers_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def tree(
    *, instance: str, out: str | None, time_limit: float, workers: Workers, as_json: bool
) -> int | None:
    """Print a deepest complete mistake tree of the class INSTANCE, or write it to a file.

    Inner nodes are points, edges are labels, and each leaf is a concept that agrees with the labels
    on its path. The file is a picture (.svg, .png, .pdf, .tikz, .tex), indented text (.txt) or
    JSON. The exit status is 3 if a deeper tree may exist.
    """
    ending = ".txt" if out is None else Path(out).suffix.lower()
    budget = Budget.of(time_limit, jobs=workers)
    C = as_total_or_partial(instance, budget)
    found = littlestone_dimension(C, time_limit=budget)
    result = found if is_checked(found, budget) else found.with_upper_by_size()
    if result.tree is None:
        raise DomainError(f"{show_label(C)}: the empty class has no mistake tree")
    depth = result.lower
    if depth > _MAX_DEPTH[ending]:
        raise InstanceTooLargeError(
            f"a tree of depth {depth} is too large for {ending}; the limit is {_MAX_DEPTH[ending]}"
        )
    if out is not None:
        _write_tree(Path(out), C, result.tree.root, depth)
    data = {"instance": C.name, "depth": depth, "exact": result.exact, "file": out}
    known = "" if result.exact else f", Littlestone dimension at most {result.upper}"
    lines = [("class", show_label(C)), ("mistake tree", f"depth {depth}{known}")]
    if out is None:
        data["tree"] = _labelled(C, result.tree.root)
    else:
        lines.append(("file", out))
    report(data, lines, as_json=as_json)
    if out is None and not as_json:
        click.echo("\n".join(_tree_lines(C, result.tree.root)))
    return None if result.exact else EXIT_NOT_DECIDED


def _write_tree(path: Path, C: AnyClass, root: Node, depth: int) -> None:
    """Write the tree in the format given by the suffix of the file name."""
    ending = path.suffix.lower()
    if ending in SUFFIXES:
        draw_tree(path, C, root, depth)
    elif ending == ".txt":
        write_text_atomically(path, "\n".join(_tree_lines(C, root)) + "\n")
    else:
        write_text_atomically(path, json.dumps(_labelled(C, root), indent=1) + "\n")


def draw_found(C: AnyClass, found: object, out: str) -> None:
    """Draw the mistake tree without its deep nodes, if there is a tree."""
    if not isinstance(found, LittlestoneResult) or found.tree is None:
        click.echo("no picture was written: the empty class has no mistake tree", err=True)
        return
    save_figure(out, draw_mistake_tree(C, found.tree))


def _tree_lines(C: AnyClass, node: Node, before: str = "") -> list[str]:
    """Return the tree as text, with one line for each node, indented by its depth."""
    indent = "  " * (len(before) // 3)
    if isinstance(node, int):
        return [f"{indent}{before[-3:]}{show_label(C.concepts[node])}"]
    point, *sides = node
    lines = [f"{indent}{before[-3:]}point {show_label(C.points[point])}"]
    for label, side in enumerate(sides):
        lines += _tree_lines(C, side, f"{before}{label}: ")
    return lines


def _labelled(C: AnyClass, node: Node) -> dict[str, Any]:
    """Return the tree with labels: ``point`` with ``0`` and ``1``, or ``concept``."""
    if isinstance(node, int):
        return {"concept": C.concepts[node]}
    point, zero, one = node
    return {"point": C.points[point], "0": _labelled(C, zero), "1": _labelled(C, one)}
