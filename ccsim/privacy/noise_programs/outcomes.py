"""The outcomes of a noise program on several inputs, as finitely many classes.

A class consists of outputs on which the probabilities of all inputs are proportional. Replacing an
output by its class changes no divergence between the distributions of two inputs. Where infinitely
many values of an output are not proportional, all but finitely many form one class, which is marked
(`Table.rough`): there the divergence of the classes is only a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod
from typing import Any, TypeAlias

import flint

from ccsim.budget import check_time
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.exact.exponentials import Real
from ccsim.privacy.neighbours import identity
from ccsim.privacy.noise_programs.lattice_sums import (
    NoClosedSumError,
    Number,
    Piece,
    Problem,
    Terms,
    in_order,
    replace_variable,
    scope_of,
    sum_of,
    sum_out,
)
from ccsim.privacy.noise_programs.noises import (
    Geometric,
    Lift,
    OneSidedGeometric,
    lift_exponential,
    lift_rational,
)
from ccsim.privacy.noise_programs.paths import Path
from ccsim.privacy.noise_programs.values import Value

MAX_OUTCOMES = 1 << 14
"""Maximum number of classes of outcomes."""
_MANY = 1 << 6
"""Number of classes above which those with the same ratios are joined."""
_MOST_POINTS = 1 << 10
_CUT = 40
"""Values outside of the marked class have all but about ``2^-40`` of the probability."""
_FIRST_OUTPUT = 1 << 20  # the number of the variable of the first noisy output
_NOISY = "noisy"
Row: TypeAlias = tuple[dict[int, int], int]
"""An integer form of noise and its constant."""
Span: TypeAlias = tuple[int | None, int | None, Terms]


@dataclass(frozen=True, slots=True, repr=False)
class Range:
    """A range of values of a noisy output, or of a difference of outputs."""

    low: Real | int | None  # None: no bound
    high: Real | int | None
    step: Fraction = Fraction(1)  # the values are multiples of it, plus `rest`
    rest: Fraction = Fraction(0)
    less: tuple[tuple[int, Fraction], ...] = ()  # multiples of earlier outputs that are subtracted

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            text = "any" if self.step == 1 and not self.rest else f"any multiple of {self.step}"
            if self.rest:
                text += f" plus {self.rest}"
        elif self.low is None:
            text = f"<= {self.high}"
        elif self.high is None:
            text = f">= {self.low}"
        elif self.low == self.high:
            text = f"{self.low}"
        else:
            text = f"{self.low}..{self.high}"
        for j, c in self.less:
            times = "" if abs(c) == 1 else f"{abs(c)} "
            text += f" {'+' if c > 0 else '-'} {times}output {j + 1}"
        return text

    __repr__ = __str__


@dataclass(frozen=True, slots=True, repr=False)
class Alike:
    """Several classes of outputs on which the probabilities of all inputs are proportional."""

    first: Any
    others: int

    def __str__(self) -> str:
        return f"{self.first} and {self.others} more classes with the same ratios"

    __repr__ = __str__


@frozen
class Table:
    """The probabilities of the classes of outcomes on each input."""

    outcomes: tuple[Any, ...]
    rows: tuple[tuple[Real, ...], ...]  # exact; lower bounds if something is missing
    missing: tuple[Fraction, ...]  # for each input, at most this probability has no class
    rough: dict[int, tuple[Terms, ...]]
    """By the number of a marked class, the probability of its k-th value (k = 1, 2, ...) on each
    input; empty if the class has several noisy outputs."""
    lift: Lift


@frozen
class Leaf:
    """A path that ends in an output of a group: its input, noise and forms of the outputs."""

    place: int  # of the input
    path: Path
    numbers: tuple[Any, ...]  # of the outputs that are noisy in the group


def table_of(runs: Sequence[Sequence[Path]], *, apart: bool = False) -> Table:
    """Return the table of the classes of outcomes of the runs on each input."""
    outcomes: list[Any] = []
    columns: list[list[Number]] = []
    rough: dict[int, tuple[Terms, ...]] = {}
    lift = lift_of(runs)
    for template, leaves in groups_of(runs):
        for label, masses, tails in classes_of(template, leaves, len(runs), lift, apart=apart):
            if len(outcomes) >= MAX_OUTCOMES:
                raise InstanceTooLargeError(
                    f"the mechanism has more than {MAX_OUTCOMES} classes of outcomes; compare "
                    "fewer inputs, or use fewer noisy outputs"
                )
            if tails is not None:
                rough[len(outcomes)] = tails
            outcomes.append(label)
            columns.append(masses)
    rows = tuple(tuple(real(column[i]) for column in columns) for i in range(len(runs)))
    missing = tuple(_missing(paths) for paths in runs)
    return Table(tuple(outcomes), rows, missing, rough, lift)


def lift_of(runs: Sequence[Sequence[Path]]) -> Lift:
    """Return how numbers are written in the smallest field that contains all weights."""
    draws = {draw for paths in runs for path in paths for draw in path.draws}
    ratios = [d.ratio for d in draws if isinstance(d, Geometric | OneSidedGeometric)]
    return lift_rational if all(isinstance(r, Fraction) for r in ratios) else lift_exponential


def real(number: Number) -> Real:
    """Return a number as a fraction or an `Exponential`."""
    if isinstance(number, flint.fmpq):
        return Fraction(int(number.p), int(number.q))
    return Fraction(number) if isinstance(number, int) else number


def _missing(paths: Iterable[Path]) -> Fraction:
    """Return an upper bound on the probability that the pieces of the noise omit."""
    return max(1 - prod((1 - d.missing() for d in p.draws), start=Fraction(1)) for p in paths)


def groups_of(runs: Sequence[Sequence[Path]]) -> list[tuple[Any, list[Leaf]]]:
    """Return the runs by the shape of the output and its values that are never noisy."""
    shapes: dict[Any, list[tuple[int, Path, list[Any]]]] = {}
    for place, paths in enumerate(runs):
        for path in paths:
            flat: list[Any] = []
            shape = _shape(path.outputs[0] if path.single else path.outputs, flat)
            shapes.setdefault(shape, []).append((place, path, flat))
    found = []
    for found_paths in shapes.values():
        width = len(found_paths[0][2])
        noisy = [i for i in range(width) if any(isinstance(f[i], Value) for _, _, f in found_paths)]
        groups: dict[Any, tuple[Any, list[Leaf]]] = {}
        for place, path, flat in found_paths:
            fixed = tuple(identity(v) for i, v in enumerate(flat) if i not in noisy)
            if fixed not in groups:
                slots = [Slot(noisy.index(i)) if i in noisy else v for i, v in enumerate(flat)]
                output = path.outputs[0] if path.single else path.outputs
                groups[fixed] = _filled(output, iter(slots)), []
            numbers = tuple(flat[i] for i in noisy)
            groups[fixed][1].append(Leaf(place, path, numbers))
        found += list(groups.values())
    return found


@frozen
class Slot:
    """The place of a noisy output in a template."""

    number: int


def _shape(output: Any, flat: list[Any]) -> Any:  # noqa: ANN401
    if isinstance(output, tuple):
        return tuple(_shape(each, flat) for each in output)
    flat.append(output)
    is_number = isinstance(output, Value) or type(output) in (int, Fraction)
    return _NOISY if is_number else identity(type(output).__name__)


def _filled(output: Any, slots: Any) -> Any:  # noqa: ANN401
    if isinstance(output, tuple):
        return tuple(_filled(each, slots) for each in output)
    return next(slots)


def _with(template: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401
    if isinstance(template, tuple):
        return tuple(_with(each, values) for each in template)
    return values[template.number] if isinstance(template, Slot) else template


def _problem(path: Path, lift: Lift) -> Problem:
    return Problem(
        [draw.pieces(i, lift) for i, draw in enumerate(path.draws)], list(path.constraints)
    )


def _scalar(factors: Iterable[Sequence[Piece]]) -> Number:
    """Return the product of factors without variables."""
    total: Number = 1
    for factor in factors:
        share: Number = 0
        for _, terms in factor:
            share = share + terms.get(((), ()), 0)
        total = share * total
    return total


def classes_of(
    template: Any,  # noqa: ANN401
    leaves: list[Leaf],
    inputs: int,
    lift: Lift,
    *,
    apart: bool = False,
) -> Iterable[tuple[Any, list[Number], tuple[Terms, ...] | None]]:
    """Yield the classes of a group of outputs, with their probabilities on each input."""
    width = len(leaves[0].numbers)
    if not width:
        masses: list[Number] = [0] * inputs
        for leaf in leaves:
            factors = sum_out(_problem(leaf.path, lift), range(len(leaf.path.draws)))
            masses[leaf.place] = lift(leaf.path.weight) * _scalar(factors) + masses[leaf.place]
        yield template, masses, None
        return
    units = [unit_of(leaf.numbers[k] for leaf in leaves) for k in range(width)]
    lattices: dict[tuple[Fraction, ...], list[tuple[Leaf, list[Row]]]] = {}
    for leaf in leaves:
        rows, rests = [], []
        for number, unit in zip(leaf.numbers, units, strict=True):
            terms, constant = (
                (number.terms, number.constant) if isinstance(number, Value) else ((), number)
            )
            rest = Fraction(constant) % unit
            rests.append(rest)
            rows.append(({z: int(a / unit) for z, a in terms}, int((constant - rest) / unit)))
        lattices.setdefault(tuple(rests), []).append((leaf, rows))
    for offsets, group in lattices.items():
        yield from _of_lattice(template, units, offsets, group, (inputs, lift, apart))


def unit_of(numbers: Iterable[Any]) -> Fraction:
    """Return the largest number of which all coefficients of some outputs are multiples."""
    steps = [a for number in numbers if isinstance(number, Value) for _, a in number.terms]
    if not steps:
        return Fraction(1)
    scale = lcm(*(a.denominator for a in steps))
    return Fraction(gcd(*(int(a * scale) for a in steps)), scale)


def _of_lattice(
    template: Any,  # noqa: ANN401
    units: Sequence[Fraction],
    rests: Sequence[Fraction],
    group: list[tuple[Leaf, list[Row]]],
    given: tuple[int, Lift, bool],
) -> Iterable[tuple[Any, list[Number], tuple[Terms, ...] | None]]:
    """Yield the classes of outputs whose values lie on the same shifted lattice."""
    width, (inputs, lift, apart) = len(units), given
    less = _recoding(group[0][1])
    shares: list[Number] = []
    functions: list[list[list[Span]]] = []  # by leaf and output
    for leaf, rows in group:
        check_time()
        share, spans = _functions(leaf.path, _recoded(rows, less), lift)
        shares.append(share)
        functions.append(spans)
    places = [leaf.place for leaf, _ in group]
    every = [_intervals([spans[k] for spans in functions], lift, apart=apart) for k in range(width)]
    if (number := prod(map(len, every))) > MAX_OUTCOMES:
        raise InstanceTooLargeError(
            f"the noisy outputs have {number} classes of values, more than {MAX_OUTCOMES}; compare "
            "fewer inputs, or use fewer noisy outputs"
        )

    starts = [
        rest - sum((c * units[k] / units[j] * rests[j] for j, c in less[k].items()), Fraction(0))
        for k, rest in enumerate(rests)
    ]

    def labelled(cells: Sequence[_Cell]) -> Any:  # noqa: ANN401
        shown = [cell.label(units[k], starts[k], less[k], units) for k, cell in enumerate(cells)]
        return _with(template, shown)

    joined: dict[tuple[Number, ...], tuple[Sequence[_Cell], list[list[Number]]]] = {}
    for cells in product(*every):
        masses = _masses(cells, shares, places, inputs)
        if not any(m != 0 for m in masses):
            continue
        if any(cell.tails is not None for cell in cells):
            yield labelled(cells), masses, _tails(cells, shares, places, inputs)
        elif number <= _MANY or apart:
            yield labelled(cells), masses, None
        else:
            total = sum(masses)
            joined.setdefault(tuple(m / total for m in masses), (cells, []))[1].append(masses)
    for first, alike in joined.values():
        label = labelled(first) if len(alike) == 1 else Alike(labelled(first), len(alike) - 1)
        yield label, [sum(column) for column in zip(*alike, strict=True)], None


def _masses(
    cells: Sequence[_Cell], shares: Sequence[Number], places: Sequence[int], inputs: int
) -> list[Number]:
    """Return the probability of a class of outputs on each input."""
    masses: list[Number] = [0] * inputs
    for leaf, place in enumerate(places):
        mass = shares[leaf]
        for cell in cells:
            mass = cell.masses[leaf] * mass
        masses[place] = mass + masses[place]
    return masses


def _tails(
    cells: Sequence[_Cell], shares: Sequence[Number], places: Sequence[int], inputs: int
) -> tuple[Terms, ...]:
    """Return the probabilities in a marked class on each input; nothing for several outputs."""
    tails = cells[0].tails
    if len(cells) > 1 or tails is None:
        return ()
    joined: list[Terms] = [{} for _ in range(inputs)]
    for share, place, terms in zip(shares, places, tails, strict=True):
        for key, c in terms.items():
            joined[place][key] = c * share + joined[place].get(key, 0)
    return tuple(joined)


def _recoding(rows: Sequence[Row]) -> list[dict[int, int]]:
    """Return, for each output, the multiples of earlier outputs to subtract from it.

    The remaining forms of the outputs share no noise if the outputs are sums of the same noise.
    """
    less: list[dict[int, int]] = []
    pivots: list[tuple[int, dict[int, int], int, dict[int, int]]] = []
    for k, (form, _) in enumerate(rows):
        own, outputs = dict(form), dict[int, int]()
        for z, of, j, _ in pivots:
            if not (a := own.get(z, 0)):
                continue
            times = a * of[z]  # of[z] is 1 or -1
            outputs[j] = outputs.get(j, 0) + times
            for y, b in of.items():
                own[y] = own.get(y, 0) - times * b
        own = {z: a for z, a in own.items() if a}
        # output j in pivots stands for its remaining form: translate to the outputs themselves
        total: dict[int, int] = {}
        for j, times in outputs.items():
            total[j] = total.get(j, 0) + times
            for i, c in less[j].items():
                total[i] = total.get(i, 0) - times * c
        less.append({j: c for j, c in total.items() if c})
        pivot = next((z for z, a in own.items() if abs(a) == 1), None)
        if pivot is not None:
            pivots.append((pivot, own, k, outputs))
    return less


def _recoded(rows: Sequence[Row], less: Sequence[dict[int, int]]) -> list[Row]:
    found = []
    for (form, constant), subtracted in zip(rows, less, strict=True):
        own, left = dict(form), constant
        for j, c in subtracted.items():
            other, rest = rows[j]
            left -= c * rest
            for z, a in other.items():
                own[z] = own.get(z, 0) - c * a
        found.append(({z: a for z, a in own.items() if a}, left))
    return found


def _functions(path: Path, rows: Sequence[Row], lift: Lift) -> tuple[Number, list[list[Span]]]:
    """Return the probability of a path as a number and a function of each output."""
    problem, functions, left = _in_outputs(path, rows, lift)
    share: Number = lift(path.weight)
    for factor in sum_out(problem, left):
        scope = scope_of(factor)
        if not scope:
            share = _scalar([factor]) * share
        elif len(scope) == 1 and (z := scope.pop()) not in functions:
            functions[z] = factor
        else:
            raise NoClosedSumError(
                "the joint distribution of the outputs has no closed form; output fewer numbers"
            )
    outputs = range(_FIRST_OUTPUT, _FIRST_OUTPUT + len(rows))
    return share, [in_order(functions.get(z, [])) for z in outputs]  # none: an impossible path


def _in_outputs(
    path: Path, rows: Sequence[Row], lift: Lift
) -> tuple[Problem, dict[int, list[Piece]], set[int]]:
    """Replace one noise term by each output; return also outputs without noise, and the rest."""
    problem, left = _problem(path, lift), set(range(len(path.draws)))
    forms = [(dict(form), constant) for form, constant in rows]
    points: dict[int, list[Piece]] = {}
    for k, (form, constant) in enumerate(forms):
        output = _FIRST_OUTPUT + k
        noise = [z for z in form if z < _FIRST_OUTPUT]
        pivot = next((z for z in noise if abs(form[z]) == 1), None)
        if not form:
            region = ((((output, -1),), constant), (((output, 1),), -constant))
            points[output] = [(region, {((), ()): lift(1)})]
            continue
        if pivot is None:
            raise NoClosedSumError(
                "a noisy output has no closed form: it is a sum of multiples of noise, or depends "
                "on other outputs in different ways"
            )
        sign = form[pivot]
        value = {y: -sign * a for y, a in form.items() if y != pivot} | {output: sign}
        line = tuple(sorted(value.items()))
        problem = replace_variable(problem, pivot, line, -sign * constant)
        left.remove(pivot)
        for j in range(k + 1, len(forms)):
            other, rest = forms[j]
            if a := other.pop(pivot, 0):
                for y, b in line:
                    other[y] = other.get(y, 0) + a * b
                forms[j] = {y: b for y, b in other.items() if b}, rest - a * sign * constant
    return problem, points, left


@frozen
class _Cell:
    """A class of values of an output, with its mass for each leaf."""

    low: int | None
    high: int | None
    masses: tuple[Number, ...]
    tails: tuple[Terms, ...] | None = None

    def label(
        self,
        unit: Fraction,
        rest: Fraction,
        less: dict[int, int],
        units: Sequence[Fraction],
    ) -> Any:  # noqa: ANN401 - a value or a range
        low, high = (
            None if end is None else _whole(unit * end + rest) for end in (self.low, self.high)
        )
        if low is not None and low == high and not less:
            return low
        scaled = tuple((j, Fraction(c) * unit / units[j]) for j, c in sorted(less.items()))
        return Range(low, high, unit, rest, scaled)


def _whole(value: Fraction) -> int | Fraction:
    return int(value) if value.denominator == 1 else value


def _intervals(functions: Sequence[list[Span]], lift: Lift, *, apart: bool) -> list[_Cell]:
    """Return classes of the values of an output on which all functions are proportional."""
    starts = {low for spans in functions for low, _, _ in spans if low is not None}
    starts |= {high + 1 for spans in functions for _, high, _ in spans if high is not None}
    edges: list[int | None] = [None, *sorted(starts)]
    found: list[_Cell] = []
    for i, low in enumerate(edges):
        check_time()
        high = edges[i + 1] - 1 if i + 1 < len(edges) else None  # type: ignore[operator]
        terms = [_inside(spans, low, high) for spans in functions]
        if not any(terms):
            continue
        if apart and (low is None or high is None):
            raise NoClosedSumError(
                "a noisy output has infinitely many values, which have no distribution in a list; "
                "audit the program, or use its method `on`"
            )
        if not apart and _are_proportional(terms):
            found.append(_cell(low, high, terms))
        elif low is not None and high is not None:
            if high - low >= _MOST_POINTS:
                raise NoClosedSumError(
                    "the probabilities of an output have different ratios for too many values"
                )
            found += [_cell(v, v, terms) for v in range(low, high + 1)]
        else:
            found += _tail(low, high, terms, lift)
    return found if apart else _merged(found)


def _inside(spans: Sequence[Span], low: int | None, high: int | None) -> Terms:
    for first, last, terms in spans:
        begins = first is None or (low is not None and first <= low)
        if begins and (last is None or (high is not None and high <= last)):
            return terms
    return {}


def _are_proportional(functions: Sequence[Terms]) -> bool:
    reference = next(terms for terms in functions if terms)
    key = next(iter(reference))
    for terms in functions:
        if not terms:
            continue
        if terms.keys() != reference.keys():
            return False
        if any(c * reference[key] != terms[key] * reference[k] for k, c in terms.items()):
            return False
    return True


def _cell(low: int | None, high: int | None, functions: Sequence[Terms]) -> _Cell:
    return _Cell(low, high, tuple(sum_of(t, low, high) if t else 0 for t in functions))


def _tail(low: int | None, high: int | None, functions: Sequence[Terms], lift: Lift) -> list[_Cell]:
    """Return points, and one marked class of all values beyond them."""
    if low is None and high is None:
        low, rest = 0, _tail(None, -1, functions, lift)
    else:
        rest = []
    sign = 1 if low is not None else -1
    start = low if low is not None else high
    if start is None:
        raise AssertionError  # one of them is finite
    cells: list[_Cell] = []
    small = lift(Fraction(1, 1 << _CUT))
    for at in range(start, start + sign * _MOST_POINTS, sign):
        first, last = (at, None) if sign > 0 else (None, at)
        beyond = _cell(first, last, functions)
        if all(m < small for m in beyond.masses):
            tails = tuple(_from(terms, at, sign) for terms in functions)
            cells.append(_Cell(beyond.low, beyond.high, beyond.masses, tails))
            break
        cells.append(_cell(at, at, functions))
    else:
        raise NoClosedSumError(
            "the probabilities of an output have different ratios for too many values"
        )
    return [*rest, *(cells if sign > 0 else cells[::-1])]


def _from(terms: Terms, start: int, sign: int) -> Terms:
    """Return terms as a function of the distance from a first value, which has distance 1."""
    if not terms:
        return {}
    z = next((y for bases, powers in terms for y, _ in (*bases, *powers)), 0)
    piece: list[Piece] = [((), terms)]
    moved = replace_variable(Problem([piece]), z, ((z, sign),), start - sign)
    return moved.factors[0][0][1]


def _merged(cells: Sequence[_Cell]) -> list[_Cell]:
    """Join neighbouring classes with proportional masses."""
    found: list[_Cell] = []
    for cell in cells:
        last = found[-1] if found else None
        if last is not None and last.tails is None and cell.tails is None:
            touching = last.high is not None and cell.low == last.high + 1
            if touching and _alike(last.masses, cell.masses):
                joined = tuple(a + b for a, b in zip(last.masses, cell.masses, strict=True))
                found[-1] = _Cell(last.low, cell.high, joined)
                continue
        found.append(cell)
    return found


def _alike(first: Sequence[Number], second: Sequence[Number]) -> bool:
    place = next(i for i, m in enumerate(first) if m != 0)
    return all(a * second[place] == first[place] * b for a, b in zip(first, second, strict=True))
