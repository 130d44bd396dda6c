"""Groups of subcommands; this module is light, so that subcommands are listed without delay."""

from __future__ import annotations

from difflib import get_close_matches

import click


class StoppedError(click.ClickException):
    """The external cause that ended a subcommand: an interrupt, or an error of the system.

    Click would handle both differently, with other exit statuses.
    """

    def __init__(self, cause: KeyboardInterrupt | OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Group(click.Group):
    """A group of subcommands that suggests replacements for unknown subcommands."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, OSError) as cause:
            raise StoppedError(cause) from cause

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name; ``help NAME`` shows the help of NAME."""
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
        """Return a suggestion for an unknown command."""
        if meant := self.instead(name):
            return f"write: {ctx.command_path} {meant}"
        names = self.suggestions(ctx)
        if close := get_close_matches(name, names, 1):
            return f"did you mean {names[close[0]]!r}?"
        return f"'{ctx.command_path} help' lists the commands"

    def instead(self, text: str) -> str:
        """Return the command that was probably meant if a text is no subcommand; '' if unknown."""
        return ""

    def suggestions(self, ctx: click.Context) -> dict[str, str]:
        """Return the names close to a misspelt one, each with the command to write."""
        return {name: name for name in self.list_commands(ctx)}
