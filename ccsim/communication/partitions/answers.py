"""Cheapest partitions where Bob has few inputs: the best answers for his messages.

A protocol with ``k`` messages is a choice of ``k`` of Bob's ``2**columns`` answers; each row goes
to the one that errs least on it, as clients go to the nearest of ``k`` medians. Integer potentials
of the rows bound this: with the *gain* of an answer, the sum over rows of what is positive in
``potential - error``, a choice costs at least the sum of the potentials minus its ``k`` gains.
Branching on an answer that is chosen or not does the rest. Floats suggest, integers decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ccsim.certificates import encode_integers
from ccsim.communication.partitions.medians import swap_answers
from ccsim.communication.partitions.subsets import Table
from ccsim.communication.partitions.tables import check_rows
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError

MAX_COLUMNS = 10  # most columns for which all answers are compared
_MAX_MOVES = 255  # most symmetries by which answers are told apart, besides the identity

# A unit, the potentials of the rows in parts of it, and the answer on which is branched
Node = tuple[int, tuple[int, ...] | None, int | None]


def good_choices(
    weights: Table, messages: int, tries: int, rng: np.random.Generator
) -> tuple[Table, Table]:
    """Return partitions by answers of which no exchange of one is better, and their costs.

    They are as those of `good_partitions`: from random starts, the cheapest first.
    """
    errors = np.ascontiguousarray(errors_of_answers(weights), float)
    chosen = exchanged_choices(errors, messages, tries, rng)
    costs = errors[:, chosen].min(axis=2).sum(axis=0)
    order = np.argsort(costs, kind="stable")
    return errors[:, chosen[order]].argmin(axis=2).T.copy(), costs[order]


def exchanged_choices(
    errors: Table, messages: int, tries: int, rng: np.random.Generator | None = None
) -> Table:
    """Return choices of answers of which no exchange of one is better, from random starts."""
    rng = rng or np.random.default_rng(0)
    number = min(messages, errors.shape[1])
    chosen: Table = rng.random((tries, errors.shape[1])).argsort(axis=1)[:, :number].copy()
    swap_answers(errors, chosen)
    return chosen


def errors_of_answers(weights: Table) -> Table:
    """Return what each answer errs on each row."""
    columns = weights.shape[1]
    sides: Table = np.arange(1 << columns)[:, None] >> np.arange(columns) & 1
    sides = sides.astype(weights.dtype)
    errors: Table = np.maximum(weights, 0) @ (1 - sides).T
    errors += np.maximum(-weights, 0) @ sides.T
    return errors


def needs_answers(rows: int, columns: int, messages: int) -> bool:
    """Say whether there are too many rows for tables, and few enough columns for all answers."""
    try:
        check_rows(rows, columns, messages)
    except InstanceTooLargeError:
        return columns <= MAX_COLUMNS
    return False


@frozen
class AnswerTree:
    """What proves that all choices of answers cost so much."""

    bound: int  # every choice costs at least this
    # in preorder: potentials as multiples of one part in so many, and the answer that is chosen in
    # the first case and not in the second one; If the potentials decide about it, only the case
    # that is left follows; Without potentials, no image of the answer under symmetries that keep
    # what is chosen is chosen in the second case
    nodes: tuple[Node, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the tree as a part of a certificate."""
        return {
            "bound": encode_integers([self.bound])[0],
            "nodes": [
                {
                    "unit": encode_integers([unit])[0],
                    "potentials": None if potentials is None else encode_integers(potentials),
                    "answer": answer,
                }
                for unit, potentials, answer in self.nodes
            ],
        }


def orbit_of(answer: int, moves: Table) -> list[int]:
    """Return the images of an answer under the group that permutations of answers generate."""
    found = [answer]
    for each in found:  # grows while it is read
        found += sorted(set(moves[:, each].tolist()) - set(found))
    return found


def images_of_answers(moves: Sequence[tuple[Sequence[int], int]], columns: int) -> Table:
    """Return elements of the group that symmetries generate, as permutations of the answers.

    There are at most `_MAX_MOVES`, shorter products first, without the identity.
    """
    answers = np.arange(1 << columns)
    generators = []
    for images, flips in moves:
        moved = answers ^ flips
        image: Table = np.zeros_like(answers)
        for y, place in enumerate(images):
            image |= (moved >> y & 1) << place
        generators.append(image)
    found = {answers.tobytes(): answers}
    listed = [answers]
    for element in listed:  # grows while it is read
        for generator in generators:
            product = generator[element]
            if product.tobytes() not in found and len(found) <= _MAX_MOVES:
                found[product.tobytes()] = product
                listed.append(product)
    return np.array(listed[1:]).reshape(-1, len(answers))
