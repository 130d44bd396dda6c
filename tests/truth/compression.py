"""The least size of a sample compression scheme, by a search through keys and functions.

A sample is a frozenset of pairs of a point and a label; functions are numbered.
"""

from itertools import combinations, product

from tests.truth.common import UndecidedError, between, require_small

__all__ = ["MEANINGS", "has_scheme", "least_scheme"]

MOST_STEPS = 500


def subsets(things, size):
    """Return the subsets of at most `size` things."""
    return [
        frozenset(chosen) for k in range(size + 1) for chosen in combinations(sorted(things), k)
    ]


class Search:
    """A search for the functions of keys and samples; sets of functions are bit masks.

    A use of a key by a sample restricts the function of the key to those with the labels of the
    sample. In a stable scheme, a use chooses one such function; it is also the function of all
    samples between the key and the sample. Every sample has a use.
    """

    def __init__(self, rows, width, size, *, labelled, stable, proper):
        functions = rows if proper else product("01", repeat=width)
        functions = [frozenset(enumerate(map(int, f))) for f in functions]
        rows = [frozenset(enumerate(map(int, row))) for row in rows]
        samples = dict.fromkeys(s for row in rows for s in subsets(row, width))
        self.steps, self.uses = 0, {}
        for s in samples:
            fit = [1 << f for f, function in enumerate(functions) if s <= function]
            self.uses[s] = [
                ((("key", key if labelled else points(key)), *between_), mask)
                for key in subsets(s, size)
                for between_ in [[t for t in samples if key <= t <= s] if stable else []]
                for mask in (fit if stable else [sum(fit)])
            ]
        self.keys = {}  # of the samples on the same points, which need different ones
        for s, uses in self.uses.items():
            self.keys.setdefault(points(s), ([], set()))[0].append(s)
            self.keys[points(s)][1].update(needs[0] for needs, _ in uses)
        kept = {each for uses in self.uses.values() for needs, _ in uses for each in needs}
        self.open = dict.fromkeys(kept, (1 << len(functions)) - 1)

    def complete(self, left, open_):
        """Whether all samples can have uses, given the functions that keys and samples may have."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise UndecidedError("the search for a scheme takes too many steps")
        rest = {}
        for s, uses in left.items():
            fit = [use for use in uses if all(open_[each] & use[1] for each in use[0])]
            if not any(all(not open_[each] & ~f for each in needs) for needs, f in fit):
                rest[s] = fit
        if not rest:
            return True
        best = min(rest, key=lambda s: len(rest[s]))
        for i, (needs, f) in enumerate(rest[best]):
            used = {each: open_[each] & f for each in needs}
            if self.complete(rest | {best: rest[best][i:]}, open_ | used):
                return True
            if len(needs) == 1:
                open_ = open_ | {needs[0]: open_[needs[0]] & ~f}
        return False


def points(sample):
    """Return the points of a sample."""
    return frozenset(x for x, _ in sample)


def has_scheme(rows, width, size, **variant):
    """Decide whether a class has a scheme of a size."""
    search = Search(rows, width, size, **variant)
    if any(len(samples) > len(keys) for samples, keys in search.keys.values()):
        return False
    return search.complete(search.uses, search.open)


def least_scheme(rows, width, **variant):
    """Return the least size; -1 without rows, and one more than all points without a scheme."""
    if not rows:
        return -1
    require_small(len(rows) << 2 * width, 20_000)
    sizes = range(width + 1)
    return next((k for k in sizes if has_scheme(rows, width, k, **variant)), width + 1)


def compression_size(instance, statement):
    """Decide a statement."""
    variant = {name: statement[name] for name in ("labelled", "stable", "proper")}
    return between(statement, least_scheme(instance["rows"], len(instance["points"]), **variant))


MEANINGS = {"compression_size": compression_size}
