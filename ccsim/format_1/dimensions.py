"""Certificates of format 1 about dimensions, translated into format 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccsim.certificates import Certificate
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.mistake_trees.tree import MistakeTree
from ccsim.dimensions.shattering.bound import labels_to_follow
from ccsim.errors import CertificateError
from ccsim.format_1.table import Translator
from ccsim.kernel.reader import Matrix
from ccsim.symmetry.matrix import Symmetry

__all__ = ["KINDS", "mistake_tree"]

Proof = dict[str, Any]


def mistake_tree(proof: Proof) -> Proof:
    """Return the proof of a mistake tree, whose nodes are listed in preorder.

    Examples
    --------
    >>> mistake_tree({"tree": [0, 1, [1, 2, 0]]})
    {'mistake_tree': {'tree': [0, 1, 1, 2, 0]}}
    """
    (tree,) = _fields(proof, "tree")
    return {"mistake_tree": {"tree": MistakeTree(tree).to_json()}}


def _fields(proof: Proof, *keys: str) -> list[Any]:
    if set(proof) != set(keys):
        raise CertificateError(f"a proof has {sorted(proof)} instead of {sorted(keys)}")
    return [proof[key] for key in keys]


def _littlestone(certificate: Proof) -> Proof:
    """Translate the certificate of a Littlestone dimension."""

    def above(proof: Proof, upper: int) -> Proof:
        generators, entries = _fields({"symmetries": []} | proof, "symmetries", "refutation")
        read: list[RefutationEntry] = []
        for entry in entries:
            space, depth, steps = _fields(entry, "version_space", "depth", "steps")
            pairs = tuple((x, _label(b)) for x, b in space)
            turns = tuple(_step(len(read), *step) for step in steps)
            read.append(RefutationEntry(pairs, depth, turns))
        by_size = len(certificate["instance"]["rows"]).bit_length() - 1
        if not entries and (upper != by_size or "symmetries" in proof):
            raise CertificateError(f"the number of concepts proves {by_size}, not {upper}")
        symmetries = tuple(map(Symmetry.from_json, generators))
        return LittlestoneRefutation(tuple(read), symmetries).to_json(upper)

    return _translated(certificate, "littlestone_dimension", mistake_tree, above)


def _step(number: int, x: int, b: int, e: int, word: Any = ()) -> Any:  # noqa: ANN401 - JSON
    if not 0 <= e < number:
        raise CertificateError(f"entry {number} rests on entry {e}")
    return x, _label(b), e, tuple(word)


def _label(value: object) -> int:
    if value not in (0, 1) or isinstance(value, bool):
        raise CertificateError(f"a label is 0 or 1, not {value}")
    return int(value == 1)


def _shattering(kind: str, names: tuple[str, str]) -> Translator:
    """Return what translates the certificates of a VC dimension."""

    def translate(certificate: Proof) -> Proof:
        def below(proof: Proof) -> Proof:
            chosen, realising = _fields(proof, *names)
            return {"shattered": {"columns": chosen, "rows": realising}}

        def above(proof: Proof, upper: int) -> Proof:
            if "edges" in proof:
                method, edges = _fields(proof, "method", "edges")
                if method != "spanning tree":
                    raise CertificateError(f"edges are no proof by {method}")
                return {"spanning_tree": {"edges": edges}}
            C = Matrix.read(certificate["instance"], "concept class")
            dual = kind == "dual_vc_dimension"
            rows, width = (C.columns, len(C.rows)) if dual else (C.rows, C.width)
            if "method" in proof:
                (method,) = _fields(proof, "method")
                if method != "size" or upper != len(set(rows)).bit_length() - 1:
                    raise CertificateError(f"{upper} is not proved by {method}")
            symmetries = proof.get("symmetries", [])
            if set(proof) - {"symmetries", "method"}:
                raise CertificateError(f"no proof has {sorted(proof)}")
            few = not 0 <= upper < width or not len(set(rows)) >> upper + 1
            labels = "0" * max(upper, 0) if few else labels_to_follow(rows, width, upper)
            data = {"size": upper + 1, "labels": labels, "symmetries": symmetries}
            return {"extension": data}

        return _translated(certificate, kind, below, above)

    return translate


def _translated(
    certificate: Proof,
    kind: str,
    below: Callable[[Proof], Proof],
    above: Callable[[Proof, int], Proof],
) -> Proof:
    """Translate a statement with bounds and the proofs of both."""
    lower, upper = _fields(certificate["statement"], "lower", "upper")
    proofs: list[Proof | None] = [certificate["lower"], certificate["upper"]]
    if proofs[0] is not None:
        if lower == -1:
            _fields(proofs[0])
            if certificate["instance"]["rows"]:
                raise CertificateError("a class with a concept has dimension at least 0, not -1")
            proofs[0] = {"trivial": {}}
        else:
            proofs[0] = below(proofs[0])
    if proofs[1] is not None:
        if not isinstance(upper, int) or isinstance(upper, bool) or not -1 <= upper < 1 << 20:
            raise CertificateError("the upper bound must be an integer of at least -1")
        proofs[1] = above(proofs[1], upper)
    made = Certificate(kind, certificate["instance"], certificate["statement"], *proofs).to_dict()
    return made | {"made_by": certificate["made_by"]}


_VC = _shattering("vc_dimension", ("points", "concepts"))
_DUAL = _shattering("dual_vc_dimension", ("concepts", "points"))


def _dimensions(certificate: Proof) -> list[Proof]:
    """Translate the certificate of all three dimensions into one of each that is claimed."""
    kinds: dict[str, Translator] = {"vc": _VC, "dual_vc": _DUAL, "littlestone": _littlestone}
    sides: dict[str, Proof] = {
        key: dict.fromkeys(kinds) if certificate[key] is None else certificate[key]
        for key in ("statement", "lower", "upper")
    }
    for side in sides.values():
        _fields(side, *kinds)
    made: list[Proof] = []
    for name, translate in kinds.items():
        part = certificate | {key: side[name] for key, side in sides.items()}
        if part["statement"] != {"lower": None, "upper": None} or part["lower"] or part["upper"]:
            made.append(translate(part))
    for part in made[1:]:
        part["instance"] = None
    return made


KINDS: dict[str, Translator] = {
    "vc_dimension": _VC,
    "dual_vc_dimension": _DUAL,
    "littlestone_dimension": _littlestone,
    "dimensions": _dimensions,
}
