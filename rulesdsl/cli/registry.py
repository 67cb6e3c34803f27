"""The commands there are, where each lives, and its line in the help."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Where a command lives (`module:function` of this package), and its line in `rulesdsl --help`."""

    place: str
    summary: str


# Section of the help → command → entry; both in the order in which they are shown.
COMMANDS: dict[str, dict[str, Entry]] = {
    "Play": {
        "table": Entry("table:table", "Play a game in the browser: click on the map, alone or with others."),
        "play": Entry("play:play", "Play a game in the terminal, or watch it play itself."),
        "simulate": Entry("simulate:simulate", "Play many games and count what happens."),
        "replay": Entry("replay:replay", "Look at a saved game again, decision by decision."),
        "analyse": Entry("analyse:analyse", "Where a saved game was won and lost, and what cost most."),
        "train": Entry("train:train", "Tune the computer opponent of a game by results of games."),
        "verify": Entry("replay:verify", "Prove a saved game: derive every decision again."),
        "key": Entry("keys:key", "Make a key to sign games with."),
    },
    "Read rules": {
        "list": Entry("list:list_games", "The games that came with this installation."),
        "rule": Entry("rule:rule", "Print one paragraph of a rulebook."),
        "readings": Entry("readings:readings", "Where a rulebook can be read in two ways, and how it is."),
        "docs": Entry("docs:docs", "Make the handbook of a game: a site that opens from the file system."),
        "aid": Entry("aid:aid", "Two pages to lie on the table: sequence, tables, terrain, victory."),
        "map": Entry("docs:draw", "Draw the map of a game as SVG."),
        "odds": Entry("odds:odds", "Exact chances of a procedure, or of the tables of a game."),
        "exceptions": Entry("exceptions:exceptions", "What a paragraph forbids, and what defeats it."),
    },
    "Write rules": {
        "new": Entry("new:new", "Start a game of your own: a directory that checks clean and plays."),
        "check": Entry("check:check", "Report everything that is wrong with a game, all at once."),
        "fmt": Entry("fmt:fmt", "Bring rules into the usual layout."),
        "test": Entry("test:test", "Run the examples of a rulebook."),
        "words": Entry("words:words", "What can be said of a name in rules."),
        "find": Entry("words:find", "Where something stands: names, prose, rules, data."),
        "lsp": Entry("lsp:lsp", "The language server: rules in your editor."),
        "ledger": Entry("test:ledger", "Which paragraphs are rules, tested, and used in play."),
    },
    "House rules": {
        "workshop": Entry("workshop:workshop", "Write house rules in the browser, and see what follows."),
        "house": Entry("house:house", "Begin a house rule: a file to go on from."),
        "diff": Entry("diff:diff", "What house rules change, paragraph by paragraph."),
        "compare": Entry("compare:compare", "What house rules do to the balance, played out in many games."),
        "merge": Entry("merge:merge", "Two house rules that clash: a third one that has both."),
        "variant": Entry("variant:variant", "Game, scenario, house rules and settings under one name."),
    },
    "Studies": {
        "study": Entry(
            "study:study", "Questions of balance: many games on one machine or a hundred, and a report."
        ),
    },
    "This program": {
        "code": Entry("code:code", "What the compiler makes of a rule, stage by stage."),
        "completion": Entry("completion:completion", "Print the completion script for your shell."),
    },
}
