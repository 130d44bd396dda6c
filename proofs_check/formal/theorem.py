"""A certificate as a theorem of Rocq in the words of `proofs_check/rocq/Definitions.v`.

Main definition: `formalize`. What is written here is not trusted: Rocq reads the certificate, the
statement and the proof, and a person compares the statement with the instance.
"""

from __future__ import annotations

from typing import Any

from ccsim.errors import DomainError
from proofs_check.formal.terms import tree
from proofs_check.formal.words import WORDS, Statement

__all__ = ["formalize"]


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
        If there is no proved checker for a kind.

    Examples
    --------
    >>> from ccsim.programs import solve_matrix_game
    >>> found = solve_matrix_game([[1, -1], [-1, 1]])
    >>> formalize(found.certificate().to_dict()).splitlines()[-4]
    'Theorem certified : value 2 2 (payoff 1 payoffs) (0 # 1).'
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
        if whole["kind"] not in WORDS:
            raise DomainError(f"{whole['kind']}: theorems are written for {', '.join(WORDS)}")
        texts.append(_text(whole, WORDS[whole["kind"]](whole), name))
    return "\n".join(texts)


def _text(certificate: dict[str, Any], it: Statement, name: str) -> str:
    """Return the lines of one theorem."""
    lower, upper = (certificate["statement"][side] for side in ("lower", "upper"))
    low, high = (None if v is None else it.bound(v) for v in (lower, upper))
    if lower is not None and lower == upper and it.exactly is not None:
        statement = it.exactly.format(v=low)
    else:
        sides = [(low, it.at_least), (high, it.at_most)]
        statement = " /\\ ".join(f"({words.format(v=v)})" for v, words in sides if v is not None)
    none = f"(@None (bound {it.kind}))"
    if low is None:
        lemma = f"above {it.kind} {name}_file asked {none} {high}"
    elif high is None:
        lemma = f"below {it.kind} {name}_file asked {low} {none}"
    else:
        lemma = f"exactly {it.kind} {name}_file asked {low} {high}"
    proved = ", ".join(f"Some ({v})" if v is not None else none for v in (low, high))
    lines = [
        "From Coq Require Import String List NArith ZArith QArith.",
        f"From CCSim Require Import Json Certificate Definitions {it.module}.",
        "Import ListNotations.",
        f"Section {name}.",
        f"Definition {name}_file : json := {tree(certificate)}.",
        *(f"Definition {name}_{key} : {kind} := {term}." for key, kind, term in it.data),
        *(f"Local Notation {key} := {name}_{key}." for key, _, _ in it.data),
        f"Definition {name}_asked : question {it.kind} := {it.question}.",
        f"Local Notation asked := {name}_asked.",
        f"Theorem {name} : {statement}.",
        f"Proof. exact ({lemma} ltac:(vm_cast_no_check (eq_refl (Some (asked, {proved}))))). Qed.",
        f"End {name}.",
        f"Print Assumptions {name}.",
    ]
    return "\n".join(lines) + "\n"
