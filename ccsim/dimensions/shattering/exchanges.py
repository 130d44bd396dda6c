"""Chains of thresholds found by moving one line at a time.

Main definition: `exchanged_chain`.

Implementation notes: a list of points ``x_1 .. x_k`` (or of concepts, in the dual class) is part of
a chain if for each ``i`` some concept has label 1 on ``x_i .. x_k`` alone. Lists of distinct points
with the most ``i`` for which that is so are improved: one point is taken out, and that one put in,
there or elsewhere, with which most ``i`` are served. It finds chains, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns

__all__ = ["exchanged_chain"]

_WORSE = 0.02
"""How often a list may become worse by one."""
_REST = 8
"""Steps for which a line that was taken out stays out, at most."""


def exchanged_chain(
    concept_class: ConceptClass, size: int, budget: Budget
) -> list[tuple[int, int]] | None:
    """Return concepts and points of a chain of a size if exchanges lead to one.

    Parameters
    ----------
    concept_class : ConceptClass
    size : int
        At least 1.
    budget : Budget
        Of looks at a line and a labelling.

    Raises
    ------
    OutOfTimeError, OutOfWorkError
        If the time is over, or the work is done.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> exchanged_chain(thresholds(1), 2, Budget())
    [(0, 0), (1, 1)]
    """
    rows, across = concept_class.rows, columns(concept_class)
    by_points = len(across) <= len(rows)
    lines, height = (across, len(rows)) if by_points else (rows, len(across))
    if size > min(len(rows), len(across)):
        return None
    everything = (1 << height) - 1
    chosen = _exchange(lines, everything, size, budget)
    pairs = list(zip(_served(lines, everything, chosen), chosen, strict=True))
    found = [((kept & -kept).bit_length() - 1, line) for kept, line in pairs]
    return found if by_points else [(line, other) for other, line in reversed(found)]


def _served(lines: Sequence[int], everything: int, chosen: Sequence[int]) -> list[int]:
    """Return for each place what has label 1 from there on and 0 before."""
    after = [everything]
    for line in reversed(chosen):
        after.append(after[-1] & lines[line])
    before, served = everything, []
    for line, ones in zip(chosen, reversed(after[1:]), strict=True):
        served.append(ones & before)
        before &= ~lines[line]
    return served


def _exchange(lines: Sequence[int], everything: int, size: int, budget: Budget) -> list[int]:
    """Return lines that are part of a chain, in its order; lists are changed until then."""
    random = Random(size)  # noqa: S311 - a seed, not a secret
    chosen, most, out = random.sample(range(len(lines)), size), 0, dict[int, int]()
    step = 0
    while True:
        step += 1
        place = random.randrange(size)
        rest = chosen[:place] + chosen[place + 1 :]
        to = random.choice((place, random.randrange(size)))
        free = [y for y in range(len(lines)) if y not in rest and out.get(y, 0) <= step]
        score, new = _best(lines, everything, rest, to, free, random)
        budget.spend(10 * size + len(free) * (size // 2 + 1))
        if score < most and random.random() > _WORSE / 8 ** (most - score - 1):
            continue
        out[chosen[place]] = step + random.randint(3, _REST)
        chosen, most = [*rest[:to], new, *rest[to:]], score
        if most == size:
            return chosen


def _best(
    lines: Sequence[int],
    everything: int,
    rest: Sequence[int],
    to: int,
    free: Sequence[int],
    random: Random,
) -> tuple[int, int]:
    """Return how many places are served with the best free line at a place, and such a line."""
    ones = [kept for kept in _around(lines, everything, rest, to + 1) if kept]
    zeros = [kept for kept in _served(lines, everything, rest)[to:] if kept]
    best, found = -1, [rest[0] if rest else 0]
    for y in free:
        line = lines[y]
        score = sum([kept & line > 0 for kept in ones]) + sum([kept & ~line > 0 for kept in zeros])
        if score >= best:
            found = [*found, y] if score == best else [y]
            best = score
    return best, random.choice(found)


def _around(lines: Sequence[int], everything: int, rest: Sequence[int], number: int) -> list[int]:
    """Return for the first places what has label 1 on the lines from there on and 0 before."""
    last = everything
    for line in rest:
        last &= ~lines[line]
    return [*_served(lines, everything, rest), last][:number]
