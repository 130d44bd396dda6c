"""The verdicts of the verified checkers: as theorems, and by the extracted program."""

import copy
import json
import random
import re
from shutil import copy as copy_file

from ccsim.kernel import Rejected, check
from proofs_check.formal import formalize
from proofs_check.formal.proved import judge
from proofs_check.formal.rocq import compile_file
from tests.kernel.alterations import altered

__all__ = [
    "are_no_theorems",
    "assumptions",
    "compiled",
    "disagreements",
    "is_theorem",
    "verdicts",
]


ACCEPTED = []  # files that Rocq has accepted, with the theorems that each of them prints


def compiled(text, theory, folder):
    """Compile the output of `formalize` without its last line; see `assumptions`."""
    (folder / "theorem.v").write_text(text, encoding="utf-8")
    file = folder / f"theorem_{len(ACCEPTED)}.v"
    file.write_text(without_assumptions(text), encoding="utf-8")
    found = compile_file(file, theory)
    if not found.returncode:
        ACCEPTED.append((file, printed(text)))
    return found


def assumptions(theory, folder):
    """Return the output of Rocq on the assumptions of all accepted theorems, in one run."""
    for file, _ in ACCEPTED:
        copy_file(file.with_suffix(".vo"), folder)
    names = [f"@{file.stem}.{name}" for file, theorems in ACCEPTED for name in sorted(theorems)]
    lines = [
        f"Require {' '.join(file.stem for file, _ in ACCEPTED)}.",
        f"Definition together := ({', '.join(names)}).",
        "Print Assumptions together.",
    ]
    (folder / "together.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = compile_file(folder / "together.v", theory)
    return found.stdout + found.stderr


def is_theorem(document, theory, folder):
    """Return whether Rocq accepts the file that `formalize` writes."""
    text = formalize(document)
    assert set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE)) == printed(text)
    return compiled(text, theory, folder).returncode == 0


def without_assumptions(text):
    """Return a file without the lines that print the assumptions of its theorems."""
    left_out = ("Print Assumptions", "Definition certified_all ")
    return "\n".join(line for line in text.splitlines() if not line.startswith(left_out)) + "\n"


def printed(text):
    """Return the names of the theorems whose assumptions a file prints."""
    [name] = re.findall(r"^Print Assumptions (\w+)\.$", text, re.MULTILINE)
    together = re.search(rf"^Definition {name} := \((.*)\)\.$", text, re.MULTILINE)
    return set(together[1].split(", ")) if together else {name}


def are_no_theorems(documents, theory, folder):
    """Return whether Rocq rejects each proof, at its end, and accepts the rest of the file."""
    text = without_assumptions(formalize(documents)).replace(" Qed.", " Fail Qed. Abort.")
    assert text.count("Fail Qed. Abort.") == len(documents)
    file = folder / "falsehoods.v"
    file.write_text(text, encoding="utf-8")
    found = compile_file(file, theory)
    assert found.returncode == 0, found.stderr
    return True


def verdicts(documents, theory):
    """Return the verdict of the program on each of several certificates."""
    judged = judge(json.dumps([documents[0], *documents]).encode(), theory)
    return [each.verdict for each in judged[1:]]


def disagreements(documents, theory, number, seed):
    """Alter certificates of one kind; compare the verdicts of both checkers.

    Returns the certificates that only the kernel accepts, those that only the verified checker
    accepts, and those that both accept.
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
