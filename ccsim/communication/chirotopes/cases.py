"""Trees of cases over the signs of determinants, found by a search with propagation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from ccsim.budget import Budget
from ccsim.communication.chirotopes.nodes import Node, Tree

Line = tuple[int, int]  # the positions at which a line is 1, and those at which it is 0

_HEAVIEST = 1e100


class Chirotopes:
    """The search for chirotopes consistent with given sign vectors; it builds a case tree.

    The search is depth-first with propagation. A split is replaced by a branch that does not use
    its sign.
    """

    def __init__(self, r: int, chosen: Sequence[Line], budget: Budget) -> None:
        self.budget, self.step = budget, 1.0
        self.bases = list(combinations(range(len(chosen)), r))
        self.constraints = relations_of(r, chosen)
        self.of: list[list[tuple[int, int]]] = [[] for _ in self.bases]
        self.weights = [0.0] * len(self.bases)
        for c, constraint in enumerate(self.constraints):
            share = constraint.forbidden.bit_count() / (100 << len(constraint.variables))
            for i, v in enumerate(constraint.variables):
                self.of[v].append((c, 3**i))
                self.weights[v] += share
        self.states = [0] * len(self.constraints)
        self.signs = [-1] * len(self.bases)

    def refuted(self) -> list[Node] | None:
        """Return a case tree that excludes all chirotopes, or None if there is one."""
        tree = self._search(self._assign(0, 0))
        return None if tree is None else tree[0]

    def _assign(self, v: int, negative: int) -> list[int]:
        """Set a sign and return the constraints that contain it."""
        self.signs[v] = negative
        for c, place in self.of[v]:
            self.states[c] += place * (1 + negative)
        return [c for c, _ in self.of[v]]

    def _undo(self, v: int) -> None:
        step = 1 + self.signs[v]
        for c, place in self.of[v]:
            self.states[c] -= place * step
        self.signs[v] = -1

    def _closed(self, c: int, assumed: int | None = None) -> Tree:
        """Return the tree of a violated constraint, split on its undetermined signs."""
        constraint = self.constraints[c]
        nodes: list[Node] = [constraint.node]
        for v in (free := [v for v in constraint.variables if self.signs[v] < 0 and v != assumed]):
            nodes = [self.bases[v], *nodes, *nodes]
        return nodes, frozenset(constraint.variables).difference(free)

    def _search(self, todo: list[int]) -> Tree | None:
        """Return a tree that refutes the current signs, or None if a chirotope has them."""
        self.budget.spend()
        tree, trail = self._propagated(todo)
        if tree is None:
            tree = self._branch()
        if tree is None:
            return None
        for v, negative, other in reversed(trail):
            tree = self._joined(v, negative, tree, other)
            self._undo(v)
        return tree

    def _propagated(self, todo: list[int]) -> tuple[Tree | None, list[tuple[int, int, Tree]]]:
        """Set all forced signs; return the tree of a violated constraint, if there is one.

        Also return the forced signs, each with the tree of the opposite sign.
        """
        trail: list[tuple[int, int, Tree]] = []
        at = 0
        while at < len(todo):
            c = todo[at]
            at += 1
            constraint = self.constraints[c]
            forced = _forced(len(constraint.variables), constraint.forbidden, self.states[c])
            if forced is None:
                self._weigh(c)
                return self._closed(c), trail
            for i, negative in forced:
                v = constraint.variables[i]
                if self.signs[v] < 0:
                    other = self._closed(c, v)
                    todo += self._assign(v, negative)
                    trail.append((v, negative, other))
        return None, trail

    def _joined(self, v: int, negative: int, tree: Tree, other: Tree) -> Tree:
        """Return the tree that splits on a sign, or a subtree that does not use the sign."""
        if v not in tree[1]:
            return tree
        if v not in other[1]:
            return other
        first, second = (other, tree) if negative else (tree, other)
        nodes = [self.bases[v], *first[0], *second[0]]
        return nodes, (tree[1] | other[1]) - {v}

    def _branch(self) -> Tree | None:
        v = self._choice()
        return None if v is None else self._split(v)

    def _choice(self) -> int | None:
        """Return the free determinant of the largest weight; None if all signs are known."""
        free = [v for v, sign in enumerate(self.signs) if sign < 0]
        return max(free, key=self.weights.__getitem__) if free else None

    def _split(self, v: int) -> Tree | None:
        trees: list[Tree] = []
        for negative in (0, 1):
            tree = self._search(self._assign(v, negative))
            if tree is None:
                return None
            self._undo(v)
            if v not in tree[1]:
                return tree
            trees.append(tree)
        return self._joined(v, 0, *trees)

    def _weigh(self, c: int) -> None:
        """Record a violated constraint; recent violations have the largest weight."""
        for v in self.constraints[c].variables:
            self.weights[v] += self.step
        self.step *= 1.1
        if self.step > _HEAVIEST:
            self.weights = [weight / _HEAVIEST for weight in self.weights]
            self.step /= _HEAVIEST


@dataclass(slots=True)
class _Constraint:
    """A combination of signs of a few determinants that cannot occur."""

    node: tuple[int, ...]
    variables: tuple[int, ...]
    forbidden: int  # the set of assignments, as numbers whose bit i is 1 where a sign is negative


@cache
def _completions(count: int) -> list[int]:
    """Return, for each partial assignment, in base 3, the set of assignments that extend it."""
    if not count:
        return [1]
    rest, half = _completions(count - 1), 1 << count - 1
    return [
        table
        for s in range(3)
        for table in (
            [r | r << half for r in rest] if s == 0 else [r << half * (s - 1) for r in rest]
        )
    ]


@cache
def _forced(count: int, forbidden: int, state: int) -> tuple[tuple[int, int], ...] | None:
    """Return the signs that a constraint forces in a state, or None if it is violated."""
    left = _completions(count)[state] & ~forbidden
    if not left:
        return None
    return tuple(
        (i, 1 - negative)
        for i in range(count)
        if state // 3**i % 3 == 0
        for negative in (0, 1)
        if not left & _completions(count)[3**i * (1 + negative)]
    )


def relations_of(r: int, chosen: Sequence[Line]) -> list[_Constraint]:
    """Return the constraints from circuits and other lines, and the three-term relations.

    The coefficients of a circuit must not have the signs of a line of the other side, or the
    opposite signs. The three products of a Grassmann-Pluecker relation sum to 0, so their signs
    differ.
    """
    k = len(chosen)
    number = {basis: i for i, basis in enumerate(combinations(range(k), r))}
    found = []
    for B in combinations(range(k), r + 1):
        forbidden = 0
        for signs in _patterns(chosen, B):
            # sign (-1)^j det(B - b_j) agrees with the pattern everywhere, or nowhere
            p = sum((s ^ j & 1) << j for j, s in enumerate(signs))
            forbidden |= 1 << p | 1 << (p ^ (1 << r + 1) - 1)
        if forbidden:
            variables = tuple(number[B[:j] + B[j + 1 :]] for j in range(r + 1))
            found.append(_Constraint(B, variables, forbidden))
    if r > 1:
        for A in combinations(range(k), r - 2):
            others = [x for x in range(k) if x not in A]
            found += [_three_terms(A, four, number) for four in combinations(others, 4)]
    return found


def _patterns(chosen: Sequence[Line], B: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the sign patterns (1 for negative) of the other side's lines on some lines."""
    cells: list[tuple[tuple[int, ...], int]] = [((), -1)]
    for line in B:
        cells = [
            ((*signs, s), left)
            for signs, here in cells
            for s in (0, 1)
            if (left := here & chosen[line][s])
        ]
    yield from (signs for signs, _ in cells)


@cache
def _of_one_sign(*parities: int) -> int:
    """Return the signs of six determinants for which the three products have the same sign."""
    forbidden = 0
    for signs in range(64):
        terms = {(signs >> 2 * i ^ signs >> 2 * i + 1) & 1 ^ parities[i] for i in range(3)}
        forbidden |= (len(terms) == 1) << signs
    return forbidden


def _three_terms(
    A: tuple[int, ...], four: tuple[int, ...], number: dict[tuple[int, ...], int]
) -> _Constraint:
    b, c, d, e = four
    pairs = [((b, c), (d, e)), ((b, d), (c, e)), ((b, e), (c, d))]
    variables, parities = [], []
    for i, pair in enumerate(pairs):
        parity = int(i == 1)
        for two in pair:
            order = (*A, *two)
            variables.append(number[tuple(sorted(order))])
            parity ^= sum(x > y for x, y in combinations(order, 2)) & 1
        parities.append(parity)
    return _Constraint((*A, *four), tuple(variables), _of_one_sign(*parities))
