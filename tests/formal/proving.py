"""What the proved checkers say of certificates: as theorems, and in the program made of them."""

import copy
import json
import random
import re

from ccsim.kernel import Rejected, check
from proofs_check.formal import formalize
from proofs_check.formal.proved import judge
from proofs_check.formal.rocq import compile_file
from tests.kernel.alterations import altered

__all__ = ["are_no_theorems", "disagreements", "is_theorem", "verdicts"]


def is_theorem(document, theory, folder):
    """Whether the file that `formalize` writes compiles; then it makes no assumptions."""
    file = folder / "theorem.v"
    text = formalize(document)
    file.write_text(text, encoding="utf-8")
    found = compile_file(file, theory)
    assert set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE)) == printed(text)
    assert found.returncode or found.stdout == "Closed under the global context\n"
    return found.returncode == 0


def printed(text):
    """The theorems of which a file prints the assumptions."""
    [name] = re.findall(r"^Print Assumptions (\w+)\.$", text, re.MULTILINE)
    together = re.search(rf"^Definition {name} := \((.*)\)\.$", text, re.MULTILINE)
    return set(together[1].split(", ")) if together else {name}


def are_no_theorems(documents, theory, folder):
    """Whether Rocq rejects each proof, when it is to be kept, and nothing else in the file."""
    lines = [
        line
        for line in formalize(documents).splitlines()
        if not line.startswith(("Print Assumptions", "Definition certified_all "))
    ]
    text = "\n".join(lines).replace(" Qed.", " Fail Qed. Abort.")
    assert text.count("Fail Qed. Abort.") == len(documents)
    file = folder / "falsehoods.v"
    file.write_text(text, encoding="utf-8")
    found = compile_file(file, theory)
    assert found.returncode == 0, found.stderr
    return True


def verdicts(documents, theory):
    """The verdict of the program on each of several certificates."""
    judged = judge(json.dumps([documents[0], *documents]).encode(), theory)
    return [each.verdict for each in judged[1:]]


def disagreements(documents, theory, number, seed):
    """Alter certificates of one kind; return those that only one of the two checkers accepts.

    In the first list are those that only the kernel accepts, in the second one those that only the
    proved checker does, and in the third what both accept.
    """
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    kind = documents[0]["kind"]
    made = [altered(documents[i % len(documents)], rng, documents)[1] for i in range(number)]
    made = [c for c in made if isinstance(c.get("instance"), dict) and c.get("kind") == kind]
    parts = [], [], []
    for certificate, verdict in zip(made, verdicts(made, theory), strict=True):
        try:
            check(copy.deepcopy(certificate))
            ours = True
        except Rejected:
            ours = False
        if ours or verdict == "proved":
            parts[(verdict == "proved") + (ours and verdict == "proved")].append(certificate)
    return parts
