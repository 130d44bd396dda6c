"""Certificates of format 1 about protocols and their errors, translated into format 2."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.certificates import encode_integers, weights_of
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof, prove_bound
from ccsim.communication.partitions.tables import cheapest_classes, class_costs, subset_sums
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import (
    PrivateCoinProtocol,
)
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.format_1.private_coins import without_public_coins
from ccsim.format_1.table import SECONDS, Translator
from ccsim.symmetry.matrix import Symmetry

__all__ = ["KINDS"]

Json = dict[str, Any]


def _problem(instance: Json) -> CommunicationProblem:
    """Return the problem of an instance, whatever its labels are."""
    value = {"0": 0, "1": 1, "*": None}
    return CommunicationProblem.from_matrix([[value[c] for c in row] for row in instance["rows"]])


def _with(certificate: Json, statement: Json, lower: Any, upper: Any) -> Json:  # noqa: ANN401
    bounds = {side: certificate["statement"][side] for side in ("lower", "upper")}
    changed = {"statement": bounds | statement, "lower": lower, "upper": upper}
    return certificate | {"format": 2} | changed


def _keys(value: Json, *keys: str) -> list[Any]:
    """Return the fields of an object that has exactly these keys."""
    if set(value) != set(keys):
        raise CertificateError(f"the keys are {', '.join(value)}, not {', '.join(keys)}")
    return [value[key] for key in keys]


def _protocol(protocol: Json) -> Json:
    """Write a protocol of any kind as a mixture of tables."""
    kind = protocol["kind"]
    if kind == "private-coin":
        _, alice, bob = _keys(protocol, "kind", "alice", "bob")
        laws = tuple(tuple(map(Fraction, law)) for law in alice)
        rows = tuple(tuple(map(Fraction, row)) for row in bob)
        return PrivateCoinProtocol(laws, rows).to_json()
    if kind == "deterministic":
        _, alice, bob = _keys(protocol, "kind", "alice", "bob")
        return {"components": [{"weight": 1, "alice": alice, "bob": bob}], "symmetries": []}
    names = ["symmetries"] if kind == "symmetric public-coin" else []
    if kind not in {"public-coin", "symmetric public-coin"}:
        raise CertificateError(f"there is no kind {kind!r} of protocols")
    _, listed, *generators = _keys(protocol, "kind", "components", *names)
    parts = [_keys(part, "weight", "alice", "bob") for part in listed]
    weights = weights_of(Fraction(weight) for weight, *_ in parts)
    components = [
        {"weight": weight, "alice": alice, "bob": bob}
        for weight, (_, alice, bob) in zip(weights, parts, strict=True)
    ]
    return {"components": components, "symmetries": generators[0] if names else []}


def _upper(certificate: Json, coins: str) -> Json | None:
    upper = certificate["upper"]
    if upper is None:
        return None
    (protocol,) = _keys(upper, "protocol")
    kinds = {"public": ("public-coin", "symmetric public-coin"), "private": ("private-coin",)}
    if protocol["kind"] not in ("deterministic", *kinds.get(coins, ())):
        raise CertificateError(f"the protocol has no {coins} coins")
    return {"protocol": {"tables": _protocol(protocol)}}


def _distribution(value: Json) -> HardDistribution:
    """Read a distribution, whose weights format 1 also summed up."""
    total, weights = _keys(value, "total", "weights")
    if sum(w for *_, w in weights) != total:
        raise CertificateError(f"the weights do not sum to {total}")
    return HardDistribution(tuple((x, y, w) for x, y, w in weights))


def _proof(problem: CommunicationProblem, mu: HardDistribution, k: int, hints: Json) -> Json:
    """Return a proof of the least error under a distribution, or a bound that symmetries give."""
    mu.check_inputs(problem)
    signed = list(mu.signed_rows(problem).values())
    if "potentials" in hints and len(hints["potentials"]) != len(signed):
        raise CertificateError(f"potentials are for {len(signed)} inputs")
    if not set(hints) <= {"potentials"} and not set(hints) <= {"partitions"}:
        raise CertificateError("a proof has potentials or partitions, and nothing else")
    columns = sorted({y for row in signed for y in row})
    weights = [[row.get(y, 0) for y in columns] for row in signed]
    budget = Budget(SECONDS)
    symmetries: tuple[Symmetry, ...] = ()
    cost, partition = 0, None
    try:
        cost, partition = cheapest_classes(weights, k, budget)
        _reached(weights, k, cost, hints)
    except InstanceTooLargeError:
        if not hints.get("partitions"):
            raise
    if "partitions" in hints:
        listed, given = _keys(hints["partitions"], "symmetries", "partition")
        symmetries = tuple(map(Symmetry.from_json, listed))
        for symmetry in symmetries:
            symmetry.verify(problem.ones, len(problem.bob), problem.promise)
        partition = partition if given is None else given
    return prove_bound(problem, mu, k, partition, symmetries, budget).proof()


def _reached(weights: list[list[int]], k: int, least: int, hints: Json) -> None:
    """Refuse potentials, and a partition, that do not reach the least cost."""
    found = Fraction(least)
    if hints.get("partitions", {}).get("partition") is not None:
        sums: dict[tuple[int, int], int] = {}
        for m, row in zip(hints["partitions"]["partition"], weights, strict=True):
            sums |= {(m, y): sums.get((m, y), 0) + w for y, w in enumerate(row)}
        total = sum(abs(w) for row in weights for w in row)
        found = Fraction(total - sum(map(abs, sums.values())), 2)
    if "potentials" in hints:
        potentials = [Fraction(u) for u in hints["potentials"]]
        doubled = class_costs(np.array(weights, dtype=object), Budget(SECONDS))
        gains = subset_sums(np.array(potentials, dtype=object))
        found = sum(potentials, -k * Fraction(max(gains - doubled * Fraction(1, 2))))
    if found != least:
        raise CertificateError(f"what is given proves a cost of {found}, not {least}")


def _forced(certificate: Json, messages: int, coins: str, proof: Json) -> Json:
    """Return the proof that so many messages force an error."""
    problem = _problem(certificate["instance"])
    found = without_public_coins(problem, messages, coins, proof)
    if found is not None:
        return found
    hints = {key: value for key, value in proof.items() if key != "distribution"}
    mu = _distribution(proof["distribution"])
    weights, shown = mu.to_json(), _proof(problem, mu, messages, hints)
    return {"hard_distribution": {"distribution": weights, "proof": shown}}


def _nothing(instance: Json) -> Json:
    """Return the proof that no error is negative."""
    mu = HardDistribution(((*_problem(instance).inputs()[0], 1),))
    return DistributionProof(mu).to_json()


def _minimax_error(certificate: Json) -> Json:
    lower, _, messages, coins = _keys(
        certificate["statement"], "lower", "upper", "messages", "coins"
    )
    proof = certificate["lower"]
    if proof == {} and lower is not None and Fraction(lower) == 0:
        proof = _nothing(certificate["instance"])
    elif proof is not None:
        proof = _forced(certificate, messages, coins, proof)
    statement = {"messages": messages, "coins": coins}
    return _with(certificate, statement, proof, _upper(certificate, coins))


def _communication_complexity(certificate: Json) -> Json:
    lower, _, error, coins = _keys(certificate["statement"], "lower", "upper", "error", "coins")
    proof = certificate["lower"]
    if proof == {} and lower == 1:
        proof = {"trivial": {}}
    elif proof is not None:
        forced = _forced(certificate, lower - 1, coins, proof)
        proof = {"too_few": {"messages": lower - 1, "proof": forced}}
    statement = {"error": error, "coins": coins}
    return _with(certificate, statement, proof, _upper(certificate, coins))


def _distributional_error(certificate: Json) -> Json:
    _, _, messages, weights = _keys(
        certificate["statement"], "lower", "upper", "messages", "distribution"
    )
    mu, proof = _distribution(weights), certificate["lower"]
    if proof is not None:
        proof = _proof(_problem(certificate["instance"]), mu, messages, proof)
    statement = {"messages": messages, "distribution": mu.to_json()}
    return _with(certificate, statement, proof, _upper(certificate, "no"))


def _protocol_error(certificate: Json) -> Json:
    _, _, protocol = _keys(certificate["statement"], "lower", "upper", "protocol")
    lower, upper = certificate["lower"], certificate["upper"]
    if lower is not None:
        lower = {"input": {"cell": _keys(lower, "input")[0]}}
    if upper is not None:
        _keys(upper)
        upper = {"all_inputs": {}}
    return _with(certificate, {"protocol": _protocol(protocol)}, lower, upper)


def _matrix_game(certificate: Json) -> Json:
    kind, payoff = _keys(certificate["instance"], "type", "payoff")
    entries = [[Fraction(entry) for entry in row] for row in payoff]
    unit = lcm(*(entry.denominator for row in entries for entry in row))
    rows = [encode_integers(int(entry * unit) for entry in row) for row in entries]
    instance = {"type": kind, "unit": encode_integers([unit])[0], "payoff": rows}
    proofs: list[Json | None] = []
    for side, name in (("lower", "row_strategy"), ("upper", "column_strategy")):
        given = certificate[side]
        if given is not None:
            (strategy,) = _keys(given, name)
            given = {name: {"weights": weights_of(Fraction(p) for p in strategy)}}
        proofs.append(given)
    return _with(certificate, {}, *proofs) | {"instance": instance}


KINDS: dict[str, Translator] = {
    "matrix_game": _matrix_game,
    "protocol_error": _protocol_error,
    "distributional_error": _distributional_error,
    "minimax_error": _minimax_error,
    "communication_complexity": _communication_complexity,
}
