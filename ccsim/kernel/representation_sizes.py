"""The kernel's checks of how many hypotheses it takes to represent a class.

What bounds the number from below is mostly a branching tree over sets of neighbourhoods, in which
each node says what is chosen and which weights the rest cannot meet. That a representation has its
error, or its failure probability, is checked in `ccsim.kernel.representations`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

from .dimensions import mistake_tree
from .instances import CLASS, Matrix, bounds
from .parts import Claim, Part, members, ones, show, size, times
from .representations import disagreement, failing, read_support
from .symmetry import orbit

__all__ = ["deterministic", "least_failure", "probabilistic"]

MAX_POOL_POINTS = 12  # points over which all hypotheses are considered
MAX_DENOMINATOR = 1000  # of an error whose entropy is compared

_Permutation = list[int]
_Case = tuple[list[Part], int, int, set[int]]


def _pool(part: Part, C: Matrix) -> Collection[int]:
    """Read which hypotheses count; null stands for all."""
    if part.value is None:
        rule = f"{len(C.columns)} points, all hypotheses are considered up to {MAX_POOL_POINTS}"
        part.require(len(C.columns) <= MAX_POOL_POINTS, rule)
        return range(1 << len(C.columns))
    rows = part.rows(len(C.columns))
    part.require(len(set(rows)) == len(rows), "the hypotheses of a pool must be distinct")
    return rows


def _admitted(part: Part) -> str:
    """Say which hypotheses count."""
    if part.value is None:
        return "any hypotheses"
    return f"hypotheses among {len(part.entries())}, {part.identity()}"


def _masks(part: Part, C: Matrix, error: Fraction, pool: Collection[int]) -> dict[int, int]:
    """Return for each hypothesis the set of the listed neighbourhoods that hold it."""
    masks = dict.fromkeys(pool, 0)
    for i, entry in enumerate(part.entries()):
        concept, law = entry.entries(2)
        f = C.rows[concept.index(len(C.rows))]
        weights = [weight.integer(0) for weight in law.entries(len(C.columns))]
        law.require(any(weights), "the weights must not all be 0")
        allowed, width = math.floor(error * sum(weights)), sum(weights).bit_length()
        each = 5 + i // 256 + len(weights) * (1 + (width >> 11))
        entry.afford(len(pool) * each + times(size(error), width))
        for h in pool:
            masks[h] |= (sum(weights[x] for x in members(h ^ f)) <= allowed) << i
    return masks


def _largest(part: Part, masks: Iterable[int]) -> set[int]:
    """Return the sets that are not empty and in no other one."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        part.afford(20 + (mask.bit_length() >> 6) + len(kept) * (1 + (mask.bit_length() >> 11)))
        if mask and all(mask & ~other for other in kept):
            kept.append(mask)
    return set(kept)


def _image(mask: int, permutation: _Permutation) -> int:
    return sum(1 << permutation[i] for i in members(mask))


def _cases(
    parts: Sequence[Part], C: Matrix, error: Fraction, pool: Collection[int], weights: list[int]
) -> Iterator[_Case]:
    """Walk a branching tree; yield for each node what was chosen, and what is open and left.

    With `weights` of the neighbourhoods symmetries preserve them; without, each node has its own.
    """
    listed, symmetries, tree = parts
    number = len(listed.entries())
    masks = _masks(listed, C, error, pool)
    permutations = [entry.permutation(number) for entry in symmetries.entries()]
    for entry, move in zip(symmetries.entries(), permutations, strict=True):
        kept = not weights or [weights[i] for i in move] == weights
        entry.require(kept, "must preserve the weights of the neighbourhoods")
    stack = [(tree, 0, (1 << number) - 1, _largest(tree, masks.values()))]
    while stack:
        node, chosen, opened, left = stack.pop()
        used, branches, *own = node.fields("symmetries", "branches", *["weights"][bool(weights) :])
        moves, ones_of_all = [], sum(mask.bit_count() for mask in left)
        for each in used.entries():
            each.afford(5 * len(left) + 3 * ones_of_all)
            moves.append(partial(_image, permutation=permutations[each.index(len(permutations))]))
            rule = "permutation {} does not map the masks of the node to one another"
            each.require(set(map(moves[-1], left)) == left, rule, each.value)
        for branch in branches.entries():
            row, child = branch.entries(2)
            h = ones(row.text_row(len(C.columns)))
            row.require(h in masks, "is not in the pool")
            mask = masks[h] & opened
            row.require(mask in left, "its mask has been dropped or is in another one")
            rest = opened & ~mask
            row.afford(len(left) * (5 + (number >> 6)))
            stack.append((child, chosen + 1, rest, _largest(child, (m & rest for m in left))))
            left = left.difference(orbit(row, mask, moves, 5 + 3 * mask.bit_count()))
        yield own, chosen, opened, left


def _heaviest(part: Part, left: set[int], weights: dict[int, int]) -> list[int]:
    """Return how much weight no masks, one mask, two masks, ... have together at most."""
    bits = sum(weights.values()).bit_length()
    part.afford(len(left) * (10 + (bits >> 5) + 2 * len(weights)))
    totals = [sum(w for i, w in weights.items() if mask >> i & 1) for mask in left]
    return list(accumulate(sorted(totals, reverse=True), initial=0))


def _least_cover(proof: Part, C: Matrix, error: Fraction, pool: Collection[int]) -> int:
    """Return how many hypotheses it takes to meet all neighbourhoods, by branching."""
    _, *parts = proof.fields("method", "neighbourhoods", "symmetries", "tree")
    numbers = []
    for [part], chosen, opened, left in _cases(parts, C, error, pool, []):
        weights: dict[int, int] = {}
        for entry in part.entries():
            place, weight = entry.entries(2)
            i = place.index(opened.bit_length())
            place.require(opened >> i & 1 and i not in weights, "must be open and stand once")
            weights[i] = weight.integer(1)
        reached = _heaviest(part, left, weights)
        if (total := sum(weights.values())) <= reached[-1]:
            numbers.append(chosen + bisect_left(reached, total))
    proof.require(numbers, "no hypotheses of the pool meet all neighbourhoods")
    return min(numbers)


def _least_separating(proof: Part, C: Matrix, error: Fraction) -> int:
    """Return how many hypotheses it takes to tell the listed points apart."""
    _method, listed = proof.fields("method", "points")
    proof.require(error < Fraction(1, 2), "needs an error below 1/2, not {}", error)
    columns = [C.columns[point.index(len(C.columns))] for point in listed.entries()]
    listed.require(len(set(columns)) == len(columns), "some points are not told apart")
    listed.afford(len(columns) ** 2 * (1 + (len(C.rows) >> 11)))
    antichain = all(a & ~b for a in columns for b in columns if a is not b)
    number = 1
    while (math.comb(number, number // 2) if antichain else 1 << number) < len(columns):
        number += 1
    return number


def _least_by_tree(proof: Part, C: Matrix, error: Fraction) -> int:
    """Return the least ``k`` with ``log2 k >= (1 - H(error)) d``, by a mistake tree of depth d."""
    _method, dimension, tree = proof.fields("method", "dimension", "proof")
    p, q = error.as_integer_ratio()
    rule = f"needs an error of at most 1/2 with denominator at most {MAX_DENOMINATOR}, not {{}}"
    proof.require(2 * p <= q <= MAX_DENOMINATOR, rule, error)
    mistake_tree(tree, d := dimension.integer(0), C)
    # H(p/q) = log2 q - (p log2 p + (q - p) log2 (q - p)) / q; the q-th powers are compared
    left, right = q ** (q * d), (2**q * p**p * (q - p) ** (q - p)) ** d
    return 1 + bisect_left(range(1, 2**d), 1, key=lambda k: k**q * left >= right)


def _mixture(
    proof: Part, parts: list[Part], C: Matrix, error: Fraction, pool: Collection[int]
) -> tuple[int, list[tuple[int, list[int]]]]:
    """Read a tree about weighted neighbourhoods.

    Return the total weight and, for each node, how many hypotheses were chosen and how much weight
    they meet with no other one, one other one, ... at most.
    """
    *tree, listed = parts
    law = [weight.integer(1) for weight in listed.entries(len(tree[0].entries()))]
    proof.require(law, "needs a neighbourhood")
    found = []
    for _, chosen, opened, left in _cases(tree, C, error, pool, law):
        met = sum(law) - sum(law[i] for i in members(opened))
        reached = _heaviest(listed, left, {i: law[i] for i in members(opened)})
        found.append((chosen, [met + more for more in reached]))
    return sum(law), found


def _least_meeting(
    proof: Part, C: Matrix, error: Fraction, pool: Collection[int], failure: Fraction
) -> int:
    """Return how many hypotheses it takes to miss at most the share `failure` of a mixture."""
    _, *parts = proof.fields("method", "neighbourhoods", "symmetries", "tree", "weights")
    total, nodes = _mixture(proof, parts, C, error, pool)
    needed = math.ceil((1 - failure) * total)
    numbers = [chosen + bisect_left(met, needed) for chosen, met in nodes if met[-1] >= needed]
    proof.require(numbers, "no hypotheses of the pool miss so little")
    return min(numbers)


def deterministic(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the number of hypotheses that a deterministic representation needs."""
    C = Matrix.read(instance, CLASS)
    *stated, allowed, admitted = statement.fields("lower", "upper", "error", "pool")
    error, pool = allowed.probability(), _pool(admitted, C)
    least, most, claim = bounds(stated, lower, upper, partial(Part.integer, least=1))
    if least is not None:
        method = lower.form("method", ["branching", "separation", "littlestone"])
        if method == "branching":
            found = _least_cover(lower, C, error, pool)
        else:
            found = (_least_separating if method == "separation" else _least_by_tree)(
                lower, C, error
            )
        lower.exactly(found, least, "the number of hypotheses needed")
    if most is not None:
        hypotheses, weights = upper.fields("hypotheses", "weights")
        H = hypotheses.rows(len(C.columns))
        hypotheses.require(set(H) <= set(pool), "must be in the pool")
        hypotheses.exactly(len(set(H)), most, "the number of hypotheses")
        disagreement(weights, C, H, error)
    what = f"deterministic_representation_size of {C.title}, {_admitted(admitted)}"
    return f"{what}, at error {show(error)}", claim


def _drawn(
    proof: Part, C: Matrix, error: Fraction, pool: Collection[int], most: Fraction
) -> tuple[int, Fraction]:
    """Return the size of the largest set of a representation and a bound on its failure."""
    listed, failure = proof.fields("support", "failure")
    support = read_support(listed, C)
    listed.require(all(set(H) <= set(pool) for _, H in support), "must be in the pool")
    return max(len(set(H)) for _, H in support), failing(failure, C, support, error, most)


def least_failure(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the failure probability that sets of so many hypotheses need not exceed."""
    C = Matrix.read(instance, CLASS)
    keys = ("lower", "upper", "error", "size", "pool")
    *stated, allowed, number, admitted = statement.fields(*keys)
    error, size, pool = allowed.probability(), number.integer(1), _pool(admitted, C)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None and (least or lower.value != {}):  # no probability is negative
        parts = list(lower.fields("neighbourhoods", "symmetries", "tree", "weights"))
        total, nodes = _mixture(lower, parts, C, error, pool)
        lower.require(all(chosen <= size for chosen, _ in nodes), "chooses more than {}", size)
        most_met = max(met[min(size - chosen, len(met) - 1)] for chosen, met in nodes)
        lower.exactly(1 - Fraction(most_met, total), least, "the weight that is missed")
    elif least is not None:
        lower.exactly(0, least, "the bound that needs no proof")
    if most is not None:
        used, found = _drawn(upper, C, error, pool, most)
        upper.at_most(used, size, "the number of hypotheses")
        upper.exactly(found, most, "the bound that is proved")
    what = f"least_failure of {C.title}, {_admitted(admitted)}, by sets of {show(size)}"
    return f"{what}, at error {show(error)}", claim


def probabilistic(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the number of hypotheses that a probabilistic representation needs."""
    C = Matrix.read(instance, CLASS)
    keys = ("lower", "upper", "error", "failure", "pool")
    *stated, allowed, risk, admitted = statement.fields(*keys)
    error, failure, pool = allowed.probability(), risk.probability(), _pool(admitted, C)
    least, most, claim = bounds(stated, lower, upper, partial(Part.integer, least=1))
    if least == 1:
        lower.fields()  # there is always a hypothesis
    elif least is not None:
        if lower.form("method", ["mixture", "littlestone"]) == "mixture":
            found = _least_meeting(lower, C, error, pool, failure)
        else:
            found = _least_by_tree(lower, C, 1 - (1 - error) * (1 - failure))
        lower.exactly(found, least, "the number of hypotheses needed")
    if most is not None:
        upper.exactly(_drawn(upper, C, error, pool, failure)[0], most, "the number of hypotheses")
    what = f"probabilistic_representation_size of {C.title}, {_admitted(admitted)}"
    return f"{what}, at error {show(error)}, failure {show(failure)}", claim
