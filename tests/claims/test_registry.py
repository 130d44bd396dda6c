"""The registry of claims, the runner, and the exit statuses of proofs-check."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ccsim import (
    CertificateError,
    DomainError,
    NotDecidedError,
    bounds,
    equality,
    kernel,
    minimax_error,
)
from ccsim.exact import LogSum
from proofs_check import outcome as outcomes
from proofs_check.__main__ import main
from proofs_check.claims import catalogue as catalogue_module
from proofs_check.claims import decision
from proofs_check.claims.catalogue import catalogue, missing
from proofs_check.claims.claim import Kind, Size, Verdict, claim
from proofs_check.claims.grid import grid
from proofs_check.claims.table import CLAIMS, claim_table
from proofs_check.claims.variants import near
from proofs_check.outcome import ExitStatus, Outcome, exit_status
from proofs_check.runner import run_claim
from tests.cases import every


def rejecting():
    raise CertificateError("column 3 loses 2")


def giving_up():
    raise NotDecidedError("out of time")


WORDS = {
    "holds": lambda: decision.at_most(1, 1),
    "fails": lambda: decision.at_most(2, 1),
    "undecided": lambda: decision.undecided("interval too wide"),
    "gives up": giving_up,
    "rejected": rejecting,
    "crashes": lambda: 1 / 0,
}


def make(*words, recorded=Verdict.HOLDS, **fields):
    """Return a claim with one instance for each word; its variant fails on all of them."""
    erratum = recorded is Verdict.FAILS

    def by_word(n, *, words=words):
        """A statement."""
        return WORDS[words[n]]()

    def without_ingredient(n):
        """A statement."""
        return WORDS[words[n]]()

    decide = by_word
    if recorded is Verdict.NOT_DECIDED:
        decide = without_ingredient
    else:
        other = ("holds" if erratum else "fails",) * max(1, len(words))
        fields.setdefault("near", near("Otherwise.", words=other))
    fields.setdefault("survives", "no" if erratum else "")
    kind = Kind.ERRATUM if erratum else Kind.LEMMA
    over = grid(n=range(len(words)))
    return claim("t/x", "1", "title", kind, over=over, recorded=recorded, **fields)(decide)


def outcome(monkeypatch, *words, **fields):
    made = make(*words, **fields)
    monkeypatch.setattr(outcomes, "CLAIMS", {made.key: made})
    return run_claim(made, Size.SMALL)


@pytest.mark.parametrize(
    ("words", "verdict", "status"),
    [
        (("holds",), Verdict.HOLDS, ExitStatus.OK),
        (("holds", "fails"), Verdict.FAILS, ExitStatus.UNEXPECTED),
        (("undecided",), Verdict.NOT_DECIDED, ExitStatus.NOT_DECIDED),
        ((), Verdict.NOT_DECIDED, ExitStatus.NOT_DECIDED),
        (("holds", "gives up"), Verdict.NOT_DECIDED, ExitStatus.NOT_DECIDED),
        (("gives up", "fails"), Verdict.FAILS, ExitStatus.UNEXPECTED),
        (("holds", "rejected"), Verdict.NOT_DECIDED, ExitStatus.REJECTED),
    ],
)
def test_exit_status_follows_the_verdict(monkeypatch, words, verdict, status):
    result = outcome(monkeypatch, *words)
    assert result.verdict is verdict
    assert exit_status([result]) is status


def test_a_recorded_erratum_that_fails_is_as_recorded(monkeypatch):
    result = outcome(monkeypatch, "holds", "fails", recorded=Verdict.FAILS)
    assert result.expected
    assert result.wording == "fails on 1 of 2 (erratum)"
    assert exit_status([result]) is ExitStatus.OK


def test_a_recorded_erratum_that_holds_is_unexpected(monkeypatch):
    other = near("Otherwise.", words=("holds", "holds"))
    result = outcome(monkeypatch, "holds", recorded=Verdict.FAILS, near=other)
    assert exit_status([result]) is ExitStatus.UNEXPECTED


def test_a_recorded_erratum_that_is_undecided_is_not_fine(monkeypatch):
    result = outcome(monkeypatch, recorded=Verdict.FAILS)
    assert exit_status([result]) is ExitStatus.NOT_DECIDED


def test_consequences_of_an_undecidable_statement_decide_nothing_but_a_failure(monkeypatch):
    fields = {"recorded": Verdict.NOT_DECIDED, "reason": "asymptotic"}
    held = outcome(monkeypatch, "holds", **fields)
    assert held.verdict is Verdict.NOT_DECIDED
    assert held.wording == "not decided; consequences hold on 1 instance"
    assert exit_status([held]) is ExitStatus.OK
    assert exit_status([outcome(monkeypatch, **fields)]) is ExitStatus.OK
    undecided = outcome(monkeypatch, "undecided", **fields)
    assert exit_status([undecided]) is ExitStatus.NOT_DECIDED
    stopped = outcome(monkeypatch, "holds", "gives up", **fields)
    assert exit_status([stopped]) is ExitStatus.NOT_DECIDED
    failed = outcome(monkeypatch, "holds", "fails", **fields)
    assert exit_status([failed]) is ExitStatus.UNEXPECTED


def test_a_reason_and_the_verdict_not_decided_come_together():
    with pytest.raises(DomainError, match="must have a reason if and only if"):
        make("holds", reason="asymptotic")
    with pytest.raises(DomainError, match="must have a reason if and only if"):
        make("holds", recorded=Verdict.NOT_DECIDED)


def test_the_wording_counts_instances(monkeypatch):
    assert outcome(monkeypatch, "holds").wording == "holds on 1 instance"
    assert outcome(monkeypatch, "holds", "fails").wording == "fails on 1 of 2"
    corrected = outcome(monkeypatch, "holds", corrects="t/y")
    assert corrected.wording == "holds after correction on 1 instance"


def test_slack_is_exact_or_rounded_down():
    exact = decision.at_most(Fraction(1, 3), Fraction(1, 2))
    assert exact.slack == Fraction(1, 6)
    rounded = decision.at_most(LogSum.log2(3), LogSum.log2(Fraction(10, 3)), "both sides")
    assert rounded.slack <= LogSum.log2(Fraction(10, 9))
    assert rounded.slack + Fraction(1, 10**9) > LogSum.log2(Fraction(10, 9))
    failed = decision.at_most(LogSum.log2(3), 1)
    assert failed.verdict is Verdict.FAILS
    assert failed.slack < 0


def test_an_accident_in_a_check_is_not_a_verdict(monkeypatch):
    with pytest.raises(ZeroDivisionError):
        outcome(monkeypatch, "holds", "crashes")


def test_keys_are_unique_and_references_exist():
    with pytest.raises(DomainError, match="registered twice"):
        claim_table([make("holds"), make("holds")])
    with pytest.raises(DomainError, match="not registered"):
        claim_table([make("holds", uses=("t/y",))])
    with pytest.raises(TypeError):
        CLAIMS["t/x"] = make("holds")


@every("key", sorted(CLAIMS))
def test_every_claim_is_stated(key):
    assert CLAIMS[key].statement.endswith((".", ".)"))
    assert CLAIMS[key].number


@pytest.mark.parametrize("key", sorted(CLAIMS))
def test_every_claim_comes_out_as_recorded(key):
    result = run_claim(CLAIMS[key], Size.SMALL)
    assert isinstance(result, Outcome)
    assert result.instances or result.claim.reason
    assert result.expected, result


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(CLAIMS))
def test_every_claim_comes_out_as_recorded_on_the_medium_grid(key):
    result = run_claim(CLAIMS[key], Size.MEDIUM)
    assert result.expected, result


def test_list_and_show_name_every_claim(capsys):
    assert main(["list", "--json"]) == 0
    assert [row["claim"] for row in json.loads(capsys.readouterr().out)] == list(CLAIMS)
    assert main(["show", "fx/lemma-10"]) == 0
    assert "mistake tree" in capsys.readouterr().out


def test_list_missing_is_the_catalogue_without_the_registry(capsys):
    assert main(["list", "--missing", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    keys = {row["claim"] for row in rows}
    assert keys == set(catalogue()) - set(CLAIMS)
    for paper in sorted({key.split("/")[0] for key in keys}):
        assert main(["list", "--missing", "--paper", paper]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert {line.split()[0] for line in lines} == {k for k in keys if k.startswith(f"{paper}/")}
    assert main(["list", "--missing", "--paper", "fx"]) == 0
    assert capsys.readouterr() == ("", "Every statement of the papers has a claim.\n")
    assert main(["list", "--missing", "--paper", "zz"]) == 2
    assert "unknown paper 'zz'; known: fx" in capsys.readouterr().err


def test_every_statement_of_feldman_and_xiao_is_registered():
    assert missing(CLAIMS, "fx") == {}


def test_catalogue_has_unique_keys_and_titles_of_one_line():
    lines = Path(catalogue_module.__file__).with_name("catalogue.tsv").read_text().splitlines()
    assert len(lines) - 1 == len(catalogue())
    assert all(title and title == title.strip() for title in catalogue().values())


@every("key", [c.key for c in CLAIMS.values() if c.paper in {"fx", "bbkn", "bns", "pap"}])
def test_every_claim_of_a_paper_belongs_to_an_entry_of_the_catalogue(key):
    assert any(key == entry or key.startswith(f"{entry}-") for entry in catalogue())


def test_graph_lists_claims_after_what_they_use(capsys, tmp_path):
    assert main(["graph"]) == 0
    lines = capsys.readouterr().out.splitlines()
    order = [line.split(":")[0] for line in lines]
    assert sorted(order) == sorted(CLAIMS)
    for c in CLAIMS.values():
        assert all(order.index(key) < order.index(c.key) for key in c.uses)
    assert any(line.startswith("fx/thm-7-ge-bits: uses fx/thm-7-ge, corrects") for line in lines)
    assert main(["graph", "--format", "dot"]) == 0
    assert '"fx/cor-11" -> "fx/lemma-9";' in capsys.readouterr().out
    picture = tmp_path / "claims.svg"
    assert main(["graph", "--format", "svg", "--out", str(picture)]) == 0
    assert capsys.readouterr().out == f"written to {picture}\n"
    drawing = ElementTree.parse(picture).getroot()  # noqa: S314 - our own file
    shown = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert shown == set(CLAIMS)


def test_show_names_the_claims_that_use_it(capsys):
    assert main(["show", "fx/lemma-9", "--json"]) == 0
    assert "fx/cor-11" in json.loads(capsys.readouterr().out)["used by"]


def test_run_prints_a_table_and_writes_a_report(capsys, tmp_path):
    assert main(["run", "fx/ldim-line", "fx/app-4.1-1", "--report", str(tmp_path / "r")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["claim", "title", "verdict", "margin", "slack", "seconds"]
    assert "holds on 3 instances" in lines[1]
    assert lines[-3].startswith("2 of 2 claims as recorded")
    assert lines[-1] == f"written to {tmp_path / 'r' / 'index.html'}"
    assert lines[-2].startswith("margins up to 2: ")
    data = json.loads((tmp_path / "r" / "report.json").read_text())
    assert [row["claim"] for row in data] == ["fx/ldim-line", "fx/app-4.1-1"]
    assert all(row["as_recorded"] and row["instances"] for row in data)
    assert "| `fx/ldim-line` |" in (tmp_path / "r" / "report.md").read_text()


def test_run_without_keys_has_a_line_a_paper_and_surprises_in_full(capsys, monkeypatch):
    of_paper = [claim for claim in CLAIMS.values() if claim.paper == "pap"]
    few = {claim.recorded: claim for claim in of_paper}  # one of each verdict: the others take long
    assert len(few) == 3
    chosen = {claim.key: claim for claim in few.values()}
    monkeypatch.setattr("proofs_check.runner.CLAIMS", chosen)
    assert main(["run", "--paper", "pap", "--verbose"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[0] == "claim"
    assert main(["run", "--paper", "pap"]) == 0
    line, last, margins = capsys.readouterr().out.splitlines()
    number = len(chosen)
    assert line.startswith(f"pap {number:>5} claims: ")
    assert last.startswith(f"{number} of {number} claims as recorded")
    counts = [int(word) for word in re.findall(r": (\d+)", margins)]
    assert sum(counts) == number
    key = few[Verdict.FAILS].key
    changed = chosen | {key: replace(CLAIMS[key], recorded=Verdict.HOLDS, survives="")}
    monkeypatch.setattr("proofs_check.runner.CLAIMS", changed)
    assert main(["run", "--paper", "pap"]) == 5
    said = capsys.readouterr().out
    assert "1 not as recorded" in said
    assert f"{key}: fails on " in said


def test_run_json_is_one_list(capsys):
    assert main(["run", "fx/ldim-line", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["verdict"] == row["recorded"] == "holds"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["run", "fx/none"], "unknown claim 'fx/none'"),
        (["show", "fx/none"], "unknown claim 'fx/none'"),
        (["run", "--paper", "zz"], "unknown paper 'zz'"),
        (["run", "--size", "huge"], "huge"),
        (["run", "--jobs", "0"], "it must be between 1 and 256, not 0"),
        (["nothing"], "nothing"),
        (["verify"], "Missing argument"),
    ],
)
def test_usage_errors_are_one_line_and_status_2(capsys, argv, message):
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_statements_of_a_bundle_fit_80_columns(capsys, tmp_path):
    file = tmp_path / "c.json"
    certificate = bounds(equality(4), time_limit=30).certificate()
    certificate.write(file)
    assert main(["verify", str(file)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"{file}: accepted"
    assert max(map(len, lines)) <= 80
    said = " ".join(map(str.strip, lines))
    for statement in kernel.check(certificate.to_dict()).split("\n"):
        assert statement in said


def test_verify_accepts_rejects_and_refuses(capsys, tmp_path):
    good, bad, text = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "text.json"
    certificate = minimax_error(equality(4), 2).certificate()
    certificate.write(good)
    altered = certificate.to_dict()
    altered["statement"]["upper"] = "2/13"
    bad.write_text(json.dumps(altered))
    text.write_text("{")
    assert main(["verify", str(good)]) == 0
    assert "accepted" in capsys.readouterr().out
    assert main(["verify", str(good), str(bad)]) == 4
    assert "rejected" in capsys.readouterr().out
    assert main(["verify", str(good), str(text)]) == 2
    assert "row 1, column 2" in capsys.readouterr().err
    assert main(["verify", str(text), str(bad), "--json"]) == 4
    assert [r["verdict"] for r in json.loads(capsys.readouterr().out)] == ["unreadable", "rejected"]
