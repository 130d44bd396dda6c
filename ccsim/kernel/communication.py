"""Matrix games, protocols and their errors, and the hard distributions that forbid smaller ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, product

from . import partitions, symmetry, without_public_coins
from .instances import PROBLEM, Cell, Matrix, bounds
from .parts import (
    Claim,
    Part,
    Weighted,
    members,
    show,
    size,
    times,
    totals,
)

__all__ = [
    "communication_complexity",
    "distributional_error",
    "matrix_game",
    "minimax_error",
    "protocol_error",
]

MAX_WEIGHTED_ROWS = 16  # of a hard distribution whose least partition is recomputed
MAX_SUBSET_ROWS = 20  # the same for two messages, and with potentials: no partitions of subsets
MAX_CHOICES = 1 << 16  # of Bob's answers to all messages, where he has few inputs


def matrix_game(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the value of a matrix game."""
    kind, payoff = instance.fields("type", "payoff")
    kind.choice(["matrix game"])
    rows = [[entry.fraction() for entry in row.entries()] for row in payoff.entries()]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        payoff.reject("must be a matrix with at least one row and one column")
    least, most, claim = bounds(statement.fields("lower", "upper"), lower, upper, Part.fraction)
    if least is not None:
        (strategy,) = lower.fields("row_strategy")
        law = strategy.law(len(rows))
        means = [strategy.mean(law, column) for column in zip(*rows, strict=True)]
        for j, mean in enumerate(means):
            strategy.at_least(mean, least, f"the payoff against column {j}")
        strategy.exactly(min(means), least, "the least payoff")
    if most is not None:
        (strategy,) = upper.fields("column_strategy")
        law = strategy.law(len(rows[0]))
        means = [strategy.mean(law, row) for row in rows]
        for i, mean in enumerate(means):
            strategy.at_most(mean, most, f"the payoff against row {i}")
        strategy.exactly(max(means), most, "the largest payoff")
    size = f"{len(rows)} x {len(rows[0])}"
    return f"value of a {size} matrix game, {instance.identity()}", claim


# --- Protocols ---

_MIXED = {"public-coin": [], "symmetric public-coin": ["symmetries"]}  # and what they add
_COINS = {"deterministic": [], "private": ["private-coin"], "public": list(_MIXED)}


def _protocol(part: Part, F: Matrix, kinds: Collection[str]) -> tuple[int, dict[Cell, Fraction]]:
    """Return the number of messages and the error on every input inside the promise."""
    kind = part.form("kind", kinds)
    generators: Sequence[Part] = ()
    if kind in _MIXED:
        _, listed, *generators = part.fields("kind", "components", *_MIXED[kind])
        parts = [component.fields("weight", "alice", "bob") for component in listed.entries()]
        weights = listed.sums_to_one([weight.positive() for weight, _, _ in parts])
    else:
        parts, weights = [part.fields("kind", "alice", "bob")], [Fraction(1)]
    mixture = [_strategy(kind, alice, bob, F) for _, alice, bob in parts]
    messages = len(mixture[0][1])
    for _, _, bob in parts:
        bob.entries(messages)
    errors: dict[Cell, Fraction] = {}
    part.afford(30 * len(F.rows) * len(F.columns))
    for x, row in enumerate(F.rows):
        drawn = zip(weights, mixture, strict=True)
        answers = [(w, p, q, S) for w, (a, b) in drawn for p, m in a[x] for q, S in b[m]]
        part.afford(sum(40 + times(size(w, p), size(p, q)) for w, p, q, _ in answers))
        accepted = totals(part, ((w * p * q, S) for w, p, q, S in answers), len(F.columns))
        errors |= {(x, y): abs(accepted[y] - (row >> y & 1)) for y in members(F.defined[x])}
    for group in generators:
        errors = symmetry.averaged(errors, group, F)
    return messages, errors


def _strategy(
    kind: str, alice: Part, bob: Part, F: Matrix
) -> tuple[list[Weighted], list[Weighted]]:
    """Read Alice's messages for each input, and for each message the inputs that Bob accepts."""
    if kind != "private-coin":
        sets = bob.rows(len(F.columns))
        sent = [m.index(len(sets)) for m in alice.entries(len(F.rows))]
        return [[(Fraction(1), m)] for m in sent], [[(Fraction(1), S)] for S in sets]
    rows = [row.entries(len(F.columns)) for row in bob.entries()]
    laws = [law.law(len(rows)) for law in alice.entries(len(F.rows))]
    bob.afford(len(rows) * len(F.columns) * (10 + (len(F.columns) >> 7)))
    answers = [[(b.probability(), 1 << y) for y, b in enumerate(row)] for row in rows]
    return [[(p, m) for m, p in enumerate(law)] for law in laws], answers


# --- Hard distributions ---


def _distribution(part: Part, F: Matrix) -> dict[Cell, int]:
    """Read a hard distribution: its weighted inputs."""
    total, weights = part.fields("total", "weights")
    law = {cell: weight for cell, weight, _ in F.weighted(weights, 3)}
    rule = "the weights sum to {}, not to {}"
    total.require(sum(law.values()) == total.integer(1), rule, sum(law.values()), total.value)
    return law


def _hint(proof: Part) -> list[str]:
    """Return the key of what spares the checker the partitions, if there is one."""
    return [key for key in ("potentials", "partitions") if proof.has(key)][:1]


def _least_error(
    part: Part, law: dict[Cell, int], F: Matrix, k: int, hint: Sequence[Part] = ()
) -> Fraction:
    """Return the least expected error of a deterministic protocol with `k` messages.

    With a hint, return the bound from below that it proves.
    """
    if hint and hint[0].key == "partitions":
        return partitions.least_error(hint[0], law, F, k)
    total, xs, ys = sum(law.values()), sorted({x for x, _ in law}), sorted({y for _, y in law})
    if k >= len(xs) and not hint:
        return Fraction(0)  # a class of one row costs nothing
    if k == 1 and not hint:
        sides = Counter[tuple[int, int]]()  # the weight of the ones and the zeros of each column
        for (x, y), w in law.items():
            sides[y, F.rows[x] >> y & 1] += w
        return Fraction(sum(min(sides[y, 0], sides[y, 1]) for y in ys), total)
    bits = total.bit_length()
    if len(ys) <= 16 and (choices := math.comb(1 << len(ys), k)) <= MAX_CHOICES and not hint:
        part.afford((len(law) + len(xs) * 5) * (4 + (bits >> 6)) << len(ys))
        part.afford(max(choices, 1) * len(xs) * (1 + min(k, 1 << len(ys))) * (1 + (bits >> 11)))
        errors = []  # of each row, for each way to answer the columns
        for answers in product((0, 1), repeat=len(ys)):
            answer = dict(zip(ys, answers, strict=True))
            wrong = dict.fromkeys(xs, 0)
            for (x, y), w in law.items():
                wrong[x] += w * (F.rows[x] >> y & 1 != answer[y])
            errors.append(list(wrong.values()))
        chosen = combinations(errors, min(k, len(errors)))
        # Each row is sent where it costs least.
        return Fraction(min(sum(map(min, zip(*q, strict=True))) for q in chosen), total)
    most = MAX_SUBSET_ROWS if k == 2 or hint else MAX_WEIGHTED_ROWS
    part.require(len(xs) <= most, f"{len(xs)} rows have weight, at most {most} are recomputed")
    part.afford(len(ys) * (4 + (bits >> 10)) + 3 * (5 + (bits >> 6)) << len(xs))
    doubled = _subset_sums([sum(law.get((x, y), 0) for y in ys) for x in xs])
    for y in ys:  # 2 min(ones, zeros) = ones + zeros - |ones - zeros|
        excess = [law.get((x, y), 0) * (1 if F.rows[x] >> y & 1 else -1) for x in xs]
        doubled = [c - abs(s) for c, s in zip(doubled, _subset_sums(excess), strict=True)]
    if not hint:
        pairs = (k - 2) * 3 ** (len(xs) - 1) // 2 + 2 ** (len(xs) - 1)
        part.afford(pairs * (2 + (bits >> 11)))
        return Fraction(_least_partition(doubled, k), 2 * total)
    u = [entry.fraction() for entry in hint[0].entries(len(xs))]
    unit, numerators = hint[0].scaled(u)
    wide = size(*numerators) + unit.bit_length()
    hint[0].afford(8 + (wide >> 6) + times(unit.bit_length(), bits) << len(xs))
    gains = _subset_sums([2 * share for share in numerators])
    largest = max(gain - unit * cost for gain, cost in zip(gains, doubled, strict=True))
    return (hint[0].total(u) - k * Fraction(largest, 2 * unit)) / total


def _subset_sums(values: list[int]) -> list[int]:
    return reduce(lambda sums, value: sums + [s + value for s in sums], values, [0])


def _least_partition(costs: list[int], k: int) -> int:
    """Return the least total cost of a partition of all elements into at most `k` classes.

    ``costs[S]`` is the cost of the class `S`. The class of the lowest element is split off first,
    so that what is left never contains element 0, and only even sets are needed.
    """
    everything = len(costs) - 1
    best = costs  # with one class, two classes, ...
    for classes in range(2, k + 1):
        previous, best = best, costs.copy()
        for S in range(0, everything, 2) if classes < k else [everything]:
            T = others = S & (S - 1)
            while T:
                best[S] = min(best[S], costs[S ^ T] + previous[T])
                T = (T - 1) & others
    return best[everything]


# --- Error and communication ---


def _forced(proof: Part, F: Matrix, messages: int, coins: str) -> Fraction:
    """Return an error that the lower proof shows to be unavoidable with so many messages."""
    if coins == "deterministic":
        proof.fields()
        return Fraction(not without_public_coins.conflict_free(proof, F, messages))
    if coins == "private" and not proof.has("distribution"):
        return without_public_coins.forced(proof, F, messages)
    part, *hint = proof.fields("distribution", *_hint(proof))
    return _least_error(part, _distribution(part, F), F, messages, hint)


def _reached(
    proof: Part, F: Matrix, messages: int, coins: str, error: Fraction
) -> tuple[int, Fraction]:
    """Return messages and worst error of a protocol, after a check that neither is larger."""
    (part,) = proof.fields("protocol")
    used, errors = _protocol(part, F, ["deterministic", *_COINS[coins]])
    part.at_most(used, messages, "the number of messages")
    for cell, found in errors.items():
        part.at_most(found, error, f"the error on input {cell}")
    return used, max(errors.values())


def minimax_error(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least error of protocols with so many messages."""
    F = Matrix.read(instance, PROBLEM)
    *stated, number, model = statement.fields("lower", "upper", "messages", "coins")
    messages, coins = number.integer(1), model.choice(_COINS)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        needless = least <= 0 and lower.value == {}  # no error is negative
        found = 0 if needless else _forced(lower, F, messages, coins)
        lower.exactly(found, least, "the error that is forced")
    if most is not None:
        upper.exactly(_reached(upper, F, messages, coins, most)[1], most, "the largest error")
    return f"minimax_error of {F.title}, with {show(messages)} messages, {coins} coins", claim


def communication_complexity(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least number of messages with so small an error."""
    F = Matrix.read(instance, PROBLEM)
    *stated, allowed, model = statement.fields("lower", "upper", "error", "coins")
    error, coins = allowed.probability(), model.choice(_COINS)
    least, most, claim = bounds(stated, lower, upper, partial(Part.integer, least=1))
    if least == 1:
        lower.fields()  # there is always a message
    elif least is not None:
        found = _forced(lower, F, least - 1, coins)
        rule = "the error forced with {} messages is {}, not above {}"
        lower.require(found > error, rule, least - 1, found, error)
    if most is not None:
        upper.exactly(_reached(upper, F, most, coins, error)[0], most, "the number of messages")
    what = f"communication_complexity of {F.title}, at error {show(error)}, {coins} coins"
    return f"{what}, in messages", claim


def distributional_error(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least expected error under a distribution."""
    F = Matrix.read(instance, PROBLEM)
    *stated, number, part = statement.fields("lower", "upper", "messages", "distribution")
    messages, law = number.integer(1), _distribution(part, F)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        found = _least_error(part, law, F, messages, lower.fields(*_hint(lower)))
        part.exactly(found, least, "the least expected error")
    if most is not None:
        (protocol,) = upper.fields("protocol")
        used, errors = _protocol(protocol, F, ["deterministic"])
        protocol.at_most(used, messages, "the number of messages")
        mean = sum(w * errors[cell] for cell, w in law.items()) / Fraction(sum(law.values()))
        protocol.exactly(mean, most, "the expected error")
    what = f"distributional_error of {F.title}, under the weights {part.identity()}"
    return f"{what}, with {show(messages)} messages", claim


def protocol_error(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the largest error of a protocol."""
    F = Matrix.read(instance, PROBLEM)
    *stated, protocol = statement.fields("lower", "upper", "protocol")
    used, errors = _protocol(protocol, F, ["deterministic", "private-coin", *_MIXED])
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        (part,) = lower.fields("input")
        cell = F.input(*part.entries(2))
        part.exactly(errors[cell], least, f"the error on input {cell}")
    if most is not None:
        upper.fields()
        for cell, found in errors.items():
            protocol.at_most(found, most, f"the error on input {cell}")
        protocol.exactly(max(errors.values()), most, "the largest error")
    what = f"protocol_error on {F.title}, of the protocol {protocol.identity()}"
    return f"{what}, {used} messages", claim
