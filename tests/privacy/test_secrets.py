"""Noise on records comes from the operating system, and messages do not quote records."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccsim.classes import ConceptClass
from ccsim.cli.main import main
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact import probability as source
from ccsim.exact.probability import SYSTEM, Randomness, randomness
from ccsim.instances import parse_class
from ccsim.learning.learners.thresholds import ExponentialThresholdLearner
from ccsim.learning.rules import learn_rule
from ccsim.privacy import RandomizedResponse
from ccsim.release.queries.covers import ThresholdCover
from ccsim.release.queries.public_data import release_queries
from ccsim.release.queries.query_classes import ClassQueries
from ccsim.release.rectangles import rectangle_learner
from ccsim.release.sanitizer import max_threshold_error
from ccsim.release.sanitizers.frequent_points import SanPoints
from ccsim.release.sanitizers.points import StabilityHistogram
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from ccsim.release.sanitizers.threshold_recursion import SanThresholds
from ccsim.release.sanitizers.thresholds import CountedTree, QuantileTree

ROOT = Path(__file__).parents[2]
ONE, TENTH = Epsilon.of(1), Fraction(1, 10)
SECRET = 987654321

DATA = "proofs_check/claims/public_data/constructions"
FELDMAN_XIAO = "proofs_check/claims/feldman_xiao/constructions"
BEIMEL_BRENNER = "proofs_check/claims/beimel_brenner/constructions"

# What may draw from another source, and why no record of a person is near.
OTHERS = {
    f"{DATA}/tracing/simulation.py": "simulates attacks on generated samples",
    f"{DATA}/tracing/stumps.py": "releases of generated samples that are attacked",
    "ccsim/release/queries/public_data.py": "splits public points, with fixed seeds",
    "ccsim/release/queries/query_classes.py": "spreads the points of a cover, with a fixed seed",
    f"{DATA}/quality/probability.py": "draws public samples from a given law",
    "ccsim/learning/learner.py": "trials on generated samples",
    f"{FELDMAN_XIAO}/implicit_trees.py": "draws paths of trees",
    f"{BEIMEL_BRENNER}/hidden_points.py": "averages over public keys",
    "ccsim/learning/learners/lines.py": "trials on generated samples",
    "ccsim/learning/learners/points.py": "trials on generated samples",
    "ccsim/learning/learners/public_points.py": "trials on generated samples",
    f"{BEIMEL_BRENNER}/random_sets.py": "draws sets of hypotheses",
    f"{BEIMEL_BRENNER}/reconstruction.py": "trials on generated samples",
    "ccsim/learning/learners/representation.py": "trials on generated samples",
    "ccsim/cli/privacy/boxes.py": "generates hard samples",
    "ccsim/cli/privacy/learned.py": "generates hard samples",
}
FOLDERS = ("release", "learning", "privacy", "cli/privacy", "instances")
GENERATORS = {
    "default_rng",
    "Generator",
    "RandomState",
    "generator",
    "random",
    "secrets",
    "urandom",
}


def generators_in(text):
    """Return the names of sources of randomness that occur in the code of a module."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {part for each in node.names for part in each.name.split(".")}
            names |= set((getattr(node, "module", None) or "").split("."))
    return names & GENERATORS


def test_no_other_generator_is_near_records():
    folders = [ROOT / "ccsim" / folder for folder in FOLDERS]
    folders += (ROOT / "proofs_check" / "claims").glob("*/constructions")
    modules = (path for folder in folders for path in folder.rglob("*.py"))
    found = {str(p.relative_to(ROOT)) for p in modules if generators_in(p.read_text("utf-8"))}
    assert found == set(OTHERS)


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from random import Random as R",
        "import numpy.random",
        "from numpy.random import default_rng",
        "def f(rng: np.random.Generator): ...",
        "np.random.default_rng()",
        "os.urandom(8)",
        "from ccsim.exact.probability import generator",
    ],
)
def test_other_generators_are_noticed(line):
    assert generators_in(line)


class Coins:
    """Bytes given by a counter, in place of the operating system's random bytes."""

    def __init__(self, seed):
        self.numpy, self.taken = np.random.default_rng(seed), 0

    def token_bytes(self, length):
        self.taken += length
        return self.numpy.bytes(length)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    points = [7] * 200 + rng.integers(2**9, size=400).tolist()
    lines = {
        "records.csv": points,
        "public.csv": points[-40:],
        "small.csv": [x % 2 for x in points],
        "labelled.csv": [f"{x},{int(x < 200)}" for x in points],
        "boxes.csv": [f"{x},{y},{int(x < 300)}" for x, y in rng.integers(2**9, size=(600, 2))],
        "grid.csv": [f"{x} {y}" for x, y in rng.integers(2**4, size=(600, 2))],
        "people.csv": ["age,smokes", *(f"{x % 100},{int(x % 100 > 40)}" for x in points)],
    }
    for name, each in lines.items():
        Path(name).write_text("\n".join(map(str, each)) + "\n", encoding="utf-8")


SANITIZE = ("sanitize", "--records=records.csv", "--epsilon=1")
RELEASE = ("release", "thresholds:b=9", "--private=records.csv", "--public=public.csv")
ASKED = ("--accuracy=1/10", "--failure=1/10")
COMMANDS = [
    (*SANITIZE, "points:b=9", "--sanitizer=stability-histogram"),
    (*SANITIZE, "points:b=9", "--sanitizer=san-points"),
    (*SANITIZE, "k_points:b=9,k=2", "--sanitizer=k-points"),
    (*SANITIZE, "thresholds:b=9", "--sanitizer=counted-tree"),
    (*SANITIZE, "thresholds:b=9", "--sanitizer=quantile-tree"),
    (*SANITIZE, "thresholds:b=9", "--sanitizer=san-thresholds"),
    ("sanitize", "thresholds:b=1", "--records=small.csv", "--sanitizer=blum-ligett-roth",
     "--epsilon=1", "--size=80"),
    (*RELEASE, "--epsilon=1", "--out=synthetic.csv"),
    (*RELEASE, "--epsilon=1", "--form=sparse-vector"),
    (*RELEASE, "--epsilon=1", "--delta=0"),
    (*RELEASE, "--epsilon=1", "--method=histogram"),
    (*RELEASE, "--epsilon=1", "--method=private"),
    ("release", "boxes:b=4,d=2", "--private=grid.csv", "--epsilon=1", "--method=private"),
    ("learn", "thresholds:b=9", "--learner=exponential", *ASKED, "--records=labelled.csv"),
    ("learn", "thresholds:b=9", "--learner=rec-concave", *ASKED, "--records=labelled.csv"),
    ("learn", "boxes:b=9,d=2", "--learner=rectangles", *ASKED, "--records=boxes.csv",
     "--epsilon=20"),
    ("learn", "--data=people.csv", "--target=smokes", "--column=age:0..100",
     "--learner=thresholds", "--epsilon=1/100"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_operating_system_decides_all_that_is_random(capsys, monkeypatch, files, command):
    def run(seed):
        coins = Coins(seed)
        monkeypatch.setattr(source, "secrets", coins)
        assert main((*command, "--json")) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["coins"], data["not_private"]) == ("system", [])
        assert coins.taken >= 8
        files = [path.read_text() for path in sorted(Path().glob("synthetic.csv"))]
        return json.dumps(data), files

    first, again = run(0), run(0)
    assert first == again  # whatever came from elsewhere would differ
    if "--sanitizer=k-points" not in command and "--sanitizer=san-points" not in command:
        assert any(run(seed)[0] != first[0] for seed in range(1, 12))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_seed_takes_nothing_from_the_operating_system_and_says_not_private(
    capsys, monkeypatch, files, command
):
    coins = Coins(0)
    monkeypatch.setattr(source, "secrets", coins)
    assert main((*command, "--seed=3", "--json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["coins"] == "seed"
    assert data["not_private"]
    assert set(data["not_private"]) <= set(data)
    assert coins.taken == 0
    assert main((*command, "--seed=3")) == 0
    assert "NOT PRIVATE" in capsys.readouterr().out


class NoEntropyError(Exception):
    pass


def without_entropy(_):
    raise NoEntropyError


HALF = [(0, 1)] * 300 + [(7, 0)] * 300
DRAWS = {
    "stability histogram": lambda: StabilityHistogram(range(8), ONE, TENTH).draw([1] * 90),
    "san-points": lambda: SanPoints.for_budget(7, TENTH, TENTH, ONE, TENTH).sanitize([1] * 90_000),
    "quantile tree": lambda: QuantileTree(7, ONE).draw([1] * 90),
    "counted tree": lambda: CountedTree(7, ONE).draw([1] * 90),
    "san-thresholds": lambda: SanThresholds.for_budget(7, TENTH, TENTH, ONE, TENTH).sanitize(
        [1] * 9_000_000
    ),
    "synthetic": lambda: SyntheticDatabase(parse_class("thresholds:b=2"), ONE, 2).draw([1, 2]),
    "release": lambda: release_queries(ThresholdCover(7, (1, 5)), [1, 2] * 99, 1, "1/100"),
    "private": lambda: ClassQueries(parse_class("thresholds:b=2")).private(
        [1, 2] * 99, ONE, Fraction(1, 100)
    ),
    "threshold": lambda: ExponentialThresholdLearner(TENTH, TENTH, ONE, 3).learn(HALF),
    "box": lambda: rectangle_learner(3, 1, ONE).learn([((x,), y) for x, y in HALF]),
    "rule": lambda: learn_rule(
        [{"age": x, "ill": y} for x, y in HALF], target="ill", columns=["age:0..9"],
        learner="thresholds",
    ),
    "mechanism": lambda: RandomizedResponse((0, 1), ONE).sample([0]),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_python_functions_ask_the_operating_system_too(monkeypatch, name):
    DRAWS[name]()
    monkeypatch.setattr(source.secrets, "token_bytes", without_entropy)
    with pytest.raises(NoEntropyError):
        DRAWS[name]()


def test_the_source_of_records_is_the_operating_systems(monkeypatch):
    monkeypatch.setattr(source.secrets, "token_bytes", lambda length: b"x" * length)
    assert (SYSTEM.bytes(5), randomness(None)) == (b"xxxxx", SYSTEM)
    assert isinstance(np.random.default_rng(0), Randomness)
    assert isinstance(SYSTEM, Randomness)


BAD = {
    "records.csv": f"1\n{SECRET}\n",
    "records.json": f'[1, {SECRET}]',
    "object.json": f'{{"records": [{SECRET}]}}',
    "text.json": f'["{SECRET}"]',
    "wide.csv": f"1\n{SECRET},1\n",
    "headless.csv": f"{SECRET}\n2\n",
    "labelled.csv": f"1,1\n{SECRET},0\n",
    "labels.csv": f"1,1\n1,{SECRET}\n",
    "boxes.csv": f"1,1,1\n1,{SECRET},0\n",
    "box_labels.csv": f"1,1,1\n1,1,{SECRET}\n",
    "people.csv": f"age,smokes\n1,0\n{SECRET},1\n",
    "words.csv": f"age,smokes\n1,0\nx{SECRET},1\n",
    "smokers.csv": f"age,smokes\n1,0\n1,{SECRET}\n",
    "nameless.csv": f"{SECRET},{SECRET}\n1,0\n",
    "unnamed.csv": f"{SECRET},1\n1,0\n",
}  # fmt: skip
HISTOGRAM = ("points:b=3", "--sanitizer=stability-histogram", "--epsilon=1")
THRESHOLD = ("learn", "thresholds:b=3", "--learner=exponential", *ASKED)
PEOPLE = ("learn", "--target=smokes", "--column=age:0..100", "--learner=thresholds")
CELLS = [
    (*("sanitize", *HISTOGRAM, "--records=records.csv"), "row 2, column 1"),
    (*("sanitize", *HISTOGRAM, "--records=records.json"), "row 2, column 1"),
    (*("sanitize", *HISTOGRAM, "--records=object.json"), "expected a list of records"),
    (*("sanitize", *HISTOGRAM, "--records=text.json"), "row 1, column 1"),
    (*("sanitize", *HISTOGRAM, "--records=wide.csv"), "row 2"),
    (*("sanitize", *HISTOGRAM, "--records=headless.csv"), "row 1, column 1"),
    (*("sanitize", *HISTOGRAM, "--records=headless.csv", "--column=age"), "row 1: no column"),
    (*("release", "thresholds:b=3", "--epsilon=1", "--private=records.csv",
       "--public=records.csv"), "row 2, column 1"),
    (*("release", "boxes:b=3,d=2", "--epsilon=1", "--private=records.csv",
       "--public=records.csv"), "row 1, column 1"),
    (*THRESHOLD, "--records=labelled.csv", "row 2, column 1"),
    (*THRESHOLD, "--records=labels.csv", "row 2, column 2"),
    ("learn", "boxes:b=3,d=2", "--learner=rectangles", *ASKED, "--records=boxes.csv", "row 2, c"),
    ("learn", "boxes:b=3,d=2", "--learner=rectangles", *ASKED, "--records=box_labels.csv", "row 2"),
    (*PEOPLE, "--data=people.csv", "record 2: age"),
    (*PEOPLE, "--data=words.csv", "record 2: age"),
    (*PEOPLE, "--data=smokers.csv", "record 2: smokes"),
    (*PEOPLE, "--data=nameless.csv", "row 1, column 2"),
    (*PEOPLE, "--data=unnamed.csv", "must have a column smokes"),
    (*("learn", "--data=unnamed.csv", "--learner=thresholds"), "--target"),
]  # fmt: skip


@pytest.mark.parametrize("given", CELLS, ids=" ".join)
def test_messages_do_not_quote_cells(capsys, tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    for name, text in BAD.items():
        Path(name).write_text(text, encoding="utf-8")
    *command, message = given
    assert main(command) == 2
    shown = "".join(capsys.readouterr())
    assert message in shown
    assert str(SECRET) not in shown


def test_predictions_do_not_quote_cells(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in BAD.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("good.csv").write_text("age,smokes\n" + "1,0\n9,1\n" * 40, encoding="utf-8")
    assert main((*PEOPLE, "--data=good.csv", "--epsilon=30", "--out=model.json")) == 0
    capsys.readouterr()
    for name, extra in (("people", ()), ("words", ()), ("smokers", ("--score",))):
        assert main(("predict", "model.json", f"--data={name}.csv", *extra)) == 2
        shown = "".join(capsys.readouterr())
        assert "record 2" in shown
        assert str(SECRET) not in shown


CLASS = ConceptClass.from_matrix([[0, 1], [1, 1]])
PYTHON = {
    "histogram": lambda: StabilityHistogram(range(8), ONE, TENTH).draw([1, SECRET]),
    "points": lambda: SanPoints.for_budget(7, TENTH, TENTH, ONE, TENTH).sanitize([SECRET] * 9),
    "copies": lambda: SanPoints.for_budget(7, TENTH, TENTH, ONE, TENTH).sanitize({SECRET: -SECRET}),
    "quantile tree": lambda: QuantileTree(7, ONE).draw([1, SECRET]),
    "counted tree": lambda: CountedTree(7, ONE).draw([1, SECRET]),
    "thresholds": lambda: SanThresholds.for_budget(7, TENTH, TENTH, ONE, TENTH).sanitize([SECRET]),
    "synthetic": lambda: SyntheticDatabase(CLASS, ONE, 2).draw([SECRET]),
    "release": lambda: release_queries(ThresholdCover(7, (1,)), [SECRET], 1, "1/100"),
    "public": lambda: ThresholdCover(7, (SECRET,)),
    "class": lambda: ClassQueries(CLASS).private([SECRET], ONE, TENTH),
    "means": lambda: ClassQueries(CLASS).means([0], [SECRET]),
    "threshold": lambda: ExponentialThresholdLearner(TENTH, TENTH, ONE, 3).learn([(SECRET, 1)]),
    "label": lambda: ExponentialThresholdLearner(TENTH, TENTH, ONE, 3).learn([(1, SECRET)]),
    "box": lambda: rectangle_learner(3, 1, ONE).learn([((SECRET,), 1)]),
    "box label": lambda: rectangle_learner(3, 1, ONE).learn([((1,), SECRET)]),
    "mechanism": lambda: RandomizedResponse((0, 1), ONE).sample([SECRET]),
    "rule": lambda: learn_rule([SECRET], target="a", columns=["b:0..9"]),
    "rules": lambda: learn_rule(str(SECRET), target="a", columns=["b:0..9"]),
    "cell": lambda: learn_rule([{"a": 0, "b": SECRET}], target="a", columns=["b:0..9"]),
    "value": lambda: learn_rule([{"a": 0, "b": SECRET}], target="a", columns=["b:x,y"]),
    "word": lambda: learn_rule([{"a": 0, "b": f"x{SECRET}"}], target="a", columns=["b:0..9"]),
    "words": lambda: release_queries(ThresholdCover(7, (1,)), [f"x{SECRET}"], 1, "1/100"),
    "text": lambda: release_queries(ThresholdCover(7, (1,)), f"x{SECRET}", 1, "1/100"),
    "float": lambda: release_queries(ThresholdCover(7, (1,)), [SECRET / 3], 1, "1/100"),
    "error at a float": lambda: max_threshold_error([1, float(SECRET)], [1], 7),
    "target": lambda: learn_rule([{"a": SECRET, "b": 1}], target="a", columns=["b:0..9"]),
}


@pytest.mark.parametrize("name", PYTHON)
def test_python_messages_do_not_quote_records(name):
    with pytest.raises(DomainError) as caught:
        PYTHON[name]()
    assert str(SECRET) not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
