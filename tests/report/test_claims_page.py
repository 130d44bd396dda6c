"""The page of claims: in the papers' order, with verdicts, counterexamples, slack."""

from __future__ import annotations

from html.parser import HTMLParser

from proofs_check.__main__ import main
from proofs_check.claims.claim import Size, Verdict
from proofs_check.claims.table import CLAIMS
from proofs_check.claims_html import claims_html
from proofs_check.runner import run_claim


class Articles(HTMLParser):
    """The text of each article, in the order of the page."""

    def __init__(self, text):
        super().__init__()
        self.found, self.inside = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "article":
            self.inside = dict(attrs)["id"]
            self.found[self.inside] = ""

    def handle_endtag(self, tag):
        if tag == "article":
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.found[self.inside] += data


def test_an_erratum_shows_its_counterexample_and_what_holds_instead():
    repair = next(claim for claim in CLAIMS.values() if claim.corrects)
    erratum = CLAIMS[repair.corrects]
    assert erratum.recorded is Verdict.FAILS
    outcome = run_claim(erratum, Size.SMALL)
    text = Articles(claims_html([outcome], "last")).found[erratum.key]
    failed = next(i for i in outcome.instances if i.verdict is Verdict.FAILS)
    assert f"Counterexample{failed.name}: {failed.detail}" in text
    assert f"{repair.key}: {repair.statement}" in text
    assert "(erratum)" in text


def test_the_report_has_a_page_beside_its_other_files(tmp_path, capsys):
    keys = ["fx/lemma-9", "bbkn/def-2.3", "bbkn/def-2.2"]
    assert main(["run", *keys, "--report", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "report.json", "report.md"}
    found = Articles((tmp_path / "index.html").read_text()).found
    assert list(found) == keys
    for key, text in found.items():
        assert CLAIMS[key].statement in text
    capsys.readouterr()


def test_pyodide_without_a_page_is_refused(tmp_path, capsys):
    assert main(["run", "fx/lemma-9", "--pyodide", str(tmp_path)]) == 2
    assert "--pyodide goes with --report" in capsys.readouterr().err
