"""Deprecated public names, which raise a warning that names their replacements."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def warn_renamed(old: str, new: str, level: int) -> None:
    """Warn the caller ``level`` calls above that `old` is deprecated."""
    warnings.warn(
        f"{old} is deprecated; use {new} instead", DeprecationWarning, stacklevel=level + 1
    )


def renamed_arguments(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function accept keyword arguments under deprecated names: ``old="new"``."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in names.keys() & kwargs.keys():
                if names[old] not in kwargs:
                    warn_renamed(f"{function.__name__}: {old}", names[old], 2)
                    kwargs[names[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return called

    return decorate


class Renamed:
    """The deprecated name of a method or a field, in a class body: ``old = Renamed("new")``."""

    def __init__(self, new: str) -> None:
        self._new = new
        self.__doc__ = f"Deprecated name of `{new}`."

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._old = owner, name

    def _names(self) -> tuple[str, str]:
        name = self._owner.__name__
        return f"{name}.{self._old}", f"{name}.{self._new}"

    def __get__(self, instance: object, kind: type) -> Any:  # noqa: ANN401 - any member
        warn_renamed(*self._names(), 2)
        # that of this class even if a subclass has its own, as in super().old()
        return vars(self._owner)[self._new].__get__(instance, kind)

    def __set__(self, instance: object, value: object) -> None:
        warn_renamed(*self._names(), 2)
        setattr(instance, self._new, value)


def renamed_methods(kind: type, names: Mapping[str, str]) -> None:
    """Let a subclass define methods under deprecated names, in `__init_subclass__` of its base.

    If it defines only a deprecated name, the method gets the new name; if it defines the new name,
    the deprecated name becomes an alias.
    """
    for old, new in names.items():
        own = vars(kind).get(old)
        if own is not None and not isinstance(own, Renamed) and new not in vars(kind):
            warn_renamed(f"defining {kind.__name__}.{old}", f"{kind.__name__}.{new}", 4)
            setattr(kind, new, own)
        if new in vars(kind):
            alias = Renamed(new)
            alias.__set_name__(kind, old)
            setattr(kind, old, alias)
