"""Every class over few points by a number, so that each has an INSTANCE text of its own."""

from __future__ import annotations

from ccsim.arguments.checked import checked_types
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.elementary import bit_strings
from ccsim.classes.masks import members
from ccsim.errors import DomainError, InstanceTooLargeError

MAX_POINTS = 5
"""Most points: the number of a class over more has more digits than an INSTANCE text may hold."""


@checked_types
def some_functions(n: int, chosen: int) -> ConceptClass:
    """Return the class of the functions over ``n`` points that the bits of a number choose.

    Parameters
    ----------
    n : int
        Between 0 and `MAX_POINTS`.
    chosen : int
        Between 0 and ``2**2**n - 1``. Bit ``f`` says whether the function with mask ``f``, whose
        value on point ``x`` is bit ``x`` of ``f``, is a concept.

    Raises
    ------
    DomainError
        If there is no such class.
    InstanceTooLargeError
        If there are more points.

    Examples
    --------
    >>> C = some_functions(2, 0b1001)
    >>> C.rows, C.concepts, C.name
    ((0, 3), ('00', '11'), 'some_functions:n=2,chosen=9')
    """
    name = f"some_functions:n={n},chosen={chosen}"
    if n < 0:
        raise DomainError(f"some_functions: n must be at least 0, not {n}")
    if n > MAX_POINTS:
        raise InstanceTooLargeError(f"some_functions: n is limited to {MAX_POINTS}, got {n}")
    if not 0 <= chosen < 1 << (1 << n):
        raise DomainError(
            f"some_functions: chosen must lie between 0 and 2^{1 << n} - 1, not {chosen}"
        )
    rows = tuple(members(chosen))
    labels = bit_strings(n)
    return ConceptClass(tuple(range(n)), tuple(labels[row] for row in rows), rows, name)
