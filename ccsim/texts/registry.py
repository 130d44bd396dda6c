"""Registries of families, mechanisms, learners and sanitizers, which entry points extend.

The functions of ``ccsim.families`` take integers and return a `ConceptClass` or a
`CommunicationProblem`; the other groups name data classes with declared parameters.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import TimeLimit
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.texts.built_in import BUILT_IN, LEARNERS, MECHANISMS, MULTICLASS, SANITIZERS
from ccsim.texts.calls import check_keys, look_up, parse_call
from ccsim.texts.declared import Declared, declared, summary
from ccsim.texts.reading import is_name_of_table

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@frozen
class Registry:
    """Names and their objects: those of ccsim and those registered by other distributions."""

    what: str  # in messages
    group: str  # of entry points
    own: Mapping[str, str]  # module and name of each object of ccsim
    method: str = ""  # that each class must have; empty if the objects are no classes

    def names(self) -> list[str]:
        """Return all names, in order."""
        return sorted({*self.own, *self._others()})

    def place(self, name: str) -> str:
        """Return the module and the name of an object; refuse a name that is not registered."""
        if name in self.own:
            return self.own[name]
        others = self._others()
        look_up(dict.fromkeys([*self.own, *others]), self.what, name)
        return others[name].value

    def load(self, name: str) -> object:
        """Return the object with a given name."""
        place = self.place(name)
        if name not in self.own:
            from ccsim.texts.homes import load_registered

            return load_registered(self._others()[name], self.what)
        module, _, attribute = place.partition(":")
        return getattr(import_module(module), attribute)

    def load_class(self, name: str) -> Any:  # noqa: ANN401 - with the method
        """Return the data class with a given name."""
        found = self.load(name)
        is_data = isinstance(found, type) and is_dataclass(found)
        if not is_data or not hasattr(found, self.method):
            raise UnreadableInputError(
                f"{self.what} {name}: {self.place(name)} must be a data class with a method "
                f"{self.method}"
            )
        return found

    def classes(self) -> dict[str, type]:
        """Return the registered classes that can be loaded, by name.

        A class that cannot be loaded is refused when it is used.
        """
        found = {}
        for name in self.names():
            with suppress(UnreadableInputError):
                found[name] = self.load_class(name)
        return found

    def declared(self, kind: type) -> dict[str, Declared]:
        """Return the declared parameters of a class, by name."""
        return declared(kind, self.method)

    def _others(self) -> Mapping[str, EntryPoint]:
        return _registered(self.group, tuple(sys.path), frozenset(self.own))


@cache
def _registered(group: str, _path: object, own: frozenset[str]) -> Mapping[str, EntryPoint]:
    """Return the entry points of other distributions by name; a search path is read only once."""
    from ccsim.texts.homes import registered

    found = registered(group)
    return MappingProxyType({name: found[name] for name in found if name not in own})


FAMILIES = Registry("family", "ccsim.families", BUILT_IN)
MULTICLASS_FAMILIES = Registry("family", "ccsim.multiclass_families", MULTICLASS)
MECHANISM_CLASSES = Registry("mechanism", "ccsim.mechanisms", MECHANISMS, "on_class")
LEARNER_CLASSES = Registry("learner", "ccsim.learners", LEARNERS, "for_task")
SANITIZER_CLASSES = Registry("sanitizer", "ccsim.sanitizers", SANITIZERS, "for_task")


@frozen
class Family:
    """A family of instances: its parameters, all integers, and a function that builds a member."""

    name: str  # as an INSTANCE text names it
    parameters: tuple[str, ...]  # those of ``build`` without a default value
    build: Callable[..., object]  # takes the parameters by name and returns the member
    takes_limit: bool = False  # whether ``build`` has a keyword-only parameter ``time_limit``


@checked_types
def find_family(name: str, families: Registry = FAMILIES) -> Family:
    """Return the family with a given name in INSTANCE texts."""
    return _family(name, families.load(name), families.place(name))


def build_member(text: str, time_limit: TimeLimit = None, families: Registry = FAMILIES) -> object:
    """Return the member of a family given as ``family:key=value,...``."""
    name = text.partition(":")[0].strip()
    if name not in BUILT_IN and is_name_of_table(text) and name not in FAMILIES.names():
        raise UnreadableInputError(f"{text[:80]!r} is the name of a file; write @{text[:80]}")
    name, values = parse_call(text)
    family = find_family(name, families)
    check_keys(name, values, family.parameters, family.parameters)
    if family.takes_limit:
        return family.build(**values, time_limit=time_limit)
    return family.build(**values)


def described(
    names: Iterable[str], find: Callable[[str], tuple[Iterable[str], object]]
) -> list[tuple[str, str]]:
    """Return, for each name, its usage and meaning, or the reason why it cannot be loaded.

    ``find`` returns the parameters and the function or class of a name.
    """
    rows = []
    for name in names:
        try:
            parameters, build = find(name)
        except UnreadableInputError as error:
            rows.append((name, str(error)))
            continue
        keys = ",".join(f"{key}=..." for key in parameters)
        rows.append((f"{name}:{keys}", summary(build).removeprefix("Return ")))
    return rows


def describe_families(families: Registry = FAMILIES) -> list[tuple[str, str]]:
    """Return, for each family of instances, its usage and meaning."""

    def find(name: str) -> tuple[Iterable[str], object]:
        family = find_family(name, families)
        return family.parameters, family.build

    return described(families.names(), find)


_SOURCE = re.compile(r"`(bbkn|bns|fx|pap)`\s+([A-Za-z]+)\s+([A-Z0-9][\w.]*\w|[A-Z0-9])")


def describe_classes(known: Registry) -> list[dict[str, Any]]:
    """Return the name, meaning, parameters and source of each class of a registry.

    For a class that cannot be loaded, the meaning is replaced by the reason.
    """
    described = []
    for name in known.names():
        row: dict[str, Any] = {"for": known.what, "name": name}
        row |= {"class": "", "parameters": [], "source": ""}
        try:
            kind = known.load_class(name)
        except UnreadableInputError as error:
            described.append(row | {"meaning": str(error)})
            continue
        parameters = known.declared(kind).values()
        row["parameters"] = [
            {"name": p.name, "default": p.shown, "in_words": p.in_words} for p in parameters
        ]
        row["class"] = getattr(kind, "family", "")
        texts = (kind.__doc__, sys.modules[kind.__module__].__doc__)
        cited = next(filter(None, (_SOURCE.findall(text or "") for text in texts)), [])
        row["source"] = ", ".join(dict.fromkeys(map(" ".join, cited)))
        described.append(row | {"meaning": summary(kind)})
    return described


def _family(name: str, build: object, place: str) -> Family:
    """Return the family of a function, whose signature defines the parameters."""
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
            f"family {name}: parameter {unnamed[0]} of {place} must not be positional-only"
        )
    limits = [p for p in given if p.name == "time_limit" and p.kind is p.KEYWORD_ONLY]
    parameters = tuple(p.name for p in needed if p not in limits)
    return Family(name, parameters, build, takes_limit=bool(limits))
