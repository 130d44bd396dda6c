"""The pages on certificates agree with the kernel: kinds, forms, fields, limits and files."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel import reader, rules
from ccsim.kernel.rules import Quantity

# which are loaded when a certificate asks for them
FILES = {
    name: import_module(f"ccsim.kernel.{name}")
    for name in {*kernel.KINDS.values(), "private_coins", "chirotopes"}
}
RULES = ("mixture", "cases", "table", "Symmetry")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
SUBJECTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").glob("certificates-*.md"))
}
FOLDER = Path(kernel.__file__).parent
ROW = re.compile(
    r"^\| (statement|lower|upper) \| *(?:`(\w+)` )?\| *((?:`\w+`(?:, )?)*) *\| (.+) \|$", re.M
)


def sections():
    """Return the text of the section of each kind."""
    found = []
    for page in SUBJECTS.values():
        parts = re.split(r"^(#{1,3} .*)$", page, flags=re.M)
        heads = zip(parts[1::2], parts[2::2], strict=True)
        found += [(m[1], text) for head, text in heads if (m := re.fullmatch(r"### `(\w+)`", head))]
    return found


def rows_of(text):
    """Return the rows of a section's table: side, form of proof and fields."""
    lines = [
        line for line in text.splitlines() if re.match(r"\| *(statement|lower|upper) *\|", line)
    ]
    found = [ROW.fullmatch(line) for line in lines]
    assert None not in found, lines[found.index(None)]
    return [(m[1], m[2], tuple(re.findall(r"`(\w+)`", m[3]))) for m in found]


def test_every_kind_has_one_section():
    assert sorted(kind for kind, _ in sections()) == sorted(Quantity.kinds) == sorted(kernel.KINDS)


def test_page_links_the_section_of_every_kind():
    linked = re.findall(
        r"\[`(\w+)`\]\((certificates-[\w-]+\.md)#\1\)", PAGE.split("\n## Kinds\n")[1]
    )
    expected = [
        (kind, name)
        for name, text in SUBJECTS.items()
        for kind in re.findall(r"^### `(\w+)`$", text, flags=re.M)
    ]
    assert sorted(linked) == sorted(expected)


def test_each_kind_is_in_the_file_that_is_loaded_for_it():
    found = {kind: made.__module__.split(".")[-1] for kind, made in Quantity.kinds.items()}
    assert found == kernel.KINDS


@pytest.mark.parametrize("kind", sorted(Quantity.kinds))
def test_section_lists_exactly_the_forms_and_their_fields(kind):
    made = Quantity.kinds[kind]
    keys = tuple(key for key in made.readers if key != "instance")
    expected = [("statement", None, keys)] if keys else []
    for side, forms in made.forms.items():
        expected += [(side, name, tuple(readers)) for name, (_, readers) in forms.items()]
    elsewhere = {name: getattr(FILES[file], name) for name, file in made.elsewhere.items()}
    assert not elsewhere.keys() & made.forms["upper"].keys()
    for name, form in elsewhere.items():
        if name not in made.forms["lower"]:  # where it stands once it has been named
            expected.append(("lower", name, tuple(rules._readers(form))))
    assert sorted(rows_of(dict(sections())[kind]), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    "limit",
    [
        ("bytes of a file", kernel.MAX_FILE_BYTES, " (256 MiB)"),
        (
            "bytes of a file that contains non-ASCII characters, escaped or not",
            kernel.MAX_WIDE_BYTES,
            " (64 MiB)",
        ),
        ("characters of a name or a label", reader.MAX_NAME, ""),
        ("nesting depth of brackets, including brackets in strings", kernel.MAX_DEPTH, ""),
        ("commas and opening brackets of a file", kernel.MAX_VALUES, ""),
        ("digits of an integer, a numerator or a denominator", reader.MAX_DIGITS, ""),
        ("steps of a check of a file", rules.MAX_WORK, ""),
    ],
    ids=lambda limit: limit[0],
)
def test_page_states_the_limit(limit):
    assert "| {} | {}{} |\n".format(*limit) in PAGE


def test_page_lists_the_files():
    listed = re.findall(r"^\| `(\w+\.py)` \|", PAGE, flags=re.M)
    assert sorted(listed) == sorted(path.name for path in FOLDER.glob("*.py"))


def test_page_explains_the_four_rules():
    section = PAGE.split("\n## The four rules\n")[1].split("\n## ")[0]
    rules_named = re.findall(r"^\*\*(\w+)\.\*\*", section, flags=re.M)
    assert rules_named == ["Mixture", "Cases", "Table", "Symmetry"]
    source = (FOLDER / "rules.py").read_text(encoding="utf-8")
    heads = re.findall(r'^(?:def|class) (\w+)(?:[^"]|"(?!""))*"""Rule (\d):', source, flags=re.M)
    assert heads == [(name, str(i)) for i, name in enumerate(RULES, 1)]


def test_example_is_printed_as_the_page_says():
    from tests.kernel.made import representation

    [line] = re.findall(r"^intervals\.json: proved: (.*) \[named", PAGE, flags=re.M)
    assert line == kernel.check(representation())


def test_a_kind_of_certificate_is_claimed_by_one_module_of_the_kernel():
    """The kernel finds kinds in its own sources; a second definition would silently win."""
    sources = Path(kernel.__file__).parent.glob("*.py")
    claimed = [kind for path in sources for kind in kernel._KIND.findall(path.read_text("utf-8"))]
    assert sorted(claimed) == sorted(kernel.KINDS)
