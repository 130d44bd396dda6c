"""Options, help and values of what is registered: made of the declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from ccsim.cli.parameters import Command
from ccsim.errors import DomainError
from ccsim.texts.declared import Declared, declared, summary
from ccsim.texts.registry import Registry

F = TypeVar("F", bound=Callable[..., Any])


def parameters_of(registry: Registry) -> dict[str, tuple[Declared, list[str]]]:
    """Return all declared parameters by name, each with the names of what has it."""
    found: dict[str, tuple[Declared, list[str]]] = {}
    for name, kind in registry.classes().items():
        for parameter in declared(kind).values():
            found.setdefault(parameter.name, (parameter, []))[1].append(name)
    return dict(sorted(found.items()))


class ListingCommand(Command):
    """A command whose help lists what is registered, and its parameters."""

    def __init__(self, *args: Any, registry: Registry, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._registry = registry

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the registered names and their parameters."""
        super().format_options(ctx, formatter)
        what = self._registry.what.capitalize()
        rows = []
        for name, kind in self._registry.classes().items():
            rows.append((name, summary(kind)))
            rows += [(f"  {p.name}", p.in_words) for p in declared(kind).values()]
        with formatter.section(f"{what}s, and their parameters for --set"):
            formatter.write_dl(rows)


def registered_option(registry: Registry) -> Callable[[F], F]:
    """Add the option that names what is registered."""
    return click.option(
        f"--{registry.what}",
        required=True,
        type=click.Choice(registry.names()),
        help=f"Name of the {registry.what}, from the list below.",
    )


def parameter_options(registry: Registry) -> Callable[[F], F]:
    """Add an option for each declared choice and switch, and ``--set`` for all parameters."""

    def add(command: F) -> F:
        for name, (parameter, names) in reversed(parameters_of(registry).items()):
            about, flag = parameter.about, f"--{name.replace('_', '-')}"
            text = f"{about.meaning}; of {', '.join(names)}."
            if parameter.kind is bool:
                command = click.option(flag, name, is_flag=True, default=None, help=text)(command)
            elif about.choices:
                choice = click.Choice(about.choices)
                text = f"{text[:-1]}; {parameter.default} by default."
                command = click.option(flag, name, type=choice, help=text)(command)
        return click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="KEY=VALUE",
            help=f"Parameter of the {registry.what}, from the list below; may be repeated.",
        )(command)

    return add


def settings_of(
    name: str, kind: type, texts: Iterable[str], options: Mapping[str, object]
) -> dict[str, Any]:
    """Return the values of the declared parameters of a class, by field.

    Options that were not given are None.
    """
    known = declared(kind)
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise DomainError(f"--set needs KEY=VALUE, not {text!r}")
        if key not in known:
            raise DomainError(f"{name} has no parameter {key[:40]}; {_has(known)}")
        found[known[key].field] = known[key].read(value)
    for key, given in options.items():
        if given is None:
            continue
        if key not in known:
            raise DomainError(f"{name} has no option --{key.replace('_', '-')}; {_has(known)}")
        about = known[key].about
        found[known[key].field] = about.check(given, key)
    return found


def _has(known: Iterable[str]) -> str:
    return f"it has {', '.join(known) or 'no parameter'}"
