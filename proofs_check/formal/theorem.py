"""A certificate as a theorem of Rocq in the words of `proofs_check/rocq/Definitions.v`.

Main definition: `formalize`. What is written here is not trusted: Rocq reads the data, the
statement and the proof, and a person compares the statement with the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ccsim.errors import DomainError
from proofs_check.formal.terms import booleans, integers, listed, rational

__all__ = ["KINDS", "formalize"]


@dataclass(frozen=True, slots=True)
class Theorem:
    """What a certificate states and how it is proved.

    Attributes
    ----------
    module : str
        Of `proofs_check/rocq` that holds the checker.
    data : tuple of (name, type, term)
        Definitions of the instance and of the proofs.
    exact : str
        The statement if both bounds agree; it is the conjunction of what is reached from above and
        of what is proved from below, in the order of ``sides``.
    sides : tuple of (statement, lemma)
        Of the bounds that are stated, each with the lemma that proves it by computation.
    """

    module: str
    data: tuple[tuple[str, str, str], ...]
    exact: str | None
    sides: tuple[tuple[str, str], ...]


def _matrix_game(c: Mapping[str, Any]) -> Theorem:
    unit, payoff = c["instance"]["unit"], c["instance"]["payoff"]
    data = [("payoffs", "list (list Z)", listed(payoff, integers))]
    shape, sides = f"{len(payoff)} {len(payoff[0])} (payoff {unit} payoffs)", []
    for side, form, word in (
        ("lower", "row_strategy", "guarantees"),
        ("upper", "column_strategy", "concedes"),
    ):
        if c[side] is not None:
            name = form.removesuffix("_strategy")
            data.append((f"{name}s", "list Z", integers(c[side][form]["weights"])))
            lemma = f"check_{name}_sound {len(payoff[0])} {unit} payoffs {name}s"
            sides.append((f"{word} {shape} {rational(c['statement'][side])}", lemma))
    return Theorem("Games", tuple(data), _exact(c, f"value {shape}"), tuple(sides))


def _deterministic_representation(c: Mapping[str, Any]) -> Theorem:
    n, H = len(c["instance"]["points"]), c["statement"]["hypotheses"]
    data = [
        ("rows", "list (list bool)", listed(c["instance"]["rows"], booleans)),
        ("hypotheses", "list (list bool)", listed(H, booleans)),
    ]
    what, sides = f"{n} (table {n} (concepts rows)) (concepts hypotheses)", []
    if c["upper"] is not None:
        weights = c["upper"]["mixtures"]["weights"]
        data.append(("weights", "list (list Z)", listed(weights, integers)))
        bound = rational(c["statement"]["upper"])
        lemma = f"check_mixtures_sound {n} rows hypotheses {bound} weights"
        sides.append((f"represents {what} {bound}", lemma))
    if c["lower"] is not None:
        proof, bound = c["lower"]["hard_distribution"], rational(c["statement"]["lower"])
        data.append(("distribution", "list Z", integers(proof["distribution"])))
        lemma = f"check_hard_sound {n} rows hypotheses {bound} {proof['concept']} distribution"
        sides.append((f"forall e, represents {what} e -> ({bound} <= e)%Q", lemma))
    return Theorem(
        "Representations", tuple(data), _exact(c, f"representation_error {what}"), tuple(sides)
    )


def _exact(c: Mapping[str, Any], statement: str) -> str | None:
    lower, upper = c["statement"]["lower"], c["statement"]["upper"]
    if lower != upper:
        return None
    return f"{statement} {rational(upper) if isinstance(upper, str) else upper}"


KINDS: Mapping[str, Callable[[Mapping[str, Any]], Theorem]] = MappingProxyType(
    {
        "matrix_game": _matrix_game,
        "deterministic_representation": _deterministic_representation,
    }
)
"""The kinds of certificates that can be written as theorems."""


def formalize(document: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a file of Rocq that states what a certificate proves, and proves it by computation.

    Parameters
    ----------
    document : dict or list of dict
        A certificate of format 2 or a list of them, as the kernel accepts it.

    Returns
    -------
    str
        For ``coqc -Q proofs_check/rocq CCSim``; the theorems are called ``certified``, and
        ``certified_1`` and so on in a list.

    Raises
    ------
    DomainError
        If there is no proved checker for a kind, or the form of a proof.

    Examples
    --------
    >>> from ccsim import HypothesisSet, points, representation_error
    >>> found = representation_error(HypothesisSet.from_rows([0], 4), points(2))
    >>> formalize(found.certificate().to_dict()).splitlines()[-3][:40]
    'Theorem certified : representation_error'
    """
    listed = document if isinstance(document, list) else [document]
    names = (
        ["certified"]
        if listed is not document
        else [f"certified_{i + 1}" for i in range(len(listed))]
    )
    texts = []
    for certificate, name in zip(listed, names, strict=True):
        whole = certificate | {"instance": certificate["instance"] or listed[0]["instance"]}
        if whole["kind"] not in KINDS:
            raise DomainError(f"{whole['kind']}: theorems are written for {', '.join(KINDS)}")
        try:
            theorem = KINDS[whole["kind"]](whole)
        except KeyError as error:
            raise DomainError(
                f"{whole['kind']}: no theorem is written for this form of proof, without {error}"
            ) from None
        texts.append(_text(theorem, name))
    return "\n".join(texts)


def _text(theorem: Theorem, name: str) -> str:
    """Return the lines of one theorem, in a module of its own name."""
    statement = theorem.exact or " /\\ ".join(f"({side})" for side, _ in theorem.sides)
    proofs = [f"apply ({lemma}). vm_cast_no_check (eq_refl true)." for _, lemma in theorem.sides]
    proof = proofs[0] if len(proofs) == 1 else "split. " + " ".join(f"{{ {p} }}" for p in proofs)
    lines = [
        "From Coq Require Import List NArith ZArith QArith.",
        f"From CCSim Require Import Definitions {theorem.module}.",
        "Import ListNotations.",
        *(f"Definition {name}_{key} : {kind} := {term}." for key, kind, term in theorem.data),
        *(f"Local Notation {key} := {name}_{key}." for key, _, _ in theorem.data),
        f"Theorem {name} : {statement}.",
        f"Proof. {proof} Qed.",
        f"Print Assumptions {name}.",
    ]
    return "\n".join(lines) + "\n"
