"""Altered certificates: the oracle must confirm every certificate that the kernel accepts.

Certificates of the corpus and of random instances are altered anywhere in their instances,
statements or proofs. If the kernel accepts an altered certificate, the oracle of `tests.truth`
decides from the definitions whether the statement is true.

    python -m tests.kernel.alterations 10000

alters this number of certificates of every kind and prints the verdicts. A second number is a seed.
"""

# ruff: noqa: S311, T201 - seeds, not secrets; a program that prints

import copy
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from functools import cache

from ccsim.kernel import KINDS, Rejected, check
from tests.kernel.corpus import ACCEPTED, stored
from tests.kernel.fresh import fresh
from tests.kernel.made import representation
from tests.truth import is_true

__all__ = ["altered", "by_kind", "kinds_of", "survey"]

SIDES = ("instance", "statement", "lower", "upper")
STEPS = (Fraction(1, 9), Fraction(-1, 4), Fraction(1, 2), Fraction(-1), Fraction(1))


def kinds_of(document):
    return {each["kind"] for each in (document if isinstance(document, list) else [document])}


@cache
def by_kind(seeds=(0,)):
    """Return the stored and the fresh certificates, by the kinds that occur in them."""
    made = {"by hand": representation()} | {name: stored(name) for name in ACCEPTED}
    for seed in seeds:
        made |= {f"{name} {seed}": document for name, document in fresh(seed).items()}
    found = {kind: {} for kind in KINDS}
    for name, document in made.items():
        for kind in kinds_of(document):
            found[kind][name] = document
    return found


def places(value):
    """Yield every list and object inside a value, with each of its keys or indices."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def spots_of(document):
    """Return the places of the instances, statements and proofs, without labels and names."""
    listed = document if isinstance(document, list) else [document]
    return [
        spot
        for each in listed
        for side in SIDES
        if side in each
        for spot in ((each, side), *places(each[side]))
        if spot[1] not in ("name", "points", "concepts", "alice", "bob", "records", "outcomes")
        or not isinstance(spot[0], dict)
        or spot[0] is not each.get("instance")
    ]


def altered(document, rng, others):
    """Return an altered copy of a certificate, and the name of the change."""
    made = copy.deepcopy(document)
    names = [alter_one(made, rng, others) for _ in range(rng.choice((1, 1, 1, 2)))]
    return names[0], made


def alter_one(made, rng, others):
    if isinstance(made, list) and rng.random() < 0.1:
        i, j = (rng.randrange(len(made)) for _ in range(2))
        made[i], made[j] = made[j], made[i]
        return "swap"
    spots = spots_of(made)
    part, key = rng.choice(spots)
    other, place = rng.choice(spots)
    changes = {
        "replace": lambda: replaced(part, key, rng),
        "copy": lambda: part.__setitem__(key, copy.deepcopy(other[place])),
        "splice": lambda: part.__setitem__(key, spliced(key, others, rng)),
        "drop": lambda: part.__delitem__(key),
        "swap": lambda: swapped(part, key, rng),
    }
    if isinstance(part, list):
        changes["double"] = lambda: part.insert(key, copy.deepcopy(part[key]))
    else:
        changes["rename"] = lambda: part.__setitem__(f"{key}s", part.pop(key))
    name = rng.choice(["replace"] * 8 + ["splice"] * 2 + list(changes))
    changes[name]()
    return name


def spliced(key, others, rng):
    """Return a part of another certificate, under the same key if it exists there."""
    spots = spots_of(rng.choice(others))
    alike = [spot for spot in spots if spot[1] == key and isinstance(key, str)]
    part, place = rng.choice(alike or spots)
    return copy.deepcopy(part[place])


def replaced(part, key, rng):
    """Change a number, an index or a text row at a place."""
    value = part[key]
    if type(value) is bool:
        value = rng.choice((not value, not value, int(value)))
    elif type(value) is int:
        value += rng.choice((-2, -1, 1, 1, 2))
    elif isinstance(value, str) and "/" not in value and len(value) > 1:
        i = rng.randrange(len(value))
        value = value[:i] + rng.choice(("0", "1", "*", "", "0")) + value[i + 1 :]
    elif isinstance(value, str):
        number = value.replace("/", "").removeprefix("-").isdigit()
        value = str(Fraction(value) + rng.choice(STEPS)) if number else ""
    else:
        value = rng.choice((None, 0, 1, "0", "1/2", [], {}, value and None))
    part[key] = value


def swapped(part, key, rng):
    """Exchange two entries."""
    other = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
    part[key], part[other] = part[other], part[key]


def survey(number, seed, seeds=(0,)):
    """Alter `number` certificates of each kind; return the verdicts and the false statements."""
    rng, known, verdicts, false = random.Random(seed), by_kind(seeds), Counter(), []
    everything = [document for documents in known.values() for document in documents.values()]
    for kind, documents in known.items():
        names = sorted(documents)
        for i in range(number if names else 0):
            original = documents[names[i % len(names)]]
            change, made = altered(original, rng, everything)
            if made == original:
                continue
            verdict = "rejected"
            try:
                check(copy.deepcopy(made))
            except Rejected:
                verdicts[change] += 1
            else:
                truth = is_true(made)
                verdict = {True: "true", None: "undecided", False: "false"}[truth]
                if truth is False:
                    false.append(made)
            verdicts[kind, verdict] += 1
    return verdicts, false


def main():
    """Print a table of the verdicts, and the accepted certificates that are false."""
    number, seed = (int(given) for given in (sys.argv[1:] + ["10000", "1"][len(sys.argv) - 1 :]))
    verdicts, false = survey(number, seed, seeds=tuple(range(seed, seed + 10)))
    columns = ("altered", "rejected", "true", "undecided", "false")
    print("kind".ljust(36), *(name.rjust(9) for name in columns))
    totals = Counter()
    for kind in KINDS:
        row = {name: verdicts[kind, name] for name in columns[1:]}
        row["altered"] = sum(row.values())
        totals.update(row)
        print(kind.ljust(36), *(str(row[name]).rjust(9) for name in columns))
    print("all".ljust(36), *(str(totals[name]).rjust(9) for name in columns))
    for made in false:
        print(json.dumps(made))
    return len(false)


if __name__ == "__main__":
    raise SystemExit(main())
