"""The minimax error for a given number of messages, and the minimum number for a given error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from operator import attrgetter
from typing import Any, ClassVar, Self, overload

from ccsim.appearance import in_short, in_words
from ccsim.arguments.checked import checked_types
from ccsim.arguments.renamed import Renamed
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.answer import (
    about_instance,
    data_frame,
    html_table,
    picture_of,
    question_of,
    with_picture,
)
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.communication.colouring import ConflictTree, colour_conflicts, conflict_tree
from ccsim.communication.distributional import DistributionProof, nothing_proved, prove_by_squares
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.interactive.neighbours import with_more_bits, with_neighbours
from ccsim.communication.interactive.results import (
    MODELS,
    InteractiveCurve,
    InteractiveErrorResult,
    messages_of,
    some_models,
)
from ccsim.communication.interactive.solver import InteractiveSolver
from ccsim.communication.partitions.tables import MAX_ROWS, MAX_ROWS_OF_TWO
from ccsim.communication.private_coins.bounds import PrivateBounds, PrivateCoinSearch, PrivateProof
from ccsim.communication.private_coins.rounds import FEW_ROWS, fewest_messages
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.communication.protocols.two_party import worst_error
from ccsim.communication.public_coins.search import Optimum
from ccsim.communication.public_coins.solver import PublicCoinSolver
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction, ceil_log2
from ccsim.symmetry.groups import MAX_EXCHANGED_ROWS

COINS = ("public", "private", "deterministic")
"""Kinds of coins."""
DEFAULT_GAP = Fraction(1, 1000)
"""Distance between the bounds at which a search for private coins stops."""
MAX_NUMBERS = 1 << 14  # maximum number of points of an error curve
_LARGE = 1000  # inputs; of larger problems, an expired search has no bounds of its own
MAX_BITS = 1 << 12  # maximum number of bits of a protocol


@frozen
class MinimaxResult(Answer[Fraction]):
    """The minimax error, or bounds on it, with a protocol and a proof of the lower bound.

    Attributes
    ----------
    problem : CommunicationProblem
    messages : int
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    lower, upper : Fraction
        Bounds on the minimax error over the inputs inside the promise; equal if it is known.
    protocol : PublicCoinProtocol, SymmetricProtocol, PrivateCoinProtocol or DeterministicProtocol
        Certificate of the upper bound: ``upper`` is its largest error.
    below : DistributionProof, ConflictTree or PrivateProof
        Certificate of the lower bound: a hard distribution, a proof that is valid only for
        deterministic protocols (``ConflictTree``), or one that is valid only for private coins
        (``ExcludedSigns``, ``RadonPartitions``, ``UnsortedInputs``, ``BoxTree``,
        ``DependencyTree`` or ``SimplexTree``).
    method : str
        Method that found the bounds.
    """

    asked = ("problem", "messages", "coins")
    quantity: ClassVar[str] = "the minimax error"

    problem: CommunicationProblem
    messages: int
    coins: str
    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol | PrivateCoinProtocol | DeterministicProtocol
    below: PrivateProof | DistributionProof | ConflictTree
    method: str

    @property
    def message_bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    bits = Renamed("message_bits")

    @property
    def needed(self) -> str | None:
        """The resources needed for an exact answer, as text; None if the bounds coincide."""
        if self.exact:
            return None
        if self.coins == "private":
            return "a smaller gap or more time; the bounds of an irrational value never coincide"
        if self.method != "bounds":
            return "more time"
        return (
            f"an exact search, which is limited to {MAX_ROWS} undominated inputs of Alice "
            f"({MAX_ROWS_OF_TWO} for two messages or many symmetries, {MAX_EXCHANGED_ROWS} if "
            "they are interchangeable)"
        )

    @property
    def distribution(self) -> HardDistribution | None:
        """The hard distribution that proves the lower bound; None for other kinds of proof."""
        if self.coins == "deterministic" or not isinstance(self.below, DistributionProof):
            return None
        return self.below.distribution

    @property
    def proof(self) -> PrivateProof | None:
        """The proof of the lower bound if it is valid for private coins only; None otherwise."""
        return None if isinstance(self.below, DistributionProof | ConflictTree) else self.below

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON output of ``ccsim error --json`` as a dictionary."""
        return {
            "question": question_of(self),
            **about_instance(self.problem),
            "messages": self.messages,
            "bits": self.message_bits,
            "coins": self.coins,
            "value": encode_fraction(self.value) if self.exact else None,
            "exact": self.exact,
            "lower": encode_fraction(self.lower),
            "upper": encode_fraction(self.upper),
            "needed": self.needed,
        }

    def without_lower(self) -> Self:
        """Return the result with the trivial lower bound 0."""
        return replace(self, lower=Fraction(0), below=nothing_proved(self.problem))

    def with_quick_lower(self) -> Self:
        """Return the result with a weaker lower bound that is fast to check, or with bound 0."""
        distribution = self.distribution
        found = (
            None
            if distribution is None
            else prove_by_squares(self.problem, distribution, self.messages)
        )
        if found is None:
            return self.without_lower()
        return replace(self, lower=found[0], below=found[1])

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        return Certificate(
            "minimax_error",
            self.problem.to_json(),
            {"messages": encode_integers([self.messages])[0], "coins": self.coins, **bounds},
            self.lower_proof(),
            {"protocol": {"tables": self.protocol.to_json()}},
        )

    def lower_proof(self) -> dict[str, Any]:
        """Return the lower-bound part of a certificate."""
        if isinstance(self.below, DistributionProof | ConflictTree):
            return self.below.to_json()
        return self.below.lower_proof(self.problem, self.messages)


class ErrorCurve(tuple[MinimaxResult, ...]):
    """The minimax error of a problem for each number of messages.

    Examples
    --------
    >>> from ccsim import equality, error_curve
    >>> curve = error_curve(equality(4))
    >>> curve
    ErrorCurve(equality:n=4: 4 x 4, total; public coins; 1 to 4 messages)
    >>> [row["value"] for row in curve.to_dict()]
    ['1/2', '3/13', '1/8', '0']
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "ErrorCurve()"
        numbers = [result.messages for result in self]
        asked = in_words(self[0].problem)
        ends = f"{in_short(min(numbers))} to {in_short(max(numbers))} messages"
        return f"ErrorCurve({asked}; {self[0].coins} coins; {ends})"

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the JSON output of ``ccsim error --json`` for several numbers of messages."""
        return [result.to_dict() for result in self]

    def to_dataframe(self) -> Any:  # noqa: ANN401 - of pandas, if it is there
        """Return a pandas DataFrame with a row for each number of messages."""
        return data_frame(self.to_dict())

    def _repr_html_(self) -> str:
        """Return an HTML table and the curve, for notebooks."""
        rows = [
            (r.messages, r.message_bits, " to ".join(map(in_short, sorted({r.lower, r.upper}))))
            for r in self
        ]
        return with_picture(html_table(("messages", "bits", "minimax error"), rows), self)

    def _repr_svg_(self) -> str | None:
        """Return the curve as SVG if matplotlib is installed."""
        return picture_of(self)


@overload
def minimax_error(
    problem: ProblemLike,
    messages: int,
    coins: str = ...,
    *,
    model: str = ...,
    time_limit: TimeLimit = ...,
    progress: Progress | None = ...,
    jobs: Jobs = ...,
    gap: Fraction | int | str = ...,
    target: Fraction | int | str | None = ...,
) -> MinimaxResult: ...
@overload
def minimax_error(
    problem: ProblemLike,
    messages: None = None,
    coins: str = ...,
    *,
    model: str = ...,
    bits: int,
    rounds: int | None = ...,
    time_limit: TimeLimit = ...,
    progress: Progress | None = ...,
    jobs: Jobs = ...,
    target: Fraction | int | str | None = ...,
) -> InteractiveErrorResult: ...
@checked_types
def minimax_error(  # noqa: PLR0913 - the options of four models
    problem: ProblemLike,
    messages: int | None = None,
    coins: str = "public",
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
    model: str = "one-way",
    bits: int | None = None,
    rounds: int | None = None,
    gap: Fraction | int | str = DEFAULT_GAP,
    target: Fraction | int | str | None = None,
) -> MinimaxResult | InteractiveErrorResult:
    """Return the minimax error of protocols with a number of messages, or with a number of bits.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        One-way errors are exact for up to 20 inputs of Alice, without dominated inputs (25 for two
        messages or with many symmetries, 62 if the inputs are interchangeable), and two-way and
        simultaneous errors for 10 x 10 inputs (16 x 16 for two bits). For larger problems,
        bounds are returned.
    messages : int, optional
        Number of messages of a one-way protocol, at least 1; need not be a power of two. Either
        this number or ``bits`` must be given.
    coins : str
        ``"public"``, ``"deterministic"`` or ``"private"``; with ``bits``, only ``"public"``. For
        private coins the answer may be an interval; the bounds coincide if Radon's theorem or a
        hard distribution proves the error of the best protocol found.
    time_limit : float or Budget, optional
        Seconds after which the bounds proved so far are returned. If there is a limit, an interrupt
        (Ctrl-C) has the same effect. Without a limit, small problems with public coins are solved
        exactly, and the number of steps for other problems is bounded, so equal calls return equal
        results.
    progress : callable, optional
        Called after every round with a lower and an upper estimate, as floats.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.
    model : str
        The model of communication. All bits that are sent are counted, also the answer.

        * ``"one-way"``: Alice sends one of ``2**(bits-1)`` messages, and Bob sends the answer.
        * ``"one-way-from-bob"``: the same with the players exchanged.
        * ``"two-way"``: a tree of depth ``bits``. At each node, one player sends a bit; the leaf
          that is reached determines the answer.
        * ``"simultaneous"``: both players send a message, together at most ``bits`` bits, to a
          referee, who answers. Public coins may determine how the bits are divided.
    bits : int, optional
        Number of bits that both players may send together, from 0 to `MAX_BITS`. With 0 bits, the
        answer depends only on the coins.
    rounds : int, optional
        Maximum number of rounds of a two-way protocol, at least 1: on each path, the speaker
        changes at most ``rounds - 1`` times. Either player may begin. Default: no limit.
    gap : Fraction, int or str
        For private coins: distance between the bounds at which the search stops, in [0, 1].
    target : Fraction, int or str, optional
        A number in [0, 1]. The search stops as soon as it decides whether the error is at most
        ``target``.

    Returns
    -------
    MinimaxResult or InteractiveErrorResult
        An InteractiveErrorResult if ``bits`` is given.

    Notes
    -----
    Complexity: each round solves a linear program in floats with a row for each orbit of inputs. A
    few exact pricing steps take ``2**n m + (k-2) 3**(n-1)`` operations for ``n x m`` inputs and
    ``k`` messages. `docs/benchmarks-minimax.md` has measured times. A best tree of 2 bits takes
    ``2**n m + 2**m n`` operations, one of 3 bits ``2**(n+m) (n+m)``, and each further bit adds
    ``3**n 2**m + 2**n 3**m``.

    Examples
    --------
    >>> from ccsim.communication.problem import equality, greater_than
    >>> result = minimax_error(equality(4), 2)
    >>> result.value
    Fraction(3, 13)
    >>> result.check()
    >>> two_way = minimax_error(greater_than(6), bits=3, model="two-way")
    >>> two_way.value, minimax_error(greater_than(6), bits=3).value
    (Fraction(1, 10), Fraction(1, 8))
    >>> two_way.check()
    """
    budget = Budget.of(time_limit, progress, jobs)
    allowed = None if target is None else as_fraction(target, "target", 0, 1)
    if (messages is None) == (bits is None):
        raise DomainError("either messages or bits must be given")
    if bits is not None:
        _check_model(model, bits, rounds, coins)
        return _Models(as_problem(problem, budget)).solve(model, bits, rounds, budget, allowed)
    if model != "one-way" or rounds is not None:
        raise DomainError("bits must be given for a model other than one-way, and for rounds")
    return least_error(
        PublicCoinSolver(as_problem(problem, budget)),
        messages or 0,
        coins,
        budget,
        goals=(gap, allowed),
    )


def _check_model(model: str, bits: int, rounds: int | None, coins: str) -> None:
    """Raise `DomainError` unless there are protocols of a model."""
    if model not in MODELS:
        raise DomainError(f"model must be one of {', '.join(MODELS)}, not {show_value(model)}")
    if not 0 <= bits <= MAX_BITS:
        raise DomainError(f"bits must be between 0 and {MAX_BITS}, not {show_value(bits)}")
    if rounds is not None and rounds < 1:
        raise DomainError(f"rounds must be at least 1, not {show_value(rounds)}")
    if rounds is not None and model != "two-way":
        raise DomainError(f"rounds must not be given for the model {model}, only for two-way")
    if coins != "public":
        raise DomainError(f"coins must be public if bits are given, not {show_value(coins)}")


class _Models:
    """The minimax errors of a problem in all models, for numbers of bits."""

    def __init__(self, problem: CommunicationProblem) -> None:
        self._problem = problem

    @cached_property
    def _interactive(self) -> InteractiveSolver:
        return InteractiveSolver(self._problem)

    @cached_property
    def _one_way(self) -> tuple[PublicCoinSolver, PublicCoinSolver]:
        turned = self._problem.transposed()
        if turned.name:
            turned = replace(turned, name=f"{turned.name}, players exchanged")
        return PublicCoinSolver(self._problem), PublicCoinSolver(turned)

    def solve(
        self,
        model: str,
        bits: int,
        rounds: int | None,
        budget: Budget,
        target: Fraction | None = None,
    ) -> InteractiveErrorResult:
        """Return the minimax error in a model."""
        made = partial(InteractiveErrorResult, self._problem, model, bits, rounds)
        if bits and model.startswith("one-way"):
            solver = self._one_way[model != "one-way"]
            messages = messages_of(bits, solver.problem)
            best = least_error(solver, messages, "public", budget, goals=(DEFAULT_GAP, target))
            hard = best.distribution
            if hard is not None and model != "one-way":
                hard = HardDistribution.from_integers((x, y, w) for y, x, w in hard.weights)
            return made(
                best.lower,
                best.upper,
                best.protocol,
                hard,
                by_discrepancy=False,
                one_way=best,
                method=best.method,
            )
        if model == "simultaneous":
            found = self._interactive.simultaneous(bits, budget, target)
        else:
            found = self._interactive.two_way(bits, rounds, budget, target)
        return made(
            found.lower,
            found.upper,
            found.protocol,
            found.below.distribution,
            by_discrepancy=found.below.by_discrepancy,
            one_way=None,
            method=found.method,
        )


def least_error(
    solver: PublicCoinSolver,
    messages: int,
    coins: str,
    budget: Budget,
    *,
    goals: tuple[Fraction | int | str, Fraction | None] = (DEFAULT_GAP, None),
    quick: bool = False,
    known: MinimaxResult | None = None,
) -> MinimaxResult:
    """Return `minimax_error` of the solver's problem; if ``quick``, without case trees.

    ``goals`` are the gap and the target, and ``known`` is the result of a quick attempt.
    """
    problem, (gap, target) = solver.problem, goals
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    if coins not in COINS:
        raise DomainError(f"coins must be one of {', '.join(COINS)}, not {coins!r}")
    if coins == "deterministic":
        if messages < solver.enough:
            return _deterministic(problem, messages, budget)
        return _without_coins(problem, messages, coins, solver.without_error())
    if coins == "public":
        best = solver.solve(messages, budget, target)
        return MinimaxResult(
            problem, messages, coins, best.lower, best.upper, best.protocol, best.below, best.method
        )
    report = budget.report  # a protocol with public coins says nothing about private ones
    part = budget.share(1 / 2, progress=lambda lower, _: report(lower, Fraction(1, 2)))
    best = solver.solve(messages, part)
    if best.upper == 0:
        return _without_coins(problem, messages, coins, best)
    allowed = as_fraction(gap, "gap", 0, 1)
    public = (best.lower, best.below)
    search = PrivateCoinSearch(problem, messages, public, (allowed, target), budget)
    bounds = search.run(quick=quick, known=_private_bounds(known))
    ends = bounds.lower, bounds.upper
    return MinimaxResult(
        problem, messages, coins, *ends, bounds.protocol, bounds.below, "enclosure"
    )


def _private_bounds(known: MinimaxResult | None) -> PrivateBounds | None:
    """Return the bounds of a result with private coins, None if there are none."""
    if known is None or not isinstance(known.protocol, PrivateCoinProtocol):
        return None
    if isinstance(known.below, ConflictTree):
        return None
    return PrivateBounds(known.lower, known.upper, known.protocol, known.below)


def _without_coins(
    problem: CommunicationProblem, messages: int, coins: str, best: Optimum
) -> MinimaxResult:
    """Return a deterministic protocol of error 0: any component of a mixture of error 0."""
    protocol, zero = best.protocol, Fraction(0)
    mixture = protocol.base if isinstance(protocol, SymmetricProtocol) else protocol
    part = mixture.components[0]
    return MinimaxResult(problem, messages, coins, zero, zero, part, best.below, "colouring")


def _deterministic(problem: CommunicationProblem, messages: int, budget: Budget) -> MinimaxResult:
    """Return a protocol from a colouring of the conflict graph, or a proof that the error is 1."""
    colours: list[int] | None = None
    below: DistributionProof | ConflictTree = nothing_proved(problem)
    with budget:
        colours = colour_conflicts(problem, messages, budget)
        if colours is None:
            below = ConflictTree(tuple(conflict_tree(problem, messages, budget)))
    answers = [0] * (max(colours or (0,)) + 1)
    for x, colour in enumerate(colours or ()):
        answers[colour] |= problem.ones[x]
    sent = tuple(colours or (0,) * len(problem.alice))
    protocol = DeterministicProtocol(sent, tuple(answers), len(problem.bob))
    lower = Fraction(isinstance(below, ConflictTree))
    upper = worst_error(protocol, problem).value if colours is None else Fraction(0)
    return MinimaxResult(
        problem, messages, "deterministic", lower, upper, protocol, below, "colouring"
    )


@overload
def error_curve(
    problem: ProblemLike,
    messages: Iterable[int] | None = ...,
    coins: str = ...,
    *,
    time_limit: TimeLimit = ...,
    progress: Progress | None = ...,
) -> ErrorCurve: ...
@overload
def error_curve(
    problem: ProblemLike,
    messages: None = None,
    coins: str = ...,
    *,
    model: str | Iterable[str] = ...,
    bits: Iterable[int],
    rounds: int | None = ...,
    time_limit: TimeLimit = ...,
    progress: Progress | None = ...,
) -> InteractiveCurve: ...
@checked_types
def error_curve(  # noqa: PLR0913 - the options of four models
    problem: ProblemLike,
    messages: Iterable[int] | None = None,
    coins: str = "public",
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    model: str | Iterable[str] = "one-way",
    bits: Iterable[int] | None = None,
    rounds: int | None = None,
) -> ErrorCurve | InteractiveCurve:
    """Return the minimax error for each number of messages, or of bits in one or more models.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        The answers are exact under the same conditions as for `ccsim.minimax_error`.
    messages : iterable of int, optional
        Default: 1 to the number of Alice's inputs, which always suffices. If the numbers increase,
        each search starts from the protocols and the distribution of the previous search.
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``; with ``bits``, only ``"public"``.
    time_limit : float or Budget, optional
        Seconds for all searches; the remaining time is shared evenly among the remaining numbers.
        Otherwise as for `ccsim.minimax_error`.
    progress : callable, optional
        Called for each number in turn, with bounds on the error.
    model : str or iterable of str
        One or more of the models of `ccsim.minimax_error`, or ``"all"``. Models other than
        ``"one-way"`` require ``bits``.
    bits : iterable of int, optional
        Numbers of bits, instead of numbers of messages.
    rounds : int, optional
        Maximum number of rounds for the model ``"two-way"``.

    Returns
    -------
    ErrorCurve or InteractiveCurve
        A tuple of MinimaxResult or, if ``bits`` are given, of InteractiveErrorResult.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_NUMBERS` numbers of messages or of bits.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> [str(result.value) for result in error_curve(equality(4))]
    ['1/2', '3/13', '1/8', '0']
    >>> curve = error_curve("greater_than:n=4", bits=[1, 2, 3], model="two-way", rounds=2)
    >>> [str(result.value) for result in curve]
    ['3/7', '1/5', '0']
    """
    budget = Budget.of(time_limit, progress)
    problem = as_problem(problem, budget)
    if bits is not None:
        if messages is not None:
            raise DomainError("either messages or bits must be given, not both")
        return _curve_of_bits(problem, some_models(model), bits, rounds, coins, budget)
    if some_models(model) != ("one-way",) or rounds is not None:
        raise DomainError("bits must be given for a model other than one-way, and for rounds")
    everything = range(1, len(problem.alice) + 1)
    numbers = _numbers("messages", everything if messages is None else messages, 1)
    solver = PublicCoinSolver(problem)
    curve: list[MinimaxResult] = []
    for done, k in enumerate(numbers):
        share = budget.share(1 / (len(numbers) - done))
        fewer = [result for result in curve if result.messages <= k]
        if fewer and budget.expired and k < len(problem.alice):
            best = min(fewer, key=attrgetter("upper"))  # which may leave messages unused
            curve.append(replace(best, messages=k).without_lower())
        else:
            curve.append(least_error(solver, k, coins, share))
    return ErrorCurve(curve)


def _numbers(name: str, asked: Iterable[int], least: int) -> list[int]:
    """Return the numbers of a curve; raise an error if there are too many, or one is too small."""
    numbers = list(islice(asked, MAX_NUMBERS + 1))
    if len(numbers) > MAX_NUMBERS:
        raise InstanceTooLargeError(f"{name} must have at most {MAX_NUMBERS} values in a curve")
    for k in numbers:
        if type(k) is not int or k < least:
            raise DomainError(f"{name} must be integers of at least {least}, not {show_value(k)}")
    return numbers


def _curve_of_bits(
    problem: CommunicationProblem,
    models: Sequence[str],
    bits: Iterable[int],
    rounds: int | None,
    coins: str,
    budget: Budget,
) -> InteractiveCurve:
    """Return the minimax errors for numbers of bits in some models."""
    numbers, curve = _numbers("bits", bits, 0), list[InteractiveErrorResult]()
    if rounds is not None and "two-way" not in models:
        raise DomainError("rounds must be given only for the model two-way")
    asked = [(m, c, rounds if m == "two-way" else None) for m in models for c in numbers]
    for model, c, limit in asked:
        _check_model(model, c, limit, coins)
    solver, is_large = _Models(problem), len(problem.alice) * len(problem.bob) > _LARGE
    for done, (model, c, limit) in enumerate(asked):
        fewer = [r for r in curve if r.model == model and 0 < r.bits <= c]
        if fewer and budget.expired and is_large:
            curve.append(with_more_bits(min(fewer, key=attrgetter("upper")), c))
        else:
            share = budget.share(1 / (len(asked) - done))
            curve.append(solver.solve(model, c, limit, share))
    return InteractiveCurve(with_neighbours(curve))


@frozen
class ComplexityResult(Answer[int]):
    """The minimum number of messages for an error, with the two minimax results that prove it.

    Attributes
    ----------
    problem : CommunicationProblem
    error : Fraction
        Error allowed on every input.
    coins : str
        ``public``, ``private`` or ``deterministic``.
    lower, upper : int
        Bounds on the minimum number of messages, equal unless time ran out.
    reached : MinimaxResult
        Certificate of the upper bound: the minimax error with ``upper`` messages is at most
        ``error``.
    missed : MinimaxResult or None
        Certificate of the lower bound: the minimax error with ``lower - 1`` messages is above
        ``error``; None if ``lower`` is 1.
    """

    asked = ("problem", "error", "coins")
    quantity: ClassVar[str] = "the least number of messages"

    problem: CommunicationProblem
    error: Fraction
    coins: str
    lower: int
    upper: int
    reached: MinimaxResult
    missed: MinimaxResult | None

    @property
    def messages(self) -> int:
        """Minimum number of messages."""
        return self.value

    @property
    def bits(self) -> int:
        """Complexity in bits, ``ceil(log2 messages)``."""
        return ceil_log2(self.messages)

    @property
    def needed(self) -> str | None:
        """The resources needed for an exact answer, as text; None if the bounds coincide."""
        if self.exact:
            return None
        sides = [side for side in (self.missed, self.reached) if side is not None]
        return next((s.needed for s in sides if s.method == "bounds" and s.needed), "more time")

    def without_lower(self) -> Self:
        """Return the result with the trivial lower bound 1."""
        return replace(self, lower=1, reached=self.reached.without_lower(), missed=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        missed, lower = self.missed, {"trivial": dict[str, object]()}
        if missed is not None:
            proof = {"messages": missed.messages, "proof": missed.lower_proof()}
            lower = {"too_few": proof}
        return Certificate(
            "communication_complexity",
            self.problem.to_json(),
            {
                "error": encode_fraction(self.error),
                "coins": self.coins,
                "lower": self.lower,
                "upper": self.upper,
            },
            lower,
            {"protocol": {"tables": self.reached.protocol.to_json()}},
        )


@checked_types
def communication_complexity(
    problem: ProblemLike,
    error: Fraction | int | str,
    coins: str = "public",
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
    trying: Callable[[int, int, int], None] | None = None,
) -> ComplexityResult:
    """Return the minimum number of messages of a one-way protocol with a given worst-case error.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        The answer is exact under the same conditions as for `ccsim.minimax_error`; otherwise bounds
        are returned.
    error : Fraction, int or str
        Allowed error, between 0 and 1.
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    time_limit : float or Budget, optional
        Seconds after which bounds are returned. If there is a limit, an interrupt has the same
        effect.
    progress : callable, optional
        Called for each number of messages tried, with bounds on its error.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.
    trying : callable, optional
        Called before each attempt with the number of messages and the bounds on the answer.

    Returns
    -------
    ComplexityResult
        ``messages`` and ``bits``; any number of messages is considered, not only powers of two.

    Notes
    -----
    The number of messages is doubled until the error is attained, and then bisected. A time limit
    is shared among the numbers to be tried. Undecided numbers are tried a second time. For private
    coins, only the second attempt uses trees of cases, the slowest method.

    Complexity: about ``2 log2 messages`` decisions, each at most as long as `ccsim.minimax_error`.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> result = communication_complexity(equality(4), "1/4")
    >>> result.messages, result.bits
    (2, 1)
    """
    allowed = as_fraction(error, "error", 0, 1)
    budget = Budget.of(time_limit, progress, jobs)
    problem = as_problem(problem, budget)
    solver = PublicCoinSolver(problem)
    numbers = _Numbers(least_error(solver, solver.enough, coins, budget))
    if coins == "private" and (made := _by_rounds(solver, allowed, numbers.upper - 1, budget)):
        numbers.settle(made, allowed)
    while (messages := numbers.next(over=budget.expired)) is not None:
        if trying is not None:
            trying(messages, numbers.lower, numbers.upper)
        part = budget.share(numbers.share)
        quick, known = numbers.first, numbers.known.get(messages)
        found = least_error(
            solver, messages, coins, part, goals=(DEFAULT_GAP, allowed), quick=quick, known=known
        )
        numbers.settle(found, allowed)
    return ComplexityResult(
        problem, allowed, coins, numbers.lower, numbers.upper, numbers.reached, numbers.missed
    )


def _by_rounds(
    solver: PublicCoinSolver, error: Fraction, most: int, budget: Budget
) -> MinimaxResult | None:
    """Return a private-coin protocol of a large problem with at most `most` messages, if found."""
    reduced = solver.reduced
    if len(reduced.rows) <= FEW_ROWS:
        return None
    rounds = fewest_messages(reduced.values(), error, most, budget)
    if rounds is None:
        return None
    protocol, below, zero = rounds.protocol(reduced), nothing_proved(solver.problem), Fraction(0)
    given = solver.problem, protocol.messages, "private"
    return MinimaxResult(*given, zero, rounds.error, protocol, below, "enclosure")


class _Numbers:
    """The bisection: numbers of messages that are too few or sufficient, and the next to try."""

    def __init__(self, surely: MinimaxResult) -> None:
        self.lower, self.reached = 1, _with_own_messages(surely)
        self.upper = self.reached.messages
        self.missed: MinimaxResult | None = None
        self.first = True
        self.known: dict[int, MinimaxResult] = {}  # of the first attempts that decided nothing
        self._open: set[int] = set()
        self._doubled = 1

    @property
    def share(self) -> float:
        """The share of the remaining time for the next attempt."""
        return 1 / (max(1, len(self._left()).bit_length()) + (self.first and bool(self._open)))

    def next(self, *, over: bool) -> int | None:
        """Return the number to try next; undecided numbers are retried after all untried ones."""
        if self._doubled < self.upper and (not over or self._doubled == 1):
            messages, self._doubled = self._doubled, 2 * self._doubled
            return messages
        if over:
            return None
        if self.first and not self._left():
            self.first, self._open = False, set()
        left = self._left()
        return left[len(left) // 2] if left else None

    def settle(self, result: MinimaxResult, allowed: Fraction) -> None:
        """Update the bounds with a result."""
        if result.upper <= allowed:
            self.reached = _with_own_messages(result)
            self.upper = self.reached.messages
        elif result.lower > allowed:
            self.lower, self.missed = result.messages + 1, result
        else:
            self._open.add(result.messages)
            self.known[result.messages] = result

    def _left(self) -> list[int]:
        """Return the numbers between the bounds that are not yet marked as undecided."""
        return [k for k in range(self.lower, self.upper) if k not in self._open]


def _with_own_messages(result: MinimaxResult) -> MinimaxResult:
    """Return the result for the number of messages that its protocol uses."""
    own = result.protocol.messages
    return result if own == result.messages else replace(result.without_lower(), messages=own)
