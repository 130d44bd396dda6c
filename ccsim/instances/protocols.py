"""Families of protocols, found through the entry-point group ``ccsim.protocols``."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from inspect import Parameter, getdoc, isclass, isfunction, signature
from typing import TypeAlias

from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.errors import UnreadableInputError
from ccsim.texts.calls import check_keys, look_up, parse_call
from ccsim.texts.homes import load_registered, registered

GROUP = "ccsim.protocols"

Family: TypeAlias = Callable[..., ProceduralProtocol]
"""A class of protocols, or a function that makes protocols of one, and its parameters."""


def build_protocol(text: str) -> ProceduralProtocol:
    """Return the protocol that ``NAME:key=value,...`` names."""
    name, values = parse_call(text)
    family = _load(look_up(registered(GROUP), "protocol", name))
    parameters = signature(family).parameters
    required = [key for key, p in parameters.items() if p.default is Parameter.empty]
    check_keys(name, values, list(parameters), required)
    protocol: object = family(**values)
    if not isinstance(protocol, ProceduralProtocol):
        raise UnreadableInputError(
            f"protocol {name}: what the family makes is not a ProceduralProtocol"
        )
    return protocol


def describe_families() -> list[tuple[str, str]]:
    """Return for each family how it is written and what it is, or why it cannot be loaded."""
    described = []
    for name, point in sorted(registered(GROUP).items()):
        try:
            family = _load(point)
        except UnreadableInputError as error:
            described.append((name, str(error)))
            continue
        parameters = ",".join(f"{key}=..." for key in signature(family).parameters)
        described.append((f"{name}:{parameters}", (getdoc(family) or "").split("\n")[0]))
    return described


def _load(point: EntryPoint) -> Family:
    family: Family = load_registered(point, "protocol")
    if not isfunction(family) and not (isclass(family) and issubclass(family, ProceduralProtocol)):
        raise UnreadableInputError(
            f"protocol {point.name}: {point.value} is not a ProceduralProtocol"
        )
    return family
