"""The lines that tests and claims run, and the tests to run for a fault.

Main definitions: `record` records the lines of tests, `Concern` chooses the tests for a fault,
`first_failure` runs them.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import coverage
import pytest
from hypothesis import Phase, settings

from tests.faults import Fault

CLAIMS = "claims"
ENOUGH = 20  # recorded seconds of tests, and of claims, that a fault has to meet
LOADING = 60  # seconds of modules


class Recorder:
    """Plugin of pytest that records the lines that each test runs, and its time if it passes."""

    def __init__(self, measured: coverage.Coverage, packages: list[str]) -> None:
        self.measured, self.seconds, self.failed = measured, Counter(), set()
        self.test, self.since = "", 0.0
        self.tops, self.caches, self.num_modules = {p.split("/")[0] for p in packages}, [], 0

    def begin(self, name: str) -> None:
        """Attribute the following lines to a test; caches are cleared first."""
        if len(sys.modules) != self.num_modules:
            modules = [m for n, m in list(sys.modules.items()) if n.split(".")[0] in self.tops]
            values = [value for module in modules for value in vars(module).values()]
            self.caches = [v.cache_clear for v in values if hasattr(v, "cache_clear")]
            self.num_modules = len(sys.modules)
        for clear in self.caches:
            clear()
        now = time.process_time()
        self.seconds[self.test] += now - self.since
        self.test, self.since = name, now
        self.measured.switch_context(name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.begin(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        if fixturedef.scope == "function":
            return (yield)
        self.measured.switch_context(f"{request.node.nodeid.split('::')[0]}::")  # for all of them
        try:
            return (yield)
        finally:
            self.measured.switch_context(request._pyfuncitem.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.outcome != "passed":
            self.failed.add(report.nodeid)


class Picker:
    """Plugin of pytest that runs chosen tests with time limits and stores a failure."""

    def __init__(self, allowed: dict[str, float]) -> None:
        self.allowed, self.failure = allowed, None

    def pytest_configure(self):
        phases = [phase for phase in Phase if phase is not Phase.shrink]  # no smaller example
        settings.register_profile("faults", phases=phases, database=None)
        settings.load_profile("faults")

    def pytest_collection_modifyitems(self, items):
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in self.allowed if test in found]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        allow(self.allowed[item.nodeid])

    def pytest_runtest_logreport(self, report):
        if report.failed and self.failure is None:
            self.failure = report.nodeid

    def pytest_collectreport(self, report):
        if report.failed and self.failure is None:
            self.failure = f"collection of {report.nodeid}"


def run_pytest(plugin: object, arguments: list[str]) -> int:
    """Run tests in this process with the settings of the tree."""
    flags = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytest.main([*flags, *arguments], plugins=[plugin])


def record(unit: str, packages: list[str], target: Path) -> None:
    """Run some tests, or the claims, and write the lines and seconds of each."""
    lines = target.with_suffix(".lines")
    lines.unlink(missing_ok=True)
    measured = coverage.Coverage(
        data_file=lines, config_file=False, include=[f"{package}/**" for package in packages]
    )
    measured.set_option("run:relative_files", value=True)
    measured.start()
    recorder = Recorder(measured, packages)
    if unit == CLAIMS:
        for key, run in claims().items():
            recorder.begin(key)
            if not run():
                recorder.failed.add(key)
    else:
        run_pytest(recorder, [unit])
    recorder.begin("")
    measured.stop()
    measured.save()
    seconds = {t: s for t, s in recorder.seconds.items() if t not in {"", *recorder.failed}}
    written = target.with_suffix(".partial")
    written.write_text(json.dumps({"seconds": seconds, "failed": sorted(recorder.failed)}))
    written.rename(target)


def claims() -> dict[str, Callable[[], bool]]:
    """Return, for each claim, a function that returns whether its verdict is as recorded."""
    from proofs_check.claims import table as registered
    from proofs_check.claims.claim import Size
    from proofs_check.runner import run_claim

    return {
        f"{CLAIMS}::{key}": lambda claim=claim: run_claim(claim, Size.SMALL).expected
        for key, claim in registered.CLAIMS.items()
    }


def allow(seconds: float) -> None:
    """End this process after the given processor time, unless more is allowed earlier."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def first_failure(stages: list[dict[str, float]]) -> str | None:
    """Run tests and claims in stages with time limits; return the name of the first failure."""
    for allowed in stages:
        allow(LOADING)
        if next(iter(allowed)).startswith(CLAIMS):
            runs = claims()
            for key, seconds in allowed.items():
                allow(seconds)
                try:
                    if not runs[key]():
                        return key
                except Exception as error:  # any accident of a claim is noticed
                    return f"{key}: {type(error).__name__}"
            continue
        picker = Picker(allowed)
        tests = dict.fromkeys(test.split("[")[0] for test in allowed)
        status = run_pytest(picker, ["-x", "--tb=no", *tests])
        if picker.failure or status != pytest.ExitCode.OK:
            return picker.failure or f"pytest ends with {status!r}"
    return None


class Concern:
    """The tests and claims that run a given line, from the recorded data."""

    def __init__(self, root: Path, packages: list[str], records: list[Path]) -> None:
        self.records = [record.with_suffix(".lines") for record in records]
        self.seconds: dict[str, float] = {}
        for path in records:
            self.seconds |= json.loads(path.read_text())["seconds"]
        self.of_file = cache(self._of_file)

    def _of_file(self, file: str) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for path in self.records:
            data = coverage.CoverageData(path)
            data.read()
            for line, contexts in data.contexts_by_lineno(file).items():
                found.setdefault(line, set()).update(contexts)
            data.close()
        return found

    def tests(self, fault: Fault) -> list[str]:
        """Return the tests that run the statement of a fault, the fastest first."""
        first, last = fault.lines
        places = {(fault.file, line) for line in range(first, last + 1)}
        names = {name for file, line in places for name in self.of_file(file).get(line, ())}
        if names == {""}:  # only when it is imported
            names = {name for some in self.of_file(fault.file).values() for name in some}
        wide = (f"{fault.file}::", *(name for name in names if name.endswith(".py::")))
        chosen = {test for test in self.seconds if test in names or test.startswith(wide)}
        return sorted(chosen, key=lambda test: (self.seconds[test], test))

    def stages(self, fault: Fault) -> tuple[list[dict[str, float]], int]:
        """Return the stages of tests for a fault with time limits, and how many were omitted."""
        tests, kept, spent = self.tests(fault), [], {True: 0.0, False: 0.0}
        for test in tests:
            is_claim = test.startswith(CLAIMS)
            if spent[is_claim] < ENOUGH:
                spent[is_claim] += self.seconds[test]
                kept.append(test)
        files = Counter(test.split("::")[0] for test in kept if not test.startswith(CLAIMS))
        near = {file for file, _ in files.most_common(1)}
        stages: list[dict[str, float]] = [{}, {}, {}]
        for test in kept:
            file = test.split("::")[0]
            allowed = stages[2 if file == CLAIMS else file not in near]
            allowed[test] = 10 + 2 * self.seconds[test]
        return [stage for stage in stages if stage], len(tests) - len(kept)
