"""What a player sees: functions from a session to things rich can print. Nothing here changes anything."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from interpreter.playing.session import Session
from interpreter.playing.views import line_for
from interpreter.running.dice import FRESH
from interpreter.running.state_json import shown_value
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.board import Board, fact, in_words, mixed_number
from rulesdsl.cli.play.boardgrid import draw_grid
from rulesdsl.cli.play.boardlist import list_spaces
from rulesdsl.cli.play.tongue import decisions, named, t, titled
from rulesdsl.language.conventions import LAST_TURN, SCORE, TURN


def header_lines(session: Session, seat: str | None) -> list[str]:
    """The lines of the header in plain words: turn and phase first."""
    body = _header(session, seat)
    return body.plain.split("\n") if body.plain else []


def header(session: Session, seat: str | None) -> Panel | None:
    """Turn, phase, score and tracks in a few lines; nothing when the game has none of them."""
    body = _header(session, seat)
    if not body.plain:
        return None
    scenario = session.facts.get("scenario")
    title = session.game.title + (f", {scenario}" if scenario else "")
    return Panel(body, title=title, title_align="left", box=box.ROUNDED)


def _header(session: Session, seat: str | None) -> Text:
    view = session.view(seat)
    told = session.ruleset.program.telling.watched
    players = Text() if told else _players(session, view)  # who says what is watched need not see the rest
    lines = [_tracks(session, view), _phases(session, seat), _scores(session, view), players]
    return Text("\n").join(line for line in lines if line.plain)


def board_panel(session: Session, seat: str | None, width: int) -> Panel:
    """A picture when the map is a grid that fits, otherwise a list."""
    board = Board(session, session.view(seat))
    grid = draw_grid(board, width - 4)
    content = Text("\n").join(grid) if grid is not None else Group(*list_spaces(board, width - 4))
    return Panel(content, box=box.ROUNDED, title=t("board"), title_align="left")


def hand(session: Session, seat: str | None) -> Text:
    """The tokens of a seat by name, those of the others by number."""
    tokens = session.view(seat)["tokens"]
    if not tokens:
        return Text()
    players, titles = session.ruleset.program.world.universes["player"], session.ruleset.program.tokens
    line = Text()
    if seat is not None:
        mine = ", ".join(titles[name].title for name in tokens["mine"]) or t("none")
        line.append(t("your tokens: {}", mine))
    for player, count in tokens["held"].items():
        if player != seat:
            line.append("; " if line else "")
            seen = ", ".join(titles[name].title for name in tokens["known"].get(player, ()))
            line.append(t("{} holds {}", players.names[players.index[player]], count))
            line.append(f" ({seen})" if seen else "")
    return line


def question(session: Session) -> Text:
    """Who decides, what, by which paragraph."""
    prompt = session.prompt
    assert prompt is not None
    board = Board(session, session.view(prompt.player))
    line = Text()
    line.append(player_name(session, prompt.player), style=board.seat_style(prompt.player))
    line.append(f": {prompt.text}", style="bold")
    title = titled(session.game.source, prompt.paragraph, prompt.title)
    line.append(f"  ({prompt.paragraph} {title})" if prompt.paragraph else "", style="dim")
    return line


def ending(session: Session) -> Panel:
    """Who has won, why, and how it stood."""
    result = session.result
    assert result is not None
    names = [player_name(session, player) for player in result.winners]
    if names:
        verdict = t("won by {}", t(" and ").join(names))  # a verb would have to know whether Germans are many
    else:
        verdict = t("drawn") if result.outcome == "drawn" else t("nobody wins")
    text = Text(verdict, style="bold")
    text.append(f": {result.reason}" if result.reason else "", style="not bold")
    text.append(f"  ({result.paragraph})" if result.paragraph else "", style="dim")
    gains = [f"{player_name(session, player)} {gain}" for player, gain in result.payoffs]
    paid = Text(t("payoffs: {}", ", ".join(gains)) if gains else "")
    lines = [text, paid, _scores(session, session.view(None)), _tracks(session, session.view(None))]
    lines.append(Text(f"{decisions(len(session.history))}, {dice_words(session)}", style="dim"))
    return Panel(
        Text("\n").join(line for line in lines if line.plain), title=t("the end"), title_align="left"
    )


def dice_words(session: Session) -> str:
    """What decides the dice of this game."""
    if session.facts.get("dice") == FRESH:
        return t("dice drawn as they are cast")
    return t("seed {}", session.facts["seed"])


def is_private(session: Session) -> bool:
    """Whether the others must not even hear what is being asked: that somebody may play a token tells that
    he holds one. What comes of it is in the log, for those who may know."""
    if session.ruleset.program.visibility:
        return True
    return any(type_.name == "token" for type_ in getattr(session.site, "types", ()))


def player_name(session: Session, player: str | None) -> str:
    players = session.ruleset.program.world.universes["player"]
    return players.names[players.index[player]] if player is not None and player in players.index else ""


def _tracks(session: Session, view: dict[str, Any]) -> Text:
    """The turn, and every other track that may be seen, is no bookkeeping and no longer where it began."""
    world = session.ruleset.program.world
    parts = []
    watched = {one.value for one in session.ruleset.program.telling.watched}
    for name in sorted(view["tracks"], key=lambda track: track != TURN):
        if name in watched or (watched and name != TURN):
            continue
        track, value = world.tracks[name], view["tracks"][name]
        type_ = track.type
        if name != TURN and (track.quiet or value == shown_value(world, type_, track.start)):
            continue
        last = _last_turn(session, view) if name == TURN else None
        limit = t(" of {}", last) if last is not None else ""
        if session.over and isinstance(last, int) and isinstance(value, int):
            value = min(value, last)  # the turn after the last is the end
        if type_.kind == "flag":
            parts.append(("" if value else t("not ")) + named(session.game.source, fact(name, True)))
            continue
        words = player_name(session, value) if type_.name == "player" else value
        parts.append(_valued(session, name, words) + limit)
    return Text(" · ".join(parts))


def _valued(session: Session, name: str, value: object) -> str:
    """`turn 3`, in the words of the reader where the rulebook has them."""
    return named(session.game.source, in_words(name)) + fact(name, value).removeprefix(in_words(name))


def _last_turn(session: Session, view: dict[str, Any]) -> object:
    """What the rulebook calls `last_turn`, else how far the track goes; None when neither is there."""
    program = session.ruleset.program
    if LAST_TURN in session.ruleset.settings:
        return session.ruleset.settings[LAST_TURN]
    rule = program.defines.get(LAST_TURN) or program.quantities.get(LAST_TURN)
    if rule is not None and not rule.params and rule.type.kind == "number":
        try:
            return session.value(LAST_TURN, seat=view["seat"])
        except UsageError:  # made of something this seat may not know
            return None
    return program.world.tracks[TURN].type.high


def _players(session: Session, view: dict[str, Any]) -> Text:
    """What is known of each player beside his score."""
    line, board = Text(), Board(session, view)
    for identity in session.ruleset.seats.ids:
        facts = board.facts("player", identity)
        if facts:
            line.append(" · " if line else "")
            line.append(f"{player_name(session, identity)}: {', '.join(facts)}")
    return line


def _phases(session: Session, seat: str | None) -> Text:
    """Where in the sequence of play we are, from the outside in; of the innermost phase also whose it is."""
    program, machine = session.ruleset.program, session.machine
    titles = {p.title for p in program.procedures.values() if p.kind == "phase" and p.name != "game"}
    names = [machine.code.names[frame[0]] for frame in machine.stack]
    chain = list(dict.fromkeys(name for name in names if name in titles))
    for entry in reversed(session.log) if chain else ():
        seen = line_for(entry, seat) if entry.kind == "phase" else None
        if seen is not None and seen.text.startswith(chain[-1]):
            chain[-1] = seen.text
            break
    return Text(" › ".join(named(session.game.source, title) for title in chain), style="italic")


def _scores(session: Session, view: dict[str, Any]) -> Text:
    """What a player of this game watches, as its `telling` says; else `quantity score(player)`. What the
    computer opponent reckons (`value`) is nobody's score."""
    program = session.ruleset.program
    watched = [(one.value, named(session.game.source, one.label)) for one in program.telling.watched]
    if not watched and SCORE in program.quantities:
        watched = [(SCORE, t(SCORE))]
    lines = [_watched(session, view, name, label) for name, label in watched]
    return Text("\n").join(line for line in lines if line.plain)


def _watched(session: Session, view: dict[str, Any], name: str, label: str) -> Text:
    """One number: of the game, or of each player who takes part."""
    program = session.ruleset.program
    rule = program.quantities.get(name) or program.defines.get(name)
    board = Board(session, view)
    if name in program.world.tracks and rule is None:
        return Text(f"{label}: {view['tracks'].get(name, '?')}")
    if rule is not None and not rule.params:
        return Text(f"{label}: {_known_value(session, view, name)}")
    line = Text(f"{label}: ")
    for number, player in enumerate(session.ruleset.seats.ids):
        line.append(" · " if number else "")
        line.append(player_name(session, player), style=board.seat_style(player))
        if rule is not None:
            line.append(f" {_known_value(session, view, name, player)}")
        else:
            line.append(f" {board.state_of('player', player).get(name, 0)}")
    return line


def _known_value(session: Session, view: dict[str, Any], name: str, *about: str) -> str:
    try:
        return mixed_number(session.value(name, *about, seat=view["seat"]))
    except UsageError:  # made of something this seat may not know
        return "?"


def guide_panel(word: dict[str, Any], width: int) -> Panel:
    """What a guided turn says at a question."""
    parts = (" ".join(part.split()) for part in str(word["text"]).split("\n\n"))
    body = Text("\n\n".join(part for part in parts if part))
    title = t("{} of {}: {}", word["step"], word["steps"], word["title"])
    return Panel(body, title=title, title_align="left", box=box.ROUNDED, width=width, border_style="green")
