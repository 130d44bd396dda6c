"""Mechanisms, given by their output distributions on databases of which some are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from .neighbours import NEIGHBOURS, Near
from .powers import Powers, Value
from .reader import *
from .rules import *

Law = list[Value]


@dataclass(slots=True)
class Mechanism:
    """The output distribution of a mechanism on each database, and the pairs of neighbours."""

    title: str
    powers: Powers
    laws: list[Law]
    near: Near

    @classmethod
    def read(cls, value: object, _: object) -> Mechanism:
        """Read a mechanism on databases of records, on quality functions, or on listed pairs."""
        kind = value.get("type") if isinstance(value, dict) else None
        keys, neighbours = NEIGHBOURS[inside("type", choice, kind, NEIGHBOURS)]
        found = fields(value, "type", "name", "outcomes", "t", "laws", *keys)
        _, name, outcomes, t, listed, *own = found
        inside("name", naming, name)
        powers, width = inside("t", Powers, t), inside("outcomes", labels, outcomes)
        if is_program := isinstance(listed, dict):
            from .noise_programs import laws as laws_of

            laws = inside("laws", laws_of, listed, powers, width)
        else:
            laws = inside("laws", each, lambda p: each(powers.polynomial, p, length=width), listed)
        rule = "weights must be at least 0, and t must have enough bits to decide their signs"
        require(all(w.low >= 0 for p in laws for w in p), rule)
        require(all(any(w.low for w in p) for p in laws), "the weights must not all be 0")
        said, near = neighbours(len(laws), *own)
        said = f"a {'noise program' if is_program else 'mechanism'} on {said}{powers.title}"
        return cls(f"{said}, sha256 {digest(value)[:16]}", powers, laws, near)


Place = Annotated[int, lambda value, it: index(value, len(it.instance.laws))]
Event = Annotated[list[int], lambda value, it: distinct(value, len(it.instance.laws[0]))]
