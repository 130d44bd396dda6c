"""The bytes of a file as its reader needs them: unpacked within the limit, with text in UTF-8."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile
import zlib
from pathlib import Path

from ccsim.certificates.files import MAX_FILE_BYTES, read_limited
from ccsim.errors import InstanceTooLargeError, UnreadableInputError

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_METHODS = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
"""Supported compression methods in zip files; others may require gigabytes of memory."""


def read_unpacked(path: Path | str) -> bytes:
    """Return the content of a file: unpacked if compressed by gzip, in UTF-8 if text in UTF-16."""
    data = read_limited(path)
    if data.startswith(b"\x1f\x8b"):
        data = _unzipped(data, str(path))
    if data.startswith(_UTF_16):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeError as error:
            raise UnreadableInputError(f"{path}: not UTF-16 text: {error}") from None
    return data


def _unzipped(data: bytes, source: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableInputError(f"{source}: not a gzip file: {error}") from None
    if len(content) > MAX_FILE_BYTES:
        raise InstanceTooLargeError(
            f"{source}: the unpacked file exceeds the limit of {MAX_FILE_BYTES} bytes"
        )
    if not content.strip():
        raise UnreadableInputError(f"{source}: the file is empty")
    return content


def check_archive(archive: zipfile.ZipFile, source: str) -> None:
    """Refuse a zip file whose declared size is too large; unpacking stops at the declared size."""
    infos = archive.infolist()
    if len({info.filename for info in infos}) != len(infos):
        raise UnreadableInputError(
            f"{source}: the members of the zip file must have distinct names, but two have the "
            "same name"
        )
    if (size := sum(info.file_size for info in infos)) > MAX_FILE_BYTES:
        raise InstanceTooLargeError(
            f"{source}: unpacks to {size} bytes; the limit is {MAX_FILE_BYTES} bytes"
        )
    if any(info.compress_type not in _METHODS for info in infos):
        raise UnreadableInputError(
            f"{source}: the compression method is not supported; compress it with deflate"
        )
