"""The checker extracted from `proofs_check/rocq`, for certificate files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ccsim.errors import DomainError
from ccsim.kernel import digest
from proofs_check.formal.rocq import PROGRAM, with_deep_stack

__all__ = ["Judgement", "judge", "same_instances"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict of the verified checker on one certificate.

    Attributes
    ----------
    verdict : str
        ``proved``, ``rejected``, ``unknown`` (no checker is proved for its kind) or ``unreadable``.
    kind : str
        The kind of the certificate, or why it cannot be read.
    digest : str
        SHA-256 of the instance that the program has read, in hexadecimal digits.
    """

    verdict: str
    kind: str
    digest: str


def judge(text: bytes, folder: Path) -> list[Judgement]:
    """Run the verified checker on the text of a file.

    Parameters
    ----------
    text : bytes
        JSON: a certificate of format 2 or a list of them.
    folder : Path
        Folder of the checker, as returned by `proofs_check.formal.rocq.build`.

    Returns
    -------
    list of Judgement
        One for each certificate.

    Raises
    ------
    DomainError
        If the program ends with an error.
    """
    found = subprocess.run(  # noqa: S603 - a program that has been built by us
        with_deep_stack([str(folder / PROGRAM), "-"]), input=text, capture_output=True, check=False
    )
    if found.returncode:
        error = found.stderr.decode("utf-8", "backslashreplace").strip()
        raise DomainError(f"the verified checker ends with status {found.returncode}: {error}")
    lines = found.stdout.decode("utf-8", "backslashreplace").splitlines()
    return [Judgement(*line.split("\t")) for line in lines]


def same_instances(judged: Sequence[Judgement], document: Any) -> bool:  # noqa: ANN401 - JSON
    """Return whether the program's digests are those of the instances in a document.

    Examples
    --------
    >>> same_instances([Judgement("proved", "x", digest({}))], {"instance": {}})
    True
    """
    listed = document if isinstance(document, list) else [document]
    instances = [c["instance"] or listed[0]["instance"] for c in listed]
    return [each.digest for each in judged] == [digest(each) for each in instances]
