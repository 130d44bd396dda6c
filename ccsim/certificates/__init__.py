"""The JSON envelope of certificates: encoding of exact numbers, atomic writing, guarded reading."""

from ccsim.certificates.envelope import (
    FORMAT,
    Certificate,
    encode_fraction,
    encode_fractions,
    no_cycles,
)
from ccsim.certificates.files import MAX_FILE_BYTES, read_json, write_text_atomically

__all__ = [
    "FORMAT",
    "MAX_FILE_BYTES",
    "Certificate",
    "encode_fraction",
    "encode_fractions",
    "no_cycles",
    "read_json",
    "write_text_atomically",
]
