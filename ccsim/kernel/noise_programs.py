"""The output distributions of noise programs: decision trees over integer noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import inf, lcm
from typing import Any

from .lattice_sums import Factor, summed
from .piecewise import *
from .piecewise import Function, Piece
from .powers import Powers, Value
from .reader import *
from .rules import *
from .series import Series, TooFewBits, coefficients

BITS = (64, 128, 256, 512, 1024, 2048, 4096)  # of the X at which polynomials are stored
NODES = {
    "draw": ("draw", "next"),
    "compare": ("compare", "next"),
    "largest": ("largest", "next"),
    "choose": ("choose", "next"),
    "outcome": ("outcome",),
    "group": ("group", "number"),
}


@dataclass(slots=True)
class Affine:
    """An integer linear form of the noise, plus a constant."""

    form: list[int]
    constant: int

    @classmethod
    def read(cls, value: object) -> Affine:
        """Read the coefficients of the first draws, and the constant."""
        form, c = entries(value, 2)
        return cls(inside(0, each, integer, form, None), inside(1, integer, c, None))

    def minus(self, other: Affine) -> Affine:
        """Return a difference."""
        width = max(len(self.form), len(other.form))
        first, second = (f.form + [0] * (width - len(f.form)) for f in (self, other))
        return Affine(list(map(int.__sub__, first, second)), self.constant - other.constant)

    def drawn(self, n: int) -> Affine:
        """Require that there are no more coefficients than draws."""
        rule = "a form has {} coefficients after {} draws"
        require(len(self.form) <= n, rule, len(self.form), n)
        return self


@dataclass(slots=True)
class State:
    """The distributions of the draws, the conditions and the share of choices up to a node."""

    node: int
    weights: list[Function]
    conditions: list[tuple[list[int], Any, Any]]  # a form, and its least and largest value
    share: Fraction

    def density(self, output: Affine, one: Any) -> Function:  # noqa: ANN401
        """Return the probability that this state is reached, as a function of the output."""
        n, form, c = len(self.weights), output.form, output.constant
        units = [tuple(int(i == v) for i in range(n + 1)) for v in range(n)]
        found: list[Factor] = list(zip(units, self.weights, strict=True))
        for condition, low, high in self.conditions:
            padded = (*condition, *[0] * (n + 1 - len(condition)))
            found.append((padded, constant(one, one, low, high)))
        found.append(((*form, *[0] * (n - len(form)), -1), constant(one, one, -c, -c)))
        share = one * self.share.numerator / self.share.denominator
        return multiplied(summed(found, one), constant(share, one))


@dataclass(slots=True)
class Group:
    """The outcomes for the values of an integer output: ranges that begin at the cuts."""

    cuts: list[Any]
    outcomes: list[int]

    @classmethod
    def read(cls, value: object, count: int) -> Group:
        """Read increasing cuts, and the outcomes of the values below, between and above them."""
        cuts, outcomes = fields(value, "cuts", "outcomes")
        found = inside("cuts", each, integer, cuts, None)
        require(all(a < b for a, b in pairwise(found)), "cuts must increase")
        listed = inside("outcomes", distinct, outcomes, count, len(found) + 1)
        return cls([-inf, *found, inf], listed)

    def ranges(self) -> Iterator[tuple[int, Any, Any]]:
        """Yield each outcome with its smallest and its largest value."""
        for o, (low, after) in zip(self.outcomes, pairwise(self.cuts), strict=True):
            yield o, low, after - 1


@dataclass(slots=True)
class Program:
    """The nodes of decision trees; children precede their parents."""

    groups: list[Group]
    discrete: list[bool]  # whether an outcome belongs to no group
    powers: Powers
    nodes: list[tuple[str, Any, list[int]]] = field(default_factory=list)
    one: Any = Fraction(1)

    def read(self, value: object, known: list[Any]) -> tuple[str, Any, list[int]]:
        """Read a node, whose children are known nodes."""
        kind = next((key for key in NODES if isinstance(value, dict) and key in value), None)
        require(kind, f"must be an object with one of the keys {', '.join(NODES)}")
        data, *more = fields(value, *NODES[str(kind)])
        if kind == "outcome":
            o = inside(kind, index, data, len(self.discrete))
            require(self.discrete[o], "outcome {} must not belong to a group", o)
            return kind, o, []
        if kind == "group":
            place = inside(kind, index, data, len(self.groups))
            return kind, (place, inside("number", Affine.read, *more)), []
        below = inside("next", indices, more[0], len(known))
        if kind == "draw":
            found: Any = inside(kind, self.draw, data)
            number = 1
        elif kind == "compare":
            found, number = inside(kind, Affine.read, data), 2
        else:
            part = (lambda w: integer(w, 1)) if kind == "choose" else Affine.read
            found = inside(str(kind), each, part, data)
            number = max(len(found), 1)
        require(len(below) == number, "next must list {} earlier nodes, not {}", number, len(below))
        return str(kind), found, below

    def draw(self, value: object) -> tuple[bool, Fraction | int]:
        """Read whether a draw is two-sided, and its ratio, which is a fraction or ``t^-k``."""
        kind, ratio = entries(value, 2)
        is_two_sided = inside(0, choice, kind, ("geometric", "one-sided geometric")) == "geometric"
        if type(ratio) is int:
            is_power = self.powers.terms > 1 and not self.powers.base
            require(is_power, "a ratio must be a fraction, as t is not a power of e")
            return is_two_sided, inside(1, integer, ratio, 1)
        q = inside(1, fraction, ratio)
        require(0 < q < 1, "a ratio must be strictly between 0 and 1, not {}", q)
        return is_two_sided, q

    def weight(self, draw: tuple[bool, Fraction | int]) -> Function:
        """Return the probabilities of a draw."""
        is_two_sided, ratio = draw
        s: Any = Series(self.one.bits, ratio) if isinstance(ratio, int) else ratio
        rest = self.one + s * -1
        if not is_two_sided:
            return [(0, inf, [(s, 0, rest)])]
        c = over(rest * rest, s * s)
        return [(-inf, -1, [(s**-1, 0, c)]), (0, inf, [(s, 0, c)])]

    def leaves(self, root: int) -> Iterator[State]:
        """Yield the states at the leaves of a tree."""
        left = [State(root, [], [], Fraction(1))]
        while left:
            state = left.pop()
            kind, data, below = self.nodes[state.node]
            n = len(state.weights)
            spend((150 + n + len(state.conditions)) * (1 + len(below)))
            if not below:
                yield state
            weights, conditions, share = state.weights, state.conditions, state.share
            children = [State(node, [*weights], [*conditions], share) for node in below]
            if kind == "draw":
                children[0].weights.append(self.weight(data))
            elif kind == "choose":
                spend(len(data) * (20 + (share.denominator.bit_length() >> 7) ** 2))
                for child, w in zip(children, data, strict=True):
                    child.share = share * Fraction(w, sum(data))
            elif kind == "compare":
                form, c = data.drawn(n).form, data.constant
                children[0].conditions.append((form, -c, inf))
                children[1].conditions.append((form, -inf, -c - 1))
            elif kind == "largest":
                spend((20 + n) * len(data) ** 2)
                for i, child in enumerate(children):
                    others = [(data[i].drawn(n).minus(f), j) for j, f in enumerate(data) if j != i]
                    child.conditions += [(f.form, int(j < i) - f.constant, inf) for f, j in others]
            left += children

    def law(self, root: int) -> tuple[list[Any], list[Function]]:
        """Return the probabilities of the outcomes, and of the values of each group."""
        masses, one = [self.one * 0] * len(self.discrete), self.one
        parts: list[list[Piece]] = [[] for _ in self.groups]
        for state in self.leaves(root):
            kind, data, _ = self.nodes[state.node]
            if kind == "outcome":
                masses[data] = masses[data] + total(state.density(Affine([], 0), one), one)
            else:
                parts[data[0]] += state.density(data[1].drawn(len(state.weights)), one)
        functions = [overlaid(pieces) for pieces in parts]
        for group, f in zip(self.groups, functions, strict=True):
            for o, low, high in group.ranges():
                spend(30)
                masses[o] = total(multiplied(f, constant(one, one, low, high)), one)
        spend(sum(40 + (size(mass) >> 7) ** 2 for mass in masses))
        require(not sum(masses[1:], masses[0]) + one * -1, "the probabilities must sum to 1")
        return masses, functions

    def compare(self, laws: Sequence[tuple[list[Any], list[Function]]]) -> None:
        """Require that all laws are proportional on the values of each outcome of a group."""
        rule = "the probabilities of the values of outcome {} are not proportional"
        for place, group in enumerate(self.groups):
            for o, low, high in group.ranges():
                spend(10 + 3 * len(laws))
                known = [(masses[o], functions[place]) for masses, functions in laws if masses[o]]
                for mass, f in known[1:] if low < high else ():
                    first = constant(mass, self.one, low, high)
                    second = constant(known[0][0] * -1, self.one, low, high)
                    apart = multiplied(known[0][1], first) + multiplied(f, second)
                    require(is_zero(apart, self.one), rule, o)


def laws(value: object, powers: Powers, width: int) -> list[list[Value]]:
    """Read a noise program; return the weights of the outcomes of each tree."""
    nodes, trees, groups = fields(value, "nodes", "trees", "groups")
    parts = inside("groups", each, Group.read, groups, width)
    spend(width + sum(20 * len(group.outcomes) for group in parts))
    program = Program(parts, [True] * width, powers)
    for o in (o for group in parts for o in group.outcomes):
        require(program.discrete[o], "outcome {} occurs twice in groups", o)
        program.discrete[o] = False
    program.nodes = inside("nodes", table, entries(nodes), program.read)
    roots = inside("trees", indices, trees, len(program.nodes))
    kinds = [type(data[1]) is int for kind, data, _ in program.nodes if kind == "draw"]
    require(any(kinds) <= all(kinds), "ratios must all be fractions or powers of t")
    for bits in BITS:
        program.one = Series(bits) if any(kinds) else Fraction(1)
        with suppress(TooFewBits):
            found = {root: program.law(root) for root in sorted(set(roots))}
            program.compare([*found.values()])
            weights = {root: integral(law[0], powers) for root, law in found.items()}
            return [weights[root] for root in roots]
    raise Rejected("the polynomials in t have coefficients of more than {} bits", BITS[-1])


def integral(masses: Sequence[Any], powers: Powers) -> list[Value]:
    """Return proportional integers or polynomials."""
    if isinstance(masses[0], Series):
        return [powers.value(*polynomial) for polynomial in coefficients(masses)]
    spend(sum(20 + (mass.denominator.bit_length() >> 7) ** 2 for mass in masses))
    unit = lcm(*(mass.denominator for mass in masses))
    return [powers.value(mass.numerator * (unit // mass.denominator)) for mass in masses]
