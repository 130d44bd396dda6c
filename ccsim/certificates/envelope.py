"""The JSON format that all certificates share (`docs/certificates.md`)."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.certificates.files import write_text_atomically
from ccsim.data import validated
from ccsim.errors import CertificateError
from ccsim.exact.fractions import as_fraction
from ccsim.kernel import digest
from ccsim.version import __version__

FORMAT = 2


@checked_types
def encode_fraction(value: Fraction | int | str) -> str:
    """Return ``p/q`` in lowest terms, or ``p`` for an integer."""
    return str(as_fraction(value, "value"))


@checked_types
def encode_integers(values: Iterable[int]) -> list[int | str]:
    """Encode integers; from 2^53 on as texts, since some JSON readers would round them."""
    return [value if abs(value) < 1 << 53 else str(value) for value in values]


@checked_types
def weights_of(law: Iterable[Fraction | int]) -> list[int | str]:
    """Return integer weights proportional to a probability vector, in the form of certificates."""
    shares = [*law]
    zero = next((share for share in shares if not share), None)  # most zeros are the same object
    kept = [(i, share) for i, share in enumerate(shares) if share is not zero]
    unit, weights = lcm(*(share.denominator for _, share in kept)), [0] * len(shares)
    for i, share in kept:
        weights[i] = share.numerator * (unit // share.denominator)
    if (total := sum(weights)) != unit or min(weights) < 0:
        found = Fraction(total, unit)
        raise CertificateError(f"probabilities must be at least 0 and sum to 1, but sum to {found}")
    return encode_integers(weights)


@contextmanager
def no_cycles() -> Iterator[None]:
    """Pause the garbage collector while many small objects without cycles are created."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@validated
class Certificate:
    """A statement about an instance, with a proof of each of its bounds.

    Results return it from `certificate`. `docs/certificates.md` specifies the format.

    Attributes
    ----------
    kind : str
        Name of the kind of certificate.
    instance : dict
        Data of the instance.
    statement : dict
        Parameters and bounds of the statement.
    lower, upper : dict or None
        Proof of each bound. None if the statement does not claim the bound.

    Examples
    --------
    >>> from ccsim import thresholds, vc_dimension
    >>> certificate = vc_dimension(thresholds(2)).certificate()
    >>> certificate.kind, certificate.statement
    ('vc_dimension', {'lower': 1, 'upper': 1})
    """

    kind: str
    instance: dict[str, Any]
    statement: dict[str, Any]
    lower: dict[str, Any] | None
    upper: dict[str, Any] | None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as a JSON object."""
        return {
            "format": FORMAT,
            "kind": self.kind,
            "instance": self.instance,
            "statement": self.statement,
            "lower": self.lower,
            "upper": self.upper,
            "made_by": f"ccsim {__version__}",
        }

    def with_one(self, side: str) -> Certificate | None:
        """Return the certificate of one bound, `lower` or `upper`; None if it is not stated."""
        if getattr(self, side) is None:
            return None
        if side == "lower":
            return replace(self, statement=self.statement | {"upper": None}, upper=None)
        return replace(self, statement=self.statement | {"lower": None}, lower=None)

    def digest(self) -> str:
        """Return the SHA-256 digest of the instance's data in hexadecimal.

        Names and labels do not change the digest. ``proofs-check verify`` prints its first 16
        digits. `docs/certificates.md` specifies the data.

        Examples
        --------
        >>> from ccsim import thresholds, vc_dimension
        >>> vc_dimension(thresholds(2)).certificate().digest()[:16]
        'eda4975465c3fa06'
        """
        return digest(self.instance)

    @no_cycles()
    def to_json(self) -> str:
        """Return the certificate as JSON text with one line for each top-level key."""
        dense = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
        items = (f"{dense(k)}: {dense(v)}" for k, v in self.to_dict().items())
        return "{\n" + ",\n".join(items) + "\n}\n"

    def write(self, path: Path | str) -> None:
        """Write the JSON text to a file, which is never left incomplete."""
        write_text_atomically(path, self.to_json())


@validated
class Certificates:
    """Several certificates in one file.

    Attributes
    ----------
    parts : tuple of Certificate
        One or more certificates, which may be about different instances.

    Examples
    --------
    >>> from ccsim import thresholds
    >>> from ccsim.dimensions import dimensions
    >>> [part.kind for part in dimensions(thresholds(2)).certificate().parts]
    ['vc_dimension', 'dual_vc_dimension', 'littlestone_dimension']
    """

    parts: tuple[Certificate, ...]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the certificates as a JSON list; null denotes the instance of the first one."""
        first = self.parts[0].instance
        documents = [part.to_dict() for part in self.parts]
        return documents[:1] + [
            document | {"instance": None if document["instance"] == first else document["instance"]}
            for document in documents[1:]
        ]

    def digest(self) -> str:
        """Return the digest of the instance of the first certificate."""
        return self.parts[0].digest()

    @no_cycles()
    def to_json(self) -> str:
        """Return the JSON text with one line for each certificate."""
        dense = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
        return "[\n" + ",\n".join(map(dense, self.to_dict())) + "\n]\n"

    def write(self, path: Path | str) -> None:
        """Write the JSON text to a file, which is never left incomplete."""
        write_text_atomically(path, self.to_json())
