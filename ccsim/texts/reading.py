"""What reading a matrix assumed about it, and who is told where that was a guess."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ccsim.data import frozen


class ReadingWarning(UserWarning):
    """A file can be read in two ways, and one of them was taken."""


@frozen
class Reading:
    """What reading a matrix assumed about it."""

    source: str = ""  # the file, as messages name it; empty for a matrix in memory
    # whether the first row of a text was read as the labels of the columns; None where a format
    # does not leave that open
    header: bool | None = None
    # whether the first column was read as the labels of the rows, likewise
    index: bool | None = None
    signs: bool = False  # whether the entries were read as signs, so that -1 means 1
    outside: int = 0  # number of entries outside the promise
    guesses: tuple[str, ...] = ()  # what was guessed, and what decides it; a sentence each

    def to_json(self) -> dict[str, object]:
        """Return it for the JSON of results."""
        return {
            "header": self.header,
            "index": self.index,
            "signs": self.signs,
            "outside": self.outside,
            "guesses": list(self.guesses),
        }


_LISTENER: ContextVar[Callable[[Reading], object] | None] = ContextVar("listener", default=None)


def announce(reading: Reading) -> None:
    """Tell the listener how a file was read; without one, each guess is a warning."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(reading)
        return
    for guess in reading.guesses:
        warnings.warn(guess, ReadingWarning, stacklevel=2)


@contextmanager
def listening(listener: Callable[[Reading], object]) -> Iterator[None]:
    """Let a function be called with the reading of every file that is read inside."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
