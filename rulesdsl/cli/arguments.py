"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.base.limits import limit_names
from rulesdsl.base.resources import find_game, shipped_games

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from interpreter.playing.game import Game

    TextParameter = click.ParamType[str]
else:
    TextParameter = click.ParamType  # generic only in the newest click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class GameName(TextParameter):
    """A shipped game or a directory; completes the names of shipped games, then directories."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        shipped = shipped_games()
        names = [name for name in shipped if name.startswith(incomplete)] or [
            short for name in shipped if (short := name.rpartition("/")[2]).startswith(incomplete)
        ]
        return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


class GamePart(TextParameter):
    """A file of a game that is called by its name: a scenario, a house rule. Completes what there is."""

    name = "text"

    def __init__(self, folder: str, ending: str) -> None:
        self.folder, self.ending = folder, ending

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # before an option that still waits for its value click leaves the other words where they are
        game = ctx.params.get("game") or next(iter(ctx.args), "")
        try:
            folder = find_game(game) / self.folder
        except UsageError:
            return []
        names = sorted(file.stem for file in folder.glob(f"*{self.ending}"))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _house_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Those that come with the game, else files."""
    from click.shell_completion import CompletionItem

    found = GamePart("house", ".md").shell_complete(ctx, param, incomplete)
    return found or [CompletionItem(incomplete, type="file")]


GAME = GameName()
FILE = click.Path(path_type=Path)


def _take_variant(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """A variant says what was not said: the game, its scenario, readings and options, and house rules."""
    if path is None or ctx.resilient_parsing:
        return
    from rulesdsl.house.variants import read_variant

    found = read_variant(path)
    names = {param.name for param in ctx.command.params}
    said: dict[str, Any] = {"game": found.game, "games": (found.game,), "scenario": found.scenario or None}
    for what in ("readings", "options"):
        given = getattr(found, what)
        if given and what not in names:
            click.echo(f"the {what} of the variant {found.name} play no part here", err=True)
        said[what] = tuple(f"{name}={value}" for name, value in given.items())
    ctx.default_map = {**(ctx.default_map or {}), **{k: v for k, v in said.items() if v and k in names}}
    ctx.meta["variant"] = found


def _with_variant(ctx: click.Context, _: click.Parameter, house: tuple[Path, ...]) -> tuple[Path, ...]:
    found = ctx.meta.get("variant")
    if found is None:
        return house
    game = ctx.params.get("game") or ctx.params.get("games")
    if game and game not in (found.game, (found.game,)):
        named = game if isinstance(game, str) else ", ".join(game)
        raise UsageError(f'the variant {found.name} is one of "{found.game}", not of "{named}"')
    return (*house, *found.house_files())


def house_option(command: Decorated) -> Decorated:
    """`--house`, and `--variant`, which may name house rules as well."""
    taken = click.option(
        "--house", "house", multiple=True, metavar="FILE", type=FILE, shell_complete=_house_rules,
        callback=_with_variant,
        help="House rules to apply: a file, or the name of one that comes with the game; may be repeated.",
    )  # fmt: skip
    variant = click.option(
        "--variant", type=FILE, metavar="FILE", is_eager=True, expose_value=False, callback=_take_variant,
        help='A variant: game, scenario, house rules and settings (see "rulesdsl variant").',
    )  # fmt: skip
    return variant(taken(command))


language_option = click.option(
    "--language", metavar="CODE", default="en", show_default=True,
    help="Of everything that is not the rulebook's own, and of its prose where it has a translation.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
on_option = click.option(
    "--on",
    metavar="WHERE",
    help="Play on a Dask cluster: dask-local (with --jobs workers) or dask://host:port.",
)
# `annex 2` is two words for a shell, and one number for a reader
paragraph_argument = click.argument("paragraph", nargs=-1, metavar="[PARAGRAPH]")


def setting_options(command: Decorated) -> Decorated:
    """`--scenario`, `--option`, `--reading`: what may be set before a game begins."""
    for option in (
        click.option("--reading", "readings", multiple=True, metavar="NAME=VALUE",
                     help="How to read an ambiguous paragraph; may be given several times."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                     help="Set an option or parameter of the rulebook; may be given several times."),
        click.option("--scenario", metavar="NAME", type=GamePart("scenarios", ".yaml"),
                     help="The scenario to play (default: that of the game)."),
    ):  # fmt: skip
        command = option(command)
    return command


def pairs(given: Sequence[str], what: str) -> dict[str, str]:
    """`--option fog=yes` as a mapping; the form is the only thing checked here."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f'--{what} {text}: write it as NAME=VALUE, for example --{what} "{text}=…"')
        if name.strip() in found:
            raise UsageError(f"--{what} {name.strip()} is given twice")
        found[name.strip()] = value.strip()
    return found


# deeper trees than this, and those who walk them fall over
_DEEPEST = {"yaml_depth": 100, "language_nesting": 100}


def read_limits(given: Sequence[str]) -> dict[str, int]:
    """`--limit steps=400000`: limits by their names or the beginnings of them."""
    found: dict[str, int] = {}
    known = limit_names()
    for name, text in pairs(given, "limit").items():
        meant = [name] if name in known else [one for one in known if one.startswith(name)]
        if len(meant) != 1:
            hint = did_you_mean(name, known) or f"there are: {', '.join(meant or known)}"
            raise UsageError(f'there is no limit "{name}"; {hint}')
        digits, most = text.replace(",", "").replace("_", ""), _DEEPEST.get(meant[0], 10**15)
        if not (digits.isascii() and digits.isdecimal() and 0 < int(digits[:17]) <= most):
            raise UsageError(f"--limit {name}={text[:40]}: a whole number from 1 to {most:,} is needed")
        found[meant[0]] = int(digits)
    return found


def game_directory(name: str) -> Path:
    """Where a game is, as short as it can be said from here: messages show this path."""
    directory = find_game(name)
    try:
        return Path(os.path.relpath(directory)) if directory.is_relative_to(Path.cwd()) else directory
    except (OSError, ValueError):  # the current directory is gone
        return directory


def open_named_game(name: str, house: Sequence[Path] = ()) -> Game:
    """A game that is ready to be played; raises what is wrong with it."""
    from interpreter.playing.game import open_game

    directory = game_directory(name)
    return open_game(directory, house_files(directory, house))


def house_files(directory: Path, house: Sequence[Path]) -> tuple[Path, ...]:
    """The files of house rules, those that come with the game found by their names."""
    if not house:
        return ()
    from rulesdsl.house.applying import find_house_rule

    return tuple(find_house_rule(directory, name) for name in house)
