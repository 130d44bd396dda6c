"""The one envelope that every certificate shares; `docs/certificates.md` specifies its kinds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ccsim.certificates.collector import no_cycles
from ccsim.certificates.files import write_text_atomically

__all__ = ["FORMAT", "Certificate"]

FORMAT = 1
_LABELS = ("points", "concepts", "alice", "bob", "records", "outcomes")


def _made_by() -> str:
    try:
        return f"ccsim {version('ccsim')}"
    except PackageNotFoundError:
        return "ccsim"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A statement about an instance with a proof of each of its two bounds.

    Attributes
    ----------
    kind : str
        Key into the table of kinds of `docs/certificates.md`.
    instance, statement : dict
        The data itself, and what is claimed about it.
    lower, upper : dict or None
        Proof of each bound; None where the statement does not claim it.

    Examples
    --------
    >>> Certificate("matrix_game", {}, {"lower": None, "upper": None}, None, None).to_dict()[
    ...     "format"
    ... ]
    1
    """

    kind: str
    instance: dict[str, Any]
    statement: dict[str, Any]
    lower: dict[str, Any] | None
    upper: dict[str, Any] | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "format": FORMAT,
            "kind": self.kind,
            "instance": self.instance,
            "statement": self.statement,
            "lower": self.lower,
            "upper": self.upper,
            "made_by": _made_by(),
        }

    def digest(self) -> str:
        """Return the SHA-256 digest of the instance's data, whatever their names and labels.

        The kernel prints the first 16 digits; `docs/certificates.md` says what is digested.

        Returns
        -------
        str
            64 hexadecimal digits.

        Examples
        --------
        >>> from ccsim import thresholds, vc_dimension
        >>> vc_dimension(thresholds(2)).certificate().digest()[:16]
        'eda4975465c3fa06'
        """
        data = {key: part for key, part in self.instance.items() if key != "name"}
        data |= {key: len(data[key]) for key in _LABELS if key in data}
        canonical = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()

    @no_cycles()
    def to_json(self) -> str:
        """Return the JSON text, one line for each top-level key."""
        dense = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
        items = (f"{dense(k)}: {dense(v)}" for k, v in self.to_dict().items())
        return "{\n" + ",\n".join(items) + "\n}\n"

    def write(self, path: Path | str) -> None:
        """Write the JSON text to a file, whole or not at all."""
        write_text_atomically(path, self.to_json())
