"""The float solver without a word on standard output, which belongs to results."""

from __future__ import annotations

import highspy


class QuietHighs(highspy.Highs):
    """HiGHS that prints nothing.

    Version 1.16 prints its name as soon as callbacks are set, which its constructor does.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature

    def enableCallbacks(self) -> None:  # noqa: N802 - the solver's name
        """Set callbacks after printing has been switched off."""
        self.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        super().enableCallbacks()  # type: ignore[no-untyped-call]
