"""Public-coin protocols that also draw a symmetry of the problem.

The error of such a protocol is the average of its components' errors over orbits of inputs, so that
a few components say what would take thousands otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript, WorstInput
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact.probability import draw
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

MAX_IMAGES = 1 << 16
"""Most images of components that are listed."""


@validated
class SymmetricProtocol(OneWayProtocol):
    """A mixture of deterministic protocols, each played after a uniformly random symmetry.

    The public coins draw a component and an element of the group that the symmetries generate;
    Alice and Bob play the component on the images of their inputs, and Bob undoes the flip of his
    column. Only symmetries of the problem (`Symmetry.verify`) make this what it is meant to be.

    Attributes
    ----------
    base : PublicCoinProtocol
    symmetries : tuple of Symmetry
        Generators; their shape is that of the protocol.

    Raises
    ------
    DomainError
        If a symmetry has another shape.

    Examples
    --------
    >>> swap = Symmetry((1, 0), (0, 1), 0b11)
    >>> half = SymmetricProtocol(
    ...     DeterministicProtocol((0, 0), (0b01,), 2).to_public_coin(), (swap,)
    ... )
    >>> half.output_probability(0, 0), half.to_public_coin().weights
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """

    base: PublicCoinProtocol
    symmetries: tuple[Symmetry, ...]

    def __post_init__(self) -> None:
        shape = (self.num_alice, self.num_bob)
        for symmetry in self.symmetries:
            if (found := (len(symmetry.rows), len(symmetry.columns))) != shape:
                raise DomainError(f"symmetries must be of {shape} inputs, not of {found}")

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.base.num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.base.num_bob

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self.base.messages

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""
        images = self._images(x, y)
        ones = (self.base.output_probability(*cell) for cell in images)
        return sum(
            (1 - one if flip else one for one, flip in zip(ones, images.values(), strict=True)),
            Fraction(0),
        ) / len(images)

    def _images(self, x: int, y: int) -> dict[tuple[int, int], int]:
        """Return the images of a cell and whether its value is flipped on the way there.

        Where the group brings a cell back to itself both flipped and not, no function has all of
        its symmetries; then the first way found counts.
        """
        images, queue = {(x, y): 0}, [(x, y)]
        for a, b in queue:
            for symmetry in self.symmetries:
                image = symmetry.cell(a, b)
                if image not in images:
                    images[image] = images[a, b] ^ (symmetry.flips >> b & 1)
                    queue.append(image)
        return images

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Draw an image of the inputs and a component with exact coins and run it."""
        images = list(self._images(x, y).items())
        (a, b), flip = images[int(rng.integers(len(images)))]
        coins = draw(self.base.weights, rng)
        component = self.base.components[coins]
        return Transcript(x, y, coins, component.alice[a], component.answer(a, b) ^ flip)

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the same protocol as an explicit mixture.

        Raises
        ------
        InstanceTooLargeError
            If the components have more than `MAX_IMAGES` images.
        """
        parts = zip(self.base.weights, self.base.components, strict=True)
        images = expanded(parts, self.symmetries, MAX_IMAGES)
        if images is None:
            raise InstanceTooLargeError(
                f"the components have more than {MAX_IMAGES} images under the symmetries"
            )
        return PublicCoinProtocol.mixture(images)

    @checked_types
    def error_table(self, problem: ProblemLike) -> dict[tuple[int, int], Fraction]:
        """Return the error on every input inside the promise.

        For a problem with the same symmetries it is the average of the components' errors over the
        input's orbit.

        Raises
        ------
        DomainError
            If protocol and problem have different shapes.
        """
        problem = as_problem(problem)
        self.check_shape(problem)
        if not self._are_symmetries_of(problem):
            return OneWayProtocol.error_table(self, problem)
        base = self.base.error_table(problem)
        moves = ([(cell, symmetry.cell(*cell)) for cell in base] for symmetry in self.symmetries)
        orbits: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for cell, first in orbits_of(base, moves).items():
            orbits.setdefault(first, []).append(cell)
        means = {
            first: sum((base[cell] for cell in orbit), Fraction(0)) / len(orbit)
            for first, orbit in orbits.items()
        }
        return {cell: means[first] for first, orbit in orbits.items() for cell in orbit}

    @checked_types
    def worst_error(self, problem: ProblemLike, *, time_limit: TimeLimit = None) -> WorstInput:
        """Return the largest error over the inputs inside the promise (`fx` section 2.3).

        Raises
        ------
        DomainError
            If protocol and problem have different shapes.
        NotDecidedError
            If the time limit is over before.
        """
        budget = Budget.of(time_limit)
        problem = as_problem(problem, budget)
        table = self.error_table(problem)
        budget.spend()
        x, y = max(table, key=lambda cell: (table[cell], [-c for c in cell]))
        return WorstInput(table[x, y], x, y)

    def _are_symmetries_of(self, problem: CommunicationProblem) -> bool:
        """Whether the problem has all these symmetries."""
        try:
            for symmetry in self.symmetries:
                symmetry.verify(problem.ones, len(problem.bob), problem.promise)
        except CertificateError:
            return False
        return True

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as a part of a certificate."""
        return {
            "components": self.base.to_json()["components"],
            "symmetries": [symmetry.to_json() for symmetry in self.symmetries],
        }


def images_of(
    protocol: DeterministicProtocol, symmetries: tuple[Symmetry, ...], most: int
) -> list[DeterministicProtocol] | None:
    """Return the different images of a protocol under the group, or None if they are too many."""
    if most < 1:
        return None
    first = _in_order(protocol.alice, protocol.bob, protocol.num_bob)
    inverses = [symmetry.inverse() for symmetry in symmetries]
    found, seen = [first], {first}
    for known in found:
        for symmetry, inverse in zip(symmetries, inverses, strict=True):
            alice = tuple(known.alice[x] for x in inverse.rows)
            image = _in_order(alice, tuple(map(symmetry.mask, known.bob)), known.num_bob)
            if image not in seen:
                if len(found) == most:
                    return None
                seen.add(image)
                found.append(image)
    return found


def expanded(
    parts: Iterable[tuple[Fraction, DeterministicProtocol]],
    symmetries: tuple[Symmetry, ...],
    most: int,
) -> list[tuple[Fraction, DeterministicProtocol]] | None:
    """Return a mixture with each part replaced by its images, or None if they are too many."""
    result: list[tuple[Fraction, DeterministicProtocol]] = []
    for weight, part in parts:
        images = images_of(part, symmetries, most - len(result))
        if images is None:
            return None
        result += [(weight / len(images), image) for image in images]
    return result


def _in_order(alice: tuple[int, ...], bob: tuple[int, ...], width: int) -> DeterministicProtocol:
    """Return the protocol with its messages numbered as they are first sent; unused ones repeat."""
    number: dict[int, int] = {}
    sent = tuple(number.setdefault(m, len(number)) for m in alice)
    tables = [bob[m] for m in number]
    tables += tables[-1:] * (len(bob) - len(tables))
    return DeterministicProtocol(sent, tuple(tables), width)
