"""Pairs of databases that differ by one change: counted in advance, and listed.

A database is given by the numbers of its records. It is a sequence, or a multiset, whose number of
records lies in a range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import TypeAlias

from ccsim.budget import in_time
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError

MAX_PAIRS = 1 << 22
"""Maximum number of pairs of neighbouring databases in an audit, and of databases."""

MAX_ENTRIES = 1 << 26
"""Maximum total number of entries of the databases of all pairs."""

Numbers: TypeAlias = tuple[int, ...]
"""A database, given by the numbers of its records."""


class Change(StrEnum):
    """How two neighbouring databases differ."""

    REPLACE = "replace one"
    """One record is replaced by another record of its group."""
    ADD_OR_REMOVE = "add or remove one"
    """One database has one record more."""
    REPLACE_KEY = "replace key"
    """The databases agree outside of one group."""
    REMOVE_KEY = "remove key"
    """One database lacks all records of one group."""


@frozen
class Rule:
    """A rule for neighbours that differ in one record, or in the records of one group.

    Attributes
    ----------
    change : Change
        How two neighbours differ.
    least, most : int
        Least and largest number of records of a database.
    groups : tuple of int
        The group of each record; groups are numbered from 0 in the order of their first records.
    symmetric : bool
        Whether databases are multisets instead of sequences.
    """

    change: Change
    least: int
    most: int
    groups: tuple[int, ...]
    symmetric: bool

    @property
    def is_single(self) -> bool:
        """Whether all records belong to the same group."""
        return not any(self.groups)

    def databases(self) -> Iterator[Numbers]:
        """Yield all databases by their number of records, and then in lexicographic order."""
        for size in range(self.least, self.most + 1):
            yield from self._of_size(size)

    def _of_size(self, size: int) -> Iterator[Numbers]:
        records = range(len(self.groups))
        if self.symmetric:
            return combinations_with_replacement(records, size)
        return product(records, repeat=size)

    def are_neighbours(self, first: Numbers, second: Numbers) -> bool:
        """Decide whether two databases are neighbours, from the definition."""
        shorter, longer = sorted((first, second), key=len)
        if not self.least <= len(shorter) <= len(longer) <= self.most:
            return False
        if self.change in (Change.REPLACE_KEY, Change.REMOVE_KEY):
            return self._agree_outside_of_a_key(first, second)
        if self.symmetric:
            gone = list((Counter(longer) - Counter(shorter)).elements())
            come = list((Counter(shorter) - Counter(longer)).elements())
        elif len(shorter) == len(longer):
            changed = [pair for pair in zip(longer, shorter, strict=True) if pair[0] != pair[1]]
            gone, come = [a for a, _ in changed], [b for _, b in changed]
        else:
            rests = (longer[:i] + longer[i + 1 :] for i in range(len(longer)))
            gone, come = ([0], []) if shorter in rests else ([], [])
        if self.change is Change.ADD_OR_REMOVE:
            return len(gone) == 1 and not come
        return len(gone) == len(come) == 1 and self.groups[gone[0]] == self.groups[come[0]]

    def _agree_outside_of_a_key(self, first: Numbers, second: Numbers) -> bool:
        if self.symmetric:
            first, second = tuple(sorted(first)), tuple(sorted(second))
        if first == second:
            return False
        for key in {self.groups[record] for record in first + second}:
            rest, other = (
                tuple(record for record in database if self.groups[record] != key)
                for database in (first, second)
            )
            is_without = self.change is Change.REPLACE_KEY or rest in (first, second)
            if rest == other and is_without:
                return True
        return False

    def count(self) -> int:
        """Return the number of pairs; raise an error if there are too many."""
        self.require_few_databases()
        sizes = range(self.least, self.most + 1)
        if self.change is Change.REPLACE:
            total: int = sum(self._replacements(size) for size in sizes)
        elif self.change is Change.ADD_OR_REMOVE:
            total = sum(self._insertions(size) for size in sizes[:-1])
        else:
            total = self._changes_of_keys()
        if total > MAX_PAIRS:
            raise InstanceTooLargeError(
                f"{total} pairs of neighbouring databases exceed the limit of {MAX_PAIRS}; use "
                "fewer records"
            )
        if total * self.most > MAX_ENTRIES:
            raise InstanceTooLargeError(
                f"{total} pairs of databases of up to {self.most} entries exceed the limit of "
                f"{MAX_ENTRIES} entries in total; use fewer records"
            )
        return total

    def require_few_databases(self) -> None:
        """Raise an error if there are too many databases."""
        values, most = len(self.groups), self.most
        free = min(values - 1, most) if self.symmetric else most if values > 1 else 0
        number = f"at least 2^{free}"
        if free <= MAX_PAIRS.bit_length():  # otherwise there are 2**free
            known = _number_of(values, most, symmetric=self.symmetric)
            if self.least:
                known -= _number_of(values, self.least - 1, symmetric=self.symmetric)
            if known <= MAX_PAIRS:
                return
            number = str(known)
        raise InstanceTooLargeError(
            f"{number} databases of up to {most} records exceed the limit of {MAX_PAIRS}; use "
            "fewer records"
        )

    def _replacements(self, size: int) -> int:
        if not size:
            return 0
        values = len(self.groups)
        exchanges = sum(comb(n, 2) for n in Counter(self.groups).values())
        if self.symmetric:
            return comb(values + size - 2, size - 1) * exchanges
        others: int = values ** (size - 1)
        return others * size * exchanges

    def _insertions(self, size: int) -> int:
        """Return the number of pairs of a database of a given size and a larger one."""
        values = len(self.groups)
        if self.symmetric:
            return comb(values + size - 1, size) * values
        number: int = values**size
        return number * (values + size * (values - 1))

    def _changes_of_keys(self) -> int:
        values, members = len(self.groups), Counter(Counter(self.groups).values())
        total = 0
        for own, keys in members.items():
            for kept in range(self.most + 1 if values > own else 1):
                others = _words(values - own, kept, symmetric=self.symmetric)
                sizes = range(max(self.least, kept), self.most + 1)
                around = sum(
                    _words(own, size - kept, symmetric=self.symmetric)
                    * (1 if self.symmetric else comb(size, kept))
                    for size in sizes
                )
                if self.change is Change.REPLACE_KEY:
                    pairs = comb(around, 2)
                else:
                    pairs = around - 1 if kept >= self.least else 0
                total += keys * others * pairs
        if self.change is Change.REMOVE_KEY or self.symmetric:
            return total
        for (own, keys), (other, more) in product(members.items(), repeat=2):
            if twice := keys * (more - (own == other)):  # ordered pairs of keys
                total -= twice * self._of_two_keys(own, other) // 2
        return total

    def _of_two_keys(self, own: int, other: int) -> int:
        """Return the number of pairs that agree outside of each of two keys of given sizes.

        Between two records of other keys, the records of each of the two keys are the same in both
        databases, and only their interleaving differs.
        """
        values, most = len(self.groups), self.most
        segment = [
            sum(comb(n, i) ** 2 * own**i * other ** (n - i) for i in range(n + 1))
            for n in range(most + 1)
        ]
        power, number = segment, list(segment)
        for separators in range(1, most + 1):
            power = _times(power, segment)
            for n in range(most + 1 - separators):
                number[n + separators] += (values - own - other) ** separators * power[n]
        words: int = sum(values**n for n in range(self.least, most + 1))
        found: int = (sum(number[self.least :]) - words) // 2
        return found

    def pairs(self) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield every pair of neighbours once."""
        if self.change is Change.REPLACE:
            for size in range(max(self.least, 1), self.most + 1):
                yield from self._replaced(size)
        elif self.change is Change.ADD_OR_REMOVE:
            for size in range(self.least, self.most):
                yield from self._inserted(size)
        else:
            yield from self._with_changed_key()

    def _members(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for record, group in enumerate(self.groups):
            found.setdefault(group, []).append(record)
        return list(found.values())

    def _replaced(self, size: int) -> Iterator[tuple[Numbers, Numbers]]:
        members = self._members()
        for rest in self._of_size(size - 1):
            for place in range(1 if self.symmetric else size):
                before, after = rest[:place], rest[place:]
                for group in members:
                    yield from combinations([(*before, x, *after) for x in group], 2)

    def _inserted(self, size: int) -> Iterator[tuple[Numbers, Numbers]]:
        for database in self._of_size(size):
            for place in range(1 if self.symmetric else size + 1):
                for record in range(len(self.groups)):
                    # a record inserted before an equal one is the same as after it
                    if self.symmetric or place == size or database[place] != record:
                        yield database, (*database[:place], record, *database[place:])

    def _with_changed_key(self) -> Iterator[tuple[Numbers, Numbers]]:
        around: dict[tuple[int, Numbers], list[Numbers]] = {}
        groups = self.groups
        for database in in_time(self.databases()):
            for key in {groups[record] for record in database}:
                rest = tuple(record for record in database if groups[record] != key)
                around.setdefault((key, rest), []).append(database)
        for (key, rest), block in around.items():
            without = [rest] if len(rest) >= self.least else []
            if self.change is Change.REMOVE_KEY:
                yield from product(without, block)
            elif self.symmetric:
                yield from combinations(without + block, 2)
            else:
                for first, second in combinations(without + block, 2):
                    if not self._agree_before(key, first, second):
                        yield first, second

    def _agree_before(self, key: int, first: Numbers, second: Numbers) -> bool:
        """Whether two databases also agree outside of a key with a smaller number."""
        groups = self.groups
        return sorted(first) == sorted(second) and any(
            [r for r in first if groups[r] != k] == [r for r in second if groups[r] != k]
            for k in {groups[r] for r in first}
            if k < key
        )


def _number_of(values: int, most: int, *, symmetric: bool) -> int:
    """Return the number of databases of at most ``most`` records."""
    if symmetric:
        return comb(values + most, most)
    if values == 1:
        return most + 1
    larger: int = values ** (most + 1)
    return (larger - 1) // (values - 1)


def _words(values: int, size: int, *, symmetric: bool) -> int:
    """Return the number of databases of a given size."""
    if not symmetric:
        number: int = values**size
        return number
    return comb(values + size - 1, size) if values else int(not size)


def _times(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the product of two polynomials, up to the same degree."""
    return [sum(first[i] * second[n - i] for i in range(n + 1)) for n in range(len(first))]
