"""The kernel's checks of privacy: the laws of a mechanism on databases that are neighbours."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

from proofs_check.kernel import Claim, Part, bounds, show

__all__ = ["privacy"]


def privacy(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least delta with which a mechanism is private."""
    keys = ("type", "name", "records", "outcomes", "size", "symmetric", "laws")
    kind, name, named, answers, entries, order, listed = instance.fields(*keys)
    kind.choice(["mechanism"])
    name.require(isinstance(name.value, str), "must be a text, not {}", name.value)
    order.require(isinstance(order.value, bool), "must be true or false, not {}", order.value)
    records, width, size = named.labels(), answers.labels(), entries.integer(1)
    named.require(records > 1, "must be at least 2 records, not {}", records)
    entries.require(size <= len(listed.entries()), "more entries than laws, {}", size)
    number = math.comb(records + size - 1, size) if order.value else records**size
    laws = [part.law(width) for part in listed.entries(number)]
    ordered = combinations_with_replacement(range(records), size)
    every = ordered if order.value else product(range(records), repeat=size)
    databases = {database: i for i, database in enumerate(every)}
    neighbours = [
        (i, databases[tuple(sorted(changed)) if order.value else changed])
        for database, i in databases.items()
        for place, record in product(range(size), range(records))
        if (changed := (*database[:place], record, *database[place + 1 :])) != database
    ]
    *stated, ratio = statement.fields("lower", "upper", "factor")
    factor = ratio.fraction()
    ratio.require(factor >= 1, "must be at least 1, not {}", factor)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None and (least or lower.value != {}):
        database, neighbour, event = lower.fields("database", "neighbour", "event")
        i, j = database.index(number), neighbour.index(number)
        neighbour.require((i, j) in neighbours, f"database {j} is no neighbour of database {i}")
        chosen = event.distinct(width, "an outcome stands twice")
        found = sum((laws[i][o] - factor * laws[j][o] for o in chosen), Fraction(0))
        lower.exactly(found, least, "the difference for this event")
    if most is not None:
        upper.fields()
        worst = Fraction(0)
        for i, j in neighbours:
            pairs = zip(laws[i], laws[j], strict=True)
            excess = sum((max(p - factor * q, Fraction(0)) for p, q in pairs), Fraction(0))
            listed.at_most(excess, most, f"the largest difference for databases {i} and {j}")
            worst = max(worst, excess)
        listed.exactly(worst, most, "the largest difference")
    what = f"privacy on databases of {size} of {records} records, e^epsilon = {show(factor)}"
    return f"{what}, delta", claim
