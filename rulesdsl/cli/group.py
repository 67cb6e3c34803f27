"""The group of all commands: each is imported when it is called, and not before."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from rulesdsl.cli.registry import COMMANDS, Entry
from rulesdsl.cli.terminal import make_as_before, make_plain, open_streams

EPILOG = """\b
Exit codes: 0 all is well; 1 something is wrong with a rulebook, a save or a game;
2 the command was called in a way that cannot work; 3 a bug of ours; 130 Ctrl-C.

\b
NO_COLOR=1 switches colours off, RULESDSL_DEBUG=1 shows where a bug of ours happened.
Completion: see "rulesdsl completion --help"."""


def _set_limits(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> None:
    if given:
        from rulesdsl.base.limits import set_limits
        from rulesdsl.cli.arguments import read_limits

        set_limits(read_limits(given))


# every command that reads or runs rules has it; first of all, for its other options may read them, too
LIMIT = click.Option(
    ["--limit"], multiple=True, metavar="NAME=NUMBER", is_eager=True, expose_value=False,
    callback=_set_limits, help="Another limit, such as steps=400000 (chapter 14 of docs/language.md).",
)  # fmt: skip

WITHOUT_RULES = ("list", "new", "completion", "key")


class LazyGroup(click.Group):
    """Looks commands up in `COMMANDS` and imports the one that was asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = find_entry(cmd_name)
        if entry is None:
            return None
        from rulesdsl.cli.failures import refuse_foreign_interpreter

        refuse_foreign_interpreter()
        module, function = entry.place.split(":")
        command = getattr(import_module(f"rulesdsl.cli.{module}"), function)
        assert isinstance(command, click.Command)
        if cmd_name not in WITHOUT_RULES and LIMIT not in command.params:
            command.params.append(LIMIT)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and find_entry(args[0]) is None:
            from rulesdsl.base.diagnostics import UsageError, did_you_mean

            hint = did_you_mean(args[0], self.list_commands(ctx)) or 'see "rulesdsl --help"'
            raise UsageError(f'there is no command "{args[0]}"; {hint}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in self.list_commands(ctx))
        for section, entries in COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), e.summary) for name, e in entries.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=entry.summary)
            for section in COMMANDS.values()
            for name, entry in section.items()
            if name.startswith(incomplete)
        ]
        return names or super().shell_complete(ctx, incomplete)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run a command; this is the one place where exceptions become messages and exit codes."""
        extra["standalone_mode"] = False
        open_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without umlauts is no reason to stop
        make_plain()
        try:
            code = super().main(args, *rest, **extra)
            sys.stdout.flush()  # a closed pipe must be noticed here, not when Python ends
        except BaseException as error:
            from rulesdsl.cli.failures import report

            code = report(error)
        finally:
            make_as_before()
        sys.exit(code if isinstance(code, int) else 0)


def find_entry(name: str) -> Entry | None:
    return next((section[name] for section in COMMANDS.values() if name in section), None)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"rulesdsl {version('rulesdsl')}")
    except PackageNotFoundError:
        click.echo("rulesdsl, not installed: running from its sources")
    ctx.exit()


@click.command(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
    help="Print the version and stop.",
)  # fmt: skip
def commands() -> None:
    """Rulebooks of board wargames as programs: read by players, run by an engine.

    A GAME is a name from "rulesdsl list", such as tutorial/hex, or the path of a directory.
    """
