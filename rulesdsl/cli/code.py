"""`rulesdsl code`: what the compiler makes of a rule, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.cli.arguments import GAME, house_option, json_option, open_named_game, pairs, setting_options
from rulesdsl.cli.output import console, print_json

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

STAGES = {
    "ir": "the representation, as lowered", "passed": "after the passes",
    "python": "what is run", "c": "the whole game, for a compiler",
}  # fmt: skip
FLAVOURS = ("full", "fast", "playout")


@click.command()
@click.argument("game", type=GAME)
@click.argument("name", required=False, default="")
@click.option(
    "--stage",
    type=click.Choice([*STAGES]),
    default="python",
    show_default=True,
    help="; ".join(f"{name}: {meaning}" for name, meaning in STAGES.items()) + ".",
)
@click.option(
    "--flavour",
    type=click.Choice(FLAVOURS),
    default="fast",
    show_default=True,
    help="full: with log and counts, word for word; fast: the same, silently; playout: whole games.",
)
@click.option("--native", is_flag=True, help="Whether whole games can run in the machine, or why not.")
@house_option
@setting_options
@json_option
def code(
    game: str,
    name: str,
    stage: str,
    flavour: str,
    native: bool,
    house: tuple[Path, ...],
    scenario: str | None,
    options: tuple[str, ...],
    readings: tuple[str, ...],
    as_json: bool,
) -> None:
    """What the compiler makes of the rule called NAME: a define, a quantity, an action, a route, a procedure.

    Without a NAME, the names there are. NAME may also be a function of generated code, such as d_3.
    """
    from interpreter.compiling.listing import code_of, rule_names, stage_of
    from interpreter.playing.game import join_settings

    opened = open_named_game(game, house)
    settings = join_settings(pairs(options, "option"), pairs(readings, "reading"))
    ruleset = opened.ruleset(settings, opened.scenario(scenario))
    if name and not any(code_of(ruleset, made, name) for made in dict.fromkeys((flavour, *FLAVOURS))):
        raise UsageError(_unknown(ruleset, name))
    if native or stage == "c":
        _tell_native(ruleset, native, as_json)
        return
    if not name:
        _tell_names(rule_names(ruleset), as_json)
        return
    found = code_of(ruleset, flavour, name)
    if not found:
        raise UsageError(_unknown(ruleset, name))
    texts = {one.name: stage_of(one, stage) for one in found}
    if as_json:
        made = [{"function": function, "text": text} for function, text in texts.items()]
        print_json({"name": name, "flavour": flavour, "stage": stage, "code": made})
        return
    console().print("\n\n".join(texts.values()), soft_wrap=True, highlight=False, markup=False)


def _tell_native(ruleset: Ruleset, short: bool, as_json: bool) -> None:
    """What the native back end makes of a game."""
    from interpreter.compiling.emit.native.program import translate
    from interpreter.compiling.emit.native.types import Unsupported
    from interpreter.native.building import is_built
    from interpreter.native.compilers import NotNative, find_compiler

    try:
        text = translate(ruleset).text
    except Unsupported as why:
        if as_json:
            print_json({"native": False, "why": str(why)})
            return
        raise UsageError(f"this game has something the machine cannot express: {why}") from None
    if not short:
        console().print(text, soft_wrap=True, highlight=False, markup=False)
        return
    try:
        compiler, built = find_compiler().version, is_built(text)
    except NotNative as why:
        compiler, built = f"none ({why})", False
    lines = text.count("\n")
    if as_json:
        print_json({"native": True, "lines": lines, "compiler": compiler, "built": built})
        return
    click.echo(f"native: {lines} lines of C; compiler: {compiler}; built: {'yes' if built else 'no'}")


def _tell_names(names: dict[str, list[str]], as_json: bool) -> None:
    if as_json:
        print_json(names)
        return
    screen = console()
    for kind, several in names.items():
        for name in several:
            screen.print(f"{kind} {name}", soft_wrap=True, highlight=False, markup=False)


def _unknown(ruleset: Ruleset, name: str) -> str:
    from interpreter.compiling.listing import rule_names

    known = [known for several in rule_names(ruleset).values() for known in several]
    hint = did_you_mean(name, known)
    return f'there is no rule called "{name}"' + (f"; {hint}" if hint else "; without a name, all are listed")
