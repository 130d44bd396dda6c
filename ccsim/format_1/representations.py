"""Certificates of format 1 about representations and their sizes, translated into format 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ccsim.certificates import encode_integers, weights_of
from ccsim.errors import CertificateError
from ccsim.format_1.table import Translator
from ccsim.representation.hitting_sets.branching import Branching

__all__ = ["KINDS"]

_Made = dict[str, Any]


def deterministic_representation(certificate: dict[str, Any]) -> _Made:
    """Write laws as integers."""
    lower, upper = certificate["lower"], certificate["upper"]
    return _made(
        certificate,
        certificate["statement"],
        None if lower is None else _hard_distribution(lower),
        None if upper is None else {"mixtures": {"weights": _laws(_one(upper, "weights"))}},
    )


def probabilistic_representation(certificate: dict[str, Any]) -> _Made:
    """Write the support as sets with integer weights, and trees as lists."""
    statement, lower, upper = (certificate[key] for key in ("statement", "lower", "upper"))
    concepts = len(certificate["instance"]["rows"])
    return _made(
        certificate,
        statement | {"support": _support(statement["support"])},
        None if lower is None else _hard_distribution(lower),
        None if upper is None else _failure(upper, statement["support"], concepts),
    )


def deterministic_representation_size(certificate: dict[str, Any]) -> _Made:
    """State the size of random sets that may not fail."""
    lower, upper = certificate["lower"], certificate["upper"]
    proof = None
    if upper is not None:
        hypotheses, weights = _some(upper, "hypotheses", "weights")
        trees = [[None, law, []] for law in _laws(weights)]
        support = {"sets": [hypotheses], "weights": [1]}
        proof = {"representation": {"support": support, "failure": {"branching": {"trees": trees}}}}
    return _sized(certificate, {"failure": "0"}, lower, proof)


def probabilistic_representation_size(certificate: dict[str, Any]) -> _Made:
    """Rename the mixture of neighbourhoods."""
    return _sized(certificate, {}, certificate["lower"], _representation(certificate))


def least_failure(certificate: dict[str, Any]) -> _Made:
    """Write trees as lists, and laws as integers."""
    lower = certificate["lower"]
    if lower is not None:
        parts = ("neighbourhoods", "symmetries", "tree", "weights")
        given = None if lower == {} else _some(lower, *parts)
        lower = {"branching": _branching(certificate, *given)} if given else _trivial(certificate)
    return _made(certificate, certificate["statement"], lower, _representation(certificate))


KINDS: dict[str, Translator] = {
    translator.__name__: translator
    for translator in (
        deterministic_representation,
        probabilistic_representation,
        deterministic_representation_size,
        probabilistic_representation_size,
        least_failure,
    )
}


def _made(certificate: _Made, statement: object, lower: object, upper: object) -> _Made:
    return certificate | {"format": 2, "statement": statement, "lower": lower, "upper": upper}


def _sized(certificate: _Made, more: dict[str, str], lower: _Made | None, upper: object) -> _Made:
    statement = certificate["statement"] | more
    if "failure" in certificate["statement"] and more:
        raise CertificateError("a deterministic representation does not fail")
    proof = None if lower is None else _size_proof(certificate, lower)
    return _made(certificate | {"kind": "representation_size"}, statement, proof, upper)


def _size_proof(certificate: dict[str, Any], lower: dict[str, Any]) -> dict[str, Any]:
    if lower == {}:
        return _trivial(certificate)
    certain = certificate["kind"] == "deterministic_representation_size"
    method, *rest = lower["method"], *(key for key in lower if key != "method")
    if method == "littlestone":
        _, depth, proof = _some(lower, "method", "dimension", "proof")
        tree = _preorder(_one(proof, "tree"))
        if len(tree) != 2 ** (depth + 1) - 1:
            raise CertificateError("the tree has another depth")
        return {"littlestone": {"dimension": {"mistake_tree": {"tree": tree}}}}
    if method == "separation" and rest == ["points"] and certain:
        return {"separation": {"points": lower["points"]}}
    if method != ("branching" if certain else "mixture"):
        raise CertificateError("the method is none for this kind")
    parts = ["neighbourhoods", "symmetries", "tree", *["weights"][certain:]]
    _, *given = _some(lower, "method", *parts)
    return {"branching": _branching(certificate, *given)}


def _preorder(tree: Any) -> list[int]:  # noqa: ANN401
    """Return the points and concepts of a mistake tree, each before those below it."""
    nodes, waiting = [], [tree]
    while waiting:
        if isinstance(node := waiting.pop(), list):
            point, left, right = node
            waiting += [right, left]
            node = point
        nodes.append(node)
    return nodes


def _trivial(certificate: dict[str, Any]) -> dict[str, Any]:
    """Return a proof that sets are not empty, and probabilities not negative."""
    points = len(certificate["instance"]["points"])
    return {"branching": Branching.trivial(points).to_json(None)}


def _some(value: dict[str, Any], *keys: str) -> list[Any]:
    if set(value) != set(keys):
        raise CertificateError(f"a proof must have the keys {', '.join(keys)}")
    return [value[key] for key in keys]


def _one(value: dict[str, Any], key: str) -> Any:  # noqa: ANN401
    return _some(value, key)[0]


def _law(law: Sequence[str]) -> list[int | str]:
    return weights_of(_fraction(share) for share in law)


def _laws(laws: Sequence[Sequence[str]]) -> list[list[int | str]]:
    return [_law(law) for law in laws]


def _fraction(text: str) -> Fraction:
    found = Fraction(text)
    if str(found) != text:
        raise CertificateError("fractions are in lowest terms")
    return found


def _hard_distribution(proof: dict[str, Any]) -> dict[str, Any]:
    concept, law = _some(proof, "concept", "distribution")
    return {"hard_distribution": {"concept": concept, "distribution": _law(law)}}


def _support(support: list[dict[str, Any]]) -> dict[str, Any]:
    drawn = [_some(each, "weight", "hypotheses") for each in support]
    if not all(_fraction(weight) > 0 for weight, _ in drawn):
        raise CertificateError("sets are drawn with a positive probability")
    weights = _law([weight for weight, _ in drawn])
    return {"sets": [rows for _, rows in drawn], "weights": weights}


def _representation(certificate: dict[str, Any]) -> dict[str, Any] | None:
    if certificate["upper"] is None:
        return None
    support, failure = _some(certificate["upper"], "support", "failure")
    proof = _failure(failure, support, len(certificate["instance"]["rows"]))
    return {"representation": {"support": _support(support), "failure": proof}}


def _failure(proof: dict[str, Any], support: list[dict[str, Any]], concepts: int) -> dict[str, Any]:
    """Translate the proof of a failure probability."""
    if proof == {}:
        return {"branching": {"trees": [[[]]] * concepts}}
    if proof["method"] == "branching":
        trees = _some(proof, "method", "trees")[1]
        return {"branching": {"trees": [list(_nodes(tree, support)) for tree in trees]}}
    method, selections = _some(proof, "method", "selections")
    if method != "selection" or any(len(laws) != len(support) for laws in selections):
        raise CertificateError("the method is none, or sets are missing")
    shares = [_fraction(drawn["weight"]) for drawn in support]
    weights = [
        weights_of(
            share * _fraction(p) for share, law in zip(shares, laws, strict=True) for p in law
        )
        for laws in selections
    ]
    return {"selection": {"weights": weights}}


def _nodes(tree: object, support: list[dict[str, Any]]) -> Iterator[list[int | str] | None]:
    """Yield the nodes of a tree over sets that fail, each before those below it."""
    waiting: list[tuple[Any, int, tuple[int, ...]]] = [(tree, 0, ())]
    while waiting:
        node, number, failing = waiting.pop()
        if node == "small":
            yield []
        elif isinstance(node, dict):
            yield _mixture(_one(node, "blocked"), [(i, support[i]["hypotheses"]) for i in failing])
        else:
            within, without = node
            yield None
            waiting.append((without, number + 1, failing))
            waiting.append((within, number + 1, (*failing, number)))


def _mixture(
    blocked: list[tuple[int, int, str]], failing: list[tuple[int, list[str]]]
) -> list[int | str]:
    given = {(i, j): _fraction(weight) for i, j, weight in blocked}
    if len(given) < len(blocked):
        raise CertificateError("a hypothesis stands twice")
    return weights_of(
        given.get((i, j), Fraction(0)) for i, rows in failing for j in range(len(rows))
    )


def _branching(
    certificate: dict[str, Any],
    neighbourhoods: list[Any],
    symmetries: list[Any],
    tree: dict[str, Any],
    weights: list[int] | None = None,
) -> dict[str, Any]:
    """Translate a branching tree over hypotheses; each node weighs for itself without weights."""
    pool = certificate["statement"]["pool"]
    places = None if pool is None else {row: j for j, row in enumerate(pool)}
    if places is not None and len(places) < len(pool):
        raise CertificateError("the hypotheses of a pool are distinct")
    number, nodes, waiting = len(neighbourhoods), [], [tree]
    while waiting:
        node = waiting.pop()
        own = None
        used, branches, *given = _some(
            node, "symmetries", "branches", *["weights"][weights is not None :]
        )
        if given:
            pairs = dict(given[0])
            if len(pairs) < len(given[0]) or not set(pairs) <= set(range(number)):
                raise CertificateError("a neighbourhood is not there, or stands twice")
            own = encode_integers(pairs.get(i, 0) for i in range(number))
        chosen = [int(row[::-1], 2) if places is None else places[row] for row, _ in branches]
        nodes.append({"symmetries": used, "branches": chosen, "weights": own})
        waiting += [child for _, child in reversed(branches)]
    return {
        "neighbourhoods": [[f, encode_integers(law)] for f, law in neighbourhoods],
        "weights": None if weights is None else encode_integers(weights),
        "symmetries": symmetries,
        "tree": nodes,
    }
