"""Trees of boxes of probabilities: lower bounds on the error of private-coin protocols.

Alice's and Bob's probabilities are confined to smaller and smaller boxes. In each box at the end of
the tree some average of errors is bounded from below by a linear function (McCormick's envelopes
of the products), so that no protocol in it errs less. `docs/certificates.md` states the rules.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.private_coins.case_trees import least_bound
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError

Range = tuple[Fraction, Fraction]

_UNIT: Range = (Fraction(0), Fraction(1))


@frozen
class Split:
    """A node that cuts the range of one probability."""

    # whether it is the probability that Alice sends the message (or that Bob answers 1 to it)
    alice: bool
    number: int  # input of Alice, or of Bob
    message: int
    cut: Fraction  # strictly inside the range


@frozen
class Leaf:
    """The multipliers that bound the error in one box."""

    # inputs ``x, y`` in increasing order, the weight ``w >= 1`` of the error there, and for each
    # message how much of ``w`` goes to the envelope at the lower bounds
    weights: tuple[tuple[int, int, int, tuple[int, ...]], ...]


@frozen
class Box:
    """Ranges of the probabilities of a private-coin protocol."""

    # ``alice[x][m]`` encloses the probability of message ``m`` on input ``x``
    alice: tuple[tuple[Range, ...], ...]
    # ``bob[y][m]`` encloses the probability that Bob answers 1 to message ``m`` on input ``y``
    bob: tuple[tuple[Range, ...], ...]

    @classmethod
    def root(cls, problem: CommunicationProblem, messages: int, ordered: int) -> Box:
        """Return the box of all protocols, with messages named by their rank on one input."""
        free = (_UNIT,) * messages
        ranked = tuple((Fraction(m == 0, messages), Fraction(1, m + 1)) for m in range(messages))
        alice = tuple(ranked if x == ordered else free for x in range(len(problem.alice)))
        return cls(alice, (free,) * len(problem.bob))

    def halves(self, split: Split) -> tuple[Box, Box]:
        """Return the parts below and above the cut."""
        table = self.alice if split.alice else self.bob
        if not (0 <= split.number < len(table) and 0 <= split.message < len(table[0])):
            raise CertificateError(f"{split} cuts no probability of the protocol")
        ranges = table[split.number]
        low, high = ranges[split.message]
        if not low < split.cut < high:
            raise CertificateError(f"{split} does not cut strictly inside [{low}, {high}]")
        below = self._with(split, (low, split.cut))
        return below, self._with(split, (split.cut, high))

    def _with(self, split: Split, new: Range) -> Box:
        table = self.alice if split.alice else self.bob
        old = table[split.number]
        ranges = (*old[: split.message], new, *old[split.message + 1 :])
        if split.alice:
            ranges = _tightened(ranges)
        changed = (*table[: split.number], ranges, *table[split.number + 1 :])
        return Box(changed, self.bob) if split.alice else Box(self.alice, changed)

    def least_error(self, leaf: Leaf, problem: CommunicationProblem) -> Fraction:
        """Return the bound that a leaf proves for every protocol in the box."""
        cells = [(x, y) for x, y, _, _ in leaf.weights]
        if not cells or cells != sorted(set(cells)):
            raise CertificateError(
                "the inputs of a leaf must be at least one, distinct and in order"
            )
        messages = len(self.bob[0])
        unit = lcm(*{end.denominator for row in (*self.alice, *self.bob) for r in row for end in r})
        laws, answers = (_scaled(table, unit) for table in (self.alice, self.bob))
        alice = {x: [0] * messages for x, _ in cells}  # slopes, in parts of the unit
        bob = {y: [0] * messages for _, y in cells}
        least = 0  # in parts of its square
        for x, y, w, splits in leaf.weights:
            value = None
            if 0 <= x < len(laws) and 0 <= y < len(answers):
                value = problem.value(x, y)
            if value is None or w < 1 or len(splits) != messages:
                raise CertificateError(
                    f"({x}, {y}) is no weighted input with one split for each message"
                )
            for m, t in enumerate(splits):
                if not 0 <= t <= w:
                    raise CertificateError(
                        f"split {t} on input ({x}, {y}) must lie between 0 and {w}"
                    )
                (a0, a1), (b0, b1) = laws[x][m], answers[y][m]
                # the wrong answer to m has probability c, between c0 and c1
                c0, c1 = (unit - b1, unit - b0) if value else (b0, b1)
                alice[x][m] += t * c0 + (w - t) * c1
                slope = t * a0 + (w - t) * a1  # of c, which falls with b where the value is 1
                bob[y][m] += -slope if value else slope
                least += (unit * slope if value else 0) - t * a0 * c0 - (w - t) * a1 * c1
        least += sum(_cheapest_law(slopes, laws[x], unit) for x, slopes in alice.items())
        least += sum(
            slope * (low if slope > 0 else high)
            for y, slopes in bob.items()
            for slope, (low, high) in zip(slopes, answers[y], strict=True)
        )
        return Fraction(least, unit * unit * sum(w for _, _, w, _ in leaf.weights))


def _scaled(table: tuple[tuple[Range, ...], ...], unit: int) -> list[list[tuple[int, int]]]:
    """Return ranges in parts of a unit that all their ends divide."""
    return [
        [
            (
                low.numerator * (unit // low.denominator),
                high.numerator * (unit // high.denominator),
            )
            for low, high in ranges
        ]
        for ranges in table
    ]


def _tightened(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Use that the probabilities of a law sum to 1."""
    lows, highs = sum(low for low, _ in ranges), sum(high for _, high in ranges)
    return tuple(
        (max(low, 1 - (highs - high)), min(high, 1 - (lows - low))) for low, high in ranges
    )


def _cheapest_law(slopes: list[int], ranges: list[tuple[int, int]], unit: int) -> int:
    """Return the least value of a linear function on the laws inside a box."""
    cost = sum(s * low for s, (low, _) in zip(slopes, ranges, strict=True))
    missing = unit - sum(low for low, _ in ranges)
    for s, (low, high) in sorted(zip(slopes, ranges, strict=True)):
        step = min(missing, high - low)
        cost += s * step
        missing -= step
    return cost


@validated
class BoxTree:
    """A binary tree of boxes in preorder, and multipliers at its leaves.

    Attributes
    ----------
    ordered : int
        The input of Alice on which messages are named by decreasing probability.
    nodes : tuple of Split or Leaf
        After a split come the subtree of the part below the cut and that of the part above.

    Examples
    --------
    >>> from ccsim.communication.problem import CommunicationProblem
    >>> f = CommunicationProblem.from_matrix([[0, 0], [1, 0], [1, 1]])
    >>> near = Leaf(((0, 0, 2, (2, 2)), (1, 0, 2, (1, 2))))
    >>> far = ((0, 0, 2, (2, 2)), (0, 1, 1, (0, 1)), (1, 0, 1, (0, 1)), (1, 1, 1, (1, 0)))
    >>> cut = Split(alice=False, number=0, message=1, cut=Fraction(9, 16))
    >>> BoxTree(0, (cut, near, Leaf((*far, (2, 1, 1, (0, 0)))))).bound(f, 2)
    Fraction(1, 6)
    """

    ordered: int
    nodes: tuple[Split | Leaf, ...]

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the least bound of a leaf.

        Raises
        ------
        CertificateError
            Naming the node that breaks a rule.
        OutOfTimeError
        """
        if not 1 < messages < len(problem.alice):
            raise CertificateError(
                f"boxes are for 2 messages or more, fewer than inputs of Alice, not {messages}"
            )
        if not 0 <= self.ordered < len(problem.alice):
            raise CertificateError(f"ordered must be an input of Alice, not {self.ordered}")

        def prove(box: Box, node: Split | Leaf) -> Fraction | tuple[Box, Box]:
            return box.least_error(node, problem) if isinstance(node, Leaf) else box.halves(node)

        return least_bound(self.nodes, [Box.root(problem, messages, self.ordered)], prove, budget)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate: all ends are integers over one unit."""
        cuts = [node.cut.denominator for node in self.nodes if isinstance(node, Split)]
        unit, nodes = lcm(*range(1, messages + 1), *cuts), list[Any]()
        for node in self.nodes:
            if isinstance(node, Leaf):
                weights = [[[x, y], w, list(splits)] for x, y, w, splits in node.weights]
                nodes.append({"weights": weights})
            else:
                answer = [len(problem.alice) + node.number * messages + node.message, 1]
                law = [node.number, node.message] if node.alice else answer
                nodes.append([*law, *encode_integers([int(node.cut * unit)])])
        (encoded,) = encode_integers([unit])
        return {"boxes": {"unit": encoded, "ordered": self.ordered, "nodes": nodes}}
