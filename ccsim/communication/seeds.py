"""The minimum number of random seeds: Newman's theorem as a hitting set problem."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import highspy
import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.conversions import send_seed
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.communication.protocols.two_party import error_on, worst_error
from ccsim.data import frozen
from ccsim.errors import CertificateError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.programs.game import solve_integer_game
from ccsim.programs.highs import QuietHighs

MAX_NODES = 1 << 16  # maximum number of cases of a proof that fewer seeds do not suffice

Cell = tuple[int, int]


@frozen
class FewestSeeds(Answer[int]):
    """A mixture of a minimum number of components of a protocol, with proofs of both bounds.

    Attributes
    ----------
    problem : CommunicationProblem
    source : PublicCoinProtocol
        The components to choose from.
    allowed : Fraction
        Allowed error of the mixture on every input.
    lower, upper : int
        Bounds on the minimum number of components, equal unless the search was stopped.
    mixture : PublicCoinProtocol
        Certificate of the upper bound: a mixture of ``upper`` components, with error at most
        ``allowed``.
    distributions : tuple of HardDistribution
        Certificate of the lower bound. For every set of fewer than ``lower`` components there is a
        distribution under which each component in the set has an error above ``allowed``.
    """

    asked = ("problem", "source", "allowed")
    quantity: ClassVar[str] = "the least number of components"

    problem: CommunicationProblem
    source: PublicCoinProtocol
    allowed: Fraction
    lower: int
    upper: int
    mixture: PublicCoinProtocol
    distributions: tuple[HardDistribution, ...]

    @property
    def seeds(self) -> int:
        """Minimum number of components."""
        return self.value

    @property
    def protocol(self) -> PrivateCoinProtocol:
        """The private-coin protocol in which Alice draws a component and sends its number."""
        return send_seed(self.mixture)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: the size of a representation.

        Points are the inputs inside the promise. Each component is a hypothesis, with label 1 on
        the inputs where the component errs. A set of components has a mixture of error ``allowed``
        if and only if its hypotheses represent the concept 0 with that error.

        Raises
        ------
        CertificateError
            If the mixture has a component that is not in the protocol, a distribution lies outside
            the promise, or the distributions do not exclude all sets of fewer than ``lower``
            components.
        InstanceTooLargeError
            If the tree of cases has more than `MAX_NODES` nodes.
        """
        if not set(self.mixture.components) <= set(self.source.components):
            raise CertificateError("the mixture must consist of components of the protocol")
        self.source.check_shape(self.problem)
        for mu in self.distributions:
            mu.check_inputs(self.problem)
        cells = self.problem.inputs()
        alike = dict.fromkeys(cells, Fraction(1, len(cells)))
        distributions = [mu.as_mapping() for mu in self.distributions] or [alike]
        pool = list(dict.fromkeys(map(self._errors, self.source.components)))
        masks = [
            sum(
                1 << i
                for i, p in enumerate(distributions)
                if sum(p.get(c, 0) for c, e in zip(cells, row, strict=True) if e == "1")
                <= self.allowed
            )
            for row in pool
        ]
        near = [[0, weights_of(p.get(c, Fraction(0)) for c in cells)] for p in distributions]
        sets = [list(map(self._errors, self.mixture.components))]
        trees = [[None, weights_of(self.mixture.weights), []]]
        proof = {"neighbourhoods": near, "weights": None, "symmetries": []}
        return Certificate(
            "representation_size",
            ConceptClass.from_rows([0], [f"{x},{y}" for x, y in cells]).to_json(),
            {
                "error": encode_fraction(min(self.allowed, Fraction(1))),
                "pool": pool,
                "failure": "0",
                "lower": self.lower,
                "upper": self.upper,
            },
            {"branching": proof | {"tree": _tree(masks, len(distributions), self.lower)}},
            {
                "representation": {
                    "support": {"sets": sets, "weights": [1]},
                    "failure": {"branching": {"trees": trees}},
                }
            },
        )

    def _errors(self, part: DeterministicProtocol) -> str:
        """Return the inputs on which a component errs, as text of 0 and 1."""
        return "".join("01"[error_on(part, self.problem, *c) > 0] for c in self.problem.inputs())


def _tree(masks: list[int], families: int, size: int) -> list[dict[str, Any]]:
    """Return a case tree proving that each set of fewer than `size` components misses a family."""
    nodes: list[dict[str, Any]] = []

    def grow(chosen: int, opened: int, left: set[int]) -> None:
        if not opened or len(nodes) >= MAX_NODES:
            if opened:
                raise InstanceTooLargeError(
                    f"the proof must have at most {MAX_NODES} cases to be written as a certificate"
                )
            raise CertificateError(
                f"lower must be at most {chosen}, the bound that the distributions prove, not "
                f"{size}"
            )
        family = min(members(opened), key=lambda i: sum(mask >> i & 1 for mask in left))
        weights = [int(i == family) for i in range(families)]
        node: dict[str, Any] = {"symmetries": [], "branches": [], "weights": weights}
        nodes.append(node)
        for mask in sorted(left, reverse=True) if chosen < size - 1 else ():
            if mask >> family & 1 and mask in left:
                node["branches"].append(next(j for j, m in enumerate(masks) if m & opened == mask))
                rest = opened & ~mask
                grow(chosen + 1, rest, {m & rest for m in left})
                left = {m for m in left if m & rest}

    grow(0, (1 << families) - 1, set(masks))
    return nodes


@checked_types
def fewest_seeds(
    protocol: PublicCoinProtocol,
    problem: ProblemLike,
    excess: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    work: int = 1000,
) -> FewestSeeds:
    """Return the least number of components of a mixture with almost the error of a protocol.

    The mixture may use only components of the protocol, with any weights. Its worst-case error may
    exceed that of the protocol by ``excess``.

    Parameters
    ----------
    protocol : PublicCoinProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    excess : Fraction, int or str
        Allowed increase of the worst-case error, in [0, 1].
    time_limit : float or Budget, optional
        Seconds after which bounds are returned. If there is a limit, an interrupt has the same
        effect.
    progress : callable, optional
        Called with the lower and the upper bound on the number of components.
    work : int
        Number of distributions to try before bounds are returned.

    Returns
    -------
    FewestSeeds
        A mixture of at most ``newman_seeds`` components, and usually of far fewer.

    Raises
    ------
    NotDecidedError
        If the time limit is reached before the error of the protocol is known.

    Notes
    -----
    Source: `fx` section 3.1, eq. 3.2 (Newman 1991), which samples the components. Complexity: each
    round solves a rational game and an integer program; instances with about 30 components and 6
    seeds are fast.

    Examples
    --------
    >>> from ccsim.communication.minimax import minimax_error
    >>> from ccsim.communication.problem import equality
    >>> best = minimax_error(equality(4), 2)
    >>> few = fewest_seeds(best.protocol.to_public_coin(), best.problem, "1/10")
    >>> few.check()
    >>> few.seeds, worst_error(few.protocol, few.problem).value <= best.value + Fraction(1, 10)
    (4, True)
    """
    budget = Budget.of(time_limit, progress)
    problem = as_problem(problem, budget)
    loss = as_fraction(excess, "excess", 0, 1)
    allowed = worst_error(protocol, problem, time_limit=budget).value + loss
    cells = problem.inputs()
    errors = {
        cell: [int(error_on(part, problem, *cell)) for part in protocol.components]
        for cell in cells
    }
    distinct = list({tuple(row): cell for cell, row in errors.items()}.values())
    distributions, families = list[HardDistribution](), list[list[int]]()
    best, lower = _without_copies(protocol, errors), 1
    every = range(len(protocol.components))
    with budget:
        for _ in budget.each(range(work)):
            chosen = _smallest_hitting(families, len(every))
            lower = len(chosen)
            budget.report(lower, len(best.components))
            game = [[errors[cell][i] for i in chosen] for cell in distinct]
            value, masses, weights, _ = solve_integer_game(game)
            if value <= allowed:
                parts = [protocol.components[i] for i in chosen]
                best = PublicCoinProtocol.mixture(zip(weights, parts, strict=True))
                lower = len(best.components)
                budget.report(lower, lower)
                break
            mu = HardDistribution.from_mapping(dict(zip(distinct, masses, strict=True)))
            distributions.append(mu)
            distribution = mu.as_mapping()
            means = [sum(p * errors[c][i] for c, p in distribution.items()) for i in every]
            families.append([i for i in every if means[i] <= allowed])
    ends = lower, len(best.components)
    return FewestSeeds(problem, protocol, allowed, *ends, best, tuple(distributions))


def _without_copies(
    protocol: PublicCoinProtocol, errors: dict[Cell, list[int]]
) -> PublicCoinProtocol:
    """Return the protocol with one component for each distinct set of errors."""
    first: dict[tuple[int, ...], DeterministicProtocol] = {}
    parts = zip(zip(*errors.values(), strict=True), protocol.components, strict=True)
    kept = [first.setdefault(row, component) for row, component in parts]
    return PublicCoinProtocol.mixture(zip(protocol.weights, kept, strict=True))


def _smallest_hitting(families: list[list[int]], size: int) -> list[int]:
    """Return a smallest set that intersects every family, found by an integer program."""
    if not families:
        return [0]
    solver = QuietHighs()
    starts = np.cumsum([0, *map(len, families)])
    entries = starts, np.concatenate(families), np.ones(starts[-1])
    solver.pass_rows(np.ones(size), (0.0, 1.0), (1.0, highspy.kHighsInf), entries)
    for i in range(size):
        solver.changeColIntegrality(i, highspy.HighsVarType.kInteger)
    solver.run()
    taken = np.array(solver.getSolution().col_value)
    return [i for i in range(size) if taken[i] > 1 / 2]
