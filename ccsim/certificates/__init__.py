"""The JSON envelope of certificates: encoding of exact numbers, atomic writing, guarded reading."""

from ccsim.certificates.answer import (
    Answer,
    Certified,
    Checkable,
    certified_part,
    is_checked,
    verify,
)
from ccsim.certificates.envelope import (
    FORMAT,
    Certificate,
    Certificates,
    encode_fraction,
    encode_integers,
    no_cycles,
    weights_of,
)
from ccsim.certificates.files import MAX_FILE_BYTES, read_json, write_text_atomically

__all__ = [
    "FORMAT",
    "MAX_FILE_BYTES",
    "Answer",
    "Certificate",
    "Certificates",
    "Certified",
    "Checkable",
    "certified_part",
    "encode_fraction",
    "encode_integers",
    "is_checked",
    "no_cycles",
    "read_json",
    "verify",
    "weights_of",
    "write_text_atomically",
]
