"""Claims: statements with functions that decide them on finite instances.

A claim is a numbered statement of a paper together with a function that decides it on finite
instances. The statement is the docstring of the function, the positional parameters are those of
an instance, and the keyword parameters are the ingredients of the statement, which variants
replace. The function returns a decision. The verdict is computed and compared with the recorded
verdict. A printed statement that fails is an erratum, recorded as `Verdict.FAILS`, next to the
corrected claim. A statement that no finite computation decides (asymptotic, conditional, about
infinitely many distributions at once), or that has no variant, is recorded as
`Verdict.NOT_DECIDED` with the reason; in this case finite consequences are decided.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType, ModuleType

from ccsim.errors import DomainError, NotDecidedError
from proofs_check.claims.decision import Decision, Verdict, undecided
from proofs_check.claims.grid import Case, Grid, Size, case_name
from proofs_check.claims.variants import Margin, Variant, ingredients_of

__all__ = [
    "Claim",
    "Instance",
    "Kind",
    "Size",
    "Verdict",
    "claim",
    "claims_of",
    "not_checked",
    "verdict_of",
]


class Kind(Enum):
    """Kind of statement of a claim."""

    DEFINITION = "definition"
    LEMMA = "lemma"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    EXAMPLE = "example"
    REMARK = "remark"
    ERRATUM = "erratum"
    CONJECTURE = "conjecture"


@dataclass(frozen=True, slots=True)
class Instance:
    """Verdict on one instance of a claim.

    Attributes
    ----------
    name : str
        INSTANCE text and parameters, enough to run only this instance.
    verdict : Verdict
    detail : str
        Both sides of the decided inequality; for a failure the counterexample, for an undecided
        instance the reason.
    slack : Fraction or None
        Difference of the sides of the decided inequality, negative if it fails, rounded down if it
        is irrational; None if there is no single inequality.
    at_risk : bool
        Whether the instance could have failed; otherwise it is not counted.
    """

    name: str
    verdict: Verdict
    detail: str
    slack: Fraction | None = None
    at_risk: bool = True


@dataclass(frozen=True, slots=True)
class Claim:
    """A numbered statement with a function that decides it.

    Attributes
    ----------
    key : str
        Key of the catalogue of claims, ``paper/name``.
    number : str
        Place of the statement, in both versions of the paper.
    title : str
        Short title.
    statement : str
        The checked statement with its hypotheses.
    kind : Kind
    uses : tuple of str
        Keys of claims that its proof uses.
    recorded : Verdict
        The verdict on record.
    corrects : str or None
        Key of the erratum that this claim repairs.
    reason : str
        Why no finite computation decides the statement, or why it has no variant. Such a claim is
        recorded as not decided, and only finite consequences are decided.
    survives : str
        For an erratum: whether and how the conclusion of the paper survives.
    function : callable or None
        Takes the parameters of an instance and, by keyword, the ingredients; returns the decision.
    over : Grid or None
        The instances; None if nothing is checked.
    near : tuple of Variant
        Strengthened statements, each of which must fail on an instance of the small grid. For an
        erratum: corrected statements, each of which must hold on the whole small grid.
    """

    key: str
    number: str
    title: str
    statement: str
    kind: Kind
    uses: tuple[str, ...] = ()
    recorded: Verdict = Verdict.HOLDS
    corrects: str | None = None
    reason: str = ""
    survives: str = ""
    function: Callable[..., Decision] | None = None
    over: Grid | None = None
    near: tuple[Variant, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.reason) != (self.recorded is Verdict.NOT_DECIDED):
            raise DomainError(
                f"claim {self.key} must have a reason if and only if it is not decided"
            )
        if self.function is None:
            return
        if bool(self.survives) != (self.recorded is Verdict.FAILS):
            raise DomainError(
                f"claim {self.key} must have survives if and only if it is an erratum"
            )
        if not self.near and self.recorded is not Verdict.NOT_DECIDED:
            raise DomainError(f"claim {self.key} must have a variant or be recorded as not decided")
        if self.over is not None:
            try:
                inspect.signature(self.function).bind(**dict.fromkeys(self.over.names))
            except TypeError as error:
                raise DomainError(f"the grid of claim {self.key} does not fit: {error}") from None
        stated = self.ingredients
        replaced = {name for variant in self.near for name in variant.ingredients(stated)}
        if replaced != stated.keys():
            left = ", ".join(sorted(stated.keys() - replaced))
            raise DomainError(f"claim {self.key} has no variant for its ingredient {left}")

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.key.split("/", 1)[0]

    @property
    def ingredients(self) -> dict[str, object]:
        """The stated ingredients."""
        return {} if self.function is None else ingredients_of(self.function)

    @property
    def margin(self) -> Margin:
        """The largest factor by which a variant strengthens the claim."""
        if self.recorded is Verdict.FAILS:
            return Margin(None, "it fails as printed")
        margins = [variant.margin(self.ingredients) for variant in self.near]
        if any(margin.factor for margin in margins):
            return max(margins, key=lambda margin: margin.factor or 0)
        causes = dict.fromkeys(margin.cause for margin in margins)
        return Margin(None, ", ".join(causes) or "it has no variant")

    def instances(
        self, size: Size, replaced: Mapping[str, object] = MappingProxyType({})
    ) -> Iterator[Instance]:
        """Yield the decided instances of the given size.

        Parameters
        ----------
        size : Size
        replaced : mapping of str to object, optional
            Ingredients in place of the stated ones.
        """
        if self.over is not None:
            for case in self.over.cases(size):
                yield self.instance(case, replaced)

    def instance(self, case: Case, replaced: Mapping[str, object] | None = None) -> Instance:
        """Decide one instance; an unfinished search leaves it undecided."""
        if self.function is None:
            raise DomainError(f"claim {self.key} checks no instance")
        try:
            found = self.function(**case, **(replaced or {}))
        except NotDecidedError as error:
            found = undecided(str(error))
        return Instance(case_name(case), found.verdict, found.detail, found.slack, found.at_risk)


def claim(  # noqa: PLR0913 - the fields of a claim
    key: str,
    number: str,
    title: str,
    kind: Kind,
    *,
    over: Grid,
    near: Variant | Sequence[Variant] = (),
    uses: Sequence[str] = (),
    recorded: Verdict = Verdict.HOLDS,
    corrects: str | None = None,
    reason: str = "",
    survives: str = "",
) -> Callable[[Callable[..., Decision]], Claim]:
    """Return a decorator that turns a function into a claim; see `Claim` for the parameters.

    The docstring is the statement, positional parameters are those of the grid, keyword parameters
    are the ingredients. Nothing is registered: `claims_of` finds the claims of a module.

    Raises
    ------
    DomainError
        If a decided claim has no variant, an ingredient occurs in none, or a variant changes
        nothing.

    Examples
    --------
    >>> from proofs_check.claims.decision import at_most
    >>> from proofs_check.claims.grid import grid
    >>> from proofs_check.claims.variants import near, times
    >>> half = near("n <= n**2 / 2.", factor=times(Fraction(1, 2)))
    >>> @claim("t/squares", "1", "Squares", Kind.LEMMA, over=grid(n=range(4)), near=half)
    ... def squares(n, *, factor=1):
    ...     "Every natural number n is at most n**2."
    ...     return at_most(n, factor * n**2)
    >>> verdict_of(squares.instances(Size.SMALL)).value
    'holds'
    """

    def made(function: Callable[..., Decision]) -> Claim:
        statement = " ".join((function.__doc__ or "").split())
        return Claim(
            key=key,
            number=number,
            title=title,
            statement=statement,
            kind=kind,
            uses=tuple(uses),
            recorded=recorded,
            corrects=corrects,
            reason=reason,
            survives=survives,
            function=function,
            over=over,
            near=(near,) if isinstance(near, Variant) else tuple(near),
        )

    return made


def not_checked(
    key: str,
    number: str,
    title: str,
    kind: Kind,
    statement: str,
    *,
    reason: str,
    uses: Sequence[str] = (),
) -> Claim:
    """Return a claim without a check."""
    verdict = Verdict.NOT_DECIDED
    return Claim(
        key, number, title, statement, kind, uses=tuple(uses), recorded=verdict, reason=reason
    )


def claims_of(*modules: ModuleType) -> tuple[Claim, ...]:
    """Return the claims that modules define, in the order of the text."""
    found: list[Claim] = []
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Claim):
                home = module.__name__ if value.function is None else value.function.__module__
                if home == module.__name__:
                    found.append(value)
    return tuple(found)


def verdict_of(instances: Iterable[Instance]) -> Verdict:
    """Return the verdict on a claim.

    The claim fails if an instance fails. It is not decided if an instance is not decided or if no
    instance is counted; instances that could not fail are not counted.

    Examples
    --------
    >>> verdict_of([]).value
    'not decided'
    >>> verdict_of([Instance("a", Verdict.HOLDS, ""), Instance("b", Verdict.FAILS, "")]).value
    'fails'
    """
    verdicts = [instance.verdict for instance in instances if instance.at_risk]
    if Verdict.FAILS in verdicts:
        return Verdict.FAILS
    if Verdict.NOT_DECIDED in verdicts or not verdicts:
        return Verdict.NOT_DECIDED
    return Verdict.HOLDS
