"""Matrices, mistake trees and protocols as parts of a page; no information is only in colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from ccsim.appearance import counted, show_label
from ccsim.report.html import element, table

MOST_ROWS = 48  # rows and columns of a matrix that are shown
MOST_COMPONENTS = 6  # tables of a protocol that are shown, the heaviest ones first
MOST_DEPTH = 4  # levels of a mistake tree that are shown
_LONGEST = 12
_ACROSS = {
    "concept class": ("concepts", "points"),
    "multiclass concept class": ("concepts", "points"),
    "communication problem": ("alice", "bob"),
}

Cell = Callable[[int, int, str], tuple[str, str]]  # text and class by row, column and entry


def labels(matrix: Mapping[str, Any]) -> tuple[list[object], list[object]] | None:
    """Return the labels of the rows and columns of an instance, or None if it is not a matrix."""
    names = _ACROSS.get(str(matrix.get("type")))
    return None if names is None else (matrix[names[0]], matrix[names[1]])


def _plain(_x: int, _y: int, entry: str) -> tuple[str, str]:
    return entry, "one" if entry == "1" else ""


def instance(matrix: Mapping[str, Any], caption: str, cell: Cell = _plain) -> Element | None:
    """Return the table of a class or a problem, cut to `MOST_ROWS`; None for other instances."""
    if (sides := labels(matrix)) is None:
        return None
    rows, columns = sides
    shown = columns[:MOST_ROWS]
    more = ["\N{HORIZONTAL ELLIPSIS}"] if len(columns) > MOST_ROWS else []
    body: list[list[Element | str]] = []
    for x, label in enumerate(rows[:MOST_ROWS]):
        row: list[Element | str] = [str(label)]
        for y in range(len(shown)):
            entry = matrix["rows"][x][y]
            named = show_label(matrix["labels"][entry]) if "labels" in matrix else entry
            text, kind = cell(x, y, named)
            first, _, second = text.partition("\n")
            small = element("small", second) if second else None
            row.append(element("td", first, small, class_=kind or None))
        body.append([*row, *more])
    is_cut = max(len(rows), len(columns)) > MOST_ROWS
    cut = f", the first {MOST_ROWS} of {len(rows)} x {len(columns)}" if is_cut else ""
    corner = " / ".join(_ACROSS[matrix["type"]])
    made = table(caption + cut, [corner, *map(str, shown), *more], body)
    made.set("class", "wide matrix")
    return made


def distribution(matrix: Mapping[str, Any], weighted: list[Any]) -> Element | None:
    """Return the table of a problem with the weights of a distribution over its inputs."""
    weights = {(x, y): int(w) for x, y, w in weighted}
    total, heaviest = sum(weights.values()), max(weights.values())

    def cell(x: int, y: int, entry: str) -> tuple[str, str]:
        if (weight := weights.get((x, y))) is None:
            return entry, ""
        return f"{entry}\n{weight}/{total}", "one" if 2 * weight > heaviest else "light"

    caption = "The hard input distribution: the value of each input, with its probability below"
    return instance(matrix, caption, cell)


def protocol(matrix: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Element]:
    """Return the tables of a protocol: messages, answers (private coins: weights) and errors."""
    parts = sorted(tables["components"], key=lambda part: -int(part["weight"]))
    total = sum(int(part["weight"]) for part in parts)
    shown: list[Element] = []
    for number, part in enumerate(parts[:MOST_COMPONENTS], 1):
        title = f"Table {number} of {len(parts)}, drawn with probability {part['weight']}/{total}"
        drawn = _component(matrix, part, title if len(parts) > 1 else "The protocol")
        if drawn is not None:
            shown.append(drawn)
    messages = counted(len(parts[0]["bob"]), "message", "messages")
    said = f"{messages}; a cell contains Alice's message and Bob's "
    said += "answer; \N{BALLOT X} marks a wrong one."
    if len(parts) > MOST_COMPONENTS:
        said += f" The {MOST_COMPONENTS} most probable of {len(parts)} tables are shown."
    if moves := len(tables["symmetries"]):
        said += (
            f" A random symmetry (of a group with {moves} generators) is first applied to inputs."
        )
    return [element("p", said), element("div", *shown, class_="side")]


def _component(matrix: Mapping[str, Any], part: Mapping[str, Any], title: str) -> Element | None:
    """Return the tables of one component; the weights of private coins are shown unchanged."""

    def message(x: int) -> Any:  # noqa: ANN401 - an index, or a list of weighted ones
        sent = part["alice"][x]
        return sent[0][1] if isinstance(sent, list) and len(sent) == 1 else sent

    def cell(x: int, y: int, entry: str) -> tuple[str, str]:
        sent = message(x)
        if isinstance(sent, list):
            return entry + "\n" + "; ".join(f"m{m}: weight {w}" for w, m in sent), ""
        answer = part["bob"][sent]
        if isinstance(answer, list) and len(answer) > 1:
            ones = sum(int(w) for w, row in answer if row[y] == "1")
            return f"m{sent}\nanswers 1: {ones}/{sum(int(w) for w, _ in answer)}", ""
        row = answer[0][1] if isinstance(answer, list) else answer
        said = row[y]
        wrong = entry in "01" and said != entry
        kind = "wrong" if wrong else ("one" if said == "1" else "")
        mark = " \N{BALLOT X}" if wrong else ""
        return f"{said}{mark}\nm{sent}", kind

    return instance(matrix, title, cell)


def mistake_tree(matrix: Mapping[str, Any], preorder: list[int]) -> list[Element]:
    """Return a complete mistake tree as a drawing and as a list, cut below `MOST_DEPTH` levels."""
    named = labels(matrix)
    if named is None:
        return []
    concepts, points = named
    depth = len(preorder).bit_length() - 1
    levels = min(depth, MOST_DEPTH)
    spot, row = 104, 76
    width, height = spot << levels, row * (levels + 1)
    svg = element(
        "svg", width=width, height=height, viewBox=f"0 0 {width} {height}", role="img",
        aria_label=f"Mistake tree of depth {depth}; a list with the same content follows",
    )  # fmt: skip
    nodes: list[Element] = []
    root = element("ul")

    def place(index: int, level: int, left: int) -> int:
        """Draw the subtree that starts at an index; return the horizontal position of its root."""
        leaf, cut = level == depth, level == levels
        across = spot << (levels - level)
        middle, down = left + across // 2, level * row + row // 2
        label = show_label(concepts[preorder[index]] if leaf else points[preorder[index]])
        if not cut:
            below = (1 << (depth - level)) - 1
            for side in (0, 1):
                child = place(index + 1 + side * below, level + 1, left + side * across // 2)
                ends = {"x1": middle, "y1": down, "x2": child, "y2": down + row}
                svg.insert(0, element("line", **ends, class_="line"))
                x, y = (middle + child) // 2, down + row // 2
                nodes.append(element("rect", x=x - 8, y=y - 9, width=16, height=18, class_="back"))
                nodes.append(element("text", str(side), x=x, y=y + 5))
        half = spot // 2 - 5
        box = {"x": middle - half, "y": down - 15, "width": 2 * half, "height": 30}
        nodes.append(element("rect", **box, rx=0 if leaf else 12, class_="box"))
        shown = element("text", _short(label), x=middle, y=down + 5)
        if _short(label) != label:
            shown.append(element("title", label))
        nodes.append(shown)
        if cut and not leaf:
            nodes.append(element("text", "\N{VERTICAL ELLIPSIS}", x=middle, y=down + 30))
        return middle

    place(0, 0, 0)
    svg.extend(nodes)
    root.append(_listed(matrix, preorder, 0, 0, "", levels))
    caption = "A mistake tree: for each prediction at a point, some branch has the other label."
    if depth > levels:
        caption += f" The first {levels} of {depth} levels are shown."
    return [
        element(
            "figure",
            element("figcaption", caption),
            element(
                "div", svg, class_="wide", tabindex=0, role="region", aria_label="Mistake tree"
            ),
        ),
        element("details", element("summary", "The tree as a list"), root),
    ]


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _listed(
    matrix: Mapping[str, Any], preorder: list[int], index: int, level: int, edge: str, levels: int
) -> Element:
    """Return the list item of the subtree that starts at an index."""
    concepts, points = labels(matrix) or ([], [])
    depth = len(preorder).bit_length() - 1
    if level == depth:
        return element("li", f"{edge}concept {concepts[preorder[index]]}")
    item = element("li", f"{edge}point {points[preorder[index]]}")
    if level < levels:
        below = (1 << (depth - level)) - 1
        sides = (
            _listed(matrix, preorder, index + 1 + s * below, level + 1, f"label {s}: ", levels)
            for s in (0, 1)
        )
        item.append(element("ul", *sides))
    return item
