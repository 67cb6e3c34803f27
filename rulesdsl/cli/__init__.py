"""The command line: `rulesdsl COMMAND …`.

Nothing is imported before it is needed, so that `rulesdsl --help` answers at once: a command is a line in
`COMMANDS` that says where its function lives. A new command needs that line and a click command, nothing
else; mistakes are raised as exceptions and turned into messages and exit codes in one place (`failures`).
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Where a command lives (`module:function` of this package), and its line in `rulesdsl --help`."""

    place: str
    summary: str


# Section of the help → command → entry; both in the order in which they are shown.
COMMANDS: dict[str, dict[str, Entry]] = {
    "Play": {
        "play": Entry("play:play", "Play a game in the terminal, or watch it play itself."),
        "simulate": Entry("simulate:simulate", "Play many games and count what happens."),
        "replay": Entry("saves:replay", "Look at a saved game again, decision by decision."),
        "verify": Entry("saves:verify", "Prove a saved game: derive every decision again."),
    },
    "Read rules": {
        "list": Entry("listing:list_games", "The games that came with this installation."),
        "rule": Entry("reading:rule", "Print one paragraph of a rulebook."),
        "docs": Entry("docs:docs", "Make the handbook of a game: a site that opens from the file system."),
        "map": Entry("docs:draw", "Draw the map of a game as SVG."),
        "odds": Entry("odds:odds", "Exact chances of a procedure, or of the tables of a game."),
        "exceptions": Entry("exceptions:exceptions", "What a paragraph forbids, and what defeats it."),
    },
    "Write rules": {
        "new": Entry("new:new", "Start a game of your own: a directory that checks clean and plays."),
        "check": Entry("check:check", "Report everything that is wrong with a game, all at once."),
        "fmt": Entry("fmt:fmt", "Bring rules into the usual layout."),
        "test": Entry("testing:test", "Run the examples of a rulebook."),
        "ledger": Entry("testing:ledger", "Which paragraphs are rules, tested, and used in play."),
    },
    "House rules": {
        "diff": Entry("diff:diff", "What house rules change, paragraph by paragraph."),
        "compare": Entry("compare:compare", "What house rules do to the balance, played out in many games."),
    },
    "This program": {
        "completion": Entry("completion:completion", "Print the completion script for your shell."),
    },
}


def main() -> None:
    """The entry point of the installed program."""
    from rulesdsl.cli.group import commands

    commands.main(prog_name="rulesdsl")
