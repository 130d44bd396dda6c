"""A certificate as a theorem of core Lean 4, with the definitions of `proofs_check/lean`.

Main definition: `formalize_in_lean`. This module does not run Lean. Bounds that are small enough
are proved in the file, by checkers that are proved correct in the file; all other bounds are
hypotheses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ccsim.errors import DomainError
from proofs_check.formal.lean_words import LEAN_WORDS, Half, Stated

__all__ = ["SECTIONS", "formalize_in_lean"]

SECTIONS = Path(__file__).parents[1] / "lean"
"""The folder of the definitions, and of the checkers with their proofs."""

_PROOFS = "/-! ### Proofs -/\n"

_HEADER = """\
/- The statement of a certificate of ccsim, as a theorem of Lean 4 without any library.

This file is generated and has not been checked by Lean; `lean FILE.lean` checks it.
{proved}

The file contains definitions, which mirror `proofs_check/rocq/Definitions.v` and should be
compared with the papers; checkers with proofs that they are correct; the data; and `{names}`.
Points, concepts and strategies are numbered from 0.

[fx]  Feldman, Xiao: Sample complexity bounds on differentially private learning via communication
      complexity. -/
"""


def formalize_in_lean(document: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a Lean 4 file with the statement of a certificate.

    Parameters
    ----------
    document : dict or list of dict
        A certificate of format 2 or a list of them, as the kernel accepts it.

    Returns
    -------
    str
        Input of ``lean FILE.lean``. The theorem is ``certified``; for a list, ``certified_1`` and
        so on. Bounds that the file does not prove are hypotheses, which its header lists.

    Raises
    ------
    DomainError
        If a kind is not supported.

    Examples
    --------
    >>> from ccsim.programs import solve_matrix_game
    >>> found = solve_matrix_game([[1, -1], [-1, 1]])
    >>> formalize_in_lean(found.certificate().to_dict()).splitlines()[-5]
    'theorem certified : value 2 2 1 (payoff payoffs) 0 1 :='
    """
    listed = document if isinstance(document, list) else [document]
    suffixes = [""] if listed is not document else [f"_{i + 1}" for i in range(len(listed))]
    for certificate in listed:
        if certificate["kind"] not in LEAN_WORDS:
            known = ", ".join(LEAN_WORDS)
            raise DomainError(f"{certificate['kind']}: --lean supports only {known}")
    stated = [
        LEAN_WORDS[c["kind"]](c | {"instance": c["instance"] or listed[0]["instance"]}, suffix)
        for c, suffix in zip(listed, suffixes, strict=True)
    ]
    names = [f"certified{suffix}" for suffix in suffixes]
    used = dict.fromkeys(section for it in stated for section in it.sections)
    texts = [(SECTIONS / f"{name}.lean").read_text(encoding="utf-8") for name in used]
    parts = [text.partition(_PROOFS) for text in texts]
    pairs = list(zip(stated, names, strict=True))
    shown = f"{names[0]}` to `{names[-1]}" if len(names) > 1 else names[0]
    return "\n".join(
        [
            _HEADER.format(proved="\n".join(_proved(*pair) for pair in pairs), names=shown),
            "namespace CCSim\n",
            *(definitions for definitions, _, _ in parts),
            _PROOFS,
            *(proofs.lstrip() for _, _, proofs in parts),
            "/-! ### The certificate -/\n",
            *(_theorem(*pair) for pair in pairs),
            "end CCSim\n",
        ]
    )


def _halves(it: Stated) -> list[tuple[str, Half]]:
    return [(side, half) for side, half in (("lower", it.lower), ("upper", it.upper)) if half]


def _proved(it: Stated, name: str) -> str:
    """Return lines that state which bounds of a theorem are proved in the file."""
    done = [side for side, half in _halves(it) if half.proof is not None]
    left = [side for side, half in _halves(it) if half.proof is None]
    lines = [f"The file proves the {' and the '.join(done)} bound of `{name}`."] if done else []
    lines += [
        f"The {side} bound of `{name}` is a hypothesis: this file does not prove it, because it\n"
        "is too large for the checkers below. `proofs-check formalize` without --lean writes\n"
        "a Rocq theorem that proves it."
        for side in left
    ]
    return "\n".join(lines)


def _theorem(it: Stated, name: str) -> str:
    """Return the data, and the theorem with its proof."""
    halves = _halves(it)
    stated = it.exactly or " ∧ ".join(f"({half.words})" for _, half in halves)
    supposed = "".join(f" ({side} : {h.words})" for side, h in halves if h.proof is None)
    proofs = [side if half.proof is None else half.proof for side, half in halves]
    both = ",\n   ".join(proofs)
    proof = f"⟨{both}⟩" if len(proofs) > 1 else both
    return "\n".join(
        [
            *(f"def {key} : {kind} := {term}" for key, kind, term in it.data),
            "",
            f"theorem {name}{supposed} : {stated} :=",
            f"  {proof}",
            "",
        ]
    )
