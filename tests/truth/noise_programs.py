"""Privacy of noise programs, from sums in floating point over a large cube of noise."""

from fractions import Fraction
from math import exp

import numpy as np

from tests.truth.common import UndecidedError, require_small

__all__ = ["privacy", "probabilities"]

WIDTHS = {0: 0, 1: 400, 2: 120, 3: 40, 4: 16}
"""Largest absolute value of each draw, by the number of draws."""
CLOSE = 1e-9


def draws_below(nodes, i):
    node = nodes[i]
    return max((draws_below(nodes, j) for j in node.get("next", ())), default=0) + ("draw" in node)


def real(given, t):
    """Return a number of a certificate in floating point."""
    if isinstance(given, dict):
        return polynomial(given["over"], t) / polynomial(given["under"], t)
    return float(Fraction(given))


def polynomial(given, t):
    x = 1.0
    if t is not None:
        base = exp(1) if t["base"] is None else float(Fraction(t["base"]))
        x = base ** (1 / int(t["root"]))
    listed = given if isinstance(given, list) else [given]
    return sum(int(c) * x**k for k, c in enumerate(listed))


class Cube:
    """The probability of each output, a discrete outcome or a value of a group, in a cube."""

    def __init__(self, nodes, t, root):
        self.nodes, self.t, self.found, self.width = nodes, t, {}, 0
        draws = draws_below(nodes, root)
        require_small(draws, 4)
        self.width = WIDTHS[draws]
        self.visit(root, np.array(1.0), 0)

    def value(self, affine, like):
        form, constant = affine
        assert len(form) <= like.ndim
        total = np.full(like.shape, int(constant))
        for d, a in enumerate(form):
            shape = [1] * like.ndim
            shape[d] = -1
            total = total + int(a) * np.arange(-self.width, self.width + 1).reshape(shape)
        return total

    def visit(self, i, weights, depth):
        """Add the outputs of a subtree; weights are 0 where it is not reached."""
        node = self.nodes[i]
        require_small(depth, 30)
        if not weights.any():
            return
        if "draw" in node:
            kind, ratio = node["draw"]
            r = 1 / polynomial([0] * ratio + [1], self.t) if type(ratio) is int else Fraction(ratio)
            z, r = np.arange(-self.width, self.width + 1), float(r)
            two_sided = (1 - r) / (1 + r) * r ** abs(z)
            one_sided = np.where(z >= 0, (1 - r) * r ** abs(z), 0.0)
            law = two_sided if kind == "geometric" else one_sided
            self.visit(node["next"][0], weights[..., None] * law, depth + 1)
        elif "compare" in node:
            holds = self.value(node["compare"], weights) >= 0
            self.visit(node["next"][0], weights * holds, depth + 1)
            self.visit(node["next"][1], weights * ~holds, depth + 1)
        elif "largest" in node:
            first = np.argmax([self.value(form, weights) for form in node["largest"]], axis=0)
            for place, child in enumerate(node["next"]):
                self.visit(child, weights * (first == place), depth + 1)
        elif "choose" in node:
            shares = [int(w) for w in node["choose"]]
            for share, child in zip(shares, node["next"], strict=True):
                self.visit(child, weights * (share / sum(shares)), depth + 1)
        elif "outcome" in node:
            key = ("outcome", node["outcome"])
            self.found[key] = self.found.get(key, 0.0) + float(weights.sum())
        else:
            values = self.value(node["number"], weights)
            least = int(values.min())
            sums = np.bincount((values - least).ravel(), weights.ravel())
            for v in np.flatnonzero(sums):
                key = (node["group"], least + int(v))
                self.found[key] = self.found.get(key, 0.0) + float(sums[v])


def probabilities(laws, t):
    """Return the outputs on each input with their probabilities, without values outside a cube."""
    known = {}
    for root in laws["trees"]:
        if root not in known:
            known[root] = Cube(laws["nodes"], t, root).found
    return [known[root] for root in laws["trees"]]


def privacy(instance, statement, pairs):
    """Decide a statement if it is wrong by more than the probability outside the cube."""
    t = instance["t"]
    laws = probabilities(instance["laws"], t)
    rest = [max(0.0, 1 - sum(law.values())) + CLOSE for law in laws]
    if all(key[0] == "outcome" for law in laws for key in law):
        add = max(rest)

        def most(p, q, f):
            return sum(max(0.0, p.get(o, 0.0) + add - f * q.get(o, 0.0)) for o in {*p, *q})
    else:

        def most(p, q, f):
            return sum(max(0.0, p[o] - f * q.get(o, 0.0)) for o in p) + max(rest)

    def least(p, q, f):
        return sum(max(0.0, p[o] - f * (q.get(o, 0.0) + max(rest))) for o in p)

    def excess(bound, f):
        return max((bound(laws[i], laws[j], f) for i, j in pairs), default=0.0)

    lower, upper = statement["lower"], statement["upper"]
    if statement["delta"] is None:
        factor = real(statement["factor"], t)
        false = lower is not None and real(lower, t) > excess(most, factor) + CLOSE
        false |= upper is not None and real(upper, t) < excess(least, factor) - CLOSE
    else:
        delta, large = real(statement["delta"], t), 1e9
        low = large if lower == "infinity" else real(lower or "1", t)
        below = low * (1 - CLOSE)
        false = lower is not None and low > 1 and excess(most, max(1.0, below)) <= delta
        if upper not in (None, "infinity"):
            false |= real(upper, t) < 1 - CLOSE
            false |= excess(least, real(upper, t) * (1 + CLOSE)) > delta + CLOSE
    if false:
        return False
    raise UndecidedError("the bounds agree with the probabilities in a cube")
