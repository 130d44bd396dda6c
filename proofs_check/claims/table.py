"""The table of all registered claims; claims do not register themselves on import."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ccsim.errors import DomainError
from proofs_check.claims.beimel_brenner import CLAIMS as BEIMEL_BRENNER
from proofs_check.claims.beimel_nissim_stemmer import CLAIMS as BEIMEL_NISSIM_STEMMER
from proofs_check.claims.claim import Claim
from proofs_check.claims.closed_forms import CLAIMS as CLOSED_FORMS
from proofs_check.claims.feldman_xiao import CLAIMS as FELDMAN_XIAO
from proofs_check.claims.public_data import CLAIMS as PUBLIC_DATA
from proofs_check.claims.two_way import CLAIMS as TWO_WAY

__all__ = ["CLAIMS", "PAPERS", "Paper", "claim_table"]


class Paper(NamedTuple):
    """Source of statements."""

    authors: str
    title: str

    def __str__(self) -> str:
        return f"{self.authors}, {self.title}"


PAPERS = {
    "fx": Paper(
        "Feldman and Xiao",
        "Sample complexity bounds on differentially private learning via communication complexity "
        "(COLT 2014 and full version)",
    ),
    "bbkn": Paper(
        "Beimel, Brenner, Kasiviswanathan and Nissim",
        "Bounds on the sample complexity for private learning and private data release (2013)",
    ),
    "bns": Paper(
        "Beimel, Nissim and Stemmer",
        "Private learning and sanitization: pure vs. approximate differential privacy (2013)",
    ),
    "pap": Paper(
        "Bassily, Cheu, Moran, Nikolov, Ullman and Wu",
        "Private query release assisted by public data (ICML 2020)",
    ),
    "kn": Paper("Kushilevitz and Nisan", "Communication Complexity (1997)"),
    "ls": Paper(
        "Linial and Shraibman",
        "Lower bounds in communication complexity based on factorization norms (2009)",
    ),
    "jk": Paper(
        "Jain and Klauck",
        "The partition bound for classical communication complexity and query complexity (2010)",
    ),
    "ccsim": Paper("Statements of this project", "proved or conjectured in docs/closed-forms.md"),
}
"""Papers by the prefix of their claims' keys; ``ccsim`` is for our own statements."""


def claim_table(claims: Iterable[Claim]) -> Mapping[str, Claim]:
    """Return the read-only table of claims by key.

    Raises
    ------
    DomainError
        If a key occurs twice, or a claim uses or corrects a claim that does not exist.
    """
    table: dict[str, Claim] = {}
    for claim in claims:
        if claim.key in table:
            raise DomainError(f"claim {claim.key} is registered twice")
        table[claim.key] = claim
    for claim in table.values():
        for key in (*claim.uses, *([claim.corrects] if claim.corrects else [])):
            if key not in table:
                raise DomainError(f"claim {claim.key} refers to {key}, which is not registered")
    return MappingProxyType(table)


CLAIMS = claim_table(
    (*FELDMAN_XIAO, *BEIMEL_BRENNER, *BEIMEL_NISSIM_STEMMER, *PUBLIC_DATA, *CLOSED_FORMS, *TWO_WAY)
)
