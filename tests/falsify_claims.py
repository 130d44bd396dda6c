"""Falsify each ingredient of each claim, and list the claims whose verdict does not change.

Numbers are multiplied and divided by ten, and replaced by 0. Formulas and other functions return
ten times or a tenth of their values, and tests are always or never true. The variants change with
the stated ingredient, so that a weakened ingredient is detected by a variant that holds. Run this
after writing claims:

    python tests/falsify_claims.py [KEY ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ccsim.errors import CcsimError
from proofs_check.claims.claim import Claim, Size
from proofs_check.claims.table import CLAIMS
from proofs_check.runner import run_claim

TEN = Fraction(10)


def _whole(value: Fraction, like: object) -> Fraction | int:
    return int(value) if isinstance(like, int) else value


def falsified(stated: object) -> Iterator[tuple[str, object]]:
    """Yield the replacements of an ingredient, each with a description."""
    if isinstance(stated, bool) or stated is None:
        return
    if isinstance(stated, int | Fraction):
        for word, value in (
            ("times 10", stated * TEN),
            ("over 10", stated / TEN),
            ("zero", Fraction(0)),
        ):
            if _whole(value, stated) != stated:
                yield word, _whole(value, stated)
    elif callable(stated) and not isinstance(stated, type):
        formula: Callable[..., Any] = stated

        def scaled(factor: Fraction) -> Callable[..., Any]:
            def changed(*given: Any, **named: Any) -> Any:
                found = formula(*given, **named)
                if isinstance(found, bool):
                    return factor > 1
                if isinstance(found, int):
                    return int(found * factor)
                return found * factor

            return changed

        yield "times 10", scaled(TEN)
        yield "over 10", scaled(1 / TEN)


def survivors(claim: Claim) -> Iterator[str]:
    """Yield the falsified ingredients that a claim does not detect."""
    if claim.function is None:
        return
    defaults = claim.function.__kwdefaults__ or {}
    for name, stated in claim.ingredients.items():
        for word, value in falsified(stated):
            defaults[name] = value
            try:
                outcome = run_claim(claim, Size.SMALL)
            except (CcsimError, TypeError, ValueError, ArithmeticError, LookupError):
                continue  # a falsified ingredient that makes no sense is noticed
            finally:
                defaults[name] = stated
            if outcome.expected:
                yield f"{claim.key}: {name} {word}"


def main(keys: list[str]) -> int:
    """Print the survivors and return 1 if there are any."""
    found = 0
    for claim in [CLAIMS[key] for key in keys] or CLAIMS.values():
        for survivor in survivors(claim):
            print(survivor, flush=True)  # noqa: T201 - a job of the command line
            found += 1
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
