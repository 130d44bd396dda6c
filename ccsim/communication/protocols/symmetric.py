"""Mixtures of two-way or simultaneous protocols, each run after a random symmetry."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import lcm

from ccsim.arguments.checked import checked_types
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.play import Play, number_of
from ccsim.communication.protocols.simultaneous import SimultaneousProtocol
from ccsim.communication.protocols.two_party import IntegerErrors, TwoPartyProtocol
from ccsim.communication.protocols.two_way import Turn, TwoWayProtocol
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator, probability_vector
from ccsim.exact.probability import draw, generator
from ccsim.symmetry.matrix import Symmetry, cell_orbits


@validated
class SymmetricMixture(TwoPartyProtocol):
    """A mixture of deterministic protocols, each run after a uniformly random symmetry.

    The public coins draw a component and an element of the group that the symmetries generate. The
    players run the component on the images of their inputs, and negate the answer if the symmetry
    flips all columns.

    Attributes
    ----------
    weights : tuple of Fraction
        Probabilities of the components; positive, with sum 1.
    components : tuple of TwoWayProtocol or SimultaneousProtocol
        All with the same numbers of inputs.
    symmetries : tuple of Symmetry
        Generators of the group; each flips all columns or none. Without generators, the mixture is
        run as it is.

    Examples
    --------
    >>> swap = Symmetry((1, 0), (1, 0), 0)
    >>> first = SimultaneousProtocol((0, 1), (0, 0), ((1,), (0,)))
    >>> mixture = SymmetricMixture((Fraction(1),), (first,), (swap,))
    >>> mixture.output_probability(0, 0), mixture.cost_bits
    (Fraction(1, 2), 1)
    """

    weights: tuple[Fraction, ...]
    components: tuple[TwoWayProtocol | SimultaneousProtocol, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def __post_init__(self) -> None:
        weights = probability_vector(self.weights, "weights")
        if len(weights) != len(self.components) or 0 in weights:
            raise DomainError("every component must have a positive weight")
        if len({(P.num_alice, P.num_bob) for P in self.components}) != 1:
            raise DomainError("components must have the same numbers of inputs")
        for g in self.symmetries:
            if (len(g.rows), len(g.columns)) != (self.num_alice, self.num_bob):
                raise DomainError(
                    f"symmetries must act on {self.num_alice} x {self.num_bob} inputs, not on "
                    f"{len(g.rows)} x {len(g.columns)}"
                )
            if g.flips not in (0, (1 << self.num_bob) - 1):
                raise DomainError("symmetries must flip all columns or none")
        object.__setattr__(self, "weights", weights)

    def __str__(self) -> str:
        sides = f"{self.num_alice} x {self.num_bob}"
        rest = " and a random symmetry" if self.symmetries else ""
        return f"{len(self.weights)} components{rest}, {sides}, cost {self.cost_bits}"

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.components[0].num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.components[0].num_bob

    @property
    def cost_bits(self) -> int:
        """Number of bits that the players send together, on the worst input and the worst coins."""
        return max(part.cost_bits for part in self.components)

    def _images(self, x: int, y: int) -> dict[tuple[int, int], Symmetry]:
        """Return the orbit of a cell with an element of the group that leads to each image."""
        rows, columns = tuple(range(self.num_alice)), tuple(range(self.num_bob))
        images, queue = {(x, y): Symmetry(rows, columns, 0)}, [(x, y)]
        for cell in queue:
            for g in self.symmetries:
                if (image := g.cell(*cell)) not in images:
                    images[image] = _then(images[cell], g)
                    queue.append(image)
        return images

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability of the answer 1 on inputs ``x`` and ``y``."""
        number_of(x, None, 0, self.num_alice)
        number_of(y, None, 1, self.num_bob)
        images = self._images(x, y)
        total = Fraction(0)
        for (a, b), g in images.items():
            flip = int(g.flips > 0)
            for weight, part in zip(self.weights, self.components, strict=True):
                total += weight * (part.answer(a, b) ^ flip)
        return total / len(images)

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Draw a symmetry and a component with the given seed, and play the component.

        See `OneWayProtocol.play` for the parameters.

        Examples
        --------
        >>> first = SimultaneousProtocol((0, 1), (0, 0), ((1,), (0,)))
        >>> SymmetricMixture((Fraction(1),), (first,)).play(1, 0).answer
        0
        """
        about = None if problem is None else as_problem(problem)
        if about is not None:
            self.check_shape(about)
        labels = (None, None) if about is None else (about.alice, about.bob)
        i = number_of(x, labels[0], 0, self.num_alice)
        j = number_of(y, labels[1], 1, self.num_bob)
        rng = generator(seed)
        images = list(self._images(i, j).values())
        g = images[int(rng.integers(len(images)))]
        chosen = draw(self.weights, rng)
        part = self.components[chosen]
        tree = part if isinstance(part, TwoWayProtocol) else part.to_two_way()
        coins = f"component {chosen} of {len(self.weights)}, probability {self.weights[chosen]}"
        if self.symmetries:
            coins += ", after a random symmetry"
        return _moved(tree, g).played(i, j, about, seed, coins)

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        """Yield the errors as integers; mean errors over the orbits if these are the problem's."""
        try:
            for g in self.symmetries:
                g.verify(problem.ones, len(problem.bob), problem.promise)
        except CertificateError:
            yield from TwoPartyProtocol._integer_errors(self, problem)
            return
        unit, cells = common_denominator(self.weights), problem.inputs()
        wrong = dict.fromkeys(cells, 0)
        for weight, part in zip(self.weights, self.components, strict=True):
            share = int(weight * unit)
            for x, (errors, _) in enumerate(part._integer_errors(problem)):
                for y, own in errors:
                    wrong[x, y] += share * own
        shape = len(problem.alice), len(problem.bob)
        orbit = dict(zip(cells, cell_orbits(cells, self.symmetries, shape), strict=True))
        sizes, sums = Counter(orbit.values()), dict.fromkeys(orbit.values(), 0)
        for cell, own in wrong.items():
            sums[orbit[cell]] += own
        scale = lcm(*sizes.values())
        means = {number: total * (scale // sizes[number]) for number, total in sums.items()}
        for x in range(shape[0]):
            ys = [y for y in range(shape[1]) if problem.promise[x] >> y & 1]
            yield [(y, means[orbit[x, y]]) for y in ys], unit * scale


def _then(first: Symmetry, second: Symmetry) -> Symmetry:
    """Return the composition of two symmetries that flip all columns or none."""
    return Symmetry(
        tuple(second.rows[x] for x in first.rows),
        tuple(second.columns[y] for y in first.columns),
        first.flips ^ second.flips,
    )


def _moved(protocol: TwoWayProtocol, symmetry: Symmetry) -> TwoWayProtocol:
    """Return the protocol that runs another one on the images of the inputs."""
    nodes: list[Turn | int] = []
    for node in protocol.nodes:
        if isinstance(node, Turn):
            images = symmetry.columns if node.side else symmetry.rows
            nodes.append(replace(node, messages=tuple(node.messages[i] for i in images)))
        else:
            nodes.append(node ^ int(symmetry.flips > 0))
    return TwoWayProtocol(tuple(nodes), protocol.num_alice, protocol.num_bob)
