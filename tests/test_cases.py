"""A test over many cases runs each of them, and names those that fail."""

import pytest

from tests.cases import every


def test_each_case_is_run_and_those_that_fail_are_named():
    seen = []

    @every("x, y", [(1, 2), (3, 3), (5, 4)])
    def smaller(x, y, fixture):
        seen.append((x, y, fixture))
        assert x < y

    @every("value", [0, 1])
    def refused(value):
        with pytest.raises(ZeroDivisionError):
            1 / value

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases") as found:
        smaller(fixture="given")
    assert seen == [(1, 2, "given"), (3, 3, "given"), (5, 4, "given")]
    assert [each.__notes__ for each in found.value.exceptions] == [
        ["x, y: (3, 3)"],
        ["x, y: (5, 4)"],
    ]
    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases") as found:
        refused()
    assert found.value.exceptions[0].__notes__ == ["value: 1"]


def test_no_cases_are_no_test():
    with pytest.raises(AssertionError):
        every("x", [])(print)()


@every("x", range(3))
def test_fixtures_are_given_beside_the_cases(x, tmp_path):
    (tmp_path / str(x)).touch()
    assert len(list(tmp_path.iterdir())) == x + 1
