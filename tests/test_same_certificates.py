"""A question has the same certificate in every order, with and without the engine."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ccsim
from ccsim import native

ROOT = Path(__file__).parents[1]


def classes():
    """Yield classes for all questions on dimensions, and whether to compare with Python."""
    yield from (ccsim.thresholds(5), ccsim.intervals(8), ccsim.lines(3), ccsim.parities(4))
    yield from (ccsim.halfspaces(1, 3), ccsim.halfspaces(2, 2), ccsim.boxes(2, 2))
    yield from (ccsim.random_class(40, 25, seed=n) for n in (1, 2))


def dimensions():
    """Return questions on dimensions with the same certificate without the engine."""
    asked = {
        "littlestone": (ccsim.littlestone_dimension, 1 << 10),  # entries: larger ones differ
        "vc": (ccsim.vc_dimension, 1 << 16),
        "dual vc": (ccsim.dual_vc_dimension, 1 << 16),
        "thresholds": (ccsim.threshold_dimension, 1 << 10),
        "teaching": (ccsim.teaching_dimension, 1 << 16),
        "recursive teaching": (ccsim.recursive_teaching_dimension, 1 << 16),
        "star": (ccsim.star_number, 1 << 10),
    }
    for C in classes():
        for name, (ask, most) in asked.items():
            yield f"{name} of {C}", lambda ask=ask, C=C: ask(C), len(C) * len(C.points) <= most


def others():
    """Return questions on communication and representations, and whether to compare with Python."""
    for text in ("equality:n=7", "greater_than:n=6", "index:d=3", "augmented_index:d=3"):
        problem = ccsim.parse_instance(text)
        for k in (2, 3):
            yield f"{k} messages for {text}", lambda p=problem, k=k: ccsim.minimax_error(p, k), True
    wide = ccsim.index(5)  # few answers of Bob, so that he is branched on
    yield "index of 5 bits", lambda: ccsim.minimax_error(wide, 3), True
    small = ccsim.greater_than(4)
    yield "private coins", lambda: ccsim.minimax_error(small, 2, coins="private"), True
    four = ccsim.thresholds(2)
    yield "representation", lambda: ccsim.deterministic_representation_size(four, "1/4"), True
    yield "random", lambda: ccsim.probabilistic_representation_size(four, "1/4", "1/4"), True
    yield "failures", lambda: ccsim.least_failure(four, "1/4", 2), True
    for text in ("thresholds:b=7", "halfspaces:b=1,d=4", "unions:n=12,k=2", "lines:p=7"):
        C = ccsim.parse_instance(text)
        yield f"Littlestone dimension of {text}", lambda C=C: ccsim.littlestone_dimension(C), False


def questions():
    yield from dimensions()
    yield from others()


def main(order):
    """Print the digest of each certificate, computed in forward or reverse order."""
    digests = {}
    for name, ask, is_small in list(questions())[:: -1 if order == "backwards" else 1]:
        if is_small or native.engine() is not None:
            text = ask().certificate().to_json()
            digests[name] = hashlib.sha256(text.encode()).hexdigest()
    sys.stdout.write(json.dumps(digests))


def digests(order, **environment):
    """Return the output of `main` in a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.test_same_certificates", order],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def forwards():
    return digests("forwards")


def test_the_order_of_questions_changes_no_certificate(forwards):
    """Each question is answered by a new process, or by one that has answered all others."""
    assert len(forwards) == len(list(questions())) >= 80
    assert digests("backwards") == forwards


def test_certificates_of_small_instances_are_the_same_without_the_engine(forwards):
    small = {name for name, _, is_small in questions() if is_small}
    assert len(small) > 65
    assert digests("forwards", CCSIM_ENGINE="python") == {name: forwards[name] for name in small}


if __name__ == "__main__":
    main(sys.argv[1])
