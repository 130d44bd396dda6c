"""Base classes of results whose certificates the kernel checks."""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from html import escape
from importlib import import_module
from typing import Any, ClassVar, Protocol, cast, runtime_checkable

from ccsim.appearance import in_short, in_words
from ccsim.arguments.checked import checked_types
from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError, TimeLimit
from ccsim.certificates.envelope import Certificate, Certificates, encode_fraction, no_cycles
from ccsim.data import frozen
from ccsim.errors import CcsimError, CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact.bounds import Bounds, N, check_fields
from ccsim.kernel import Rejected, TooLong
from ccsim.kernel import check as check_by_kernel
from ccsim.kernel.rules import MAX_WORK, WORK


@checked_types
def verify(document: object, *, time_limit: TimeLimit = None) -> str:
    """Check a certificate with the kernel, and return the statements that it proves.

    Parameters
    ----------
    document : object
        The certificate as a JSON value, as `Certificate.to_dict` returns it.
    time_limit : number, Budget or None, optional
        Maximum number of seconds.

    Returns
    -------
    str
        The statements that are proved, one line each.

    Raises
    ------
    ccsim.kernel.Rejected
        If a proof is wrong.

    Examples
    --------
    >>> from ccsim import thresholds, vc_dimension
    >>> verify(vc_dimension(thresholds(2)).certificate().to_dict())
    'vc_dimension of a 4 x 4 concept class, sha256 eda4975465c3fa06: exactly 1'
    """
    tell, shared = _counted(Budget.of(time_limit)), _SHARED.get()
    if shared is None or not isinstance(document, dict):
        return check_by_kernel(document, tell)
    equal = (known[-1] for known in shared.values() if known[-1] == document["instance"])
    one = next(equal, document["instance"])
    return check_by_kernel(document | {"instance": one}, tell, shared)


_SHARED: ContextVar[dict[object, Any] | None] = ContextVar("_SHARED", default=None)
_MOST_STEPS: ContextVar[int] = ContextVar("_MOST_STEPS", default=MAX_WORK)


def _counted(budget: Budget) -> Callable[[], None]:
    """Return a function for the kernel to call before each operation.

    It ends the check if the operation would take more time than remains, or if the check takes more
    than `_MOST_STEPS`.
    """
    most, first, last = _MOST_STEPS.get(), -1, -1

    def tell() -> None:
        nonlocal first, last
        left = WORK.get().left
        if first < 0:
            first = last = left
        if first - left > most:
            raise OutOfWorkError
        if last - left > _LONG and (last - left) * _PER_STEP > budget.remaining:
            raise OutOfTimeError
        last = left
        budget.spend()

    return tell


_PER_STEP = 2e-8  # seconds; few operations take less
_LONG = 1 << 19  # steps of an operation whose time is compared with the remaining time


@contextmanager
def instances_read_once() -> Iterator[None]:
    """Return a context in which checks of results about equal instances read the instance once."""
    token = _SHARED.set({})
    try:
        yield
    finally:
        _SHARED.reset(token)


class Certified:
    """Base class of the results that have a certificate.

    The representation of a result, `to_dict` and the table in a notebook state the question, its
    parameters and the answer.
    """

    __slots__ = ()

    question: ClassVar[str] = ""
    """The question as a noun phrase. If empty, it is the attribute ``quantity``."""
    asked: ClassVar[tuple[str, ...]]
    """Names of the attributes with the parameters of the question, the instance first."""
    answered: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes that hold the answer. If empty, the answer is the bounds."""

    @abstractmethod
    def certificate(self) -> Certificate | Certificates:
        """Return the certificate that proves the result."""

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check the certificate with the kernel, which shares no code with the search.

        Parameters
        ----------
        time_limit : number, Budget or None, optional
            Maximum number of seconds.

        Raises
        ------
        CertificateError
            If a proof is wrong.
        InstanceTooLargeError
            If the certificate is too large to be checked.
        """
        check_fields(self)
        budget = Budget.of(time_limit)
        with no_cycles(), budget.heard():
            try:
                verify(self.certificate().to_dict(), time_limit=budget)
            except TooLong as error:
                raise InstanceTooLargeError(f"the certificate is too large: {error}") from None
            except Rejected as error:
                raise CertificateError(str(error)) from None

    def stated(self) -> dict[str, object]:
        """Return the answer and the parameters of the question, by name.

        The answer is ``value`` if the bounds coincide, otherwise ``lower`` and ``upper``. A class
        may name other attributes in `answered`.
        """
        kind: Any = type(self)
        names = kind.answered
        if not names:
            lower, upper = (getattr(self, name) for name in _BOUNDS)
            is_exact = type(lower) is type(upper) and lower == upper
            answer = {"value": lower} if is_exact else {"lower": lower, "upper": upper}
        else:
            answer = {name: getattr(self, name) for name in names}
        return answer | {name: getattr(self, name) for name in kind.asked}

    def to_dict(self) -> dict[str, Any]:
        """Return the question, its parameters and the answer as JSON values, without proofs.

        Fractions are strings ``p/q``. ``instance`` is the name of the instance (the name of the
        class for an evaluation problem), and ``reading`` the assumptions made when it was read. A
        result with bounds has ``exact``, ``lower``, ``upper`` and ``value``, which is null unless
        the bounds coincide. Results that are parts of this result are nested objects.
        """
        held = _held(self)
        data: dict[str, Any] = {"question": question_of(self)}
        known = self.stated()
        if (instance := _instance(known)) is not None:
            data |= about_instance(instance)
        for name, value in known.items():
            if name not in _BOUNDS and name != "value" and value is not instance:
                data[name] = _told(value)
        for name, value in held.items():
            if name in _BOUNDS or name == "method" or name in known:
                continue
            if isinstance(value, bool | int | str | Fraction):
                data[name] = _encoded(value)
            elif is_dataclass(value) and hasattr(value, "to_dict") and hasattr(value, "check"):
                data[name] = cast("Any", value).to_dict()
        lower, upper = held.get("lower"), held.get("upper")
        if isinstance(lower, int | Fraction):
            exact = lower == upper
            data |= {"value": _encoded(lower) if exact else None, "exact": exact}
            data |= {"lower": _encoded(lower), "upper": _encoded(upper)}
        elif "value" in known:
            data["value"] = _told(known["value"])
        return data

    def _repr_html_(self) -> str:
        """Return the HTML table of the result, followed by its picture, if any, for notebooks."""
        known = self.stated()
        proofs = {name: value for name, value in _held(self).items() if name not in known}
        rows = _stated_rows(self)
        rows += [
            _row(name, value)
            for name, value in proofs.items()
            if name not in _BOUNDS and value != "" and in_short(value) != type(value).__name__
        ]
        rows = [row for row in rows if row[1] != "None"]
        rows.append(("check", "result.check(), or result.certificate().write(FILE)"))
        rows.append(("", "and then: proofs-check verify FILE"))
        return with_picture(html_table((), rows), self)

    def _repr_svg_(self) -> str | None:
        """Return the picture of the result as SVG, if it has one and matplotlib is installed."""
        return picture_of(self)


class Answer(Bounds[N], Certified):
    """Base class of results with proved bounds on a quantity of an instance.

    Attributes
    ----------
    lower : int or Fraction
        Lower bound.
    upper : int, Fraction or None
        Upper bound. None if no upper bound is known.

    Notes
    -----
    A subclass is a frozen data class that holds the instance, the parameters, the bounds and their
    proofs. Its method `certificate` encodes them.
    """

    __slots__ = ()


@runtime_checkable
class Checkable(Protocol):
    """A result with a method `check` that accepts a time limit."""

    def check(self, time_limit: Budget) -> None:
        """Raise `CertificateError` unless the certificate proves the result."""
        ...


@checked_types
def is_checked(result: Checkable, budget: Budget) -> bool:
    """Check a result; return whether the time and the kernel's limit on steps suffice."""
    with budget:
        try:
            result.check(budget)
        except InstanceTooLargeError:
            return False
        return True
    return False


def is_writable(result: Certified) -> bool:
    """Whether the numbers in a result are short enough for a certificate."""
    try:
        document = result.certificate().to_dict()
    except CcsimError:
        raise
    except ValueError:  # longer than what Python writes
        return False
    return all(len(part) <= MAX_DIGITS for text in _texts(document) for part in text.split("/"))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a JSON value, without leading minus signs."""
    if isinstance(value, str):
        yield value.removeprefix("-")
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            if not isinstance(part, int):
                yield from _texts(part)


@frozen
class OneBound(Certified):
    """One bound, ``lower`` or ``upper``, of a result with a certificate of both."""

    whole: Certified
    side: str

    def certificate(self) -> Certificate:
        """Return the certificate of the bound."""
        whole = self.whole.certificate()
        part = whole.with_one(self.side) if isinstance(whole, Certificate) else None
        if part is None:
            raise CertificateError(f"the result has no certificate of its {self.side} bound")
        return part


@checked_types
def certified_part(result: Certified, budget: Budget) -> Certified | None:
    """Return the part of a result that can be checked in time: both bounds, one bound, or None."""
    return certified_parts([result], budget)[0]


def certified_parts(results: Sequence[Certified], budget: Budget) -> list[Certified | None]:
    """Return the part of each result that can be checked in time; short checks come first.

    Each bound is checked with a small number of steps; those that need more are checked again with
    eight times as many.
    """
    left = [
        (i, claim, json.dumps(claim.claim.to_dict()).count(",") * _PER_VALUE)
        for i, result in enumerate(results)
        for claim in _claims(result)
    ]
    stated, held = Counter(i for i, *_ in left), defaultdict[int, list[Certified]](list)
    for most in _STEPS:
        tried, left = left, []
        for i, claim, size in tried:
            is_held = size <= most and _is_checked_within(claim, most, budget)
            if is_held:
                held[i].append(claim.part)
            elif is_held is None or size > most:
                left.append((i, claim, size))
    return [
        result if len(held[i]) == stated[i] > 0 else next(iter(held[i]), None)
        for i, result in enumerate(results)
    ]


def _is_checked_within(claim: Certified, most: int, budget: Budget) -> bool | None:
    """Check a claim; return whether time suffices, or None if it takes more steps than `most`."""
    if budget.expired:
        return False
    token = _MOST_STEPS.set(most)
    try:
        return is_checked(claim, budget)
    except OutOfWorkError:
        return None
    finally:
        _MOST_STEPS.reset(token)


@frozen
class _Claim(Certified):
    """A part of a result with its certificate, which takes time to encode."""

    part: Certified
    claim: Any

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate of the part."""
        return self.claim  # type: ignore[no-any-return]


def _claims(result: Certified) -> list[_Claim]:
    """Return the bounds of a result that can be checked by themselves."""
    whole = result.certificate()
    if isinstance(whole, Certificates):
        return [_Claim(result, whole)]
    parts = ((side, whole.with_one(side)) for side in _BOUNDS)
    return [_Claim(OneBound(result, side), part) for side, part in parts if part is not None]


_STEPS = tuple(MAX_WORK >> shift for shift in range(12, -1, -3))
_PER_VALUE = 5  # steps that reading a number in a certificate takes
_BOUNDS = ("lower", "upper")
_INSTANCES = ("problem", "concept_class", "instance")
_MOST_ROWS = 200
_PICTURES = "ccsim.pictures.natural", "ccsim.pictures.figures"
"""Modules of a higher layer, imported by name."""


def question_of(result: object) -> str:
    """Return the question of a result as a noun phrase."""
    kind: Any = type(result)
    return str(kind.question or kind.quantity).removeprefix("the ")


def about_instance(instance: object) -> dict[str, Any]:
    """Return the text of an instance, with the assumptions made when it was read, if any."""
    name = getattr(instance, "name", "")
    text = {"instance": name[5:-1] if name.startswith("Eval(") else name}  # the class's name
    reading: Any = getattr(instance, "reading", None)
    if reading is None or not (reading.source or reading.signs):
        return text
    return {**text, "reading": reading.to_json()}


def _told(value: object) -> object:
    """Return a parameter or an answer as a JSON value: a number, or one line of text."""
    if value is None or isinstance(value, bool | int | str | Fraction):
        return _encoded(value)
    if hasattr(value, "lower") and hasattr(value, "upper"):
        return _encoded(value.lower) if value.lower == value.upper else in_short(value)
    return _unbracketed(value)


def _held(result: object) -> dict[str, object]:
    shown = (field for field in fields(cast("Any", result)) if field.repr)
    return {field.name: getattr(result, field.name) for field in shown}


def _instance(held: Mapping[str, object]) -> object:
    return next((held[name] for name in _INSTANCES if name in held), None)


def _encoded(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    return encode_fraction(value) if isinstance(value, Fraction) else value


def stated_table(result: Certified) -> str:
    """Return an HTML table of the question of a result, its parameters and the answer."""
    return html_table((), [row for row in _stated_rows(result) if row[1] != "None"])


def _stated_rows(result: Certified) -> list[tuple[str, str]]:
    """Return the question of a result, the instance, the answer and the parameters."""
    known = result.stated()
    instance = _instance(known)
    rows = [("question", question_of(result))]
    if instance is not None:
        rows.append(("instance", in_words(instance)))
    if "lower" in known:
        ends = [in_short(known[name]) for name in _BOUNDS if known.get(name) is not None]
        rows.append(("value", ("at least " if len(ends) == 1 else "") + " to ".join(ends)))
    answers = cast("Any", type(result)).answered
    for name, value in known.items():
        if name not in _BOUNDS and value is not instance:
            is_open = value is None and name in answers
            rows.append(_row(name, "undecided" if is_open else value))
    return rows


def _row(name: str, value: object) -> tuple[str, str]:
    return name.replace("_", " "), value if isinstance(value, str) else _unbracketed(value)


def _unbracketed(value: object) -> str:
    """Return a short text of a value, without enclosing brackets."""
    return in_short(value).removeprefix("<").removesuffix(">")


def html_table(titles: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table whose rows begin with a heading; all texts are escaped."""
    heads = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    lines = [f"<thead><tr>{heads}</tr></thead>"] if heads else []
    body = []
    for number, (first, *rest) in enumerate(rows):
        if number == _MOST_ROWS:
            body.append("<tr><td>...</td></tr>")
            break
        cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
        body.append(f'<tr><th scope="row">{escape(str(first))}</th>{cells}</tr>')
    return f"<table>{''.join(lines)}<tbody>{''.join(body)}</tbody></table>"


def picture_of(result: object) -> str | None:
    """Return the picture of a result as SVG; None if it has none or matplotlib is missing."""
    natural, figures = (import_module(name) for name in _PICTURES)
    try:
        axes = natural.natural_picture(result)
        return None if axes is None else str(figures.svg_text(axes))
    except CcsimError:
        return None


def with_picture(table: str, result: object) -> str:
    """Return an HTML table, followed by the picture of its result if there is one."""
    picture = picture_of(result)
    if picture is None:
        return table
    data = b64encode(picture.encode()).decode("ascii")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(result).__name__).lower()
    return f'{table}<img alt="Picture of the {words}" src="data:image/svg+xml;base64,{data}">'


def data_frame(rows: Iterable[Mapping[str, object]]) -> Any:  # noqa: ANN401 - of pandas, if it is there
    """Return rows as a pandas data frame; exact numbers remain texts or integers."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise DomainError("data frames need pandas: pip install pandas") from None
    return pandas.DataFrame.from_records(list(rows))
