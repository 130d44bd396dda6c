"""Options, help and values of registered objects, generated from the declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from ccsim.cli.parameters import Integer, Name, Rational
from ccsim.errors import DomainError
from ccsim.texts.declared import Declared
from ccsim.texts.registry import Registry

F = TypeVar("F", bound=Callable[..., Any])
_FEW = 2  # names that stand behind the meaning of an option


def parameters_of(registry: Registry) -> dict[str, tuple[Declared, list[str]]]:
    """Return the declared parameters by name, each with the names of the objects that have it."""
    found: dict[str, tuple[Declared, list[str]]] = {}
    for name, kind in registry.classes().items():
        for parameter in registry.declared(kind).values():
            found.setdefault(parameter.name, (parameter, []))[1].append(name)
    return dict(sorted(found.items()))


def registered_option(
    registry: Registry, others: Iterable[str] = (), *, required: bool = True
) -> Callable[[F], F]:
    """Add the option that names a registered object, or one of some additional names."""
    return click.option(
        f"--{registry.what}",
        required=required,
        type=Name(sorted({*registry.names(), *others})),
        metavar="NAME",
        help=f"{registry.what.capitalize()} of 'ccsim families --{registry.what}s'.",
    )


def parameter_options(registry: Registry, *, by_set: bool = False) -> Callable[[F], F]:
    """Add an option for each declared parameter.

    If there is an option ``--set``, only choices and switches get an option of their own.
    """

    def add(command: F) -> F:
        for name, (parameter, names) in reversed(parameters_of(registry).items()):
            about, kind = parameter.about, parameter.kind
            only = f" ({', '.join(names)})" if len(names) <= _FEW else ""
            known: dict[str, Any] = {"help": f"{about.meaning}{only}."}
            if kind is bool:
                known |= {"is_flag": True, "default": None}
            elif about.choices:
                known["type"] = click.Choice(about.choices)
                known["metavar"] = "NAME"
            elif by_set:
                continue
            else:
                known |= (
                    {"type": Integer(1), "metavar": "N"} if kind is int else {"type": Rational()}
                )
            command = click.option(f"--{name.replace('_', '-')}", name, **known)(command)
        if not by_set:
            return command
        return click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="KEY=VALUE",
            help=f"Parameter of the {registry.what}; may be repeated.",
        )(command)

    return add


def settings_of(
    registry: Registry, name: str, texts: Iterable[str], options: Mapping[str, object]
) -> dict[str, Any]:
    """Return the values of the declared parameters of a class, by field.

    Options that were not given are None.
    """
    known = registry.declared(registry.load_class(name))
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise DomainError(f"--set must be KEY=VALUE, not {text!r}")
        if key not in known:
            has = ", ".join(known) or "no parameter"
            raise DomainError(f"{name} has no parameter {key[:40]}; it has {has}")
        found[known[key].field] = known[key].read(value)
    for key, given in options.items():
        if given is None:
            continue
        if key not in known:
            _, others = parameters_of(registry).get(key, (None, []))
            what = registry.what + "s" * (len(others) > 1)
            listed = " and ".join(", ".join(others).rsplit(", ", 1))
            flag = f"--{key.replace('_', '-')}"
            raise DomainError(f"{flag} applies only to the {what} {listed}, not to {name}")
        found[known[key].field] = known[key].about.check(given, key)
    return found
