"""The things of a game by the names people use for them, and all that is known of one: `look`."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.playing.session import Option, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.board import Board, fact
from rulesdsl.cli.play.commands import options_called
from rulesdsl.cli.play.tongue import t
from rulesdsl.cli.rule import prose_of

MOST_NAMES = 16
MOST_THINGS = 4
LONGEST = 40  # of what was typed, when it is repeated
KINDS = ("space", "piece", "player", "token")


def find_things(session: Session, name: str) -> list[tuple[str, str]]:
    """What has this id, alias or name; else what has it printed on its counter; else those with all these
    words in their names."""
    wanted = name.casefold().strip()
    named: list[tuple[str, str]] = []
    printed: list[tuple[str, str]] = []
    near: list[tuple[str, str]] = []
    for universe in KINDS:
        things = session.ruleset.program.world.universes[universe]
        if wanted in things.index:
            return [(universe, things.ids[things.index[wanted]])]
        for identity, shown in zip(things.ids, things.names, strict=True):
            if wanted == identity.casefold():
                return [(universe, identity)]
            if wanted == shown.casefold():
                named.append((universe, identity))
            elif universe == "piece" and wanted == session.game.source.pieces[identity].label.casefold():
                printed.append((universe, identity))
            elif wanted and all(word in shown.casefold() for word in wanted.split()):
                near.append((universe, identity))
    return named or printed or near


def options_meant(session: Session, typed: str) -> tuple[list[Option], bool]:
    """The options somebody means, by their own words, by what is printed on a counter or by where it stands;
    and whether there is just one and no doubt about it."""
    found = options_called(session.options, typed, printed_words(session))
    things = [] if found else find_things(session, typed)
    found = found or _options_about(session, things)
    if found:
        return found, len(found) == 1
    found = _options_from(session, things)
    if not found:
        further = t(', "why not {}" may tell what stands against it', short(typed)) if things else ""
        raise UsageError(
            t('no option is called "{}"; "help" lists what you can type{}', short(typed), further)
        )
    return found, False


def printed_words(session: Session) -> dict[str, list[str]]:
    """Option → what is printed on the counters it is about, in small letters."""
    pieces = session.game.source.pieces
    found: dict[str, list[str]] = {}
    for option in session.options:
        ids = [thing.partition(":")[2] for thing in option.things if thing.startswith("piece:")]
        labels = [pieces[identity].label.casefold() for identity in ids if identity in pieces]
        found[option.key] = [word for label in labels for word in (label, *label.split())]
    return found


def _options_about(session: Session, things: Sequence[tuple[str, str]]) -> list[Option]:
    """The options that speak of one of these things."""
    wanted = {identity for _, identity in things}
    return [option for option in session.options if wanted & _ids(option)]


def _options_from(session: Session, things: Sequence[tuple[str, str]]) -> list[Option]:
    """The options that speak of a piece in one of these spaces."""
    board = Board(session, session.view(session.player))
    spaces = {identity for universe, identity in things if universe == "space"}
    standing = {
        piece for space, pieces in board.pieces_by_space().items() if space in spaces for piece in pieces
    }
    return [option for option in session.options if standing & _ids(option)]


def _ids(option: Option) -> set[str]:
    return set(option.key.split(":", 1)[-1].split("+"))


def name_of(session: Session, universe: str, identity: str) -> str:
    things = session.ruleset.program.world.universes[universe]
    return things.names[things.index[identity]]


def short(typed: str) -> str:
    """What somebody typed, as far as it is worth repeating."""
    return typed if len(typed) <= LONGEST else f"{typed[: LONGEST - 1]}…"


def look(session: Session, name: str) -> list[str]:
    """Everything that is printed on a thing, and everything known about it now."""
    found = find_things(session, name)
    if not found:
        raise UsageError(
            t('nothing is called "{}"', short(name)) if name else t("name a space, a piece or a player")
        )
    if len(found) > MOST_THINGS:
        names = ", ".join(name_of(session, *thing) for thing in found[:MOST_NAMES])
        return [
            t(
                "{} things are called like that: {}{}",
                len(found),
                names,
                " …" if len(found) > MOST_NAMES else "",
            )
        ]
    world, lines = session.ruleset.program.world, list[str]()
    board = Board(session, session.view(session.player))
    for universe, identity in found:
        things = world.universes[universe]
        number = things.index[identity]
        kind = things.classes[number] or universe
        lines.append(f"{things.names[number]} ({kind} {identity})")
        if universe == "token":
            lines += token_rule(session, identity)
            continue
        for (of, attribute), declared in world.attributes.items():
            value = board.value(declared, identity) if of == universe else None
            if value not in (None, 0, "", ()) and attribute not in world.directions:
                guess = t(" (estimated)") if board.is_guessed(declared, identity) else ""
                lines.append(f"  {fact(attribute, board.shown(declared, value))}{guess}")
        if universe == "space":
            lines += _neighbours(board, number)
        standing = board.pieces_by_space().get(identity, []) if universe == "space" else []
        backs = board.backs_in(identity) if universe == "space" else ""
        if standing or backs:
            held = [*(board.piece_label(piece) for piece in standing), *filter(None, [backs])]
            lines.append(f"  {t('holds {}', ', '.join(held))}")
        if universe == "piece" and identity in board.unknown:
            lines.append(f"  {t('where it is, you do not know')}")
    return lines


def token_rule(session: Session, token: str) -> list[str]:
    """What a token does, in the words of its paragraph."""
    number = session.ruleset.program.tokens[token].paragraph
    paragraph = session.ruleset.program.paragraphs.get(number)
    prose = [] if paragraph is None else prose_of(paragraph).split("\n\n")[:1]
    return [
        *(f"  {' '.join(text.split())}" for text in prose if text),
        "  " + t('"rule {}" tells all about it', number),
    ]


def _neighbours(board: Board, space: int) -> list[str]:
    """The spaces around a space, each with what is printed on the border between them."""
    world = board.world
    spaces, borders = world.universes["space"], world.universes["border"]
    parts = []
    for there, border in world.adjacency[space]:
        identity = borders.ids[border]
        known = [
            fact(name, board.shown(declared, value))
            for (of, name), declared in world.attributes.items()
            if of == "border" and (value := board.value(declared, identity)) not in (None, 0, "", ())
        ]
        parts.append(f"    {spaces.names[there]}" + (f" ({', '.join(known)})" if known else ""))
    return [f"  {t('next to')}", *parts] if parts else []
