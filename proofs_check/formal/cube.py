"""Symmetries of the halfspaces on `{0,1}^d`, as products of moves that are proved symmetries.

Main definition: `word`. Digits and the label are written as ``d + 1`` signs; a move permutes the
signs and changes some of them. The literal ``2 x + b`` is the vector ``(s, s x_0, .., s x_(d-1))``
with ``s = 1`` for the label 1, and -1 for 0, where ``x_i`` is 1 or -1 for digit ``i`` of ``x``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.errors import DomainError

__all__ = ["word"]

Signs = tuple[int, ...]


def _signs(literal: int, d: int) -> Signs:
    """Return the vector of a literal.

    Examples
    --------
    >>> _signs(2 * 2 + 0, 2)
    (-1, 1, -1)
    """
    label = 1 if literal & 1 else -1
    return label, *(label if literal >> i + 1 & 1 else -label for i in range(d))


def word(images: Sequence[int], d: int, name: str = "images") -> list[tuple[str, int]]:
    """Return moves of `rocq/families/Halfspaces.v` whose product maps the literals to given images.

    Parameters
    ----------
    images : sequence of int
        Images of the literals ``0 .. 2^(d+1) - 1``.
    d : int
        At least 1.
    name : str
        The subject of the error message.

    Returns
    -------
    list of (str, int)
        ``("Flip", i)``, ``("Swap", i)`` and ``("Turn", 0)``; the first one is applied first.

    Raises
    ------
    DomainError
        If no permutation and changes of signs of the sign vectors have these images.

    Examples
    --------
    >>> word([0, 1, 2, 3, 4, 5, 6, 7], 2), word([2, 3, 0, 1, 6, 7, 4, 5], 2)
    ([], [('Flip', 0)])
    >>> word([2, 3, 0, 1, 4, 5, 6, 7], 2)
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: images must map the points, as sign vectors, by a permutation and \
changes of signs; --by-definition supports only such symmetries
    """
    refused = DomainError(
        f"{name} must map the points, as sign vectors, by a permutation and changes of signs; "
        "--by-definition supports only such symmetries"
    )
    places, changes = list[int](), list[int]()
    if len(images) == 2 << d:
        start = 2 * ((1 << d) - 1) + 1
        first = _signs(images[start], d)
        for i in range(d + 1):
            # the vector of ones with sign i changed
            literal = 0 if i == 0 else start - (2 << i - 1)
            moved = [(a - b) // 2 for a, b in zip(first, _signs(images[literal], d), strict=True)]
            if sorted(map(abs, moved)) != [0] * d + [1]:
                raise refused
            places.append([abs(a) for a in moved].index(1))
            changes.append(sum(moved))
    if sorted(places) != list(range(d + 1)) or not all(
        _signs(image, d) == _moved(_signs(literal, d), places, changes)
        for literal, image in enumerate(images)
    ):
        raise refused
    last_first = [move for i in range(d + 1) if changes[i] < 0 for move in _change(places[i])]
    return _sorted(places, last_first)


def _moved(signs: Signs, places: Sequence[int], changes: Sequence[int]) -> Signs:
    found = [0] * len(signs)
    for sign, place, change in zip(signs, places, changes, strict=True):
        found[place] = sign * change
    return tuple(found)


def _exchange(i: int) -> tuple[str, int]:
    """Return the move that exchanges the signs ``i`` and ``i + 1``."""
    return ("Swap", i - 1) if i else ("Turn", 0)


def _change(i: int) -> list[tuple[str, int]]:
    """Return the moves that change sign ``i``."""
    return [("Flip", i - 1)] if i else [("Turn", 0), ("Flip", 0), ("Turn", 0)]


def _sorted(places: list[int], last_first: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return moves that undo a permutation by exchanges of adjacent places."""
    while True:
        at = {place: i for i, place in enumerate(places)}
        wrong = next((i for i in range(len(places) - 1) if at[i] > at[i + 1]), None)
        if wrong is None:
            return last_first[::-1]
        last_first.append(_exchange(wrong))
        places[at[wrong]], places[at[wrong + 1]] = wrong + 1, wrong
