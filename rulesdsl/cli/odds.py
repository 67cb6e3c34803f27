"""`rulesdsl odds`: exact chances, of what a procedure may bring or of the tables of a game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import (
    FILE,
    GAME,
    house_option,
    json_option,
    open_named_game,
    pairs,
    setting_options,
)
from rulesdsl.cli.begun import same_game
from rulesdsl.cli.output import print_json
from rulesdsl.language.conventions import ODDS

if TYPE_CHECKING:
    from interpreter.asking.odds.outcomes import Odds
    from interpreter.compiling.ruleset import Ruleset
    from rulesdsl.handbook.facts import TableOdds

SCHEMA_VERSION = 1


@click.command()
@click.argument("game", type=GAME)
@click.argument("procedure", required=False)
@click.argument("given", nargs=-1, metavar="[VALUE]...")
@click.option(
    "--state", "save", metavar="SAVE", type=FILE, help="A saved game to start from (default: the set-up)."
)
@click.option(
    "--even", is_flag=True, help="Weigh all choices of players evenly, instead of the quietest ones."
)
@house_option
@setting_options
@json_option
def odds(
    game: str, procedure: str | None, given: tuple[str, ...], save: Path | None, even: bool,
    house: tuple[Path, ...], scenario: str | None, options: tuple[str, ...], readings: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Exact chances of GAME: of an attack, or of its tables.

    With a PROCEDURE and what it is about: what may come of it, every die tried every way it can fall. VALUEs
    are things by id or name, in order or as NAME=VALUE; several are joined by commas:

    \b
      rulesdsl odds tutorial/skirmish attack hussars village
      rulesdsl odds race_for_berlin attack force=s47a,s47b zone=oderbruch_2
      rulesdsl odds battle_for_germany attack us_5,us_7 2004

    "attack" means the procedure odds_attack of the rulebook. Pieces stand where the scenario puts them, or
    where a saved game left them (--state). Whoever is asked on the way does the least he can (--even:
    anything, evenly). Without a PROCEDURE: the tables that are read with dice, column by column.
    """
    from interpreter.asking.odds.outcomes import odds_of

    settings = pairs(options, "option") | pairs(readings, "reading")
    if procedure is None and (given or save is not None):
        raise UsageError("name a procedure first, such as attack")
    if save is not None:
        from interpreter.keeping.saves import load

        session = load(save)
        same_game(session, game, scenario, settings, house)
        opened, ruleset, state = session.game, session.ruleset, session.machine.s[:]
    else:
        opened = open_named_game(game, house)
        chosen = opened.scenario(scenario)
        ruleset = opened.ruleset(settings, chosen)
        state = ruleset.start_state(chosen)
    if procedure is None:
        _tables(opened.source.game.title, ruleset, as_json)
        return
    found = odds_of(opened, ruleset, state, procedure, _values(given), even)
    if as_json:
        print_json(_as_json(found))
        return
    _print(found)


def _values(given: tuple[str, ...]) -> dict[str, str]:
    """Values by the names of their parameters, those without a name by their place in the order."""
    values: dict[str, str] = {}
    for place, text in enumerate(given):
        name, equals, value = text.partition("=")
        if not equals:
            name, value = str(place), text
        if not name or not value:
            raise UsageError(f'write "{text}" as NAME=VALUE')
        if name in values:
            raise UsageError(f'"{name}" is given twice; several values are joined by commas: {name}=A,B')
        values[name] = value
    return values


def _print(found: Odds) -> None:
    from rulesdsl.cli.odds_lines import odds_lines

    for line in odds_lines(found):
        click.echo(line)


def _as_json(found: Odds) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION, "procedure": found.procedure, "rule": found.paragraph,
        "about": list(found.about), "notes": list(found.notes),
        "quantities": {s.name: s.value for s in found.sums},
        "outcomes": [
            {"chance": str(o.chance), "dice": list(o.rolled), "results": list(o.results),
             "changes": list(o.changes)}
            for o in found.outcomes
        ],
        "always": list(found.always),
        "single": {change: str(chance) for change, chance in found.single().items()},
    }  # fmt: skip


# ---- tables ------------------------------------------------------------------------------------------
def _tables(title: str, ruleset: Ruleset, as_json: bool) -> None:
    from interpreter.asking.odds.asked import usage
    from interpreter.asking.odds.tables import all_table_odds
    from rulesdsl.handbook.analysis.tables import analyse

    found = all_table_odds(ruleset)
    tables = ruleset.program.tables
    if as_json:
        shown = {
            name: [
                {"column": list(column), "modifier": modifier, "chances": {r: str(c) for r, c in d.chances}}
                for (column, modifier), d in odds.chances.items()
            ]
            for name, odds in found.items()
        }
        findings = {name: [f.text for f in analyse(table)[1]] for name, table in tables.items()}
        print_json({"schema_version": SCHEMA_VERSION, "tables": shown, "findings": findings})
        return
    if not found:
        click.echo(f"no table of {title} is read with dice")
    for name, table in tables.items():
        click.echo(table.title.replace("_", " ").capitalize())
        if name in found:
            one = found[name]
            middle = 0 if 0 in one.modifiers else one.modifiers[0]
            click.echo(f"  {one.dice}, {_modified(one, middle)}:")
            for column in one.columns:
                chances = ", ".join(f"{r}: {c}" for r, c in _in_order(one.chances[column, middle].chances))
                click.echo(f"  {' · '.join(column) or 'any':>8}  {chances}")
        else:
            click.echo("  read without a die")
        for finding in analyse(table)[1]:
            click.echo(f"  note: {finding.text}")
        click.echo()
    for name, procedure in ruleset.program.procedures.items():
        if name.startswith(ODDS):
            click.echo(f"To weigh a single case {usage(procedure)}.")


def _in_order(chances: Sequence[tuple[str, Fraction]]) -> list[tuple[str, Fraction]]:
    """Numbers from the least to the greatest; results with names in the order of the die."""
    try:
        return sorted(chances, key=lambda chance: Fraction(chance[0]))
    except ValueError:
        return list(chances)


def _modified(odds: TableOdds, shown: int) -> str:
    """What changes the die, and with which change the chances are told."""
    if not odds.modifier:
        return "nothing changes the die"
    name = odds.modifier.partition("(")[0].replace("_", " ").replace(".", "'s ")
    told = "without it" if shown == 0 else f"with {shown:+d}"
    return f"changed by {name}, from {odds.usual[0]:+d} to {odds.usual[1]:+d}; {told}"
