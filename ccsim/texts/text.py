"""Text files: comments, data of networkx, and matrices in brackets."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.texts.csv import matrix_of_rows, numbered_rows
from ccsim.texts.lines import Row, table_of_rows
from ccsim.texts.reading import Ways, refuse_ways
from ccsim.texts.tables import Table

_COMMENTS = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\n)*+")
"""The lines above the first row, if the first line is a comment."""
_START = re.compile(r"\s*(?:\w+\s*=\s*)?(?:(?:np\.|numpy\.)?(?:array|matrix)\s*\(\s*)?\[")
_END = re.compile(r"\s*(?:,\s*dtype=[\w.'\" ]+)?\)?\s?;?\s?")
_MOST_EDGES = 1 << 22  # lines of networkx that are read
_LONGEST = 100  # of what stands before and after the brackets of a matrix
_NOT_JSON = re.compile(rb"[\w*]\s+[\w*]|;|\b(?:None|True|False|nan)\b")


def is_bracketed(data: bytes) -> bool:
    """Return whether text in brackets is a matrix of MATLAB, numpy or Python, not JSON."""
    nested = data.lstrip().startswith(b"[[") and re.search(rb"\]\s+\[", data)
    return b'"' not in data and (nested or _NOT_JSON.search(data)) is not None


def read_text(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in a text file, by the rules of `docs/your-own-data.md`."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if _START.match(data[:_LONGEST].decode("utf-8", "replace")):
        refuse_ways(ways, source)
        plain = replace(ways, header=False, index=False)
        return matrix_of_rows(_bracketed(data, source), source, budget, plain)
    end = 0
    if data.lstrip(b" \t").startswith(b"#"):
        end = match.end() if (match := _COMMENTS.match(data + b"\n")) else 0
    comments, data, may_note = data[:end], data[end:], ways.header is None
    first = comments.count(b"\n") + 1
    if not data.strip():
        raise UnreadableInputError(f"{source}: expected rows, found only comments")
    plain_data = _without_data(data)
    known = None if plain_data is None else "pairs"
    if plain_data is not None:
        data, ways = plain_data, replace(ways, header=bool(ways.header))
    gaps = bool(ways.sets or known) or ways.form not in {None, "matrix"}

    def rows() -> Iterator[Row]:
        nonlocal gaps
        sets = ways.form == "sets"
        found = numbered_rows(data, source, blanks=True, gaps=gaps, first=first, sets=sets)
        gaps = True  # only a matrix, which is tried first, may have no gaps
        return found

    table = table_of_rows(rows, source, budget, ways, known=known)
    if may_note and _may_be_a_row(comments, next(rows())[1], table, source):
        row = comments.rstrip().count(b"\n") + 1
        guess = f"{source}: row {row} is ignored as a comment; remove or quote its # to read it"
        reading = replace(table.reading, guesses=(*table.reading.guesses, guess))
        return replace(table, reading=reading)
    return table


def _may_be_a_row(comments: bytes, first: list[str], table: Table, source: str) -> bool:
    """Return whether the last comment above the first row may be a header, a pair or a set."""
    last = comments.strip().rpartition(b"\n")[2].lstrip(b"# \t")
    if not last or table.reading.form == "graph":
        return False
    cells = next(numbered_rows(last, source, blanks=True, gaps=True))[1]
    return table.reading.form == "sets" or len(first) - len(cells) in {0, 1}


def _without_data(data: bytes) -> bytes | None:
    """Return the lines of `networkx.write_edgelist` without the data of edges.

    The result is None for other text.
    """
    is_long = data.count(b"\n") > _MOST_EDGES
    if is_long or not _is_edge(data[: _LONGEST * 10].partition(b"\n")[0]):
        return None
    lines = data.split(b"\n")
    return b"\n".join(
        line.partition(b"{")[0].rstrip(b" \t,;|") if _is_edge(line) else line for line in lines
    )


def _is_edge(line: bytes) -> bool:
    """Return whether a line ends in a Python dictionary, as written by networkx."""
    vertices, _, rest = line.partition(b"{")
    is_dictionary = rest.strip() == b"}" or (rest.startswith(b"'") and b"':" in rest)
    vertices = vertices.strip(b" \t,;|")
    are_two = re.search(rb"[ \t,;|]", vertices) is not None and not vertices.endswith(b":")
    return are_two and is_dictionary and line.rstrip()[-1:] == b"}"


def _bracketed(data: bytes, source: str) -> Iterator[Row]:
    """Yield the rows of a matrix in brackets, ``[0 1; 1 0]`` or ``[[0, 1], [1, 0]]``."""
    text = data.decode("utf-8", "replace").strip()
    start, end = text.find("[") + 1, text.rfind("]")
    inside, after = text[start:end].strip(), text[end + 1 :]
    nested = "[" in inside
    between = re.sub(r"\[[^\[\]]*\]", "", inside) if nested else ""
    found = re.finditer(r"\[([^\[\]]*)\]" if nested else r"([^;\n]+)", inside)
    rows = (match[1].strip() for match in found if nested or match[1].strip())
    first = next(rows, None)
    is_plain = len(after) < _LONGEST and _END.fullmatch(after) and not between.strip(" ,\r\n\t")
    if first is None or end < start or not is_plain:
        raise UnreadableInputError(
            f"{source}: expected a matrix in brackets, such as [0 1; 1 0] or [[0, 1], [1, 0]]"
        )
    for number, row in enumerate(chain([first], rows), 1):
        yield number, [cell.strip("'\"") for cell in re.split(r"\s*,\s*|\s+", row)]
