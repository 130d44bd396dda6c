"""The page of exact values: certificates by digest, and the smallest classes that separate."""

import json
import re
from pathlib import Path

import pytest

import ccsim.communication
from ccsim.certificates import verify
from ccsim.kernel import digest
from ccsim.surveys.atlas.query import query_atlas

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "frontier.md").read_text(encoding="utf-8")
LINES = re.findall(
    r"^\| `(\w+\(.*\))` \| (\S+) \| `(\w+)` \| `([0-9a-f]{64})` \|$",
    PAGE.replace("<wbr>", ""),
    re.M,
)
LONG = ("halfspaces:b=1,d=4", "boxes:b=2,d=2", "intervals:n=14", "1, 5)")  # a second or more
SEPARATIONS = re.findall(
    r"^\| [^|]*\| [123] \| [^|]* \| ([^|]*) \| [^|]* \| `(.*)` \|$", PAGE, re.M
)
ALL = {2: 15, 3: 255, 4: 65535}


def test_the_tables_are_found():
    assert len(LINES) == 42
    assert len(SEPARATIONS) == 19
    stored = {path.name for path in (DOCS / "frontier").iterdir()}
    assert len(stored) == 29
    assert stored < {f"{sha[:16]}.json" for *_, sha in LINES}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=pytest.mark.slow if any(s in line[0] for s in LONG) else ())
        for line in LINES
    ],
    ids=lambda line: line[0][:60],
)
def test_a_certificate_has_the_value_and_the_digest_of_the_page(line):
    expression, value, kind, sha = line
    names = {name: getattr(module, name) for name in re.findall(r"[A-Za-z_]+(?=[(.])", expression)
             for module in (ccsim.communication, ccsim) if hasattr(module, name)}  # fmt: skip
    result = eval(expression, names)  # noqa: S307 - the page is ours
    assert str(result.value) == value
    document = result.certificate().to_dict()
    stored = DOCS / "frontier" / f"{sha[:16]}.json"
    if stored.exists():  # floats suggest the proof, and other versions of their solver find others
        document = json.loads(stored.read_text(encoding="utf-8"))
        verify(document)
        bounds = {document["statement"][side] for side in ("lower", "upper")}
        assert {str(bound) for bound in bounds} == {value}
        assert document["instance"] == result.certificate().instance
    assert document.pop("made_by").startswith("ccsim")
    assert document["kind"] == kind
    assert digest(document) == sha
    result.check()


@pytest.mark.parametrize(("smallest", "question"), SEPARATIONS)
def test_the_atlas_finds_the_smallest_class_first(smallest, question):
    found = query_atlas(question).matches[0]
    points = int(re.search(r"(\d) points", smallest)[1])
    named = re.match(r"`(.*)`", smallest)
    expected = named[1] if named else f"some_functions:n={points},chosen={ALL[points]}"
    assert found.instance == expected
    assert found.instance.startswith(f"some_functions:n={points},")
    assert f"{bin(int(expected.rpartition('=')[2])).count('1')} concepts" in smallest


def test_the_gaps_that_do_not_occur_are_decided_for_all_classes():
    part = PAGE.partition("do not occur for classes on at most four points:")[2]
    absent, _, rest = part.partition("Gaps with `R_priv`")
    questions = [text for text in re.findall("`([^`]*)`", absent) if "(1/" in text]
    assert len(questions) == 8
    for question in questions:
        found = query_atlas(question)
        assert (found.count, len(found.undecided), found.most_points) == (0, 0, 4), question
    counted = re.findall(r"`([^`]*>= 0)` \((?:open for )?(\d+) classes\)", rest)
    assert len(counted) == 3
    for question, number in counted:
        found = query_atlas(question)
        assert (found.count, len(found.undecided)) == (0, int(number)), question
    larger = query_atlas("littlestone >= 3 and messages(1/4) >= 16")
    assert (larger.count, len(larger.undecided)) == (0, 0)
