"""Groups of subcommands; light, so that a list of them is immediate."""

from __future__ import annotations

from difflib import get_close_matches

import click


class StoppedError(click.ClickException):
    """What ended a subcommand from outside: an interrupt, or a system that refused something.

    Click would answer both in its own way, with its own statuses.
    """

    def __init__(self, cause: KeyboardInterrupt | OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Group(click.Group):
    """A group of subcommands that says what an unknown one may have been meant for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, OSError) as cause:
            raise StoppedError(cause) from cause

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments begin with."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from ccsim.texts.reading import is_name_of_table

            if is_name_of_table(args[0]):
                hint = f"a file is an INSTANCE of a command: ccsim dimensions @{args[0]}"
                raise click.UsageError(f"{error.message} ({hint})", ctx) from None
            names = self.suggestions(ctx)
            if close := get_close_matches(args[0], names, 1):
                raise click.UsageError(f"{error.message} ({names[close[0]]}?)", ctx) from None
            raise

    def suggestions(self, ctx: click.Context) -> dict[str, str]:
        """Return the names that a misspelt one may be close to, and what to write."""
        return {name: name for name in self.list_commands(ctx)}
