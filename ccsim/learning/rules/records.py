"""Records as people have them: mappings from names of columns, or a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from ccsim.errors import DomainError
from ccsim.frames import is_frame


def records_of(records: object) -> Iterator[Mapping[str, object]]:
    """Yield the records of a table as mappings."""
    for number, record in enumerate(_each(records), 1):
        if not isinstance(record, Mapping):
            raise DomainError(
                f"record {number} must be a mapping from names of columns, not {_kind(record)}"
            )
        yield record


def _kind(value: object) -> str:
    """Return the type of a value for a message, which does not quote records."""
    return "None" if value is None else f"of type {type(value).__name__}"


def _each(records: object) -> Iterable[object]:
    if is_frame(records):
        frame = cast("Any", records)
        if hasattr(frame, "iter_rows"):
            return cast("Iterable[object]", frame.iter_rows(named=True))
        return cast("Iterable[object]", frame.to_dict("records"))
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        raise DomainError(
            f"records must be mappings in a list, or a data frame, not {_kind(records)}"
        )
    return records
