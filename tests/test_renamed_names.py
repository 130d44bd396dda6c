"""Old public names still work, and warn with the new ones."""

import pytest

import ccsim.exact


def test_a_law_is_now_a_distribution():
    with pytest.warns(DeprecationWarning, match=r"Law is deprecated, use .*Distribution"):
        assert ccsim.exact.Law is ccsim.exact.Distribution
    with pytest.raises(AttributeError, match="has no attribute 'Laws'"):
        _ = ccsim.exact.Laws
