"""Bounds passed along inequalities: what bounds the larger side from above bounds the smaller one.

Main definition: `passed_along`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ccsim.representation.inequalities import Inequality, Quantity

__all__ = ["passed_along"]


def passed_along(
    quantities: Iterable[Quantity], inequalities: Iterable[Inequality]
) -> tuple[Quantity, ...]:
    """Return quantities with the bounds that inequalities between them pass on.

    Parameters
    ----------
    quantities : iterable of Quantity
        With the bounds that their own results prove.
    inequalities : iterable of Inequality
        Theorems about them. If one fails, some bound is wrong and none is passed on.

    Returns
    -------
    tuple of Quantity
        In the same order. A bound that was passed on names the quantity that it comes from and
        the theorem; it follows from the certificate of that quantity, and not from its own.

    Examples
    --------
    >>> small, large = Quantity("small", 1, 9, None), Quantity("large", 2, 8, None)
    >>> theorem = Inequality("small", "large", "a theorem", None, None)
    >>> [better, _] = passed_along([small, large], [theorem])
    >>> better.lower, better.upper, better.lower_from, better.upper_from
    (1, 8, None, 'large (a theorem)')
    """
    given = {quantity.name: quantity for quantity in quantities}
    pairs, found = list(inequalities), dict(given)
    changed = True
    while changed:
        changed = False
        for each in pairs:
            left, right = found[each.left], found[each.right]
            if left.upper > right.upper:
                came = f"{right.name} ({each.source})"
                found[left.name] = replace(left, upper=right.upper, upper_from=came)
                changed = True
            if right.lower < left.lower:
                came = f"{left.name} ({each.source})"
                found[right.name] = replace(right, lower=left.lower, lower_from=came)
                changed = True
    consistent = all(quantity.lower <= quantity.upper for quantity in found.values())
    return tuple((found if consistent else given).values())
