"""The class of labelled concepts, which are 1 on examples with an incorrect label."""

from __future__ import annotations

from ccsim.arguments.checked import checked_types
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.texts.labels import check_size

__all__ = ["labelled_class"]


@checked_types
def labelled_class(concept_class: ClassLike) -> ConceptClass:
    """Return the class over labelled points whose concepts are 1 on incorrect labels.

    The concept ``c`` becomes ``c^label(x, y) = y xor c(x)`` (`bns` section 5.1), so that its share
    of the records of a database is the empirical error of ``c``.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix

    Returns
    -------
    ConceptClass
        Over twice as many points: point ``2 x + y``, called ``x|y``, is point ``x`` with label
        ``y``. The concepts keep their labels and their order.

    Raises
    ------
    InstanceTooLargeError

    Notes
    -----
    Complexity: one step for each entry.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> labelled = labelled_class(points(1))
    >>> labelled.points, [f"{row:04b}" for row in labelled.rows]
    (('0|0', '0|1', '1|0', '1|1'), ['1001', '0110'])
    """
    concept_class = as_class(concept_class)
    n = len(concept_class.points)
    name = f"labelled {concept_class.name}" if concept_class.name else ""
    check_size(len(concept_class), 2 * n, name or "the class of labelled concepts")
    return ConceptClass(
        tuple(f"{x}|{y}" for x in concept_class.points for y in (0, 1)),
        concept_class.concepts,
        tuple(_labelled(row, n) for row in concept_class.rows),
        name,
    )


def _labelled(row: int, points: int) -> int:
    """Return 1 on ``(x, 0)`` or on ``(x, 1)``, as the concept is 1 or 0 on ``x``."""
    return sum((1 if row >> x & 1 else 2) << 2 * x for x in range(points))
