"""Random certificates of errors of interactive protocols, made from the definitions.

The least expected error under a distribution is the least weight of a set of inputs on which some
deterministic protocol errs. The oracle `tests.truth.protocols` lists these sets.
"""

# ruff: noqa: S311 - seeds, not secrets

import random
from fractions import Fraction

from tests.kernel.made import problem
from tests.truth.protocols import generated, pairs_of_messages, trees

__all__ = ["answer_of_tree", "interactive_certificates"]


def inputs(rows):
    return [(x, y) for x, row in enumerate(rows) for y, bit in enumerate(row) if bit != "*"]


def some(rng, number):
    return [x for x in range(number) if rng.random() < 0.5]


def random_tree(rng, shape, bits, rounds, last=None):
    """Return the nodes of a random tree within the limits, in preorder."""
    players = [p for p in (0, 1) if bits and (rounds or p == last)]
    if not players or rng.random() < 0.2:
        return [rng.randrange(2)]
    p = rng.choice(players)
    left = rounds - (p != last)
    below = [random_tree(rng, shape, bits - 1, left, p) for _ in range(2)]
    return [[("rows", "columns")[p], some(rng, shape[p])], *below[0], *below[1]]


def answer_of_tree(nodes, x, y):
    """Return the answer of a tree on an input, by skipping the subtrees that are not reached."""
    i = 0
    while isinstance(nodes[i], list):
        player, lines = nodes[i]
        i += 1
        if (x if player == "rows" else y) not in lines:
            missing = 1  # nodes of the first subtree
            while missing:
                missing += 1 if isinstance(nodes[i], list) else -1
                i += 1
    return nodes[i]


def random_table(rng, shape, bits):
    """Return random messages and answers."""
    i = rng.randint(0, bits)
    sizes = [rng.randint(1, min(4, 1 << length)) for length in (i, bits - i)]
    sent = [[rng.randrange(k) for _ in range(n)] for n, k in zip(shape, sizes, strict=True)]
    return [*sent, ["".join(rng.choices("01", k=sizes[1])) for _ in range(sizes[0])]]


def answer_of_table(table, x, y):
    rows, columns, answers = table
    return int(answers[rows[x]][columns[y]])


def symmetric_problem(rng):
    """Return rows and perhaps a symmetry: two rows are equal, or have opposite values."""
    m = rng.randint(2, 3)
    rows = ["".join(rng.choices("01*", k=m)) for _ in range(rng.randint(1, 2))]
    if not any(row.strip("*") for row in rows):
        rows[0] = "1" * m
    flipped, negated = rng.random() < 0.5, [row.translate({48: "1", 49: "0"}) for row in rows]
    if rng.random() < 0.3:
        return rows, []
    if flipped:  # each row has its negation
        order = [*range(len(rows), 2 * len(rows)), *range(len(rows))]
        rows = [*rows, *negated]
    else:
        order = [1, 0, *range(2, len(rows) + 1)]
        rows = [rows[0], *rows]
    symmetry = {"rows": order, "columns": [*range(m)], "flips": "01"[flipped] * m}
    return rows, [symmetry]


def one_certificate(rng):
    rows, symmetries = symmetric_problem(rng)
    shape, known = (len(rows), len(rows[0])), inputs(rows)
    bits = rng.randint(0, 2 if shape[0] * shape[1] > 8 else 3)
    is_tree = rng.random() < 0.6
    rounds = rng.choice((None, None, 1, 2)) if is_tree else None
    weighed = {cell: rng.randint(1, 9) for cell in rng.sample(known, rng.randint(1, len(known)))}
    total = sum(weighed.values())
    listed = trees(tuple(rows), bits, rounds) if is_tree else pairs_of_messages(tuple(rows), bits)
    lower = min(Fraction(sum(weighed.get(cell, 0) for cell in wrong), total) for wrong in listed)
    parts = []
    for _ in range(rng.randint(1, 4)):
        if is_tree:
            made = [random_tree(rng, shape, bits, bits if rounds is None else rounds)]
        else:
            made = random_table(rng, shape, bits)
        parts.append([rng.randint(1, 5), *made])
    answer = (
        (lambda p, x, y: answer_of_tree(p[1], x, y))
        if is_tree
        else (lambda p, x, y: answer_of_table(p[1:], x, y))
    )
    mass = sum(p[0] for p in parts)
    errors = {
        (x, y): Fraction(sum(p[0] for p in parts if answer(p, x, y) != int(rows[x][y])), mass)
        for x, y in known
    }
    group = generated(symmetries, *shape)
    means = [sum(errors[s[x], t[y]] for s, t in group) / len(group) for x, y in known]
    statement = {"bits": bits, "lower": str(lower), "upper": str(max(means))}
    return {
        "format": 2,
        "kind": "two_way_error" if is_tree else "simultaneous_error",
        "instance": problem(*rows),
        "statement": statement | ({"rounds": rounds} if is_tree else {}),
        "lower": {"hard_distribution": {"distribution": [[*c, w] for c, w in weighed.items()]}},
        "upper": {"protocol": {"symmetries": symmetries, "trees" if is_tree else "tables": parts}},
        "made_by": "hand",
    }


def interactive_certificates(seed, number):
    """Return random certificates, half of them with only one of their two bounds."""
    rng, made = random.Random(seed), []
    for _ in range(number):
        document = one_certificate(rng)
        side = rng.choice(("lower", "upper", None, None))
        if side:
            document[side] = document["statement"][side] = None
        made.append(document)
    return made
