"""JSON files of data, read with limits and without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates.files import read_limited
from ccsim.errors import UnreadableInputError

MAX_DEPTH = 64
"""Deepest nesting of a JSON file of data."""
MAX_LISTS = 1 << 22
"""Most lists and objects in a JSON file of data; each costs memory however short it is."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


@checked_types
def read_json(path: Path | str, budget: Budget | None = None, *, exact: bool = False) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON file, with limits on size and depth and no repeated keys."""
    try:
        text = read_limited(path).decode("utf-8-sig")
        depth, lists = _structure(text, budget or Budget())
        if depth > MAX_DEPTH:
            raise UnreadableInputError(
                f"{path}: nested {depth} levels deep, the limit is {MAX_DEPTH}"
            )
        if lists > MAX_LISTS:
            raise UnreadableInputError(
                f"{path}: {lists} lists and objects are above the limit of {MAX_LISTS}"
            )
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=str if exact else _refuse_float,
            parse_constant=str if exact else _refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise UnreadableInputError(
            f"{path}: row {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        ) from None
    except UnicodeDecodeError as error:
        raise UnreadableInputError(f"{path}: not UTF-8 text: byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        raise UnreadableInputError(f"{path}: not usable JSON: {error}") from None


def _structure(text: str, budget: Budget) -> tuple[int, int]:
    """Return the deepest nesting of brackets outside strings, and how many open."""
    depth = deepest = lists = 0
    for token in _TOKEN.finditer(text):
        budget.spend()
        if token[0] in "[{":
            depth += 1
            lists += 1
            deepest = max(deepest, depth)
        elif token[0] in "]}":
            depth -= 1
    return deepest, lists


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {repeated!r} stands twice in one object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse_float(text: str) -> NoReturn:
    raise ValueError(f'{text[:40]} is not exact; write it as text, such as "1/10" or "0.1"')
