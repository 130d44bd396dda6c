"""Linear programs in files of other programs."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import STANDARD_INPUT, read_limited
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.interchange.lp import from_lp
from ccsim.interchange.mps import from_mps
from ccsim.interchange.named import MAX_TEXT, NamedProgram
from ccsim.interchange.vipr import from_vipr

_READERS: Mapping[str, Callable[[str], NamedProgram]] = MappingProxyType(
    {".mps": from_mps, ".lp": from_lp, ".vipr": from_vipr}
)


@checked_types
def read_program(path: Path | str, *, time_limit: TimeLimit = None) -> NamedProgram:
    r"""Return the linear program of a file.

    Parameters
    ----------
    path : Path or str
        Name of a file that ends in ``.mps``, ``.lp`` (of CPLEX) or ``.vipr``, optionally followed
        by ``.gz``.
    time_limit : float or Budget, optional

    Raises
    ------
    UnreadableInputError
        If the file is unreadable or does not contain a linear program.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "diet.lp"
    ...     _ = path.write_text("minimize\n 2 rice + 3 beans\nst\n rice + beans >= 1/2\nend\n")
    ...     found = read_program(path)
    >>> found.variables, found.program.objective
    (('rice', 'beans'), (Fraction(2, 1), Fraction(3, 1)))
    """
    name = str(path)
    ending = Path(name.lower().removesuffix(".gz")).suffix
    if name != STANDARD_INPUT and ending not in _READERS:
        read_limited(name)
        raise UnreadableInputError(f"{name}: the file name must end in {', '.join(_READERS)}")
    data = read_limited(name)
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data, name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInputError(
            f"{name}: expected UTF-8 text, but byte {error.start} is invalid; save the file as "
            "UTF-8"
        ) from None
    if name == STANDARD_INPUT:
        name, ending = "standard input", _ending_of(text)
    with Budget.of(time_limit).heard():
        try:
            return _READERS[ending](text)
        except (DomainError, InstanceTooLargeError) as error:
            raise type(error)(f"{name}: {error}") from None


def _unpacked(data: bytes, name: str) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            found = stream.read(MAX_TEXT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableInputError(f"{name}: cannot be unpacked: {error}") from None
    if len(found) > MAX_TEXT:
        raise InstanceTooLargeError(f"{name}: the unpacked file must have at most {MAX_TEXT} bytes")
    return found


def _ending_of(text: str) -> str:
    """Return the file name ending for the format that the contents of a text suggest."""
    lines = [line.split() for line in text.splitlines() if line.strip() and line[0] not in "*%"]
    first = lines[0][0] if lines else ""
    if first == "VER":
        return ".vipr"
    return ".mps" if first.upper() in {"NAME", "ROWS", "OBJSENSE", "OBJNAME"} else ".lp"
