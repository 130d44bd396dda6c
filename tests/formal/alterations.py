"""Altered certificates: the verified checker accepts all certificates that the kernel accepts.

    python -m tests.formal.alterations 500 SEED

This alters 500 certificates of every kind that has a verified checker, and prints both verdicts.
"""

# ruff: noqa: S311, T201 - seeds, not secrets; a program that prints

import copy
import json
import random
import sys
from collections import Counter

from ccsim.kernel import Rejected, TooLong, check
from proofs_check.formal import WORDS
from proofs_check.formal.proved import judge
from proofs_check.formal.rocq import build
from tests.formal.corpus import is_covered
from tests.kernel.alterations import altered, by_kind

__all__ = ["compare"]


def compare(number, seed, folder, seeds=(0,), kinds=()):
    """Return the numbers of equal verdicts by kind, and what only the kernel accepts."""
    rng, known, counts, missed = random.Random(seed), by_kind(seeds), Counter(), []
    known = {kind: known[kind] for kind in WORDS if not kinds or kind in kinds}
    everything = [document for documents in known.values() for document in documents.values()]
    for kind, documents in known.items():
        names = [name for name in sorted(documents) if is_covered(documents[name])]
        for i in range(number if names else 0):
            made = altered(documents[names[i % len(names)]], rng, everything)[1]
            if not is_covered(made):
                continue
            try:
                check(copy.deepcopy(made))
                accepted = True
            except TooLong:
                continue
            except Rejected:
                accepted = False
            judged = judge(json.dumps(made).encode(), folder)
            proved = {each.verdict for each in judged} == {"proved"}
            said = {
                (True, True): "accepted by both",
                (False, False): "rejected by both",
                (True, False): "by the kernel alone",
                (False, True): "by the proved alone",
            }[accepted, proved]
            counts[kind, said] += 1
            if accepted and not proved:
                missed.append(made)
    return counts, missed


def main():
    """Print a table, and the certificates that only the kernel accepts."""
    number, seed, *kinds = (*sys.argv[1:], *("500", "1")[len(sys.argv) - 1 :])
    counts, missed = compare(
        int(number), int(seed), build(), range(int(seed), int(seed) + 3), kinds
    )
    columns = ("accepted by both", "rejected by both", "by the proved alone", "by the kernel alone")
    print("kind".ljust(28), *(name.rjust(20) for name in columns))
    for kind in [*WORDS, "all"]:
        row = [
            sum(n for (k, v), n in counts.items() if kind in (k, "all") and v == c) for c in columns
        ]
        print(kind.ljust(28), *(str(n).rjust(20) for n in row))
    for made in missed[:20]:
        print(json.dumps(made))
    return min(len(missed), 1)


if __name__ == "__main__":
    raise SystemExit(main())
