"""Families of protocols, found through the entry-point group ``ccsim.protocols``.

Implementation notes: the group is open to other packages. One that cannot be imported is named as
such when it is asked for, and does not keep others from being used.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc, isclass

from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.errors import UnreadableInputError
from ccsim.instances.text import check_keys, look_up, parse_call

__all__ = ["GROUP", "build_protocol", "describe_families"]

GROUP = "ccsim.protocols"


def build_protocol(text: str) -> ProceduralProtocol:
    """Return the protocol that ``NAME:key=value,...`` names.

    Raises
    ------
    UnreadableInputError
        If there is no such family, it cannot be loaded, or its parameters are others.
    DomainError, InstanceTooLargeError
        If the family refuses the parameters.
    """
    name, values = parse_call(text)
    family = _load(look_up(_entry_points(), "protocol", name))
    required = [field.name for field in fields(family) if field.default is MISSING]
    check_keys(name, values, [field.name for field in fields(family)], required)
    return family(**values)


def describe_families() -> list[tuple[str, str]]:
    """Return for each family how it is written and what it is, or why it cannot be loaded."""
    described = []
    for name, point in sorted(_entry_points().items()):
        try:
            family = _load(point)
        except UnreadableInputError as error:
            described.append((name, str(error)))
            continue
        parameters = ",".join(f"{field.name}=..." for field in fields(family))
        described.append((f"{name}:{parameters}", (getdoc(family) or "").split("\n")[0]))
    return described


def _entry_points() -> dict[str, EntryPoint]:
    """Return the families by name; of two packages with the same name the first found wins."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


def _load(point: EntryPoint) -> type[ProceduralProtocol]:
    try:
        family = point.load()
    except Exception as error:
        msg = f"protocol {point.name}: {point.value} cannot be loaded: {error}"
        raise UnreadableInputError(msg) from error
    if not isclass(family) or not issubclass(family, ProceduralProtocol):
        msg = f"protocol {point.name}: {point.value} is not a ProceduralProtocol"
        raise UnreadableInputError(msg)
    return family
