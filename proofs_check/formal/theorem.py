"""A certificate as a Rocq theorem, with the definitions of `proofs_check/rocq/Definitions.v`.

Main definition: `formalize`. The written file is not trusted: Rocq checks the proof of the
statement from the certificate, and a person compares the statement with the instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from proofs_check.formal.families import check_instance, cube_dimension, definition
from proofs_check.formal.halfspaces import halfspace_theorem
from proofs_check.formal.terms import tree
from proofs_check.formal.words import WORDS, Statement, form_without_theorem

__all__ = ["formalize"]


@checked_types
def formalize(
    document: Any,  # noqa: ANN401 - a JSON value
    by_definition: str | None = None,
) -> str:
    """Return a Rocq file with the statement of a certificate and a proof by computation.

    Parameters
    ----------
    document : dict or list of dict
        A certificate of format 2 or a list of them, as the kernel accepts it.
    by_definition : str, optional
        INSTANCE text of the family whose table is the instance of the certificate. The theorem
        ``by_definition`` is about the family as defined in `rocq/families/ByDefinition.v`.

    Returns
    -------
    str
        Input of ``coqc -Q proofs_check/rocq CCSim``. The theorem is ``certified``; for a list the
        theorems are ``certified_1`` and so on, with the tuple ``certified_all``. Rocq prints the
        assumptions of ``certified`` or ``certified_all``.

    Raises
    ------
    DomainError
        If there is no verified checker for a kind or form or no definition of the family, or if
        the certificate is for another table.

    Examples
    --------
    >>> from ccsim.programs import solve_matrix_game
    >>> found = solve_matrix_game([[1, -1], [-1, 1]])
    >>> formalize(found.certificate().to_dict()).splitlines()[-4]
    'Theorem certified : value 2 2 (payoff 1 payoffs) (0 # 1).'
    """
    listed = document if isinstance(document, list) else [document]
    if by_definition is not None and document is not listed:
        member = check_instance(by_definition, document["instance"])
        d = cube_dimension(by_definition)
        if document["kind"] == "littlestone_dimension" and d and isinstance(member, ConceptClass):
            return halfspace_theorem(document, member, d)
    names = (
        ["certified"]
        if listed is not document
        else [f"certified_{i + 1}" for i in range(len(listed))]
    )
    texts, modules = [], list(_MODULES)
    for certificate, name in zip(listed, names, strict=True):
        whole = certificate | {"instance": certificate["instance"] or listed[0]["instance"]}
        if whole["kind"] not in WORDS:
            raise DomainError(f"{whole['kind']}: formalize supports only {', '.join(WORDS)}")
        if form := form_without_theorem(whole):
            raise DomainError(f"{whole['kind']}: formalize does not support the form {form}")
        it = WORDS[whole["kind"]](whole)
        own = None
        if by_definition is not None:
            check_instance(by_definition, whole["instance"])
            own = _of_family(whole, it, name, by_definition)
        texts.append(_text(whole, it, name, own))
        modules += it.module.split()
    modules += [] if by_definition is None else ["ByDefinition", "Halfspaces"]
    proved = [_own(name) if by_definition is not None else name for name in names]
    return "\n".join([*_required(modules), *texts]) + _assumptions(proved)


_MODULES = "Json", "Packed", "Certificate", "Definitions"
"""Modules of the theory that all theorems import."""


def _required(modules: Iterable[str]) -> list[str]:
    """Return the lines that load libraries once; each section imports its own modules.

    Examples
    --------
    >>> _required(["Json", "Stars", "Json"])[1]
    'From CCSim Require Json Stars.'
    """
    return [
        "From Coq Require Import String List NArith ZArith QArith.",
        f"From CCSim Require {' '.join(dict.fromkeys(modules))}.",
    ]


def _assumptions(names: list[str]) -> str:
    """Return the line that prints the assumptions of all theorems at once.

    Examples
    --------
    >>> _assumptions(["certified_1", "certified_2"]).splitlines()
    ['Definition certified_all := (certified_1, certified_2).', 'Print Assumptions certified_all.']
    """
    if len(names) < 2:
        return "".join(f"Print Assumptions {name}.\n" for name in names)
    together = "certified_all"
    return f"Definition {together} := ({', '.join(names)}).\nPrint Assumptions {together}.\n"


def _stated(certificate: dict[str, Any], it: Statement) -> str:
    """Return the statement of a theorem."""
    lower, upper = (certificate["statement"][side] for side in ("lower", "upper"))
    low, high = (None if v is None else it.bound(v) for v in (lower, upper))
    if lower is not None and lower == upper and it.exactly is not None:
        return it.exactly.format(v=low)
    sides = [(low, it.at_least), (high, it.at_most)]
    return " /\\ ".join(f"({words.format(v=v)})" for v, words in sides if v is not None)


def _of_family(certificate: dict[str, Any], it: Statement, name: str, text: str) -> list[str]:
    """Return the lines of the theorem about a family, derived from that about its table."""
    instance, stated = certificate["instance"], _stated(certificate, it)
    family = definition(text, instance)
    about = _table(stated)
    is_class = instance["type"] == "concept class"
    if about is None or (is_class and about.startswith("(of_table ")):
        raise DomainError(
            f"{certificate['kind']}: --by-definition does not support this kind of certificate"
        )
    if is_class:
        relation = f"alike {len(instance['points'])}"
    else:
        relation = f"agree {len(instance['alice'])} {len(instance['bob'])}"
    return [
        "Import ByDefinition Halfspaces.",
        f"Lemma {name}_table : {relation} {family.term} {about}.",
        f"Proof. apply {family.lemma}; vm_cast_no_check (eq_refl true). Qed.",
        f"Theorem {_own(name)} : {stated.replace(about, family.term)}.",
        f"Proof. setoid_rewrite {name}_table. exact {name}. Qed.",
    ]


def _own(name: str) -> str:
    """Return the name of the theorem about the family."""
    return name.replace("certified", "by_definition")


def _table(statement: str) -> str | None:
    """Return the first table of a class or of a problem in a statement.

    Examples
    --------
    >>> _table("represents 2 (table 2 (concepts rows)) (concepts hypotheses) 0")
    '(table 2 (concepts rows))'
    """
    found = re.search(r"\((of_)?table ", statement)
    if found is None:
        return None
    depth, end = 1, found.start() + 1
    while depth:
        depth += {"(": 1, ")": -1}.get(statement[end], 0)
        end += 1
    return statement[found.start() : end]


def _text(
    certificate: dict[str, Any], it: Statement, name: str, own: list[str] | None = None
) -> str:
    """Return the lines of a theorem and of the theorem about a family."""
    lower, upper = (certificate["statement"][side] for side in ("lower", "upper"))
    low, high = (None if v is None else it.bound(v) for v in (lower, upper))
    none = f"(@None (bound {it.kind}))"
    if low is None:
        lemma = f"above {it.kind} {name}_file asked {none} {high}"
    elif high is None:
        lemma = f"below {it.kind} {name}_file asked {low} {none}"
    else:
        lemma = f"exactly {it.kind} {name}_file asked {low} {high}"
    proved = ", ".join(f"Some ({v})" if v is not None else none for v in (low, high))
    lines = [
        f"Section {name}.",
        f"Import {' '.join(_MODULES)} {it.module} ListNotations.",
        f"Definition {name}_file : json := {tree(certificate)}.",
        *(f"Definition {name}_{key} : {kind} := {term}." for key, kind, term in it.data),
        *(f"Local Notation {key} := {name}_{key}." for key, _, _ in it.data),
        f"Definition {name}_asked : question {it.kind} := {it.question}.",
        f"Local Notation asked := {name}_asked.",
        f"Theorem {name} : {_stated(certificate, it)}.",
        f"Proof. exact ({lemma} ltac:(vm_cast_no_check (eq_refl (Some (asked, {proved}))))). Qed.",
        *(own or []),
        f"End {name}.",
    ]
    return "\n".join(lines) + "\n"
