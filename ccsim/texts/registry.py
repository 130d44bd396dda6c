"""The registry of families: those of ccsim, and those that other distributions register.

A distribution registers a family as it does a protocol, by an entry point of the group
``ccsim.families``: ``name = package.module:function``. The function takes integers and returns a
`ConceptClass` or a `CommunicationProblem`. A name of a family of ccsim (`ccsim.texts.built_in`)
always means that one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from inspect import Parameter, getdoc, signature
from types import MappingProxyType

from ccsim.arguments.checked import checked_types
from ccsim.budget import TimeLimit
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.texts.built_in import BUILT_IN
from ccsim.texts.calls import check_keys, look_up, parse_call
from ccsim.texts.homes import load_registered, registered

GROUP = "ccsim.families"


@frozen
class Family:
    """A family of instances: its parameters, all integers, and how a member is built."""

    name: str  # as an INSTANCE text names it
    # names of the parameters: those of ``build`` without a default value
    parameters: tuple[str, ...]
    # takes the parameters by name and returns the member; refuses parameters outside its domain and
    # members that are too large
    build: Callable[..., object]
    # whether ``build`` has a keyword-only parameter ``time_limit``, as families have whose members
    # may take more than a second to build
    takes_limit: bool = False


def family_names() -> list[str]:
    """Return the names of all families, those of other distributions included, in order."""
    return sorted({*BUILT_IN, *_others(tuple(sys.path))})


@checked_types
def find_family(name: str) -> Family:
    """Return the family that a name means in an INSTANCE text."""
    if name in BUILT_IN:
        module, _, function = BUILT_IN[name].partition(":")
        return _family(name, getattr(import_module(module), function), BUILT_IN[name])
    others = _others(tuple(sys.path))
    look_up(dict.fromkeys([*BUILT_IN, *others]), "family", name)
    return _family(name, load_registered(others[name], "family"), others[name].value)


def build_member(text: str, time_limit: TimeLimit = None) -> object:
    """Return the member of a family that ``family:key=value,...`` names, whatever it is."""
    name, values = parse_call(text)
    family = find_family(name)
    check_keys(name, values, family.parameters, family.parameters)
    if family.takes_limit:
        return family.build(**values, time_limit=time_limit)
    return family.build(**values)


def describe_families() -> list[tuple[str, str]]:
    """Return for each family how it is written and what it is, or why it cannot be loaded."""
    described = []
    for name in family_names():
        try:
            family = find_family(name)
        except UnreadableInputError as error:
            described.append((name, str(error)))
            continue
        parameters = ",".join(f"{key}=..." for key in family.parameters)
        meaning = (getdoc(family.build) or "").partition("\n")[0].removeprefix("Return ")
        described.append((f"{name}:{parameters}", meaning))
    return described


@cache
def _others(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Return the families of other distributions on ``sys.path``, which is read once."""
    found = registered(GROUP)
    return MappingProxyType({name: found[name] for name in found if name not in BUILT_IN})


def _family(name: str, build: object, place: str) -> Family:
    """Return the family of a function, whose signature states the parameters."""
    if not callable(build):
        raise UnreadableInputError(f"family {name}: {place} is not a function")
    try:
        given = signature(build).parameters.values()
    except (TypeError, ValueError) as error:
        raise UnreadableInputError(
            f"family {name}: the parameters of {place} cannot be read: {error}"
        ) from None
    several = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    needed = [p for p in given if p.default is p.empty and p.kind not in several]
    unnamed = [p.name for p in needed if p.kind is p.POSITIONAL_ONLY]
    if unnamed:
        raise UnreadableInputError(
            f"family {name}: parameter {unnamed[0]} of {place} must be one that is given by name"
        )
    limits = [p for p in given if p.name == "time_limit" and p.kind is p.KEYWORD_ONLY]
    parameters = tuple(p.name for p in needed if p not in limits)
    return Family(name, parameters, build, takes_limit=bool(limits))
