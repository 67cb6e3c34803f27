"""The file of a study: what is played, how often, and what is compared with what.

    study: forests
    base: {game: skirmish, seats: {all: greedy}}
    games: 400
    arms:
      - {name: as printed}
      - {name: short, options: {last_turn: 3}}

`arms` is a list of tables, the first of which the others are compared with; `factors` crosses lists of
levels, the first level of each being the usual one. Every arm plays the same seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from interpreter.agents.seats import EVERYBODY, HUMAN, read_seats
from interpreter.compiling.ruleset import resolve_settings, unknown_setting
from interpreter.measuring.simulation import Setup
from interpreter.playing.game import Game, join_settings, open_game, setting_text
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, render
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import find_game
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml.file import YamlDocument, load_yaml
from rulesdsl.book.yaml.nodes import Path as YamlPath
from rulesdsl.book.yaml.schema import schema_problems
from rulesdsl.house.applying import find_house_rule
from rulesdsl.program.world import Universe

DEFAULT_GAMES, DEFAULT_COUNTED, DEFAULT_SEAT = 400, 20, "random"
FIRST_LOOK = 100
MOST_ARMS = 1_000
PARTS = ("game", "scenario", "house", "readings", "options", "seats")


@dataclass(frozen=True)
class Arm:
    """One way to set the table. `levels` says for each factor which of its levels this is."""

    number: int
    name: str
    setup: Setup
    game: Game = field(repr=False)
    levels: tuple[int, ...] = ()
    scenario: str | None = None  # by its id, also when it is the default one

    @property
    def rules(self) -> str:
        return self.game.program.content_hash


@dataclass(frozen=True)
class Stopping:
    """Games are looked at after `looks[0]`, `looks[1]` … of each arm; `within` 0 means: only at the end.

    What is looked at is how wide the intervals are, never on which side of zero they lie.
    """

    looks: tuple[int, ...]
    within: float = 0.0  # points of win rate, to either side

    @property
    def most(self) -> int:
        return self.looks[-1]


@dataclass(frozen=True)
class Study:
    id: str
    title: str
    question: str
    seed: str
    stopping: Stopping
    count_rules: int
    arms: tuple[Arm, ...]
    factors: tuple[tuple[str, tuple[str, ...]], ...]
    file: SourceFile = field(repr=False)

    def baseline(self, arm: Arm) -> Arm:
        """What an arm is compared with: the first one; in a factorial, of those with the same game."""
        alike = [a for a in self.arms if a.game.program.game == arm.game.program.game]
        return alike[0]


def read_study(path: Path) -> Study:
    """The study in a file; raises `RulebookError` with everything that is wrong, at its line."""
    return build_study(read_source(path, DEFAULT.yaml_file_bytes))


def build_study(file: SourceFile) -> Study:
    doc = _well_formed(file)
    problems: list[Diagnostic] = []
    value: Any = doc.value
    seed = str(value.get("seed", value["study"]))
    found: list[Arm] = []
    for number, (name, levels, parts) in enumerate(_tables(value)):
        try:
            found.append(_arm(doc, number, name, levels, parts, seed))
        except RulebookError as error:  # what is wrong in `base` is so in every arm: once is enough
            problems += [p for p in error.problems if p.span not in {q.span for q in problems}]
    if problems:
        raise RulebookError(problems)
    factors = tuple((f["name"], tuple(str(x["name"]) for x in f["levels"])) for f in value.get("factors", ()))
    return Study(
        str(value["study"]), value.get("title", str(value["study"])), value.get("question", ""), seed,
        _stopping(value), value.get("count_rules", DEFAULT_COUNTED), tuple(found), factors, file,
    )  # fmt: skip


def outline(file: SourceFile) -> tuple[str, list[str], Stopping]:
    """Name, arms and length of a study; nothing is opened for it."""
    value: Any = _well_formed(file).value
    return str(value["study"]), [name for name, *_ in _tables(value)], _stopping(value)


def _well_formed(file: SourceFile) -> YamlDocument:
    doc = load_yaml(file)
    problems = schema_problems(doc, "study") or list(_contradictions(doc))
    if problems:
        raise RulebookError(problems)
    return doc


def _contradictions(doc: YamlDocument) -> Iterator[Diagnostic]:
    """What the form allows and the sense does not."""
    value: Any = doc.value
    if ("arms" in value) == ("factors" in value):
        message = "a study has either arms or factors" + (", not both" if "arms" in value else "")
        place = doc.span(("factors",), key=True) if "arms" in value else doc.span(("study",), key=True)
        yield Diagnostic("study-design", message, place, help="arms: a list; factors: all combinations")
    if "games" in value and "until" in value:
        message = 'either "games" says how many are played, or "until" how certain one wants to be'
        yield Diagnostic("study-games", message, doc.span(("until",), key=True))
    until = value.get("until", {})
    if until and until.get("at_least", 2) > until["at_most"]:
        yield Diagnostic("study-games", '"at_least" is more than "at_most"', doc.span(("until", "at_least")))
    lists: list[tuple[YamlPath, Any]] = [(("arms",), value.get("arms", ()))]
    lists += [(("factors", i, "levels"), f["levels"]) for i, f in enumerate(value.get("factors", ()))]
    lists.append((("factors",), value.get("factors", ())))
    for path, entries in lists:
        seen: set[str] = set()
        for index, entry in enumerate(entries):
            if entry["name"] in seen:
                message = f'there are two called "{entry["name"]}"'
                yield Diagnostic("study-twice", message, doc.span((*path, index, "name")))
            seen.add(entry["name"])
    count = 1
    for factor in value.get("factors", ()):
        count *= len(factor["levels"])
    if count > MOST_ARMS:
        message = f"the factors make {count:,} arms; at most {MOST_ARMS:,} can be studied together"
        yield Diagnostic("study-size", message, doc.span(("factors",), key=True))


Places = Mapping[str, tuple[Any, YamlPath]]  # part → value and where it stands


def _tables(value: Any) -> Iterator[tuple[str, tuple[int, ...], list[Places]]]:
    """Name, levels and the parts that are laid over each other, for every arm in order."""
    base = {part: (value["base"][part], ("base", part)) for part in PARTS if part in value["base"]}

    def parts_of(entry: Any, *path: str | int) -> Places:
        return {part: (entry[part], (*path, part)) for part in PARTS if part in entry}

    for index, arm in enumerate(value.get("arms", ())):
        yield arm["name"], (), [base, parts_of(arm, "arms", index)]
    if "factors" in value:
        factors = value["factors"]
        for levels in product(*(range(len(factor["levels"])) for factor in factors)):
            chosen = [(f, level, factors[f]["levels"][level]) for f, level in enumerate(levels)]
            laid = [parts_of(entry, "factors", f, "levels", level) for f, level, entry in chosen]
            yield " · ".join(entry["name"] for *_, entry in chosen), levels, [base, *laid]


def _arm(
    doc: YamlDocument, number: int, name: str, levels: tuple[int, ...], parts: list[Places], seed: str
) -> Arm:
    """Whatever is wrong is said at the line that says it."""

    def last(part: str) -> tuple[Any, YamlPath]:
        return next((laid[part] for laid in reversed(parts) if part in laid), (None, ("base",)))

    wanted, place = last("game")
    try:
        directory = _named(doc, wanted, find_game)
        house: list[Path] = []
        for laid in parts:
            for index, rule in enumerate(laid["house"][0] if "house" in laid else ()):
                place = (*laid["house"][1], index)
                house.append(_named(doc, rule, lambda r: find_house_rule(directory, r)))
        game = _opened(doc, name, place, directory, house)
        wanted, place = last("scenario")
        scenario = game.scenario(str(wanted) if wanted is not None else None)
        settings = _settings(doc, name, game, parts)
        place = last("readings")[1]
        players = game.ruleset(settings, scenario).seats
        sitting = _seats(doc, name, players, parts)
    except UsageError as error:
        raise RulebookError([_problem(doc, name, str(error), place)]) from None
    setup = Setup(
        directory,
        tuple(house),
        scenario.id if scenario is not None else None,
        settings,
        sitting,
        seed,
    )
    return Arm(number, name, setup, game, levels, scenario.id if scenario is not None else None)


def _opened(doc: YamlDocument, arm: str, place: YamlPath, directory: Path, house: list[Path]) -> Game:
    try:
        return open_game(directory, house)
    except RulebookError as error:
        told = "\n".join(map(render, error.problems[:3]))
        message = f"{arm}: the game cannot be used with this\n{told}"
        raise RulebookError([Diagnostic("study-rules", message, doc.span(place))]) from None


def _settings(doc: YamlDocument, arm: str, game: Game, parts: list[Places]) -> dict[str, str]:
    """Options and readings as they are laid over each other; everything that is wrong, each at its line."""
    chosen: dict[str, dict[str, Any]] = {"option": {}, "reading": {}}
    problems = []
    for laid, called in product(parts, chosen):
        values, path = laid.get(f"{called}s", ({}, ()))
        for setting, value in values.items():
            place = (*path, setting)
            if setting not in game.program.settings:
                problems.append(
                    _problem(doc, arm, unknown_setting(game.program, setting, called), place, True)
                )
                continue
            chosen[called][setting] = value
            try:
                resolve_settings(game.program, {setting: setting_text(value)})
                join_settings(chosen["option"], chosen["reading"])
            except UsageError as error:
                problems.append(_problem(doc, arm, str(error), place))
    if problems:
        raise RulebookError(problems)
    return join_settings(chosen["option"], chosen["reading"])


def _seats(doc: YamlDocument, arm: str, players: Universe, parts: list[Places]) -> dict[str, str]:
    """Who sits where. A seat that is named goes before `all`, also when that is said later."""
    everybody: list[str] = []
    named: list[str] = []
    for laid in parts:
        kinds, path = laid.get("seats", ({}, ()))
        for seat, kind in kinds.items():
            try:
                if HUMAN in read_seats([f"{seat}={kind}"], players).values():
                    raise UsageError("people cannot play in a study")
            except UsageError as error:
                raise RulebookError([_problem(doc, arm, str(error), (*path, seat))]) from None
            (everybody if seat == EVERYBODY else named).append(f"{seat}={kind}")
    return dict.fromkeys(players.ids, DEFAULT_SEAT) | read_seats([*everybody, *named], players)


def _problem(doc: YamlDocument, arm: str, what: str, place: YamlPath, key: bool = False) -> Diagnostic:
    return Diagnostic("study-table", f"{arm}: {what}", doc.span(place, key=key))


def _named(doc: YamlDocument, name: str, find: Any) -> Path:
    """A file named beside the study wins over one that is named from where the command is given."""
    beside = doc.source.path.parent / name
    found: Path = find(beside if beside.exists() else name)
    return found


def _stopping(value: Any) -> Stopping:
    until = value.get("until")
    if until is None:
        return Stopping((value.get("games", DEFAULT_GAMES),))
    most = until["at_most"]
    look = min(most, until.get("at_least", FIRST_LOOK))
    looks = [look]
    while looks[-1] < most:
        looks.append(min(most, 2 * looks[-1]))
    return Stopping(tuple(looks), float(until["within"]))
