"""The page of claims: order of the papers, verdicts, counterexamples, slack."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser

from ccsim import all_functions, kernel
from proofs_check.__main__ import main
from proofs_check.claims.catalogue import place_in_text
from proofs_check.claims.claim import Instance, Size, Verdict
from proofs_check.claims.evidence import vc_dimension
from proofs_check.claims.table import CLAIMS
from proofs_check.claims_html import claims_html
from proofs_check.keeping import keeping
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
    assert list(found) == [keys[0], keys[2], keys[1]]
    for key, text in found.items():
        assert CLAIMS[key].statement in text
    capsys.readouterr()


def test_claims_stand_in_the_order_of_the_text(tmp_path, capsys):
    keys = ["fx/ldim-line", "bbkn/def-2.3", "fx/lemma-9", "bbkn/def-2.2", "fx/intro-gap"]
    assert main(["run", *keys, "--report", str(tmp_path)]) == 0
    found = Articles((tmp_path / "index.html").read_text()).found
    in_text = ["fx/intro-gap", "fx/lemma-9", "fx/ldim-line", "bbkn/def-2.2", "bbkn/def-2.3"]
    assert list(found) == in_text
    capsys.readouterr()


def test_every_paper_begins_with_its_introduction_and_keeps_the_order_of_its_numbers():
    for paper in ("bbkn", "bns"):
        claims = [claim for claim in CLAIMS.values() if claim.paper == paper]
        claims.sort(key=lambda claim: place_in_text(claim.key, claim.number))
        found = [re.match(r"Theorem (\d+)\.(\d+)", claim.number) for claim in claims]
        numbers = [tuple(map(int, match.groups())) for match in found if match]
        assert len(numbers) > 10
        assert numbers == sorted(numbers)


class Kept(HTMLParser):
    """The certificates of a page, and the controls that refer to them."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.controls, self.name = {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.name = given.get("id") if tag == "script" else None
        if "data-certificate" in given:
            self.controls.append((tag, given["data-certificate"]))

    def handle_endtag(self, tag):
        self.name = None

    def handle_data(self, data):
        if self.name and "/" in self.name:
            self.texts[self.name] = json.loads(data)


def test_a_claim_comes_with_certificates_that_the_kernel_accepts():
    keys = ["fx/ldim-line", "fx/thm-7-ge-printed"]
    outcomes = [run_claim(CLAIMS[key], Size.SMALL, keep=True) for key in keys]
    text = claims_html(outcomes, "last")
    kept = Kept(text)
    assert {name.rpartition(".")[0] for name in kept.texts} == set(keys)
    assert sorted(kept.controls) == [
        (t, name) for t in ("a", "button") for name in sorted(kept.texts)
    ]
    for each in kept.texts.values():
        kernel.check(json.loads(each))
    line, erratum = outcomes
    assert line.shown.instance == "p=5"
    assert "<svg" in text
    failed = next(i for i in erratum.instances if i.verdict is Verdict.FAILS)
    assert erratum.shown.instance == failed.name
    assert run_claim(CLAIMS[keys[0]], Size.SMALL).shown is None


def test_what_is_kept_of_a_claim_is_what_its_instance_rests_on():
    results = []
    with keeping(wanted=True) as keeper:
        for d in (1, 2, 3):
            results.append(vc_dimension(all_functions(d)))
            slack = Fraction(1, d) if d < 3 else Fraction(2)
            keeper.hear(Instance(f"d={d}", Verdict.HOLDS, "", slack))
    shown = keeper.shown()
    assert shown.instance == "d=2"
    assert shown.certificates == (results[1].certificate().to_json(),)


def test_errata_stand_in_a_table_of_their_own():
    outcome = run_claim(CLAIMS["fx/thm-7-ge-printed"], Size.SMALL)
    text = claims_html([outcome], "last")
    assert "<h2>Errata</h2>" in text
    assert "<h2>Errata</h2>" not in claims_html([run_claim(CLAIMS["fx/ldim-line"], Size.SMALL)], "")


def test_pyodide_without_a_page_is_refused(tmp_path, capsys):
    assert main(["run", "fx/lemma-9", "--pyodide", str(tmp_path)]) == 2
    assert "--pyodide requires --report" in capsys.readouterr().err
