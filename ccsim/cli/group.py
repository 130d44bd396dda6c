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
    """A group of subcommands that suggests what an unknown one may stand for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, OSError) as cause:
            raise StoppedError(cause) from cause

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments begin with; ``help`` shows another's help."""
        name, *rest = args
        if name == "help" and not rest:
            click.echo(ctx.get_help())
            ctx.exit()
        if name == "help":
            return self.resolve_command(ctx, [*rest, "--help"])
        if ctx.resilient_parsing or name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"unknown command {name[:80]!r}; {self.hint(ctx, name)}", ctx)

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return what to write in place of an unknown command."""
        if meant := self.instead(name):
            return f"write: {ctx.command_path} {meant}"
        names = self.suggestions(ctx)
        if close := get_close_matches(name, names, 1):
            return f"did you mean {names[close[0]]!r}?"
        return f"'{ctx.command_path} help' lists the commands"

    def instead(self, text: str) -> str:
        """Return a subcommand with its argument where that was given in place of it, or nothing."""
        return ""

    def suggestions(self, ctx: click.Context) -> dict[str, str]:
        """Return the names that a misspelt one may be close to, and what to write."""
        return {name: name for name in self.list_commands(ctx)}
