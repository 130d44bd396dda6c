"""Values in the Combinatorial Parameters Database, and the tables of their page.

The formulas are facts of the database, in Python; they were read on 29 November 2026 from its pages
of parameters at commit 072e130, and from single records up to commit 61fa56b.
``python -m tests.interchange.recorded_values`` writes the tables into the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from math import ceil, floor, log2
from pathlib import Path

from ccsim import (
    compression_size,
    hollow_star_number,
    no_clash_teaching_dimension,
    offline_mistakes,
    query_complexity,
    self_directed_complexity,
    sign_rank,
    vc_dimension,
)
from ccsim.appearance import counted
from ccsim.classes import ConceptClass
from ccsim.families import some_functions
from ccsim.interchange import collected_classes, value_records
from ccsim.surveys.atlas.query import query_atlas, shown_value

PAGE = Path(__file__).parents[2] / "docs" / "combinatorial-parameters.md"
SHOWN = {
    "size": "size",
    "vc_dimension": "VC",
    "dual_vc_dimension": "dual VC",
    "littlestone_dimension": "L",
    "randomized_littlestone_dimension": "RL",
    "threshold_dimension": "T",
    "star_number": "S",
    "teaching_dimension": "TD",
    "recursive_teaching_dimension": "RTD",
    "noclashing_teaching_dimension": "NCTD",
}
"""Short names of parameters in the tables."""
FURTHER = {
    "sign rank": sign_rank,
    "MQ": partial(query_complexity, queries="membership"),
    "EQ": partial(query_complexity, queries="equivalence"),
    "PEQ": partial(query_complexity, queries="proper equivalence"),
    "MEQ": partial(query_complexity, queries="membership and equivalence"),
    "MPEQ": partial(query_complexity, queries="membership and proper equivalence"),
    "coVC": hollow_star_number,
    "Msd": self_directed_complexity,
    "Mbest": partial(offline_mistakes, order="best"),
    "Mworst": partial(offline_mistakes, order="worst"),
}
"""Functions for parameters that `value_records` does not contain."""
SCHEMES = {
    f"{'p' * proper}{'s' * stable}{kind}SC": partial(
        compression_size, labelled=kind == "L", stable=stable, proper=proper
    )
    for kind in "LU"
    for stable in (False, True)
    for proper in (False, True)
}
"""Functions for the sizes of labelled (LSC) and unlabelled (USC) sample compression schemes."""
MOST_POINTS, MOST_CONCEPTS = 4, 8
"""Largest members of families for which schemes are compared."""
_ONE = "0 if n == 1 else 1"
_LOG = "floor(log2(n))"
_UP = "ceil(log2(n))"
_SPREAD = f"({_LOG} + (n - 2**{_LOG}) / 2**{_LOG}) / 2"
RECORDED: dict[str, dict[str, str]] = {
    "trivial_concepts": {
        "size": "2", "VC": "1", "dual VC": "0", "L": "1", "RL": "1/2", "T": "1", "S": "1",
        "TD": "1", "RTD": "1", "NCTD": "1", "sign rank": "1",
        "MQ": "1", "EQ": "1", "PEQ": "1", "MEQ": "1", "MPEQ": "1",
        "Msd": "1", "Mbest": "1", "Mworst": "1",
        "coVC": "2",
    },
    "singletons": {
        "size": "n", "VC": _ONE, "dual VC": "1", "L": "1", "RL": "1 - 2**(1 - n)", "T": "1",
        "S": "n - 1", "TD": _ONE, "RTD": _ONE, "NCTD": "1",
        "sign rank": "1 if n <= 2 else 2 if n == 3 else 3",
        "MQ": "n - 1", "EQ": "1", "PEQ": "n - 1", "MEQ": "1", "MPEQ": "n - 1",
        "Msd": "1", "Mbest": _ONE, "Mworst": "1",
        "coVC": "n",
    },
    "full_cube": {
        "size": "2**n", "VC": "n", "dual VC": _LOG, "L": "n", "RL": "n / 2", "T": "n",
        "S": "n", "TD": "n", "RTD": "n", "NCTD": "ceil(n / 2)", "sign rank": "n",
        "MQ": "n", "EQ": "n", "PEQ": "n",
        "Msd": "n", "Mbest": "n", "Mworst": "n",
        "coVC": "0",
    },
    "singletons_plus_empty_set": {
        "size": "n + 1", "VC": "1", "dual VC": "1", "L": "1", "RL": "1 - 2**-n", "T": "1",
        "S": "n", "TD": "n", "RTD": "1", "NCTD": "1", "sign rank": "3",
        "MQ": "n", "EQ": "1", "PEQ": "1", "MEQ": "1", "MPEQ": "1",
        "Msd": "1", "Mbest": "1", "Mworst": "1",
        "coVC": "2",
    },
    "halfintervals": {
        "size": "n", "VC": "1", "dual VC": "1", "L": _LOG, "RL": _SPREAD, "T": "n - 1",
        "S": "2", "TD": "2", "RTD": "1", "NCTD": "1", "sign rank": "1 if n == 1 else 2",
        "MQ": _UP, "EQ": _LOG, "PEQ": _LOG,
        "Msd": "1",
        "coVC": "2",
    },
    "tagged_singletons": {
        "size": "n + ceil(log2(n)) + 1", "VC": "1", "L": "2", "T": "2", "S": "n", "TD": "n / 2",
        "RTD": "1", "NCTD": "1",
        "EQ": "2", "PEQ": "2",
        "Msd": "1",
        "coVC": "2",
    },
    "majority": {
        "size": "2**n", "VC": "n", "L": "n", "RL": "n / 2", "T": "n", "S": "n", "TD": "n",
        "MQ": "n", "EQ": "n",
        "Mworst": "n",
        "coVC": "floor(n / 2) + 2",
    },
    "addressing": {
        "size": "n", "VC": _LOG, "L": _LOG, "RL": f"{_LOG} / 2", "T": "log2(n) + 1",
        "S": "n - 1", "TD": "1", "RTD": "1", "NCTD": "1", "MQ": _LOG, "EQ": _LOG, "PEQ": "n",
        "Mworst": _LOG,
        "coVC": "n",
    },
    "blockwiseaddressing": {
        "size": "2**(d + 1)", "VC": "d", "L": "d + 1", "RL": "(d + 1) / 2", "TD": "2", "RTD": "2",
        "EQ": "d + 1",
    },
    "universal_class": {
        "size": "n", "VC": _LOG, "dual VC": "n", "L": _LOG, "RL": _SPREAD, "T": "n - 1",
        "S": "n - 1", "TD": _ONE, "RTD": _ONE, "sign rank": "n",
        "MQ": _UP, "EQ": _LOG,
        "Mworst": _LOG,
        "coVC": "n",
    },
    "warmuth_c5": {
        "size": "10", "VC": "2", "dual VC": "2", "L": "3", "RL": "13/8", "T": "2", "S": "3",
        "TD": "3", "RTD": "3", "NCTD": "2",
        "MQ": "4", "EQ": "3",
        "coVC": "4",
    },
    "three_code_class": {
        "size": "3", "VC": "1", "dual VC": "1", "L": "1", "RL": "3/4", "T": "2", "S": "2",
        "TD": "1", "RTD": "1", "NCTD": "1", "sign rank": "2",
        "MQ": "2", "EQ": "1", "PEQ": "2", "MEQ": "1", "MPEQ": "2",
        "Msd": "1", "Mbest": "1", "Mworst": "1",
        "coVC": "3",
    },
    "repetitionfree_teaching_separation": {
        "size": "13", "VC": "3", "L": "3", "S": "4", "TD": "4", "RTD": "2",
        "coVC": "4",
    },
    "coded_singletons": {"MQ": "ceil(log2(n + 1))"},
    "scvc_vc_separation": {"VC": "2"},
    "majority_gap": {"L": "2"},
    "projected_rtd_gap": {"RTD": "1"},
    "littlestone_worst_gap": {"L": "3", "Mworst": "2"},
    "best_worst_mistakes_gap": {"Mbest": "1", "Mworst": "2"},
    "best_mistakes_order_shattering_gap": {"Mbest": "2"},
    "positive_teaching_triangle": {"RTD": "1"},
    "extremal_extension_gap": {"VC": "2"},
    "quadratic_residue_tournament_classes": {"NCTD": "1"},
    "projected_noclashing_teaching_gap": {"NCTD": "1"},
    "noclashing_antichain_gap": {"NCTD": "2"},
    "singleton_cosingleton": {"size": "2*n", "VC": "3", "TD": "3", "RTD": "3"},
    "private_coordinate_cube": {"size": "2**n", "VC": "n", "NCTD": "1"},
    "antipodal_six_code": {"VC": "2", "NCTD": "1"},
    "repeated_coordinate_cube": {
        "size": "2**n", "VC": "n", "TD": "n", "RTD": "n", "NCTD": "ceil(n / 2)",
    },
    "balanced_six_split": {"size": "6", "VC": "2", "L": "2", "PEQ": "3"},
    "k4_incidence_with_empty": {"VC": "2", "L": "2", "PEQ": "2"},
}  # fmt: skip
"""Values by class and parameter; inequalities are missing."""

COMPRESSION: dict[str, dict[str, str]] = {
    "trivial_concepts": {
        "LSC": "1", "sLSC": "1", "pLSC": "1", "psLSC": "1", "USC": "1", "sUSC": "1", "pUSC": "1",
        "psUSC": "1",
    },
    "singletons": {
        "LSC": "1", "sLSC": "1", "pLSC": "1", "USC": "1", "sUSC": "1",
        "pUSC": "0 if n == 1 else 1 if n == 2 else 2",
    },
    "full_cube": {
        "LSC": "1 if n <= 2 else 2", "sLSC": "ceil(n / 2)", "pLSC": "1 if n <= 2 else 2",
        "psLSC": "ceil(n / 2)", "USC": "n", "sUSC": "n", "pUSC": "n", "psUSC": "n",
    },
    "singletons_plus_empty_set": {
        "LSC": "1", "sLSC": "1", "pLSC": "1", "psLSC": "1", "USC": "1", "sUSC": "1", "pUSC": "1",
        "psUSC": "1",
    },
    "halfintervals": {
        "LSC": "1", "sLSC": "1", "pLSC": "1", "psLSC": "1", "USC": "1", "sUSC": "1", "pUSC": "1",
    },
    "three_code_class": {
        "LSC": "1", "sLSC": "1", "pLSC": "1", "psLSC": "1", "USC": "1", "sUSC": "1", "pUSC": "2",
        "psUSC": "2",
    },
    "warmuth_c5": {"LSC": "2"},
    "antipodal_six_code": {"LSC": "2", "sLSC": "2"},
    "k4_incidence_with_empty": {"sUSC": "2", "pUSC": "3", "psUSC": "3"},
}  # fmt: skip
"""Sizes of sample compression schemes; LSC of the full cube is recorded for at most 5 points."""
WITNESSES: dict[int, tuple[str, str, tuple[int, int] | None]] = {
    53: ("Mworst", "VC", (3, 39)),
    84: ("sUSC", "USC", None),
    85: ("sUSC", "sLSC", (2, 15)),
    91: ("USC", "LSC", (2, 15)),
    155: ("psLSC", "sLSC", (4, 553)),
    157: ("psUSC", "pUSC", (4, 1641)),
    160: ("pLSC", "LSC", (4, 1641)),
    293: ("sLSC", "NCTD", (3, 105)),
    295: ("psLSC", "NCTD", (3, 105)),
}
"""Relationships by number; for each, the points and the number of the smallest class, or None."""
CLASSES = collected_classes()
STRICT = (
    "membership_queries > teaching",
    "membership_queries > membership_and_proper_equivalence_queries",
    "proper_equivalence_queries > littlestone",
    "proper_equivalence_queries > membership_and_proper_equivalence_queries",
    "membership_and_proper_equivalence_queries > membership_and_equivalence_queries",
    "littlestone > membership_and_equivalence_queries",
)
EXCEEDING = ("vc", "littlestone", "star", "teaching", "recursive_teaching", "no_clash_teaching")


def members_of(short: str, shown: str) -> dict[int, ConceptClass]:
    """Return the members for which a parameter is compared."""
    _, variable, members = CLASSES[short]
    if shown not in SCHEMES or not variable:
        return members
    return {
        n: C
        for n, C in members.items()
        if len(C.points) <= MOST_POINTS and len(C.rows) <= MOST_CONCEPTS
    }


@cache
def proved(short: str, shown: str) -> dict[int, Fraction]:
    """Return the proved values of the members of a class."""
    members = members_of(short, shown)
    function = (FURTHER | SCHEMES).get(shown)
    if function is not None:
        found = {n: function(C) for n, C in members.items()}
        for result in found.values():
            result.check()
        return {n: Fraction(result.value) for n, result in found.items()}
    name = CLASSES[short][0]
    return {n: _values(short, name, n, C)[shown] for n, C in members.items()}


@cache
def _values(short, name, n, C):
    """Return the proved values of a member by the short name of the parameter."""
    records = value_records(short, name, {1: C}, "")
    texts = {r["parameter_id"].removeprefix("#parameters/"): r["value"] for r in records}
    return {
        SHOWN[parameter]: Fraction(re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text.strip("$")))
        for parameter, text in texts.items()
    }


def recorded(short: str, shown: str, formula: str) -> dict[int, Fraction]:
    """Return the recorded values of the same members."""
    known = {"ceil": ceil, "floor": floor, "log2": log2}
    variable = CLASSES[short][1] or "n"
    return {
        n: Fraction(eval(formula, {**known, variable: n}))  # noqa: S307 - the table is ours
        for n in members_of(short, shown)
    }


def formulas() -> Iterator[tuple[str, str, str]]:
    """Yield the class, the parameter and the formula of each recorded value."""
    for table in (RECORDED, COMPRESSION):
        for short, of_class in table.items():
            for shown, formula in of_class.items():
                yield short, shown, formula


def differences() -> dict[tuple[str, str], dict[int, tuple[Fraction, Fraction]]]:
    """Return the members for which the recorded and the proved values differ, with both."""
    found = {}
    for short, shown, formula in formulas():
        ours, theirs = proved(short, shown), recorded(short, shown, formula)
        if wrong := {n: (theirs[n], ours[n]) for n in ours if ours[n] != theirs[n]}:
            found[short, shown] = wrong
    return found


def table_of_agreements(table: Mapping[str, Mapping[str, str]] = RECORDED) -> str:
    """Return the table of the classes, with the values that agree."""
    wrong = differences()
    lines = [
        "| class | members | recorded values that agree for all these members |",
        "|---|---|---|",
    ]
    for short, of_class in table.items():
        variable, members = CLASSES[short][1], members_of(short, next(iter(of_class)))
        same = [
            f"{shown} = {formula}"
            for shown, formula in of_class.items()
            if (short, shown) not in wrong
        ]
        shown_members = f"`{variable}` = {', '.join(map(str, members))}" if variable else ""
        cells = (f"`{short}`", shown_members, ", ".join(f"`{text}`" for text in same))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def table_of_differences() -> str:
    """Return the table of the values that differ; a row has all formulas with the same values."""
    texts = {(short, shown): formula for short, shown, formula in formulas()}
    rows: dict[tuple[str, str], list[str]] = {}
    for (short, shown), members in differences().items():
        variable = CLASSES[short][1]
        ours = ", ".join(f"{o} for `{variable}` = {n}" for n, (_, o) in members.items())
        rows.setdefault((short, ours), []).append(f"`{shown} = {texts[short, shown]}`")
    lines = [
        f"| `{short}` | {', '.join(given)} | {ours} |" for (short, ours), given in rows.items()
    ]
    return "\n".join(["| class | recorded | proved |", "|---|---|---|", *lines])


def table_of_witnesses() -> str:
    """Return the smallest classes for which relationships between schemes are strict."""
    lines = ["| number | relationship | smallest class | values |", "|---|---|---|---|"]
    for number, (one, other, chosen) in WITNESSES.items():
        start = f"| {number} | {one} >= {other} |"
        if chosen is None:
            lines.append(f"{start} none on at most 4 points | |")
            continue
        C = some_functions(*chosen)
        values = f"{size_of(C, one)}, {size_of(C, other)}"
        lines.append(f"{start} `some_functions:n={chosen[0]},chosen={chosen[1]}` | {values} |")
    return "\n".join(lines)


def size_of(C: ConceptClass, shown: str) -> int:
    """Return the value of a parameter of the witnesses, with a checked certificate."""
    functions = {"NCTD": no_clash_teaching_dimension, "VC": vc_dimension, **FURTHER, **SCHEMES}
    result = functions[shown](C)
    result.check()
    return result.value


def table_of_exceeding() -> str:
    """Return for each two parameters the smallest class in which the first exceeds the second."""
    return table_of_queries(f"{one} > {other}" for one, other in permutations(EXCEEDING, 2))


def table_of_strict() -> str:
    """Return the smallest classes for which relationships with numbers of queries are strict."""
    return table_of_queries(STRICT)


def table_of_queries(queries: Iterable[str]) -> str:
    """Return the smallest class that each query finds."""
    lines = ["| query | smallest class | points, concepts | values |", "|---|---|---|---|"]
    for query in queries:
        found = query_atlas(query)
        if not found.matches:
            lines.append(f"| `{query}` | none on at most {found.most_points} points | | |")
            continue
        entry = found.matches[0]
        values = ", ".join(shown_value(name, entry) for name in found.asked)
        size = f"{entry.points}, {len(entry.concepts)}"
        lines.append(f"| `{query}` | `{entry.instance}` | {size} | {values} |")
    return "\n".join(lines)


def summary() -> str:
    """Return the number of values and of differences."""
    number = len([*formulas()])
    members = sum(len(members_of(short, shown)) for short, shown, _ in formulas())
    wrong = sum(map(len, differences().values()))
    return (
        f"The comparison covers {counted(number, 'recorded value', 'recorded values')} of "
        f"{len({short for short, *_ in formulas()})} classes and families, that is "
        f"{members} values of members; {wrong} of these differ."
    )


TABLES = {
    "summary": summary,
    "agreements": table_of_agreements,
    "schemes": partial(table_of_agreements, COMPRESSION),
    "differences": table_of_differences,
    "exceeding": table_of_exceeding,
    "strict": table_of_strict,
    "witnesses": table_of_witnesses,
}


def filled(page: str) -> str:
    """Return the page with its tables."""
    for name, table in TABLES.items():
        mark = f"<!-- {name} -->"
        page = re.sub(
            f"{mark}\n.*?{mark}",
            lambda _, mark=mark, table=table: f"{mark}\n{table()}\n{mark}",
            page,
            flags=re.DOTALL,
        )
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
