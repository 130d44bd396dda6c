"""What a claim is, and the table of all claims.

A claim is a numbered statement of a paper together with a check that decides it on finite
instances. Its status is computed by running the check; nobody writes "proved". What a person does
record is the verdict that is expected: a printed statement that fails is kept as an erratum, with
`Verdict.FAILS` on record, beside the corrected claim. A statement that no finite computation
decides (asymptotic, conditional, about infinitely many distributions at once) has
`Verdict.NOT_DECIDED` on record with the reason; its check decides finite consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType

from ccsim.errors import DomainError
from ccsim.exact import LogSum

__all__ = [
    "Claim",
    "Instance",
    "Kind",
    "Size",
    "Verdict",
    "claim_table",
    "nothing_finite",
    "verdict_of",
]


class Verdict(Enum):
    """Outcome of a check; what was not checked is never counted as holding."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_DECIDED = "not decided"


class Kind(Enum):
    """What sort of statement a claim is."""

    DEFINITION = "definition"
    LEMMA = "lemma"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    EXAMPLE = "example"
    REMARK = "remark"
    ERRATUM = "erratum"
    CONJECTURE = "conjecture"


class Size(Enum):
    """How large a grid of instances is; each contains the smaller ones."""

    SMALL = 1
    MEDIUM = 2
    LARGE = 3

    def allows(self, other: Size) -> bool:
        """Whether instances of size ``other`` belong to this grid."""
        return other.value <= self.value


@dataclass(frozen=True, slots=True)
class Instance:
    """Verdict on one instance of a claim.

    Attributes
    ----------
    name : str
        INSTANCE text and parameters, enough to run this one alone.
    verdict : Verdict
    detail : str
        Both sides of the decided inequality; for a failure the counterexample, for an undecided
        instance the reason.
    slack : Fraction or None
        By how much the decided inequality holds (negative: fails), rounded down where it is
        irrational; None where there is no single inequality.
    """

    name: str
    verdict: Verdict
    detail: str
    slack: Fraction | None = None

    @classmethod
    def of(cls, name: str, holds: bool | None, detail: str) -> Instance:  # noqa: FBT001
        """Return the instance whose verdict is a decided truth value, or None for undecided."""
        verdicts = {True: Verdict.HOLDS, False: Verdict.FAILS, None: Verdict.NOT_DECIDED}
        return cls(name, verdicts[holds], detail)

    @classmethod
    def at_most(
        cls, name: str, left: Fraction | LogSum, right: Fraction | LogSum | int, detail: str = ""
    ) -> Instance:
        """Return the instance that decides ``left <= right``, with its slack.

        Parameters
        ----------
        name, detail : str
            The detail follows both sides, which are printed first.
        left, right : Fraction, LogSum or int
            Compared exactly.

        Examples
        --------
        >>> Instance.at_most("m=2", Fraction(1, 4), Fraction(1, 3)).slack
        Fraction(1, 12)
        >>> Instance.at_most("b=3", LogSum.log2(3), 1).detail
        '1.585 > 1'
        """
        difference = right - left
        holds = difference >= 0
        if isinstance(difference, LogSum):
            slack = Fraction(int(difference.enclose().lower * _SLACK_UNIT // 1), _SLACK_UNIT)
        else:
            slack = Fraction(difference)
        shown = f"{_shown(left)} {'<=' if holds else '>'} {_shown(right)}"
        text = f"{shown}; {detail}" if detail else shown
        return cls(name, Verdict.HOLDS if holds else Verdict.FAILS, text, slack)

    @classmethod
    def tightest(
        cls,
        name: str,
        cases: Iterable[tuple[object, Fraction | LogSum, Fraction | LogSum | int]],
    ) -> Instance:
        """Return one instance for many cases of ``left <= right``: the one with the least slack.

        Parameters
        ----------
        name : str
            What the cases are; their number is added.
        cases : iterable of (object, left, right)
            The object is shown for the tightest case; where an inequality fails, it is the
            counterexample.

        Examples
        --------
        >>> squares = ((n, Fraction(n), Fraction(n * n)) for n in range(4))
        >>> Instance.tightest("n <= n**2", squares).name
        'n <= n**2, 4 cases'
        """
        number, best = 0, None
        for case, left, right in cases:
            number += 1
            difference = right - left
            if best is None or difference < best[0]:
                best = (difference, case, left, right)
        if best is None:
            return cls(name, Verdict.NOT_DECIDED, "there is no case")
        _, case, left, right = best
        return cls.at_most(f"{name}, {number} cases", left, right, f"tightest at {case}")

    @classmethod
    def all_of(cls, name: str, cases: Iterable[tuple[object, bool]], what: str) -> Instance:
        """Return one instance for many decided cases; the first false one is the counterexample.

        Examples
        --------
        >>> Instance.all_of("n < 3", ((n, n**2 < 5) for n in range(4)), "n**2 < 5").detail
        'not so for 3: n**2 < 5'
        """
        number = 0
        for case, holds in cases:
            number += 1
            if not holds:
                return cls(name, Verdict.FAILS, f"not so for {case}: {what}")
        if number == 0:
            return cls(name, Verdict.NOT_DECIDED, "there is no case")
        return cls(f"{name}, {number} cases", Verdict.HOLDS, what)


_SLACK_UNIT = 10**9


def _shown(value: Fraction | LogSum | int) -> str:
    return f"{float(value):.4g}" if isinstance(value, LogSum) else str(value)


@dataclass(frozen=True, slots=True)
class Claim:
    """A numbered statement and its check.

    Attributes
    ----------
    key : str
        Key of the catalogue of claims, ``paper/name``.
    number : str
        Where the statement stands, in both versions of the paper.
    title : str
        A few words.
    statement : str
        The statement that is checked, with its hypotheses, in our own words.
    kind : Kind
    check : callable
        Yields the instances of a grid with their verdicts.
    uses : tuple of str
        Keys of claims that its proof uses.
    recorded : Verdict
        The verdict on record.
    corrects : str or None
        Key of the erratum that this claim repairs.
    reason : str
        Why no finite computation decides the statement, which is then on record as not decided;
        the check yields finite consequences.
    """

    key: str
    number: str
    title: str
    statement: str
    kind: Kind
    check: Callable[[Size], Iterator[Instance]]
    uses: tuple[str, ...] = ()
    recorded: Verdict = Verdict.HOLDS
    corrects: str | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if bool(self.reason) != (self.recorded is Verdict.NOT_DECIDED):
            raise DomainError(
                f"claim {self.key} must have a reason if and only if it is not decided"
            )

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.key.split("/", 1)[0]


def verdict_of(instances: Iterable[Instance]) -> Verdict:
    """Return the verdict on a claim: one failure decides, and nothing checked is not decided.

    Examples
    --------
    >>> verdict_of([]).value
    'not decided'
    >>> verdict_of([Instance.of("a", True, ""), Instance.of("b", False, "1 > 0")]).value
    'fails'
    """
    verdicts = [instance.verdict for instance in instances]
    if Verdict.FAILS in verdicts:
        return Verdict.FAILS
    if Verdict.NOT_DECIDED in verdicts or not verdicts:
        return Verdict.NOT_DECIDED
    return Verdict.HOLDS


def nothing_finite(_size: Size) -> Iterator[Instance]:
    """Check nothing: no finite consequence of the statement is known to be worth a check."""
    yield from ()


def claim_table(claims: Iterable[Claim]) -> Mapping[str, Claim]:
    """Return the read-only table of claims by key.

    Raises
    ------
    DomainError
        If a key stands twice, or a claim uses or corrects one that does not exist.
    """
    table: dict[str, Claim] = {}
    for claim in claims:
        if claim.key in table:
            raise DomainError(f"claim {claim.key} is registered twice")
        table[claim.key] = claim
    for claim in table.values():
        for key in (*claim.uses, *([claim.corrects] if claim.corrects else [])):
            if key not in table:
                raise DomainError(f"claim {claim.key} refers to {key}, which is not registered")
    return MappingProxyType(table)
