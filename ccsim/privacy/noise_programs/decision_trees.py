"""Noise programs as decision trees, from which the kernel computes the output distributions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from ccsim.budget import check_time
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.exact.exponentials import Exponential
from ccsim.kernel import Rejected, check
from ccsim.privacy.noise_programs.lattice_sums import Constraint
from ccsim.privacy.noise_programs.noises import DiscreteGaussian, Draw, OneSidedGeometric
from ccsim.privacy.noise_programs.outcomes import (
    Leaf,
    Range,
    Slot,
    classes_of,
    groups_of,
    lift_of,
    unit_of,
)
from ccsim.privacy.noise_programs.paths import Path, Step, paths
from ccsim.privacy.noise_programs.program import ProgramTable
from ccsim.privacy.noise_programs.values import Value

Node = dict[str, Any]


class NotEncodedError(Exception):
    """Raised if the kernel cannot compute the distributions of a program."""


_MORE = 4
"""How many times more bits of t the kernel needs if it computes the distributions itself."""


def decision_trees(
    mechanism: ProgramTable,
    databases: Sequence[tuple[int, ...]],
    outcomes: Mapping[Any, int],
    instance: Mapping[str, Any],
) -> dict[str, Any]:
    """Return ``t`` and ``laws`` for an instance, with decision trees in place of distributions.

    The numbers of the outcomes in the instance are given. Nothing is returned if the kernel cannot
    compute the distributions.
    """
    runs = [paths(mechanism.program.function, vector) for vector in mechanism.vectors]
    draws = {draw for paths in runs for path in paths for draw in path.draws}
    roots = [
        r.root for r in (getattr(d, "ratio", None) for d in draws) if isinstance(r, Exponential)
    ]
    t = instance["t"]
    if roots and (t is None or t["base"] is not None):
        return {}
    if t is not None:
        t = t | {"root": lcm(t["root"], *roots), "bits": _MORE * t["bits"]}
    try:
        encoder = _Encoder(mechanism, runs, outcomes, 1 if t is None else t["root"])
        found = {"t": t, "laws": encoder.encoded([i for (i,) in databases])}
        check(_trivial({**instance, **found}), check_time)
    except (NotEncodedError, Rejected):
        return {}
    return found


def _trivial(instance: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate that is accepted if the kernel can compute the distributions."""
    nothing = {"database": 0, "neighbour": 0, "outcomes": [], "bound": "0"}
    return {
        "format": 2,
        "kind": "privacy",
        "instance": instance,
        "statement": {"factor": "1", "delta": None, "lower": "0", "upper": None},
        "lower": {"event": nothing},
        "upper": None,
        "made_by": "",
    }


class _Encoder:
    """The nodes of decision trees, each kept once."""

    def __init__(
        self,
        mechanism: ProgramTable,
        runs: Sequence[Sequence[Path]],
        outcomes: Mapping[Any, int],
        root: int,
    ) -> None:
        self.root = root
        self.runs = runs
        self.groups: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}
        self._leaves: dict[int, Node] = {}  # by the identity of the path
        self._impossible: Node | None = None
        labels = iter(mechanism.outcomes)
        lift = lift_of(runs)
        for template, leaves in groups_of(runs):
            classes = [
                (label, outcomes.get(next(labels)), tails is not None)
                for label, _, tails in classes_of(template, leaves, len(runs), lift)
            ]
            width = len(leaves[0].numbers)
            if width > 1 or any(is_rough for _, _, is_rough in classes):
                raise NotEncodedError
            if width:
                self._numbers(template, leaves, [(label, o) for label, o, _ in classes])
            elif (o := classes[0][1]) is not None:
                self._impossible = {"outcome": o}
                for leaf in leaves:
                    self._leaves[id(leaf.path)] = {"outcome": o}

    def _numbers(
        self,
        template: Any,  # noqa: ANN401
        leaves: Sequence[Leaf],
        classes: Sequence[tuple[Any, int | None]],
    ) -> None:
        """Make a group of ranges for each lattice of values of a noisy output."""
        unit = unit_of(leaf.numbers[0] for leaf in leaves)
        ranges: dict[Fraction, list[tuple[int | None, int]]] = {}
        for label, o in classes:
            value = number_in(template, label)
            is_range = isinstance(value, Range)
            rest = value.rest if is_range else Fraction(value) % unit
            low = value.low if is_range else value
            if o is not None:
                start = None if low is None else int((low - rest) / unit)
                ranges.setdefault(rest, []).append((start, o))
        place = {}
        for rest, found in ranges.items():
            found.sort(key=lambda each: (each[0] is not None, each[0]))
            place[rest] = len(self.groups)
            cuts = [start for start, _ in found[1:] if start is not None]
            group = {"cuts": encode_integers(cuts), "outcomes": [o for _, o in found]}
            self.groups.append(group)
        for leaf in leaves:
            number = leaf.numbers[0]
            terms, constant = (
                (number.terms, number.constant) if isinstance(number, Value) else ((), number)
            )
            if (rest := Fraction(constant) % unit) in place:
                form = tuple((z, int(a / unit)) for z, a in terms)
                own = self._form((form, int((constant - rest) / unit)))
                self._leaves[id(leaf.path)] = {"group": place[rest], "number": own}
                if self._impossible is None:
                    self._impossible = {"group": place[rest], "number": [[], 0]}

    def encoded(self, vectors: Sequence[int]) -> dict[str, Any]:
        """Return the laws of a certificate."""
        trees = [self._tree(self.runs[i]) for i in vectors]
        return {"nodes": list(map(json.loads, self._known)), "trees": trees, "groups": self.groups}

    def _add(self, node: Node) -> int:
        """Return the number of a node."""
        return self._known.setdefault(json.dumps(node), len(self._known))

    def _tree(self, runs: Sequence[Path]) -> int:
        """Return the number of the root of the tree of all runs on an input."""
        check_time()
        top: _Fork = _Fork()
        for path in runs:
            fork = top
            for step in path.steps:
                fork.step = step
                fork = fork.below.setdefault(step.taken, _Fork())
            fork.leaf = self._leaves.get(id(path), self._impossible)
        # children first, without recursion
        order, left = [], [top]
        while left:
            order.append(fork := left.pop())
            left += fork.below.values()
        for fork in reversed(order):
            fork.number = self._add(self._node(fork))
        return top.number

    def _node(self, fork: _Fork) -> Node:
        if fork.step is None:
            if fork.leaf is None:
                raise NotEncodedError
            return fork.leaf
        data, count = self._data(fork.step)
        impossible = 0 if len(fork.below) == count else self._add(self._impossible or {})
        below = [fork.below[i].number if i in fork.below else impossible for i in range(count)]
        return {fork.step.kind: data, "next": below}

    def _data(self, step: Step) -> tuple[Any, int]:
        """Return the data of a node, and the number of its children."""
        if step.kind == "draw":
            return self._draw(step.data), 1
        if step.kind == "choose":
            unit = lcm(*(p.denominator for p in step.data))
            return encode_integers(int(p * unit) for p in step.data), len(step.data)
        if step.kind == "largest":
            return [self._form(form) for form in step.data], len(step.data)
        return self._form(step.data), 2

    def _form(self, constraint: Constraint) -> list[Any]:
        form, constant = constraint
        coefficients = [0] * (1 + max((z for z, _ in form), default=-1))
        for z, a in form:
            coefficients[z] = a
        return [encode_integers(coefficients), encode_integers([constant])[0]]

    def _draw(self, draw: Draw) -> list[Any]:
        if isinstance(draw, DiscreteGaussian):
            raise NotEncodedError
        kind = "one-sided geometric" if isinstance(draw, OneSidedGeometric) else "geometric"
        if not isinstance(draw.ratio, Exponential):
            return [kind, encode_fraction(draw.ratio)]
        power = draw.ratio.denominator  # the ratio is a power of 1 / t
        if power != flint.fmpq_poly([0, 1]) ** power.degree():
            raise NotEncodedError
        return [kind, power.degree() * (self.root // draw.ratio.root)]


@dataclass(slots=True)
class _Fork:
    """A place in a tree: the step made there, and the places after it."""

    step: Step | None = None
    below: dict[int, _Fork] = field(default_factory=dict)
    leaf: Node | None = None
    number: int = -1


def number_in(template: Any, label: Any) -> Any:  # noqa: ANN401
    """Return the part of a label that stands for the noisy output in a template."""
    if isinstance(template, Slot):
        return label
    for part, named in zip(template, label, strict=True):
        if isinstance(part, Slot) or (isinstance(part, tuple) and has_slot(part)):
            return number_in(part, named)
    raise NotEncodedError


def has_slot(template: Any) -> bool:  # noqa: ANN401
    """Whether a template contains the noisy output."""
    if isinstance(template, tuple):
        return any(map(has_slot, template))
    return isinstance(template, Slot)
