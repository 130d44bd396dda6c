"""Proofs of format 1 about what protocols without public coins cannot do, in format 2.

Main definition: `without_public_coins`, for the translator of errors and complexities.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.colouring import conflict_tree
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError
from ccsim.format_1.table import SECONDS, Translator

__all__ = ["KINDS", "without_public_coins"]

KINDS: dict[str, Translator] = {}


def without_public_coins(
    problem: CommunicationProblem, messages: int, coins: str, proof: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the form of a proof that so many messages force an error, or None if it is no such.

    Parameters
    ----------
    problem : CommunicationProblem
    messages : int
        At least 1.
    coins : str
    proof : dict
        The lower side of a certificate of format 1, or a part of it.

    Returns
    -------
    dict or None
        None for hard distributions.

    Raises
    ------
    CertificateError
        If the proof breaks a rule of format 1.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> without_public_coins(equality(3), 2, "deterministic", {})
    {'conflicts': {'nodes': [0, 1, 2]}}
    """
    if coins == "deterministic" and not proof:
        nodes = conflict_tree(problem, messages, Budget(SECONDS))
        return {"conflicts": {"nodes": nodes}}
    if len(proof) != 1:
        return None
    [(name, data)] = proof.items()
    if name == "radon":
        return {"radon": _radon(problem, **data)}
    if name == "unsorted":
        return {"unsorted": {"inputs": data}}
    return {"boxes": _boxes(problem, messages, **data)} if name == "boxes" else None


def _radon(
    problem: CommunicationProblem, inputs: list[int], separations: list[list[Any]]
) -> dict[str, Any]:
    """Write the weights of all columns, 0 where none was listed."""
    dense = []
    for separation in separations:
        weights = [0] * len(problem.bob)
        columns = [y for y, _ in separation]
        promised = all(problem.value(x, y) is not None for x in inputs for y in columns)
        if columns != sorted({*columns}) or not promised:
            raise CertificateError("columns of a separation are distinct, in order and promised")
        for y, w in separation:
            weights[y] = w
        dense.append(weights)
    return {"inputs": inputs, "separations": dense}


def _boxes(
    problem: CommunicationProblem, messages: int, ordered: int, nodes: list[Any]
) -> dict[str, Any]:
    """Write all ends as integers over a common denominator, and messages and answers as laws."""
    if not 1 < messages < len(problem.alice):
        raise CertificateError(f"boxes are not for {messages} messages")
    cuts = [Fraction(node[3]) for node in nodes if isinstance(node, list)]
    unit, written = lcm(*range(1, messages + 1), *(cut.denominator for cut in cuts)), list[Any]()
    for node in nodes:
        if isinstance(node, dict):
            (weights,) = node.values()
            written.append({"weights": [[[x, y], w, splits] for x, y, w, splits in weights]})
            continue
        side, number, message, cut = node
        law, entry = number, message
        if side not in ("alice", "bob"):
            raise CertificateError(f"a node cuts a law of alice or bob, not of {side!r}")
        if side == "bob":
            law, entry = len(problem.alice) + number * messages + message, 1
        written.append([law, entry, *encode_integers([int(Fraction(cut) * unit)])])
    (encoded,) = encode_integers([unit])
    return {"unit": encoded, "ordered": ordered, "nodes": written}
