"""Many small cases as one test, because pytest takes several milliseconds for each test."""

import inspect

import pytest


def every(names, cases):
    """Run a test on all cases, and let it fail with the failures of all of them.

    The arguments are those of `pytest.mark.parametrize`; each failure has a note with its case.
    """
    keys, cases = [name.strip() for name in names.split(",")], list(cases)

    def decorate(function):
        def test(**fixtures):
            assert cases
            failures = []
            for case in cases:
                values = case if len(keys) > 1 else (case,)
                try:
                    function(**dict(zip(keys, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"{names}: {case!r:.200}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} cases", failures)

        signature = inspect.signature(function)
        fixtures = [p for name, p in signature.parameters.items() if name not in keys]
        test.__signature__ = signature.replace(parameters=fixtures)
        test.__name__, test.__doc__ = function.__name__, function.__doc__
        test.__module__, test.__qualname__ = function.__module__, function.__qualname__
        return test

    return decorate
