"""The kernel's checks of dimensions: shattered sets, mistake trees, and what refutes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate, repeat
from operator import and_, or_
from typing import Any

from .instances import CLASS, Matrix, bounds
from .parts import Claim, Part, members
from .symmetry import Symmetry, orbit, symmetries

__all__ = ["dimensions", "mistake_tree", "one_dimension"]


def _shatters(proof: Part, d: int, C: Matrix) -> None:
    """Check that `d` listed columns take every pattern on the listed rows."""
    concepts, points = proof.fields(*C.names)
    xs = [entry.index(len(C.columns)) for entry in points.entries(d)]
    for i, entry in enumerate(concepts.entries(1 << d)):
        row = C.rows[entry.index(len(C.rows))]
        for t, x in enumerate(xs):
            if (found := row >> x & 1) != (wanted := i >> t & 1):
                entry.reject(f"the entry of {entry.value} and {x} must be {wanted}, not {found}")


def mistake_tree(proof: Part, depth: int, C: Matrix) -> None:
    """Check a complete mistake tree; its ``2^depth`` leaves are distinct concepts."""
    (tree,) = proof.fields("tree")
    rule = "depth {} needs 2^{} concepts, not {}"
    proof.require(depth < len(C.rows).bit_length(), rule, depth, depth, len(C.rows))
    proof.afford(20 + (len(C.rows) >> 11) << depth)

    def visit(node: Part, space: int, height: int) -> None:
        if height == 0:
            concept = node.index(len(C.rows))
            node.require(space >> concept & 1, f"concept {concept} does not agree with its path")
            return
        point, left, right = node.entries(3)
        agree = C.columns[point.index(len(C.columns))]
        visit(left, space & ~agree, height - 1)
        visit(right, space & agree, height - 1)

    visit(tree, (1 << len(C.rows)) - 1, depth)


def _shatters_none(proof: Part, upper: int, C: Matrix) -> None:
    """Check that no ``upper + 1`` columns are shattered, by one of the methods."""
    if proof.has("method"):
        method, *edges = proof.fields("method", *["edges"] * proof.has("edges"))
        method.choice(["spanning tree" if edges else "size"])
        bound = _crossing_bound(edges[0], C) if edges else len(set(C.rows)).bit_length() - 1
        proof.exactly(bound, upper, f"the bound by {method.value}")
    else:
        moves = [s.columns for part in proof.optional("symmetries") for s in symmetries(part, C)]
        _extends_none(proof, upper, C, moves)


def _crossing_bound(edges: Part, C: Matrix) -> int:
    """Return the most columns that cross enough edges of a spanning tree to be shattered."""
    reached, crossed = {0}, [0] * len(C.columns)
    for edge in edges.entries(len(C.rows) - 1):
        r, s = (end.index(len(C.rows)) for end in edge.entries(2))
        rule = "must lead from a row reached to a new one"
        edge.require((r in reached) != (s in reached), rule)
        reached |= {r, s}
        crossing = C.rows[r] ^ C.rows[s]
        edges.afford(5 + (len(C.columns) >> 6) + 2 * crossing.bit_count())
        for x in members(crossing):
            crossed[x] += 1
    labellings = accumulate(sorted(crossed, reverse=True), initial=1)
    return max(d for d, most in enumerate(labellings) if most >> d)


def _extends_none(proof: Part, upper: int, C: Matrix, moves: list[list[int]]) -> None:
    """Check that no ``upper + 1`` columns are shattered, by extending shattered sets."""
    size, everything = upper + 1, (1 << len(C.rows)) - 1
    if len(C.rows).bit_length() <= size:
        return  # fewer than 2^size rows
    proof.require(size, f"the empty set is shattered: 0 is above the stated {upper}")

    def extend(
        chosen: list[int], cells: list[int], candidates: int, moves: list[list[int]]
    ) -> None:
        # The chosen columns split the rows into cells; what splits each cell extends the set.
        fits = _splitting(proof, cells, candidates, 1 << (upper - len(chosen)), C)
        if fits and len(chosen) == upper:
            points = f"{C.names[1]} {[*chosen, next(members(fits))]}"
            proof.reject(f"{points} is shattered: {size} is above the stated {upper}")
        proof.afford(fits.bit_count() * (10 + 2 * len(moves)) + (len(C.columns) >> 6))
        for x in sorted(members(fits), key=lambda x: -sum(move[x] == x for move in moves)):
            if fits >> x & 1:
                proof.afford(20 + 2 * len(moves) + len(cells) * (2 + (len(C.rows) >> 11)))
                column, rest = C.columns[x], fits & ~(1 << x)
                parts = [S for cell in cells for S in (cell & ~column, cell & column)]
                extend([*chosen, x], parts, rest, [move for move in moves if move[x] == x])
                # what does not fit here fits no larger set, nor do its images
                images = orbit(proof, x, [move.__getitem__ for move in moves], 2)
                fits &= ~sum(1 << y for y in images)

    # A column shatters with others what its complement does, so that one of each pair will do.
    distinct = {min(column, everything ^ column): x for x, column in enumerate(C.columns)}
    candidates = range(len(C.columns)) if moves else distinct.values()
    extend([], [everything], sum(1 << x for x in candidates), moves)


def _splitting(proof: Part, cells: list[int], candidates: int, least: int, C: Matrix) -> int:
    """Return the candidate columns that take both values at least so often on every cell."""
    for cell in cells if len(C.rows) < len(C.columns) else ():  # first all columns at once
        proof.afford(10 + cell.bit_count() * (5 + (len(C.columns) >> 11)) + (len(C.rows) >> 6))
        rows = [C.rows[i] for i in members(cell)]
        candidates &= reduce(or_, rows) & ~reduce(and_, rows)
    sizes = [(cell, cell.bit_count() - least) for cell in cells]
    steps = 2 + (len(C.rows) >> 11)
    for x in members(candidates):
        column, number = C.columns[x], 0
        for cell, most in sizes:
            number += 1
            if not least <= (cell & column).bit_count() <= most:
                candidates ^= 1 << x
                break
        proof.afford(8 + steps * number)  # no more than there are rows, times so many
    return candidates


@dataclass(frozen=True, slots=True)
class _Refuted:
    """Concepts that have no complete mistake tree of some depth."""

    depth: int
    constraints: list[list[int]]  # points and labels
    space: int  # the concepts that agree with them


def _littlestone_refutation(proof: Part, upper: int, C: Matrix) -> None:
    """Check that there is no complete mistake tree of depth ``upper + 1``."""
    *generators, refutation = proof.fields(*["symmetries"] * proof.has("symmetries"), "refutation")
    letters = symmetries(generators[0], C) if generators else None
    proved: list[_Refuted] = []
    for entry in refutation.entries():
        proved.append(_refuted(entry, C, proved, letters))
    if proved:
        rule = "the last entry must refute depth {} for all {} concepts"
        holds = proved[-1].depth == upper + 1 and proved[-1].space == C.agreeing([])
        refutation.require(holds, rule, upper + 1, len(C.rows))
    else:
        rule = "may be empty only if size decides, but 2^{} is not above {} concepts"
        size = len(C.rows).bit_length()
        refutation.require(size <= upper + 1, rule, upper + 1, len(C.rows))
        refutation.exactly(size - 1, upper, "the bound that size gives")


def _refuted(
    entry: Part, C: Matrix, proved: list[_Refuted], letters: list[Symmetry] | None
) -> _Refuted:
    """Check one entry from the earlier ones."""
    listed, depth, steps = entry.fields("version_space", "depth", "steps")
    constraints, d = _indices(listed, len(C.columns), 2), depth.integer(0)
    steps_of_rows = 2 + (len(C.rows) >> 11)
    entry.afford(30 + (len(constraints) + 2) * (steps_of_rows + (len(C.columns) >> 11)))
    entry.afford(len(C.rows) >> 6)  # the version space is kept
    if letters is not None:
        entry.afford(len(C.columns) * 2 * steps_of_rows)
    space, decided = C.agreeing(constraints), 0
    if letters is not None:
        held = [(x, space & column) for x, column in enumerate(C.columns)]
        shared = [[x, int(part > 0)] for x, part in held if part in (0, space)]
        rule = "must list the {} pairs that all its concepts share"
        listed.require(constraints == shared, rule, len(shared))
    for i, ((x, b, e), word) in enumerate(_steps(steps, C, len(proved), letters)):
        entry.afford(5 + 2 * steps_of_rows)
        below, part = proved[e], space & C.columns[x]
        image = below.space
        if word:
            entry.afford(len(below.constraints) * (4 * len(word) + steps_of_rows))
            moved = reduce(lambda pairs, letter: letter.labels(pairs), word, below.constraints)
            image = C.agreeing(moved)
        outside = (part if b else space ^ part) & ~image
        if outside or below.depth >= d or decided >> x & 1:
            step = steps.entries()[i]
            step.require(not decided >> x & 1, "point {} has two steps", x)
            step.require(below.depth < d, f"entry {e} has depth {below.depth}, not below {d}")
            c = next(members(outside))
            step.reject(f"concept {c} is not in the version space of entry {e}")
        decided |= 1 << x
    total = space.bit_count()
    entry.require(d or not total, "depth 0 needs an empty version space, not {} concepts", total)
    settled = reduce(or_, (1 << x for x, _ in constraints), decided)
    if d and total >> d:
        columns = len(C.columns) * steps_of_rows
        rows = total * (5 + d * (len(C.columns) >> 10)) + (len(C.rows) >> 6)
        entry.afford(columns if 4 * total > len(C.columns) else rows)
    for x in _undecided(space, 1 << d - 1, C, settled) if d and total >> d else ():
        ones = (space & C.columns[x]).bit_count()
        sizes = f"{total - ones} and {ones} concepts"
        steps.reject(f"no step for point {x}, whose labels 0 and 1 leave {sizes}, depth {d}")
    return _Refuted(d, constraints, space)


def _indices(part: Part, *bounds: int) -> list[list[int]]:
    """Read a list of lists, each with an index below each of some bounds."""
    if isinstance(part.value, list) and _are_indices(part.value, bounds):
        return part.value  # as millions of them are, and quicker than part by part
    lists = (zip(entry.entries(len(bounds)), bounds, strict=True) for entry in part.entries())
    return [[i.index(bound) for i, bound in each] for each in lists]


def _are_indices(lists: list[Any], bounds: tuple[int, ...]) -> bool:
    for each in lists:
        if type(each) is not list or len(each) != len(bounds):
            return False
        for i, bound in zip(each, bounds, strict=True):
            if type(i) is not int or not 0 <= i < bound:
                return False
    return True


def _steps(
    steps: Part, C: Matrix, earlier: int, letters: list[Symmetry] | None
) -> Iterable[tuple[list[int], list[Symmetry]]]:
    """Read steps: point, label, entry, and the symmetries that a word names."""
    bounds = (len(C.columns), 2, earlier)
    if letters is None:
        return zip(_indices(steps, *bounds), repeat([]))
    found = []
    for step in steps.entries():
        *parts, word = step.entries(4)
        read = [part.index(bound) for part, bound in zip(parts, bounds, strict=True)]
        found.append((read, [letters[i.index(len(letters))] for i in word.entries()]))
    return found


def _undecided(space: int, half: int, C: Matrix, decided: int) -> Iterator[int]:
    """Yield the other points on which each label has at least `half` concepts of a space."""
    total = space.bit_count()
    if 4 * total > len(C.columns):
        for x, column in enumerate(C.columns):
            if not decided >> x & 1 and half <= (space & column).bit_count() <= total - half:
                yield x
    else:
        rows, everywhere = [C.rows[c] for c in members(space)], (1 << len(C.columns)) - 1
        if often := _frequent(rows, half) & ~decided:
            yield from members(often & _frequent((everywhere ^ row for row in rows), half))


def _frequent(subsets: Iterable[int], least: int) -> int:
    """Return what belongs to so many of the subsets, a power of two, by adding binary counts."""
    digits, reached = [0] * (least.bit_length() - 1), 0
    for subset in subsets:
        carry = subset
        for i, digit in enumerate(digits):
            digits[i], carry = digit ^ carry, digit & carry
        reached |= carry
    return reached


_DIMENSIONS: dict[str, tuple[Callable[[Part, int, Matrix], None], ...]] = {
    "vc": (_shatters, _shatters_none),
    "dual_vc": (_shatters, _shatters_none),
    "littlestone": (mistake_tree, _littlestone_refutation),
}


def _dimension(name: str, C: Matrix, statement: Part, lower: Part, upper: Part) -> str:
    """Check the bounds of one dimension and say them."""
    stated = statement.fields("lower", "upper")
    least, most, claim = bounds(stated, lower, upper, partial(Part.integer, least=-1))
    check_lower, check_upper = _DIMENSIONS[name]
    if name == "dual_vc":
        C = Matrix(C.title, C.names[::-1], C.texts[::-1])
    if least == -1:
        lower.fields()
        lower.require(not C.rows, "a class with a concept has dimension at least 0, not -1")
    elif least is not None:
        check_lower(lower, least, C)
    if most is not None:
        check_upper(upper, most, C)
        recomputed = name != "littlestone" and not upper.has("method")
        if least is not None and recomputed:  # then it is the value
            upper.exactly(least, most, "the dimension")
    return claim


def one_dimension(name: str, instance: Part, *sides: Part) -> Claim:
    """Check a statement about one dimension."""
    C = Matrix.read(instance, CLASS)
    return f"{name}_dimension of {C.title}", _dimension(name, C, *sides)


def dimensions(instance: Part, *sides: Part) -> Claim:
    """Check a statement about all three dimensions."""
    C = Matrix.read(instance, CLASS)
    for side in sides:
        side.value = side.value if side.value is not None else dict.fromkeys(_DIMENSIONS)
    parts = zip(_DIMENSIONS, *(side.fields(*_DIMENSIONS) for side in sides), strict=True)
    claims = [(name, _dimension(name, C, *part)) for name, *part in parts]
    return f"dimensions of {C.title}", ", ".join(f"{name} {said}" for name, said in claims if said)
