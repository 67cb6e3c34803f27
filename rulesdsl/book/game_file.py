"""`game.yaml`: the name of a game, who plays it, and the numbered paragraphs of its printed rulebook."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.resources import GAME_FILE
from rulesdsl.base.source import Span
from rulesdsl.book.entries import NOTHING, at, file_source, nothing_is_called_so
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.schema import schema_problems


@dataclass(frozen=True, slots=True)
class Player:
    """`{id: white, name: White, colour: "#ffffff"}`: a seat at the table."""

    id: str
    name: str
    colour: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`{id: "2.1.1", title: Stacking}`: one numbered item of the printed rulebook.

    `extra` marks a heading that the printed book does not have as a numbered item.
    """

    id: str
    title: str
    extra: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ModuleUse:
    """`modules: [weather with soft as soft_target]`: a rule module that the game reads along.

    `words` are those of the module that the game calls otherwise, each with the game's own.
    """

    name: str
    span: Span = field(compare=False, repr=False)
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """`{setting: place_names, value: printed, of: zone}`: with this value zones are shown by their labels."""

    setting: str
    value: str
    of: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Watched:
    """`{value: places_left, as: activations left}`: a number a player of this game keeps an eye on."""

    value: str
    label: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Telling:
    """`telling`: the words of the trade for what the log would say plainly, and what the panel shows.

    `faces` are said of a counter that is turned to its first side, its second, …; `places` of one that comes
    to a place (`eliminated` instead of "to Eliminated units"); `goals` tell each player what he wants.
    """

    faces: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    watched: tuple[Watched, ...] = ()
    goals: tuple[tuple[str, str], ...] = ()  # player → what he wants
    place_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    goal_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    def arriving(self, space: str) -> str:
        """What is said of a piece that comes there; nothing when only the name of the place is."""
        return dict(self.places).get(space, "")


@dataclass(frozen=True, slots=True)
class GameFile:
    """`paragraphs` is None when the file has no ledger: then the headings of the rules are the ledger."""

    id: str
    title: str
    summary: str
    players: tuple[Player, ...]
    scenario: str  # the default scenario, or empty
    paragraphs: tuple[Paragraph, ...] | None
    credits: Any
    source: str
    modules: tuple[ModuleUse, ...]
    span: Span = field(compare=False, repr=False)
    scenario_span: Span = field(compare=False, repr=False)
    spellings: tuple[Spelling, ...] = ()
    telling: Telling = Telling()


def build_game_file(doc: YamlDocument) -> tuple[GameFile | None, list[Diagnostic]]:
    """The game file, and everything that is wrong with it; none when its form is wrong."""
    problems = schema_problems(doc, "game")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    players = tuple(
        Player(p["id"], p.get("name", p["id"]), p.get("colour", ""), doc.span(("players", index, "id")))
        for index, p in enumerate(value["players"])
    )
    paragraphs, problems = ledger_of(doc)
    modules = tuple(
        _module_use(text, doc.span(("modules", index))) for index, text in enumerate(value.get("modules", ()))
    )
    problems += _twice(players, "players")
    problems += [
        Diagnostic(
            "duplicate-name", f'the module "{use.name}" is named twice', use.span, help="once is enough"
        )
        for number, use in enumerate(modules)
        if use.name in {earlier.name for earlier in modules[:number]}
    ]
    problems += _name_problems(doc, value["game"])
    return GameFile(
        id=value["game"],
        title=value["title"],
        summary=value.get("summary", ""),
        players=players,
        scenario=str(value.get("scenario", "")),
        paragraphs=paragraphs if "paragraphs" in value else None,
        credits=value.get("credits"),
        source=file_source(doc),
        modules=tuple({use.name: use for use in reversed(modules)}.values())[::-1],
        span=doc.span(("game",)),
        scenario_span=doc.span(("scenario",)),
        spellings=tuple(
            Spelling(s["setting"], s["value"], s["of"], doc.span(("spellings", index, "setting")))
            for index, s in enumerate(value.get("spellings", ()))
        ),
        telling=_telling(doc, value.get("telling", {})),
    ), problems


def _module_use(text: str, span: Span) -> ModuleUse:
    name, _, renamed = text.partition(" with ")
    pairs = (pair.split(" as ") for pair in renamed.split(" and ") if pair)
    return ModuleUse(name, span, tuple((theirs.strip(), ours.strip()) for theirs, ours in pairs))


def _telling(doc: YamlDocument, value: dict[str, Any]) -> Telling:
    places: dict[str, str] = value.get("places", {})

    def watched(place: int, entry: dict[str, str]) -> Watched:
        label = entry.get("as", entry["value"].replace("_", " "))
        return Watched(entry["value"], label, doc.span(("telling", "watch", place, "value")))

    return Telling(
        tuple(value.get("faces", ())),
        tuple((str(space), words) for space, words in places.items()),
        tuple(watched(place, entry) for place, entry in enumerate(value.get("watch", ()))),
        tuple(value.get("goals", {}).items()),
        tuple(doc.span(("telling", "places", space)) for space in places),
        tuple(doc.span(("telling", "goals", player)) for player in value.get("goals", {})),
    )


def ledger_of(doc: YamlDocument) -> tuple[tuple[Paragraph, ...], list[Diagnostic]]:
    """The printed items a file lists, and those it lists twice."""
    entries: list[dict[str, Any]] = at(doc, ()).get("paragraphs", [])
    paragraphs = tuple(
        Paragraph(str(p["id"]), p["title"], p.get("extra", False), doc.span(("paragraphs", index, "id")))
        for index, p in enumerate(entries)
    )
    return paragraphs, _twice(paragraphs, "paragraphs")


def _twice(things: tuple[Player, ...] | tuple[Paragraph, ...], what: str) -> list[Diagnostic]:
    first: dict[str, Span] = {}
    problems: list[Diagnostic] = []
    for thing in things:
        if thing.id == NOTHING:
            problems.append(nothing_is_called_so(thing.span))
        if thing.id in first:
            also = (("the other one", first[thing.id]),)
            problems.append(
                Diagnostic("duplicate-id", f'two {what} are called "{thing.id}"', thing.span, also=also)
            )
        first.setdefault(thing.id, thing.span)
    return problems


def _name_problems(doc: YamlDocument, game: str) -> list[Diagnostic]:
    path = doc.source.path
    directory = path.absolute().parent.name
    if path.name != GAME_FILE or directory == game:
        return []
    # a save may claim to come from a directory of any name
    message = f'the game is called "{game[:80]}", its directory "{directory[:80]}"'
    return [Diagnostic("game-name", message, doc.span(("game",)), help="give both the same name")]
