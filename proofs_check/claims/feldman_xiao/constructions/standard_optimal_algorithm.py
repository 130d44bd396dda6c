"""The standard optimal algorithm: a learner that makes at most LDim mistakes.

The game (Littlestone 1987): in each round an adversary chooses a point, the learner predicts its
label, and the adversary reveals the label. Some concept must be consistent with all labels. The
score is the number of mistakes of the learner.

Statement: the optimal mistake bound is the Littlestone dimension. The standard optimal algorithm
predicts the label whose version space has the larger dimension, so that each mistake lowers the
dimension; an adversary who walks down a complete mistake tree and always contradicts the learner
forces one mistake for each level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import NamedTuple, Self

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import validated
from ccsim.dimensions.littlestone import littlestone_dimension
from ccsim.dimensions.mistake_trees import MistakeTree
from ccsim.errors import DomainError


class Round(NamedTuple):
    """A round: a point, the prediction of the learner for it, and its label."""

    point: int
    prediction: int
    label: int


class _Memory:
    """The columns of the class, and the dimensions of version spaces computed so far."""

    __slots__ = ("columns", "concept_class", "dimensions")

    def __init__(self, concept_class: ConceptClass) -> None:
        self.concept_class = concept_class
        self.columns = columns(concept_class)
        self.dimensions: dict[int, int] = {0: -1}

    def side(self, V: int, point: int, label: int) -> int:
        """Return the concepts of a version space that have the given label on a point."""
        if not 0 <= point < len(self.columns) or label not in (0, 1):
            raise DomainError(
                f"point must be at least 0 and below {len(self.columns)}, and label 0 or 1, "
                f"not {point} and {label}"
            )
        return V & self.columns[point] if label else V & ~self.columns[point]

    def dimension(self, V: int) -> int:
        """Return the Littlestone dimension of a version space."""
        if V not in self.dimensions:
            self.dimensions[V] = littlestone_dimension(
                self.concept_class.subclass(members(V))
            ).value
        return self.dimensions[V]


_NOTHING_KNOWN = _Memory(ConceptClass((), (), ()))


@validated
class StandardOptimalAlgorithm:
    """The learner after some rounds; `update` returns the learner after one more round.

    Attributes
    ----------
    concept_class : ConceptClass
    version_space : int
        Mask of the concepts that agree with all labels so far; never empty.
    mistakes : int
        Number of wrong predictions so far.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> learner = standard_optimal_algorithm(thresholds(2))
    >>> learner.mistake_bound, learner.predict(0), learner.predict(2)
    (2, 0, 1)
    >>> wrong = learner.update(0, 1)
    >>> wrong.mistakes, wrong.mistake_bound, wrong.consistent
    (1, 0, (0,))
    """

    concept_class: ConceptClass
    version_space: int
    mistakes: int = 0
    _memory: _Memory = field(default=_NOTHING_KNOWN, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.version_space < 1 << len(self.concept_class):
            raise DomainError(
                f"version_space must be a nonempty mask of {len(self.concept_class)} concepts, "
                f"not {self.version_space}"
            )
        if self._memory.concept_class is not self.concept_class:
            object.__setattr__(self, "_memory", _Memory(self.concept_class))

    @property
    def consistent(self) -> tuple[int, ...]:
        """The concepts that agree with all labels so far."""
        return tuple(members(self.version_space))

    @property
    def mistake_bound(self) -> int:
        """Maximum number of further mistakes: the Littlestone dimension of the version space."""
        return self._memory.dimension(self.version_space)

    def predict(self, point: int) -> int:
        """Return the label whose version space has the larger Littlestone dimension, 0 if equal.

        At a tie, both have a smaller dimension than the current version space.

        Raises
        ------
        DomainError
            If the point does not exist.
        """
        zeros, ones = (self._memory.side(self.version_space, point, label) for label in (0, 1))
        if not zeros or not ones:
            return int(not zeros)
        return int(self._memory.dimension(ones) > self._memory.dimension(zeros))

    def update(self, point: int, label: int) -> Self:
        """Return the learner after its prediction for a point and the label of the point.

        Raises
        ------
        DomainError
            If the point does not exist, or no concept agrees with the label and all earlier labels.
        """
        rest = self._memory.side(self.version_space, point, label)
        if not rest:
            raise DomainError(
                f"no concept is consistent with label {label} on point {point} "
                f"({self.concept_class.points[point]}) and the earlier labels"
            )
        wrong = int(self.predict(point) != label)
        return type(self)(self.concept_class, rest, self.mistakes + wrong, self._memory)

    def play(self, sequence: Iterable[tuple[int, int]]) -> MistakeGame:
        """Play against a fixed sequence of points with labels.

        Raises
        ------
        DomainError
            At the first label with which no concept agrees.

        Examples
        --------
        >>> from ccsim.classes import lines
        >>> game = standard_optimal_algorithm(lines(3)).play([(0, 0), (1, 1), (5, 1)])
        >>> game.rounds[1], game.learner.mistakes, game.learner.consistent
        (Round(point=1, prediction=0, label=1), 2, (4,))
        """
        game = MistakeGame((), self)
        for point, label in sequence:
            game = game.extended(point, label)
        return game

    def play_against(self, adversary: Adversary) -> MistakeGame:
        """Play until the adversary ends the game.

        Parameters
        ----------
        adversary : callable
            Maps the game so far, including the current learner, to a point with its label, or to
            None to end the game. It may depend on the learner's prediction.

        Raises
        ------
        DomainError
            At the first label with which no concept agrees.

        Examples
        --------
        >>> from ccsim.classes import thresholds
        >>> tree = littlestone_dimension(thresholds(3)).tree
        >>> learner = standard_optimal_algorithm(thresholds(3))
        >>> learner.play_against(tree_adversary(tree)).learner.mistakes
        3
        """
        game = MistakeGame((), self)
        while (move := adversary(game)) is not None:
            game = game.extended(*move)
        return game


@validated
class MistakeGame:
    """The rounds of a game, and the learner after these rounds.

    Attributes
    ----------
    rounds : tuple of Round
    learner : StandardOptimalAlgorithm
    """

    rounds: tuple[Round, ...]
    learner: StandardOptimalAlgorithm

    def extended(self, point: int, label: int) -> MistakeGame:
        """Return the game with one more round.

        Raises
        ------
        DomainError
            If the point does not exist, or no concept agrees with the label and all earlier labels.
        """
        after = self.learner.update(point, label)
        played = Round(point, self.learner.predict(point), label)
        return MistakeGame((*self.rounds, played), after)


Adversary = Callable[[MistakeGame], tuple[int, int] | None]
"""Returns the next point with its label, or None at the end."""


@checked_types
def standard_optimal_algorithm(concept_class: ClassLike) -> StandardOptimalAlgorithm:
    """Return the learner at the start of the game.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept.

    Returns
    -------
    StandardOptimalAlgorithm
        It makes at most LDim mistakes on every sequence that some concept realises.

    Raises
    ------
    DomainError
        If the class is empty, so that no sequence of labels is possible.

    Notes
    -----
    Complexity: a prediction computes the Littlestone dimensions of two version spaces. Computed
    dimensions are cached and shared with the learners returned by
    `StandardOptimalAlgorithm.update`.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> standard_optimal_algorithm(points(2)).mistake_bound
    1
    """
    concept_class = as_class(concept_class)
    if not len(concept_class):
        raise DomainError(
            "the mistake-bound game needs a class with at least one concept, not an empty class"
        )
    return StandardOptimalAlgorithm(concept_class, (1 << len(concept_class)) - 1)


@checked_types
def tree_adversary(tree: MistakeTree) -> Adversary:
    """Return the adversary who walks down a complete mistake tree and contradicts the learner.

    Against every learner, it forces one mistake for each level of the tree.

    Parameters
    ----------
    tree : MistakeTree
        A complete mistake tree for the class that is played with.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> C = thresholds(2)
    >>> adversary = tree_adversary(littlestone_dimension(C).tree)
    >>> standard_optimal_algorithm(C).play_against(adversary).learner.mistakes
    2
    """
    depth = tree.depth

    def adversary(game: MistakeGame) -> tuple[int, int] | None:
        path = "".join(str(played.label) for played in game.rounds)
        if len(path) == depth:
            return None
        point = tree.node(path)
        return point, 1 - game.learner.predict(point)

    return adversary
