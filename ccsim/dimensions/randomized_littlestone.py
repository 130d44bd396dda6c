"""The randomised Littlestone dimension: half of the largest mean depth of a shattered tree.

Source: Filmus, Hanneke, Mehalel and Moran (2023), arXiv 2302.13849. The largest mean depths ``e_V``
of version spaces are the least solution of ``e_V >= 1 + (e_V0 + e_V1) / 2`` for every point that
splits V into V0 and V1, with 0 for single concepts. They are multiples of ``2**-points`` and stored
as integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, no_cycles
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.symmetry.groups import group_of
from ccsim.symmetry.matrix import Symmetry, class_bits, literal_moves, symmetries_of_class

MAX_SPACES = 1 << 18
"""Maximum number of version spaces, or of their orbits. Beyond: bounds."""
MAX_ORDER = 1 << 13
"""Largest order of a symmetry group that the search uses."""
_FEW_CONCEPTS = 24  # concepts for which symmetries are not worth looking for
_MOST_LITERALS = 64
_MOST_COUNTS = 1 << 20  # sizes of version spaces that are computed for an upper bound, about
_AT_ONCE = 1 << 10  # version spaces whose sides are found at once
Keys = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.bool_]
Image: TypeAlias = tuple[int, int]  # numbers of an earlier entry and of a symmetry
Asked: TypeAlias = tuple[tuple[int, ...], int, int | None, int | None]
"""Literals, a point, and for each label an entry inside the side, or None for a leaf."""
Bounded: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Literals, the sides bounded by an entry that contains them, and these entries."""
E = TypeVar("E", Asked, Bounded)


@frozen
class RandomizedLittlestoneResult(Answer[Fraction]):
    """Bounds on the randomised Littlestone dimension of a class, with proofs.

    Attributes
    ----------
    concept_class : ConceptClass
    lower, upper : Fraction
        Bounds on the dimension, which is -1 for the empty class and at least 0 otherwise.
    tree : MeanDepthTree
        A shattered tree whose mean depth is ``2 lower``.
    potentials : MeanDepthPotentials
        Upper bounds on the mean depth of trees for version spaces.
    """

    question = "the randomised Littlestone dimension"
    asked = ("concept_class",)
    quantity: ClassVar[str] = "the randomised Littlestone dimension"

    concept_class: ConceptClass
    lower: Fraction
    upper: Fraction
    tree: MeanDepthTree
    potentials: MeanDepthPotentials

    @no_cycles()
    def certificate(self) -> Certificate:
        """Return the certificate of kind ``randomized_littlestone_dimension``."""
        return Certificate(
            "randomized_littlestone_dimension",
            self.concept_class.to_json(),
            {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)},
            self.tree.to_json(),
            self.potentials.to_json(),
        )


@checked_types
def randomized_littlestone_dimension(
    concept_class: ClassLike, *, time_limit: TimeLimit = None
) -> RandomizedLittlestoneResult:
    """Return the randomised Littlestone dimension of a class, or bounds, with proofs.

    It is half of the largest mean length of a random branch of a tree that the class shatters.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        The dimension is exact for at most `MAX_SPACES` version spaces, up to symmetry.
    time_limit : float or Budget, optional
        Seconds after which the search stops.

    Returns
    -------
    RandomizedLittlestoneResult
        Bounds on the dimension, which is -1 for the empty class, with proofs. They may differ if
        the search was stopped or there are too many version spaces.

    Notes
    -----
    Complexity: the number of version spaces, up to symmetry, times the number of points. Halfspaces
    on {0,1}^4, with 672 version spaces, take a few seconds. If querying the most balanced point
    attains the bound by the number of concepts, as for thresholds, the complexity is the number of
    concepts times the number of points. A tree of most balanced points also proves the lower bound
    of a stopped search; the sizes of version spaces after a few answers prove its upper bound.
    Source: Filmus, Hanneke, Mehalel and Moran (2023), arXiv 2302.13849.

    Examples
    --------
    >>> from ccsim.classes import intervals, thresholds
    >>> result = randomized_littlestone_dimension(thresholds(3))
    >>> result.value
    Fraction(3, 2)
    >>> result.check()
    >>> randomized_littlestone_dimension(intervals(6)).value
    Fraction(139, 64)
    """
    budget = Budget.of(time_limit)
    C = as_class(concept_class, budget)
    if not C.rows:
        nothing = MeanDepthTree(()), MeanDepthPotentials(())
        return RandomizedLittlestoneResult(C, Fraction(-1), Fraction(-1), *nothing)
    with budget, suppress(InstanceTooLargeError):
        return _exact(C, budget)
    left, unit = budget.or_at_once(), 1 << len(C.points)
    length, tree = balanced_tree(C, left)
    most, potentials = size_potentials(C, left)
    lower, upper = (Fraction(bound, 2 * unit) for bound in (length, most))
    return RandomizedLittlestoneResult(C, lower, upper, tree, potentials)


def _exact(C: ConceptClass, budget: Budget) -> RandomizedLittlestoneResult:
    """Return the dimension from a balanced tree, or from all version spaces."""
    length, tree = balanced_tree(C, budget, only_even=True)
    unit = 1 << len(C.points)  # no branch is longer, so that all means are multiples of 1 / unit
    if length == longest(len(C), len(C.points)):
        value = most_randomized_littlestone(len(C))
        return RandomizedLittlestoneResult(C, value, value, tree, MeanDepthPotentials(()))
    symmetries = useful_symmetries(C, budget)
    spaces = split_spaces(C, budget)
    means = [0] * (len(spaces) + 1)  # the last one for single concepts
    for i in sorted(range(len(spaces)), key=lambda i: spaces[i].size):
        budget.spend()
        means[i] = unit + max(means[a] + means[b] for _, a, b in spaces[i].splits) // 2
    proofs = prove_means(C, spaces, symmetries, means, budget)
    value = Fraction(means[0], 2 * unit)
    return RandomizedLittlestoneResult(C, value, value, *proofs)


@checked_types
def most_randomized_littlestone(size: int) -> Fraction:
    """Return the largest randomised Littlestone dimension of the classes with ``size`` concepts.

    Thresholds attain it, since a chain of concepts can always be split into halves. For ``size =
    2**k + r`` with ``0 <= r < 2**k``, it is ``(k + r / 2**k) / 2``. For the empty class, it is -1.

    Parameters
    ----------
    size : int
        Number of concepts, at least 0.

    Notes
    -----
    Proof of the bound: the mean depth is the sum of ``2**-depth`` over the inner nodes; a tree has
    one fewer inner node than leaves, and at most ``2**d`` nodes of depth ``d``.

    Examples
    --------
    >>> [str(most_randomized_littlestone(n)) for n in (0, 1, 2, 3, 4, 6)]
    ['-1', '0', '1/2', '3/4', '1', '5/4']
    """
    if size < 0:
        raise DomainError(f"size must be at least 0, not {size}")
    if not size:
        return Fraction(-1)
    k = size.bit_length() - 1
    return (k + Fraction(size - (1 << k), 1 << k)) / 2


@frozen
class MeanDepthTree:
    """A shattered tree, as a list with one entry for each orbit of version spaces."""

    # the last one is the whole tree; with none the tree is a leaf
    entries: tuple[Asked | Image, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the proof of the lower bound as JSON for a certificate."""
        if not self.entries:
            return {"trivial": {}}
        return {"tree": _to_json(self.entries, self.symmetries)}


@frozen
class MeanDepthPotentials:
    """Upper bounds on mean depths in version spaces; a space not listed is bounded by its size."""

    # the last one is about the whole class; with none the number of concepts is the bound
    entries: tuple[Bounded | Image, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the proof of the upper bound as JSON for a certificate."""
        if not self.entries:
            return {"size": {}}
        return {"potentials": _to_json(self.entries, self.symmetries)}


def _to_json(entries: Iterable[tuple[Any, ...]], symmetries: Iterable[Symmetry]) -> dict[str, Any]:
    spaces = [[list(part) if isinstance(part, tuple) else part for part in e] for e in entries]
    return {"symmetries": [symmetry.to_json() for symmetry in symmetries], "spaces": spaces}


class Space(NamedTuple):
    """A version space of at least two concepts."""

    size: int  # number of its concepts
    # points that split it: the point, and the numbers of the version spaces with label 0 and 1 in
    # the list, or of their orbits, -1 for a single concept
    splits: tuple[tuple[int, int, int], ...]
    literals: tuple[int, ...]  # answers ``2x + b`` that leave exactly its concepts


def split_spaces(concept_class: ConceptClass, budget: Budget) -> list[Space]:
    """Return one version space of each orbit with at least two concepts, the class first."""
    if len(concept_class) < 2:
        return []
    if symmetries := useful_symmetries(concept_class, budget):
        moves = group_of(
            2 * len(concept_class.points), [*map(literal_moves, symmetries)], MAX_ORDER
        )
        return _Orbits(concept_class, moves, budget).spaces()
    return _all_spaces(concept_class, budget)


def useful_symmetries(concept_class: ConceptClass, budget: Budget) -> list[Symmetry]:
    """Return generators of the symmetry group; none if using orbits would save nothing."""
    literals = 2 * len(concept_class.points)
    if len(concept_class) < _FEW_CONCEPTS or literals > _MOST_LITERALS:
        return []
    found: list[Symmetry] = []
    order = 1
    for symmetry in symmetries_of_class(concept_class, budget):
        more = [literal_moves(each) for each in (*found, symmetry)]
        grown = len(group_of(literals, more, MAX_ORDER))
        if grown > order:
            found.append(symmetry)
            order = grown
    return found


def _all_spaces(C: ConceptClass, budget: Budget) -> list[Space]:
    """Return all version spaces, found as sets of concepts."""
    split_by = columns(C)
    everything = (1 << len(C)) - 1
    number, queue, spaces = {everything: 0}, [everything], list[Space]()
    answers: list[tuple[int, ...]] = [()]
    for i, space in enumerate(queue):
        budget.spend()
        splits = []
        for x, column in enumerate(split_by):
            one = space & column
            if not one or one == space:
                continue
            sides = []
            for b, side in enumerate((space ^ one, one)):
                if not side & (side - 1):
                    sides.append(-1)
                    continue
                if side not in number:
                    number[side] = _fits(len(queue), C)
                    queue.append(side)
                    answers.append((*answers[i], 2 * x + b))
                sides.append(number[side])
            splits.append((x, sides[0], sides[1]))
        spaces.append(Space(space.bit_count(), tuple(splits), answers[i]))
    return spaces


def _fits(number: int, C: ConceptClass) -> int:
    if number >= MAX_SPACES:
        raise InstanceTooLargeError(f"{C} has more than {MAX_SPACES} version spaces")
    return number


class _Orbits:
    """A search for one version space of each orbit, one level at a time."""

    def __init__(self, C: ConceptClass, moves: list[tuple[int, ...]], budget: Budget) -> None:
        bits = class_bits(C).astype(np.float32)
        self.has = np.stack([1 - bits, bits], axis=2).reshape(len(C), -1)
        self.both = (self.has[:, :, None] * self.has[:, None, :]).reshape(len(C), -1)
        self.images, self.budget, self.concept_class = _images(moves), budget, C

    def spaces(self) -> list[Space]:
        """Return one version space of each orbit, with its sides."""
        shared = self.has.sum(axis=0) == len(self.concept_class)
        root = self.least_images(_keys(shared[None]))
        number, wave, spaces = {int(root[0]): 0}, root, list[Space]()
        while len(wave):
            listed = [self.sides(wave[i : i + _AT_ONCE]) for i in range(0, len(wave), _AT_ONCE)]
            sizes, closures = (np.concatenate(part) for part in zip(*listed, strict=True))
            wanted = sizes >= 2
            wanted &= wanted[:, :, ::-1] | (sizes[:, :, ::-1] == 1)
            found, place = np.unique(closures[wanted], return_inverse=True)
            images = np.zeros_like(closures)
            images[wanted] = self.least_images(found)[place]
            fresh = []
            told = [tuple(members(int(key))) for key in wave]
            listed_sides = zip(sizes.tolist(), images.tolist(), told, strict=True)
            for counts, keys, literals in listed_sides:
                splits = []
                for x, (count, key) in enumerate(zip(counts, keys, strict=True)):
                    if min(count) == 0:
                        continue
                    sides = [-1, -1]
                    for b in (0, 1):
                        if count[b] > 1:
                            if key[b] not in number:
                                number[key[b]] = _fits(len(number), self.concept_class)
                                fresh.append(key[b])
                            sides[b] = number[key[b]]
                    splits.append((x, sides[0], sides[1]))
                spaces.append(Space(sum(counts[0]), tuple(splits), literals))
            wave = np.array(fresh, np.uint64)
        return spaces

    def sides(self, keys: Keys) -> tuple[npt.NDArray[np.int64], Keys]:
        """Return, for several closures, the sizes and closures of both sides of each point."""
        self.budget.spend()
        literals = self.has.shape[1]
        told = (keys[:, None] >> np.arange(literals, dtype=np.uint64) & np.uint64(1)) == 1
        inside = (told.astype(np.float32) @ (1 - self.has).T == 0).astype(np.float32)
        pairs = (inside @ self.both).reshape(len(keys), literals, literals)
        sizes = np.einsum("kii->ki", pairs)
        closures = _keys((pairs == sizes[:, :, None]).reshape(-1, literals))
        shape = (len(keys), literals // 2, 2)
        return sizes.astype(np.int64).reshape(shape), closures.reshape(shape)

    def least_images(self, keys: Keys) -> Keys:
        """Return the smallest image of each closure under all symmetries."""
        least = keys.copy()
        places = [(keys >> np.uint64(8 * p) & np.uint64(255)).astype(np.int64) for p in range(8)]
        for tables in self.images:
            self.budget.spend()
            image = np.zeros_like(keys)
            for table, place in zip(tables, places, strict=False):
                image |= table[place]
            np.minimum(least, image, out=least)
        return least


def _images(moves: list[tuple[int, ...]]) -> Keys:
    """Tabulate, for each symmetry, the images of all sets of eight consecutive literals."""
    bits = np.uint64(1) << np.array(moves, np.uint64)
    padded = np.zeros((len(bits), (bits.shape[1] + 7) // 8 * 8), np.uint64)
    padded[:, : bits.shape[1]] = bits
    eights = padded.reshape(len(bits), -1, 8)
    tables = np.zeros((*eights.shape[:2], 1), np.uint64)
    for i in range(8):
        tables = np.concatenate([tables, tables | eights[:, :, i : i + 1]], axis=2)
    return tables


def _keys(closures: Bits) -> Keys:
    """Return rows of bits as words of 64 bits."""
    packed = np.packbits(closures, axis=1, bitorder="little")
    words = np.zeros((len(closures), 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64).reshape(-1)


def longest(size: int, num_points: int) -> int:
    """Return the largest mean depth of a tree with ``size`` leaves, attained by balanced trees."""
    k = size.bit_length() - 1
    return (k - 1 << num_points) + (size << num_points >> k)


def balanced_tree(
    concept_class: ConceptClass, budget: Budget, *, only_even: bool = False
) -> tuple[int, MeanDepthTree]:
    """Return a tree of the most balanced splits, and its mean depth in units of ``2**-points``.

    If the budget expires, version spaces that were not split yet are leaves. With `only_even`, the
    budget ends the search, and the empty tree is returned unless the tree attains the bound by
    size.
    """
    split_by = columns(concept_class)
    unit = 1 << len(concept_class.points)
    entries: list[Asked] = []
    lengths: list[int] = []
    place: dict[int, int | None] = {}
    everything = (1 << len(concept_class)) - 1
    stack: list[tuple[int, tuple[int, ...], int]] = [(everything, (), -1)]
    while stack:
        space, literals, asked = stack.pop()
        size = space.bit_count()
        if asked >= 0:
            ones = space & split_by[asked]
            sides = place[space ^ ones], place[ones]
            place[space] = len(entries)
            entries.append((literals, asked, *sides))
            lengths.append(unit + sum(0 if side is None else lengths[side] for side in sides) // 2)
        elif size == 1 or (budget.expired and not only_even):
            place.setdefault(space, None)
        elif space not in place:
            if only_even:
                budget.spend()
            counts = [(space & column).bit_count() for column in split_by]
            x = min(range(len(counts)), key=lambda x: abs(2 * counts[x] - size))
            fewer, more = sorted((counts[x], size - counts[x]))
            half = 1 << size.bit_length() - 2
            if only_even and (fewer < half or more > 2 * half):
                return 0, MeanDepthTree(())
            ones = space & split_by[x]
            stack.append((space, literals, x))
            stack.append((space ^ ones, (*literals, 2 * x), -1))
            stack.append((ones, (*literals, 2 * x + 1), -1))
    return (lengths[-1] if lengths else 0), MeanDepthTree(tuple(entries))


def size_potentials(concept_class: ConceptClass, budget: Budget) -> tuple[int, MeanDepthPotentials]:
    """Return an upper bound on mean depths, from the sizes of version spaces after few answers.

    The bound is in units of ``2**-points``. The number of answers grows while there is time.
    """
    width, size = len(concept_class.points), len(concept_class)
    best = longest(size, width), MeanDepthPotentials(())
    with budget:
        for answers in range(width):
            found = _Sizes(concept_class, answers, budget)
            if (length := found.bound((1 << size) - 1, ())) < best[0]:
                best = length, MeanDepthPotentials(tuple(found.entries))
            if len(found.entries) * width**2 > _MOST_COUNTS:
                break
    return best


class _Sizes:
    """Bounds on mean depths from the sizes of the version spaces after a number of answers."""

    def __init__(self, concept_class: ConceptClass, answers: int, budget: Budget) -> None:
        self._split_by, self._budget, self._answers = columns(concept_class), budget, answers
        self._width = len(concept_class.points)
        self._place: dict[tuple[int, int], int] = {}
        self._lengths: list[int] = []
        self.entries: list[Bounded] = []

    def bound(self, space: int, literals: tuple[int, ...]) -> int:
        """Return a bound on the mean depth for a version space, and add its entry."""
        left = self._answers - len(literals)
        if (space, left) in self._place:
            return self._lengths[self._place[space, left]]
        self._budget.spend()
        size, width = space.bit_count(), self._width
        most, turns, below = 0, list[int](), list[int]()
        for x, column in enumerate(self._split_by):
            ones = space & column
            if not 0 < (number := ones.bit_count()) < size:
                continue
            both = 0
            for literal, side, each in (
                (2 * x, space ^ ones, size - number),
                (2 * x + 1, ones, number),
            ):
                by_size = longest(each, width)
                if left and each > 1 and (more := self.bound(side, (*literals, literal))) < by_size:
                    by_size = more
                    turns.append(literal)
                    below.append(self._place[side, left - 1])
                both += by_size
            most = max(most, (2 << width) + both)
        self._place[space, left] = len(self.entries)
        self.entries.append((literals, tuple(turns), tuple(below)))
        self._lengths.append(most + 1 >> 1)
        return self._lengths[-1]


def prove_means(
    concept_class: ConceptClass,
    spaces: Sequence[Space],
    symmetries: Sequence[Symmetry],
    means: Sequence[int],
    budget: Budget,
) -> tuple[MeanDepthTree, MeanDepthPotentials]:
    """Return proofs of both bounds on the mean depth of a class of at least two concepts."""
    below = _Table[Asked](concept_class, spaces, symmetries, budget)
    wanted = {0}
    for i in sorted(range(len(spaces)), key=lambda i: -spaces[i].size):
        if i in wanted:
            wanted |= {side for side in _best(spaces[i], means)[1:] if side >= 0}
    for i in sorted(wanted, key=lambda i: spaces[i].size):
        x, *sides = _best(spaces[i], means)
        zero, one = (below.side(i, 2 * x + b, side) for b, side in enumerate(sides))
        below.put(i, (spaces[i].literals, x, zero, one))
    above = _Table[Bounded](concept_class, spaces, symmetries, budget)
    turns: dict[int, list[tuple[int, int]]] = {}
    wanted = {0}
    for i in sorted(range(len(spaces)), key=lambda i: -spaces[i].size):
        if i in wanted:
            turns[i] = _turns(spaces, means, i, len(concept_class.points))
            wanted |= {side for _, side in turns[i]}
    for i in sorted(wanted, key=lambda i: spaces[i].size):
        numbers = [above.side(i, literal, side) for literal, side in turns[i]]
        kept = tuple(number for number in numbers if number is not None)
        above.put(i, (spaces[i].literals, tuple(literal for literal, _ in turns[i]), kept))
    kept_symmetries = tuple(symmetries)
    return (
        MeanDepthTree(tuple(below.entries), kept_symmetries),
        MeanDepthPotentials(tuple(above.entries), kept_symmetries),
    )


def _best(space: Space, means: Sequence[int]) -> tuple[int, int, int]:
    """Return a split with the largest mean; index -1 stands for a single concept."""
    return max(space.splits, key=lambda split: (means[split[1]] + means[split[2]], -split[0]))


def _turns(
    spaces: Sequence[Space], means: Sequence[int], i: int, num_points: int
) -> list[tuple[int, int]]:
    """Return the sides of a space, with their indices, whose bound by size is not sufficient."""
    most = 2 * (means[i] - (1 << num_points))
    found = []
    for x, *sides in spaces[i].splits:
        by_size = [longest(spaces[side].size, num_points) if side >= 0 else 0 for side in sides]
        labels = sorted((0, 1), key=lambda b: means[sides[b]] - by_size[b])
        for b in labels:
            if sum(by_size) <= most:
                break
            by_size[b] = means[sides[b]]
            found.append((2 * x + b, sides[b]))
    return found


class _Table(Generic[E]):
    """A table of entries that refer to earlier entries, and of their images under symmetries."""

    def __init__(
        self,
        C: ConceptClass,
        spaces: Sequence[Space],
        symmetries: Sequence[Symmetry],
        budget: Budget,
    ) -> None:
        self.entries: list[E | Image] = []
        self.spaces, self.budget = spaces, budget
        everything = (1 << len(C)) - 1
        self.lacking = [side for c in columns(C) for side in (c, everything ^ c)]
        self.everything = everything
        moves = [literal_moves(symmetry) for symmetry in symmetries]
        group, words = [tuple(range(len(self.lacking)))], [(0, -1)]
        number = {group[0]: 0}
        for i, element in enumerate(group):  # grows while it is read
            for letter, move in enumerate(moves):
                image = tuple(move[literal] for literal in element)
                if image not in number:
                    number[image] = len(group)
                    group.append(image)
                    words.append((i, letter))
        self.words = words
        self.bits = np.uint64(1) << np.array(group, np.uint64) if symmetries else None
        self.place: dict[tuple[int, int], int] = {}  # of a version space and a closure
        self.closures: dict[int, tuple[list[int], dict[int, int]]] = {}

    def put(self, i: int, entry: E) -> None:
        """Add the entry of a version space."""
        self.budget.spend()
        self.place[i, self.images(i)[0][0]] = len(self.entries)
        self.entries.append(entry)

    def images(self, i: int) -> tuple[list[int], dict[int, int]]:
        """Return the image of a closure under each symmetry, and one symmetry for each image."""
        if self.bits is None:
            return [0], {}
        if i not in self.closures:
            told = list(self.spaces[i].literals)
            found = self.bits[:, told].sum(axis=1, dtype=np.uint64).tolist()
            first: dict[int, int] = {}
            for g, key in enumerate(found):
                first.setdefault(key, g)
            self.closures[i] = found, first
        return self.closures[i]

    def side(self, i: int, literal: int, number: int) -> int | None:
        """Return the index of an entry for a side, which is an image of a listed version space."""
        if number < 0:
            return None
        if self.bits is None:
            return self.place[number, 0]
        space = self.everything
        for told in (*self.spaces[i].literals, literal):
            space &= ~self.lacking[told]
        closure = sum(1 << k for k, lack in enumerate(self.lacking) if not space & lack)
        return self.image(number, closure)

    def image(self, number: int, closure: int) -> int:
        """Return the index of an entry for an image; intermediate images are added first."""
        if (number, closure) not in self.place:
            found, first = self.images(number)
            before, letter = self.words[first[closure]]
            earlier = self.image(number, found[before])
            self.place[number, closure] = len(self.entries)
            self.entries.append((earlier, letter))
        return self.place[number, closure]
