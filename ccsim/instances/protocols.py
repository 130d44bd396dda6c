"""Families of protocols, found through the entry-point group ``ccsim.protocols``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint
from inspect import Parameter, isclass, isfunction, signature
from typing import TypeAlias

from ccsim.communication.protocols.by_rules import ProtocolByRules
from ccsim.communication.protocols.interactive import InteractiveProtocol
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.errors import UnreadableInputError
from ccsim.texts.calls import check_keys, look_up, parse_call
from ccsim.texts.homes import load_registered, registered
from ccsim.texts.registry import described

GROUP = "ccsim.protocols"

Family: TypeAlias = Callable[..., ProtocolByRules]
_KINDS = (ProceduralProtocol, InteractiveProtocol)
_NAMES = "ProceduralProtocol or InteractiveProtocol"
"""A family of protocols: a class or a function that returns protocols, and its parameters."""


def build_protocol(text: str) -> ProceduralProtocol | InteractiveProtocol:
    """Return the protocol given by a text ``NAME:key=value,...``."""
    name, values = parse_call(text)
    family = _load(look_up(registered(GROUP), "protocol", name))
    parameters = signature(family).parameters
    required = [key for key, p in parameters.items() if p.default is Parameter.empty]
    check_keys(name, values, list(parameters), required)
    protocol: object = family(**values)
    if not isinstance(protocol, _KINDS):
        raise UnreadableInputError(f"protocol {name}: the family must return a {_NAMES}")
    return protocol


def describe_protocols() -> list[tuple[str, str]]:
    """Return the syntax and a description of each family of protocols."""
    found = registered(GROUP)

    def find(name: str) -> tuple[Iterable[str], object]:
        family = _load(found[name])
        return signature(family).parameters, family

    return described(sorted(found), find)


def _load(point: EntryPoint) -> Family:
    family: Family = load_registered(point, "protocol")
    if not isfunction(family) and not (isclass(family) and issubclass(family, _KINDS)):
        raise UnreadableInputError(f"protocol {point.name}: {point.value} is not a {_NAMES}")
    return family
