"""The Littlestone dimension of halfspaces on the cube, without a table, as a Rocq theorem.

Main definition: `halfspace_theorem`. It uses the mistake tree of a certificate, with weights in
place of concepts, and the refutation, with moves of the cube in place of symmetries. It does not
use the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from proofs_check.formal.cube import word
from proofs_check.formal.families import weights
from proofs_check.formal.terms import listed

__all__ = ["halfspace_theorem"]


def halfspace_theorem(certificate: Mapping[str, Any], family: ConceptClass, d: int) -> str:
    """Return a Rocq file about the halfspaces on ``{0,1}^d``.

    Parameters
    ----------
    certificate : mapping
        Certificate of the kind ``littlestone_dimension`` for the rows of `family` in any order.
    family : ConceptClass
        ``halfspaces(1, d)``, whose labels are weights and thresholds.
    d : int
        At least 1.

    Raises
    ------
    DomainError
        If a symmetry of the certificate is not a permutation and changes of signs.

    Examples
    --------
    >>> from ccsim import halfspaces, littlestone_dimension
    >>> C = halfspaces(1, 2)
    >>> found = littlestone_dimension(C).certificate().to_dict()
    >>> print(halfspace_theorem(found, C, 2).splitlines()[-3])
    Theorem by_definition : ldim (2 ^ 2) (halfspace 2) 3.
    """
    stated = certificate["statement"]
    data = []
    if stated["lower"] is not None:
        rows = certificate["instance"]["rows"]
        found = weights(family)
        leaves = {i: "(leaf {} {})".format(*found[row]) for i, row in enumerate(rows)}
        tree = _tree(certificate["lower"]["mistake_tree"]["tree"], stated["lower"], leaves)
        data.append(f"Definition tree : grown := {tree}.")
    if stated["upper"] is not None:
        spaces = _spaces(certificate["upper"]["refutation"], d)
        data.append("Definition spaces : list space := [\n  " + ";\n  ".join(spaces) + "].")
    low, high = stated["lower"], stated["upper"]
    shape = f"(2 ^ {d}) (halfspace {d})"
    lower = f"dimension_at_least (mistakes {shape}) {low}"
    upper = f"dimension_at_most (mistakes {shape}) {high}"
    run = "ltac:(vm_cast_no_check (eq_refl true))"
    if low == high:
        statement, proof = f"ldim {shape} {low}", f"halfspace_dimension {d} {low} tree spaces {run}"
    elif high is None:
        statement, proof = lower, f"grown_mistakes {d} {low} tree {run}"
    elif low is None:
        statement, proof = upper, f"refuted_mistakes {d} {high} spaces {run}"
    else:
        statement = f"{lower} /\\ {upper}"
        proof = (
            f"conj (grown_mistakes {d} {low} tree {run}) (refuted_mistakes {d} {high} spaces {run})"
        )
    lines = [
        "From Coq Require Import List NArith ZArith.",
        "From CCSim Require Import Definitions Halfspaces HalfspaceDimension.",
        "Import ListNotations.",
        "Local Notation leaf w t := (Weights w%Z t%Z).",
        *data,
        f"Theorem by_definition : {statement}.",
        f"Proof. exact ({proof}). Qed.",
        "Print Assumptions by_definition.",
    ]
    return "\n".join(lines) + "\n"


def _tree(nodes: Sequence[int], depth: int, leaves: Mapping[int, str]) -> str:
    """Return a tree in preorder as a term with weights, lowest digit first, as leaves."""
    rest = iter(nodes)

    def subtree(height: int) -> str:
        node = next(rest)
        if height == 0:
            return leaves[node]
        left = subtree(height - 1)
        return f"(Split {node} {left} {subtree(height - 1)})"

    return subtree(depth)


def _spaces(refutation: Mapping[str, Any], d: int) -> list[str]:
    """Return the version spaces of a refutation as terms, with moves in place of images."""
    words = [
        word(
            [
                2 * y + (b ^ f)
                for y, f in zip(s["columns"], map(int, s["flips"]), strict=True)
                for b in (0, 1)
            ],
            d,
            f"symmetry {i}",
        )
        for i, s in enumerate(refutation["symmetries"])
    ]
    sources, terms = list[tuple[int, list[tuple[str, int]]]](), list[str]()
    for entry in refutation["spaces"]:
        if len(entry) == 2:
            source, moves = sources[entry[0]]
            sources.append((source, moves + words[entry[1]]))
            continue
        depth, literals, sides, below = entry
        steps = []
        for literal, earlier in zip(sides, below, strict=True):
            source, moves = sources[earlier]
            steps.append(f"Step {_literal(literal)} {source} {listed(_shortened(moves), _move)}")
        sources.append((len(terms) + 1, []))
        known = listed(literals, lambda v: f"({_literal(v).replace(' ', ', ')})")
        terms.append(f"Space {known} {depth} {listed(steps)}")
    if refutation["spaces"] and sources[-1][0] != len(terms):
        raise DomainError(
            "halfspaces: the last space of the refutation must not be an image of another"
        )
    return terms


def _shortened(moves: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return moves without consecutive moves that cancel."""
    kept: list[tuple[str, int]] = []
    for move in moves:
        if kept and kept[-1] == move:
            kept.pop()
        else:
            kept.append(move)
    return kept


def _literal(literal: int) -> str:
    return f"{literal >> 1} {('false', 'true')[literal & 1]}"


def _move(move: tuple[str, int]) -> str:
    return "Turn" if move[0] == "Turn" else f"{move[0]} {move[1]}"
