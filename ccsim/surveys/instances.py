"""Texts for many instances: ranges of parameters, all small classes, the files of a folder."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import permutations, product
from math import prod
from pathlib import Path

from ccsim.arguments.checked import checked_types
from ccsim.certificates.files import MAX_FILE_BYTES, read_limited
from ccsim.classes.families.elementary import MAX_POINTS
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.texts.calls import check_keys, parse_call
from ccsim.texts.registry import find_family

MAX_INSTANCES = 1 << 21  # maximum number of instances of one survey
_ENDINGS = frozenset((".csv", ".json"))
_DOTS = ".."
_ALL = "all"


@frozen
class Asked:
    """One instance of a survey."""

    text: str  # an INSTANCE text, ``@FILE`` included
    digest: str = ""  # SHA-256 of the bytes of a file in hexadecimal; empty for other instances
    content: bytes | None = None  # those bytes, so that workers need no access to the file


@checked_types
def instances_of(text: str) -> tuple[Asked, ...]:
    """Return the instances that a text denotes."""
    if text.startswith("@"):
        return _files(text[1:])
    name, _, rest = text.partition(":")
    if name.strip() == _ALL:
        _, values = parse_call(text)
        check_keys(_ALL, values, ("n",), ("n",))
        n = values["n"]
        return tuple(Asked(f"some_functions:n={n},chosen={c}") for c in small_classes(n))
    ranges: dict[str, tuple[str, ...] | range] = {}
    for part in rest.split(",") if rest else ():
        key, value = _range_of(name, part)
        if key in ranges:
            raise UnreadableInputError(f"{name}: {key} is given twice")
        ranges[key] = value
    family = find_family(name.strip())
    check_keys(name, ranges, family.parameters, family.parameters)
    _check_number(prod(map(len, ranges.values())))
    ordered = {key: ranges[key] for key in family.parameters}
    return tuple(
        Asked(
            f"{name.strip()}:{','.join(f'{k}={v}' for k, v in zip(ordered, chosen, strict=True))}"
        )
        for chosen in product(*ordered.values())
    )


def _check_number(number: int) -> None:
    if number > MAX_INSTANCES:
        raise InstanceTooLargeError(
            f"a survey must have at most {MAX_INSTANCES} instances, not {number}"
        )


def _range_of(name: str, part: str) -> tuple[str, tuple[str, ...] | range]:
    """Read ``key=value`` or ``key=first..last``, with values as in INSTANCE texts."""
    key, _, value = part.partition("=")
    first, dots, last = value.partition(_DOTS)
    if not dots:
        (key,) = parse_call(f"{name}:{part}")[1]
        return key, (value.strip(),)
    ((key, start),) = parse_call(f"{name}:{key}={first}")[1].items()
    ((_, stop),) = parse_call(f"{name}:{key}={last}")[1].items()
    if stop < start:
        raise UnreadableInputError(f"{name}: the range {key}={value.strip()[:40]} is empty")
    _check_number(stop - start + 1)
    return key, range(start, stop + 1)


def _files(name: str) -> tuple[Asked, ...]:
    try:
        if not name or not Path(name).is_dir():
            raise UnreadableInputError(
                f"{name!r} is not a folder; write @FOLDER with csv and json files"
            )
        paths = sorted(p for p in Path(name).iterdir() if p.suffix.lower() in _ENDINGS)
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise UnreadableInputError(f"{name!r}: cannot be read: {reason}") from None
    if not paths:
        raise UnreadableInputError(f"{name}: the folder contains no csv or json file")
    _check_number(len(paths))
    found, size = [], 0
    for path in paths:
        content = read_limited(path)
        size += len(content)
        if size > MAX_FILE_BYTES:
            raise InstanceTooLargeError(
                f"{name}: the files of a survey must have at most {MAX_FILE_BYTES} bytes in total"
            )
        found.append(Asked(f"@{os.fspath(path)}", sha256(content).hexdigest(), content))
    return tuple(found)


@checked_types
def small_classes(n: int) -> tuple[int, ...]:
    """Return one class over ``n`` points of each isomorphism type, including the empty class.

    Permutations of points and exchanges of 0 and 1 on points are isomorphisms. Complexity: fast up
    to 4 points; about half a minute for the 1 228 158 classes on 5.
    """
    if n < 0:
        raise DomainError(f"the number of points must be at least 0, not {n}")
    if n > MAX_POINTS:
        raise InstanceTooLargeError(f"all:n={n}: n must be at most {MAX_POINTS}")
    import numpy as np

    from ccsim.symmetry.groups import leading_sets

    size = 1 << n
    group = [(order, flips) for order in permutations(range(n)) for flips in range(size)]
    # the leading sets are the largest, so that function 0 takes the highest bit
    images = (
        [1 << size - 1 - (_permuted(size - 1 - row, order) ^ flips) for order, flips in group]
        for row in range(size)
    )
    moved = np.array([*images], np.int64)
    leaders = leading_sets(moved, MAX_INSTANCES).tolist()
    numbers = (int(f"{leader:0{size}b}"[::-1], 2) for leader in leaders)
    return tuple(sorted(numbers, key=lambda chosen: (chosen.bit_count(), chosen)))


def _permuted(row: int, order: tuple[int, ...]) -> int:
    return sum((row >> x & 1) << y for x, y in enumerate(order))
