"""Records of the Combinatorial Parameters Database: classes, and values proved for small members.

The database (https://github.com/obousquet/Combinatorial-Parameters) consists of JSON files, one for
each class, parameter, value and relationship. Its values are mostly formulas for families; each
record of a value that this module writes lists the members for which the value is proved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import make_folder, read_json, write_text_atomically
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.communication.sign_ranks import sign_rank
from ccsim.data import validated
from ccsim.dimensions.compression import compression_size
from ccsim.dimensions.littlestone import littlestone_dimension
from ccsim.dimensions.mistakes import offline_mistakes, self_directed_complexity
from ccsim.dimensions.queries import query_complexity
from ccsim.dimensions.randomized_littlestone import randomized_littlestone_dimension
from ccsim.dimensions.teaching.hollow_star import hollow_star_number
from ccsim.dimensions.teaching.no_clash import no_clash_teaching_dimension
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension, teaching_dimension
from ccsim.dimensions.teaching.star import star_number
from ccsim.dimensions.threshold import threshold_dimension
from ccsim.dimensions.vc import dual_vc_dimension, vc_dimension
from ccsim.errors import DomainError, NotDecidedError, UnreadableInputError
from ccsim.texts.class_records import table_of_record

_FIRST_ID = 100_000  # far from the numbers that the database has given away
TABLES = ("classes", "parameters", "values", "relationships")
"""The folders of the database."""

Record = Mapping[str, Any]
_FILE = re.compile(r"\d+_.*\.json")
_CONSTANT = re.compile(
    r"\$?\s*(?:(?P<number>\d{1,9})(?:/(?P<below>[1-9]\d{0,8}))?"
    r"|\\[td]?frac\s*(?:\{(?P<up>\d{1,9})\}\s*\{(?P<down>[1-9]\d{0,8})\}|(?P<two>\d[1-9])))\s*\$?"
)


@checked_types
def from_combinatorial_parameters(folder: Path | str) -> dict[str, tuple[Record, ...]]:
    """Return the records of a copy of the Combinatorial Parameters Database.

    Parameters
    ----------
    folder : path
        A clone of the repository, or its folder ``data``.

    Returns
    -------
    dict
        The records of the tables ``classes``, ``parameters``, ``values`` and ``relationships``,
        each sorted by number. All fields are kept unchanged.

    Raises
    ------
    UnreadableInputError
        If the folder has none of these tables, or a file is not a JSON object with a number ``id``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     to_combinatorial_parameters({"classes": [class_record("points:b=1", "pair")]}, folder)
    ...     from_combinatorial_parameters(folder)["classes"][0]["definition"]
    'On 2 coordinates, this class consists of the 2 strings 10, 01.'
    """
    place = Path(folder)
    place = place / "data" if (place / "data").is_dir() else place
    found: dict[str, tuple[Record, ...]] = {}
    for table in TABLES:
        if (place / table).is_dir():
            files = (path for path in (place / table).iterdir() if _FILE.fullmatch(path.name))
            found[table] = tuple(sorted(map(_read, files), key=lambda record: record["id"]))
    if not found:
        raise UnreadableInputError(f"{folder}: expected a folder with one of {', '.join(TABLES)}")
    return found


def _read(path: Path) -> Record:
    record = read_json(path)
    if not isinstance(record, dict) or type(record.get("id")) is not int:
        raise UnreadableInputError(f"{path}: expected a JSON object with a number id")
    return record


@checked_types
def to_combinatorial_parameters(tables: Mapping[str, Sequence[Record]], folder: Path | str) -> None:
    """Write records as files of the Combinatorial Parameters Database.

    Parameters
    ----------
    tables : mapping
        Records by table, as `from_combinatorial_parameters` returns them.
    folder : path
        Folder for the tables; the record of a class becomes the file ``classes/ID_NAME.json``.

    Raises
    ------
    DomainError
        If a table or a record is not one of the database.

    Examples
    --------
    >>> to_combinatorial_parameters({"records": []}, "data")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ccsim.errors.DomainError: tables must be classes, parameters, values, ..., not 'records'
    """
    for table, records in tables.items():
        if table not in TABLES:
            raise DomainError(f"tables must be {', '.join(TABLES)}, not {table!r}")
        for record in records:
            number, name = record.get("id"), record.get("short_name")
            if type(number) is not int or not re.fullmatch(r"[\w-]{0,150}", str(name)):
                raise DomainError(
                    "records must have a number id and a short_name of at most 150 letters, digits "
                    f"and _, not {number!r} and {str(name)[:40]!r}"
                )
            place = make_folder(Path(folder) / table) / f"{number:03d}_{name}.json"
            write_text_atomically(place, json.dumps(record, indent=2) + "\n")


@checked_types
def class_record(
    concepts: ClassLike,
    short_name: str,
    name: str = "",
    *,
    symbol: str = "",
    number: int = _FIRST_ID,
) -> dict[str, object]:
    """Return a class as a record of the Combinatorial Parameters Database.

    Parameters
    ----------
    concepts : ConceptClass, INSTANCE text or matrix
        A class with a concept and a point. Its labels are not recorded.
    short_name : str
        Name by which other records refer to the class: letters, digits and ``_``.
    name : str
        Full name; by default `short_name`.
    symbol : str
        Symbol in TeX; by default `short_name` in roman type.
    number : int
        Number of the record.

    Returns
    -------
    dict
        The content of a file ``ID_NAME.json`` in the folder ``data/classes``. An INSTANCE text
        ``@FILE`` reads it again.

    Raises
    ------
    DomainError
        If the class has no concept or no point.

    Examples
    --------
    >>> class_record("thresholds:b=1", "chain")["definition"]
    'On 2 coordinates, this class consists of the 2 strings 11, 01.'
    """
    C = as_class(concepts)
    if not C.rows or not C.points:
        raise DomainError("concepts must contain a concept and a point")
    words = ["".join(str(row >> x & 1) for x in range(len(C.points))) for row in C.rows]
    many = len(words) > 1
    return {
        "id": number,
        "name": name or short_name,
        "short_name": short_name,
        "symbol": symbol or f"\\mathrm{{{short_name.replace('_', ' ')}}}",
        "definition": f"On {len(C.points)} coordinate{'s' * (len(C.points) > 1)}, this class "
        f"consists of the {len(words)} string{'s' * many} {', '.join(words)}.",
    }


_Proved = Callable[[ConceptClass, Budget], tuple[Any, Fraction]]
"""A function that returns an answer, or None, and its lower bound as a value of the database."""


def _thresholds(C: ConceptClass, budget: Budget) -> tuple[Any, Fraction]:
    """Return the threshold dimension as defined in the database, where a threshold may be empty."""
    full = 1 << len(C.points)
    wider = ConceptClass.from_rows([row | full for row in C.rows], range(len(C.points) + 1))
    result = threshold_dimension(wider, time_limit=budget)
    return result, Fraction(result.lower - 1)


def _of(dimension: Callable[..., Any], *parameters: str) -> _Proved:
    def proved(C: ConceptClass, budget: Budget) -> tuple[Any, Fraction]:
        result = dimension(C, *parameters, time_limit=budget)
        return result, Fraction(result.lower)

    return proved


_PARAMETERS: Mapping[str, tuple[str, _Proved]] = MappingProxyType(
    {
        "size": ("Size", lambda C, _: (None, Fraction(len(C.rows)))),
        "vc_dimension": ("VC Dimension", _of(vc_dimension)),
        "dual_vc_dimension": ("Dual VC Dimension", _of(dual_vc_dimension)),
        "littlestone_dimension": ("Littlestone Dimension", _of(littlestone_dimension)),
        "threshold_dimension": ("Threshold Dimension", _thresholds),
        "randomized_littlestone_dimension": (
            "Randomized Littlestone Dimension",
            _of(randomized_littlestone_dimension),
        ),
        "star_number": ("Star number", _of(star_number)),
        "teaching_dimension": ("Teaching Dimension", _of(teaching_dimension)),
        "recursive_teaching_dimension": (
            "Recursive Teaching Dimension",
            _of(recursive_teaching_dimension),
        ),
        "noclashing_teaching_dimension": (
            "No-Clashing Teaching Dimension",
            _of(no_clash_teaching_dimension),
        ),
    }
)
"""The recorded parameters: their short names and their names in the database."""
_SCHEMES: Mapping[str, tuple[bool, bool, bool]] = MappingProxyType(
    {
        "labeled_sample_compression": (True, False, False),
        "stable_labeled_sample_compression": (True, True, False),
        "proper_labeled_sample_compression": (True, False, True),
        "proper_stable_labeled_sample_compression": (True, True, True),
        "unlabeled_sample_compression": (False, False, False),
        "stable_unlabeled_complexity": (False, True, False),
        "proper_unlabeled_sample_compression": (False, False, True),
        "proper_stable_sample_compression": (False, True, True),
    }
)
"""Sizes of sample compression schemes: whether these are labelled, stable and proper."""
_COMPARED: Mapping[str, _Proved] = MappingProxyType(
    {
        **{short: prove for short, (_, prove) in _PARAMETERS.items()},
        "largest_shattered_set": _of(vc_dimension),
        "maximum_teaching_set_size": _of(teaching_dimension),
        "covc_dimension": _of(hollow_star_number),
        "sign_rank": _of(sign_rank),
        "membership_query_complexity": _of(query_complexity, "membership"),
        "equivalence_queries_complexity": _of(query_complexity, "equivalence"),
        "proper_equivalence_queries_complexity": _of(query_complexity, "proper equivalence"),
        "membership_and_equivalence_queries_complexity": _of(
            query_complexity, "membership and equivalence"
        ),
        "membership_and_proper_equivalence_queries_complexity": _of(
            query_complexity, "membership and proper equivalence"
        ),
        "selfdirected_queries_complexity": _of(self_directed_complexity),
        "best_mistakes": _of(offline_mistakes, "best"),
        "worst_mistakes": _of(offline_mistakes, "worst"),
        **{
            name: _of(partial(compression_size, labelled=labelled, stable=stable, proper=proper))
            for name, (labelled, stable, proper) in _SCHEMES.items()
        },
    }
)
"""Parameters whose values are compared; two have the definition of another one."""


@checked_types
def value_records(
    short_name: str,
    name: str,
    members: Mapping[int, ConceptClass],
    variable: str = "n",
    *,
    first_id: int = _FIRST_ID,
    time_limit: TimeLimit = None,
) -> list[dict[str, object]]:
    r"""Return records of the size, dimensions and teaching parameters of a class.

    Parameters
    ----------
    short_name, name : str
        Names of the class in the database.
    members : mapping of int to ConceptClass
        Non-empty members of the family by the value of its variable.
    variable : str
        Name of the variable in the formulas; the empty text for a class that is no family, whose
        only member has the number 1.
    first_id : int
        Number of the first record.
    time_limit : float or Budget, optional
        Seconds in total.

    Returns
    -------
    list of dict
        Records in the format `data/values/schema.json` of the database. Each record is the content
        of a file ``ID_PARAMETER_CLASS.json``.

    Raises
    ------
    DomainError
        If there are no members, or a member is empty.
    NotDecidedError
        If the time limit ends before all values are known.

    Examples
    --------
    >>> from ccsim.interchange import collected_classes
    >>> name, variable, members = collected_classes()["singletons"]
    >>> records = value_records("singletons", name, members, variable)
    >>> records[1]["short_name"], records[1]["value"]
    ('vc_dimension_singletons', '$0$ for $n=1$, $1$ for $2\\le n\\le 6$')
    """
    if not members or any(not C.rows or not C.points for C in members.values()):
        raise DomainError("members must be one or more classes, each with a concept and a point")
    budget = Budget.of(time_limit)
    records = []
    for number, (parameter, (title, prove)) in enumerate(_PARAMETERS.items()):
        values = {}
        for n, C in sorted(members.items()):
            result, values[n] = prove(C, budget)
            if result is None:
                continue
            if result.lower != result.upper:
                member = f", {variable} = {n}," if variable else ""
                raise NotDecidedError(
                    f"{title} of {name}{member} is undecided; raise the time limit"
                )
            result.check()
        shown = _range(variable, list(values))
        records.append(
            {
                "id": first_id + number,
                "name": f"{title} of {name}",
                "short_name": f"{parameter}_{short_name}",
                "class_id": f"#classes/{short_name}",
                "parameter_id": f"#parameters/{parameter}",
                "value": _formula(variable, values),
                **({"details": f"Proved only for {shown}."} if variable else {}),
                "status": "established",
                "proof": f"Computed {f'for {shown} ' if variable else ''}by ccsim, with checked "
                "proofs of both bounds of each value.",
            }
        )
    return records


def _formula(variable: str, values: Mapping[int, Fraction | int]) -> str:
    r"""Return values in the notation of the database, each with the members that have it."""
    if not variable:
        return f"${_tex(values[1])}$"
    runs = groupby(values, key=values.__getitem__)
    return ", ".join(f"${_tex(value)}$ for {_range(variable, [*run])}" for value, run in runs)


def _tex(value: Fraction | int) -> str:
    whole = isinstance(value, int) or value.denominator == 1
    return str(value) if whole else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _range(variable: str, members: list[int]) -> str:
    r"""Return the values of a variable in the notation of the database."""
    if len(members) == 1:
        return f"${variable}={members[0]}$"
    if members == list(range(members[0], members[-1] + 1)):
        return f"${members[0]}\\le {variable}\\le {members[-1]}$"
    return f"${variable}\\in\\{{{','.join(map(str, members))}\\}}$"


@validated
class ComparedValue:
    """A value of the Combinatorial Parameters Database, and the bounds that ccsim proves.

    Attributes
    ----------
    class_name, parameter : str
        Short names of the class and of the parameter.
    recorded : Fraction
        The value in the database.
    lower, upper : Fraction or None
        Proved bounds on the value; None for no upper bound.
    """

    class_name: str
    parameter: str
    recorded: Fraction
    lower: Fraction
    upper: Fraction | None

    @property
    def agrees(self) -> bool | None:
        """Whether the recorded value is the proved one; None if the bounds do not decide this."""
        if self.recorded < self.lower or (self.upper is not None and self.recorded > self.upper):
            return False
        return True if self.lower == self.upper else None


@checked_types
def compared_values(
    tables: Mapping[str, Sequence[Record]], *, time_limit: TimeLimit = None
) -> tuple[ComparedValue, ...]:
    """Compare values in the Combinatorial Parameters Database with proved ones.

    Parameters
    ----------
    tables : mapping
        Records of classes and values, as `from_combinatorial_parameters` returns them.
    time_limit : float or Budget, optional
        Seconds in total; bounds may then be apart.

    Returns
    -------
    tuple of ComparedValue
        An entry for each recorded value that is a number, if ccsim computes the parameter and the
        record of the class lists its concepts.

    Examples
    --------
    >>> from ccsim import all_functions
    >>> square = class_record(all_functions(2), "square")
    >>> value = value_records("square", "Square", {1: all_functions(2)}, "")[1]
    >>> [found] = compared_values({"classes": [square], "values": [value]})
    >>> found.parameter, found.recorded, found.agrees
    ('vc_dimension', Fraction(2, 1), True)
    """
    budget = Budget.of(time_limit)
    classes = _listed_classes(tables.get("classes", ()))
    found = []
    for record in tables.get("values", ()):
        parameter = str(record.get("parameter_id")).removeprefix("#parameters/")
        short = str(record.get("class_id")).removeprefix("#classes/")
        recorded = _constant(record.get("value"))
        if short in classes and parameter in _COMPARED and recorded is not None:
            result, lower = _COMPARED[parameter](classes[short], budget)
            upper: Fraction | None = lower
            if result is not None:
                result.check()
                upper = None if result.upper is None else lower + result.upper - result.lower
            found.append(ComparedValue(short, parameter, recorded, lower, upper))
    return tuple(found)


def _listed_classes(records: Sequence[Record]) -> dict[str, ConceptClass]:
    """Return the classes whose records list their concepts, by short name."""
    found = {}
    for record in records:
        try:
            words = table_of_record(record, str(record.get("short_name"))).rows
        except UnreadableInputError:
            continue
        rows = [int(word[::-1], 2) for word in words]
        found[record["short_name"]] = ConceptClass.from_rows(rows, range(1, len(words[0]) + 1))
    return found


def _constant(value: object) -> Fraction | None:
    """Return a recorded value that is a number, and None for a formula."""
    match = _CONSTANT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    if match["two"]:
        return Fraction(int(match["two"][0]), int(match["two"][1]))
    above, below = match["number"] or match["up"], match["below"] or match["down"] or "1"
    return Fraction(int(above), int(below))
