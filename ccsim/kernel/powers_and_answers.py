"""Exact numbers in Q(t); lower bounds on the cost of k answers if each row uses its best answer.

A polynomial in ``t = e^(1/root)``, or ``base^(1/root)``, is a list of integer coefficients, the
constant term first, or one integer. It is stored as bounds on its value at t, and its value at ``X
= 2^bits``. If the latter is 0 and all coefficients are below X, the polynomial is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .reader import *
from .rules import *

MAX_COLUMNS = 12
MAX_MOVES = 255  # most group elements, besides the identity, used to compare answers

Case = tuple[list[int], list[int], list[list[int]]]  # answers: chosen, free, and moved by a group


@dataclass(slots=True, eq=False)
class Value:
    """A polynomial: bounds on its value at t, its value at X, and a bound on its coefficients."""

    low: int
    high: int
    image: int
    norm: int

    def __add__(self, other: Value) -> Value:
        low, high, image = self.low + other.low, self.high + other.high, self.image + other.image
        return Value(low, high, image, self.norm + other.norm)

    def __sub__(self, other: Value) -> Value:
        return self + Value(-other.high, -other.low, -other.image, other.norm)

    def __mul__(self, other: Value) -> Value:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Value(min(ends), max(ends), self.image * other.image, self.norm * other.norm)


class Powers:
    """The number t, enclosed in units of ``2^-bits``; if t is null, all numbers are fractions."""

    def __init__(self, given: object) -> None:
        none = {"root": 1, "base": None, "bits": 0}
        root, base, bits = fields(none if given is None else given, "root", "base", "bits")
        self.root, self.bits = r, b = integer(root, 1), integer(bits)
        self.terms = 1 if given is None else r if base else 1 << 30
        self.base = c = Fraction(0) if base is None else fraction(base)
        self.title = f", t = {f'({c})' if base else 'e'}^(1/{r})" if given else ""
        require(c > 0 or base is None, "the base of t must be positive")
        size = b + c.numerator.bit_length()
        spend(size * (20 + (r * size >> 8) ** 2 if c else 20 + (b + r.bit_length() >> 6)))
        low, k, term = 0, 0, 1 << b
        while term and not c:  # terms of the series are cut by less than 2; those left out are < 4
            low, k = low + term, k + 1
            term //= r * k
        for place in reversed(range(size if c else 0)):
            next_low = low + (1 << place)
            low = next_low if next_low**r * c.denominator <= c.numerator << b * r else low
        self.low, self.high = [1 << b, low], [1 << b, low + 2 * k + 4]
        self.known = dict[str, Value]()

    def polynomial(self, given: object) -> Value:
        """Read a polynomial; its degree must be below the root if t has a base."""
        listed = each(integer, given, None) if isinstance(given, list) else [integer(given, None)]
        require(len(listed) <= self.terms, "the polynomial must have at most {} terms", self.terms)
        return self.value(*listed)

    def value(self, *listed: int) -> Value:
        """Return a polynomial with its bounds and values."""
        if (key := " ".join(map(hex, listed))) not in self.known:
            n, b = len(listed), self.bits
            spend(n * (20 + (n * b >> 8)))
            while len(self.low) < n:
                spend(20 + (self.high[-1].bit_length() >> 4))
                self.low.append(self.low[-1] * self.low[1] >> b)
                self.high.append(-(-self.high[-1] * self.high[1] >> b))
            spend(n * (self.high[n - 1].bit_length() >> 5) + (n * b >> 5) if n else 0)
            ends = [sorted((c * self.low[k], c * self.high[k])) for k, c in enumerate(listed)]
            low, high = (sum(each_end) for each_end in zip((0, 0), *ends, strict=True))
            norm = sum(map(abs, listed)) * max(self.base.as_integer_ratio())
            image = sum(c << b * k for k, c in enumerate(listed))
            self.known[key] = Value(low, high, image, norm)
        return self.known[key]

    def sign(self, value: Value) -> int:
        """Return the sign of a sum of products, each of the same number of polynomials."""
        if value.low > 0 or value.high < 0 or value.low == value.high:
            return (value.low > 0) - (value.high < 0)
        p, q = self.base.as_integer_ratio()
        shows = 2 * value.norm < 1 << self.bits  # so p < X, and what is divided by is positive
        left = value.image % ((q << self.bits * self.root) - p) if shows and p else value.image
        require(shows and left == 0, "{} bits do not suffice to decide a sign", self.bits)
        return 0

    def number(self, value: object, *, infinite: bool = False) -> Ratio:
        """Read a number that is at least 0: a fraction, a quotient of polynomials, or infinity."""
        title, is_infinite = str(value), infinite and value == "infinity"
        if isinstance(value, dict):
            over, under = map(self.polynomial, fields(value, "over", "under"))
            title = f"{value['over']} / {value['under']}"
        else:
            over, under = map(
                self.value, (1, 0) if is_infinite else fraction(value).as_integer_ratio()
            )
        fits = over.low >= 0 and (under.low > 0 or is_infinite)
        require(fits, "must be at least 0, not {}", title)
        return Ratio(title, over, under)


@dataclass(slots=True)
class Ratio:
    """A quotient. Proved lower bounds never exceed proved upper bounds, so ``>`` is false."""

    title: str
    over: Value = field(compare=False)
    under: Value = field(compare=False)

    def __gt__(self, other: Ratio) -> bool:
        return False

    def __str__(self) -> str:
        return self.title


def images(generators: Sequence[tuple[list[int], int]], columns: int) -> list[list[int]]:
    """Return the permutations of the answers in the group that the symmetries generate."""
    answers = range(1 << columns)
    spend(len(generators) * len(answers) * (5 + 2 * columns))
    maps = []
    for places, flips in generators:
        moved = [[place for j, place in enumerate(places) if (q ^ flips) >> j & 1] for q in answers]
        maps.append([sum(1 << place for place in each_one) for each_one in moved])
    found = [list(answers)]
    for element in found:  # grows while it is read
        for move in maps if len(found) <= MAX_MOVES else ():
            spend(len(answers) * (2 + len(found)))
            if (product := [move[q] for q in element]) not in found:
                found.append(product)
    return found[1 : MAX_MOVES + 1]


@dataclass(frozen=True, slots=True)
class Choices:
    """The errors of answers on rows, for a tree of cases; bit j is the answer to column j."""

    table: list[list[int]]
    k: int
    bound: int

    def split(self, node: object, case: Case) -> list[Case]:
        """Return the subcases of a case at a node."""
        unit, potentials, answer = fields(node, "unit", "potentials", "answer")
        q = -1 if answer is None else inside("answer", index, answer, len(self.table))
        if potentials is None:
            require(q in case[1], "answer must be one that is neither chosen nor excluded yet")
            return self.apart(q, case)
        chosen, free, decided = self.narrowed(unit, potentials, case)
        require(decided == (q < 0), "answer must be null exactly if potentials close the case")
        if decided:
            return []
        rest = [p for p in free if p != q]
        both: list[Case] = [([*chosen, q], rest, []), (chosen, rest, [])]
        return both if q in free else [(chosen, free, [])]

    def apart(self, q: int, case: Case) -> list[Case]:
        """Split a case: an answer is chosen, or none of its images is chosen.

        The moves preserve the case, so they map choices that use one image to choices with another.
        """
        chosen, free, moves = case
        spend(5 * len(free) + len(moves) * 10)
        images = set(orbit(q, [move.__getitem__ for move in moves]))
        kept = [move for move in moves if move[q] == q]
        others = [p for p in free if p not in images]
        return [([*chosen, q], [p for p in free if p != q], kept), (chosen, others, moves)]

    def narrowed(
        self, unit: object, potentials: object, case: Case
    ) -> tuple[list[int], list[int], bool]:
        """Return the answers that must or may be chosen, and whether the case is closed.

        The gain of an answer is the sum of the positive parts of u - error, for potentials u in
        parts of a unit. A choice costs at least the sum of u minus its gains. An answer is excluded
        if all choices that use it cost at least the bound, and required if all others do.
        """
        chosen, free, _ = case
        scale = inside("unit", integer, unit, 1)
        u = inside("potentials", each, integer, potentials)
        rows = len(self.table[0])
        require(len(u) == rows, "there must be {1} potentials, one per row, not {0}", len(u), rows)
        bits = max(map(int.bit_length, [scale, *u]))
        spend((len(chosen) + len(free)) * (20 + rows * (3 + (bits >> 7))))

        def gain(p: int) -> int:
            errors = self.table[p]
            return sum(v - scale * e for v, e in zip(u, errors, strict=True) if v > scale * e)

        room, enough = self.k - len(chosen), scale * (self.bound - 1)
        gains = sorted(((gain(p), p) for p in free), reverse=True)
        low = sum(u) - sum(map(gain, chosen)) - sum(g for g, _ in gains[:room])
        if low > enough:
            return chosen, free, True
        if room < len(gains):
            last, following = gains[room - 1][0] if room else 0, gains[room][0]
            needed = [p for g, p in gains[:room] if low + g - following > enough]
            chosen = [*chosen, *needed]
            free = [p for _, p in gains[:room] if p not in needed]
            free += [p for g, p in gains[room:] if low + last - g <= enough]
        if len(chosen) < self.k and free:
            return chosen, free, False
        spend(len(chosen) * rows)
        cost = sum(map(min, zip(*map(self.table.__getitem__, chosen), strict=True)))
        require(cost >= self.bound, f"answers {chosen} have cost {{}}, below the bound", cost)
        return chosen, free, True


def choices(
    rows: list[list[int]], ys: list[int], group: Symmetries, k: int, stated: object, nodes: object
) -> int:
    """Return a lower bound on the cost of every choice of k answers to the columns ys, by cases."""
    from .partitions import errors_of_answers

    rule = "{} columns have positive weight; the limit is {}"
    require(len(ys) <= MAX_COLUMNS, rule, len(ys), MAX_COLUMNS)
    moves = []
    for g in group:  # which keep the weights of rows in these columns
        flips = sum(1 << j for j, y in enumerate(ys) if g.flips >> y & 1)
        moves.append(([ys.index(g.columns[y]) for y in ys], flips))
    spend(len(rows) << len(ys))
    bound = inside("bound", integer, stated, 0)
    table = errors_of_answers(rows)
    everything: Case = ([], list(range(len(table))), images(moves, len(ys)))
    cases(entries(nodes), everything, Choices(table, k, bound).split)
    return bound
