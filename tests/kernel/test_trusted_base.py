"""The trusted base is small and depends on no other files."""

import ast
import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from ccsim import CommunicationProblem, kernel
from ccsim.kernel.communication import MinimaxError
from ccsim.kernel.sign_ranks import SignRank
from tests.kernel.corpus import stored

FILES = sorted(Path(kernel.__file__).parent.iterdir())
SOURCES = [path for path in FILES if path.suffix == ".py"]


def lines(path):
    return path.read_text(encoding="utf-8").count("\n")


def test_folder_holds_sources_alone():
    assert {path.suffix for path in FILES if path.name != "__pycache__"} == {".py"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_file_has_more_than_250_lines(path):
    assert lines(path) <= 250


LOADED = """
import json, sys
sys.path.insert(0, sys.argv[1])
import kernel
try:
    kernel.check(json.loads(sys.argv[2]))
except kernel.Rejected as error:
    print(error, file=sys.stderr)
print(*(name for name in sys.modules if name.split(".")[0] == "kernel"))
"""
PROBLEM = CommunicationProblem.from_matrix([[0], [1]]).to_json()
CHOSEN = {"choices": {"symmetries": [], "bound": 0, "nodes": []}}
CHOSEN_AT = {"hard_distribution": {"distribution": [[0, 0, 1], [1, 0, 1]], "proof": CHOSEN}}
SIGNS = {"sign_rank": {"proof": {"trivial": {}}}}
TREE = {"side": "rows", "lines": [0, 1], "dimension": 1, "nodes": []}
TREES = {"sign_rank": {"proof": {"chirotope": TREE}}}
RADON = {"radon": {"inputs": [0, 1], "separations": [[1]]}}
SQUARES_AT = deepcopy(CHOSEN_AT)
SQUARES_AT["hard_distribution"]["proof"] = {"squares": {"unit": 1, "potentials": [], "ends": []}}
JOINS_AT = deepcopy(CHOSEN_AT)
JOINS_AT["hard_distribution"]["proof"] = {"joins": {"joins": []}}
LOADS = {
    "choices": "answers",
    "squares": "squares",
    "joins": "programs",
    "radon": "private_coins",
    "sign_rank": "sign_ranks",
    "chirotope": "chirotopes",
}
AT = {"distribution": [[0, 0, 1], [1, 0, 1]]}
INTERACTIVE = [  # kinds in `kernel/interactive.py`, their forms of lower bounds, and loaded files
    ("two_way_error", {"rounds": None}, "hard_distribution", {"lanes", "least_trees"}),
    ("two_way_error", {"rounds": None}, "discrepancy", {"rectangles", "ranks"}),
    ("simultaneous_error", {}, "hard_distribution", {"lanes", "messages"}),
    ("simultaneous_error", {}, "discrepancy", {"rectangles", "ranks"}),
]
FORMS = [  # of lower bounds, which load files of their own, and what they load
    ("distributional_error", {"distribution": [[0, 0, 1], [1, 0, 1]]}, CHOSEN),
    ("minimax_error", {"coins": "public"}, CHOSEN_AT),
    ("minimax_error", {"coins": "private"}, CHOSEN_AT),
    ("minimax_error", {"coins": "private"}, RADON),
    ("minimax_error", {"coins": "deterministic"}, RADON),
    ("minimax_error", {"coins": "private"}, SIGNS),
    ("minimax_error", {"coins": "private"}, TREES),
    ("communication_complexity", {"coins": "public"}, CHOSEN_AT),
    ("communication_complexity", {"coins": "private"}, RADON),
    ("communication_complexity", {"coins": "private"}, SIGNS),
    ("communication_complexity", {"coins": "public"}, SQUARES_AT),
    ("minimax_error", {"coins": "public"}, JOINS_AT),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a copy of the kernel, which keeps its compiled modules."""
    made = tmp_path_factory.mktemp("copy")
    copytree(SOURCES[0].parent, made / "kernel", ignore=ignore_patterns("__pycache__"))
    return made


def loaded(folder, kind, instance, statement, lower):
    """Return the files loaded to check a certificate, and the verdict."""
    certificate = {"format": 2, "kind": kind, "instance": instance, "statement": statement}
    text = json.dumps(certificate | {"lower": lower, "upper": None, "made_by": ""})
    command = [sys.executable, "-I", "-S", "-c", LOADED, str(folder), text]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    names = {name.partition(".")[2] or "__init__" for name in done.stdout.split()}
    return names | {"__main__"}, done.stderr


def check_size(names, kind, files=9, most=1450):
    read = [path for path in SOURCES if path.stem in names]
    assert {"__init__", "reader", "rules", kernel.KINDS[kind]} <= names
    assert len(read) == len(names) <= files
    assert sum(map(lines, read)) <= most


@pytest.mark.parametrize("kind", sorted(kernel.KINDS))
def test_what_runs_for_a_certificate_is_at_most_nine_files_of_1450_lines(kind, folder):
    names, _ = loaded(folder, kind, {}, {}, {})
    check_size(names, kind)


@pytest.mark.parametrize(("kind", "given", "proof"), FORMS)
def test_forms_that_load_a_file_keep_to_1450_lines(kind, given, proof, folder):
    statement = {"messages": 1, "lower": "0", "upper": None} | given
    if kind == "communication_complexity":
        del statement["messages"]
        statement |= {"error": "0", "lower": 2}
        proof = {"too_few": {"messages": 1, "proof": proof}}
    names, said = loaded(folder, kind, PROBLEM, statement, proof)
    forms = [form for form in LOADS if f'"{form}"' in json.dumps(proof)]
    assert names & {*LOADS.values()} == {LOADS[form] for form in forms}, said
    check_size(names, kind)


@pytest.mark.parametrize(("kind", "given", "form", "more"), INTERACTIVE)
def test_forms_of_interactive_errors_keep_to_1450_lines(kind, given, form, more, folder):
    statement = {"bits": 2, "lower": "0", "upper": None} | given
    names, said = loaded(folder, kind, PROBLEM, statement, {form: AT})
    assert names == {"__init__", "__main__", "reader", "rules", "inputs", "interactive"} | more
    assert not said
    check_size(names, kind)


def test_only_these_files_are_loaded_by_forms():
    """All other imports are made by the file of the kind and counted for each certificate."""
    within = set()
    for path in SOURCES:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                nodes = ast.walk(function)
                within |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    within |= {*MinimaxError.elsewhere.values(), *SignRank.elsewhere.values()}
    interactive = {"rectangles", "least_trees", "messages"}
    assert within == {*LOADS.values(), *interactive, "partitions", "noise_programs"}


def test_a_noise_program_loads_four_more_files(folder):
    made = stored("privacy_event_program")[0]
    parts = (made[key] for key in ("instance", "statement", "lower"))
    names, said = loaded(folder, "privacy", *parts)
    assert names >= {"noise_programs", "lattice_sums", "piecewise", "series"}, said
    check_size(names, "privacy", files=12, most=1810)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_file_imports_the_standard_library_and_its_neighbours_alone(path):
    neighbours = {each.stem for each in SOURCES}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module.split(".")[0] in sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1
            names = {node.module} if node.module else {alias.name for alias in node.names}
            assert names <= neighbours


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_function_of_the_base_asserts_or_evaluates_text(path):
    """Assertions are disabled by ``-O``, and evaluated text cannot be reviewed."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert)
        assert not (isinstance(node, ast.Name) and node.id in ("eval", "exec", "compile"))
