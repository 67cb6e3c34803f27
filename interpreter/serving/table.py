"""One table: a game in progress, its seats, and `answer`, which is all that anybody can ask of it.

    reply = answer(table, {"do": "look", "token": "…"})
    reply = answer(table, {"do": "act", "token": "…", "at": reply["at"], "keys": ["activate:x"]})

A reply is plain JSON: `{"ok": true, …}` or `{"ok": false, "error": "a sentence", "code": "…"}`. Each request
and reply has a schema in `grammar/schema/table/`. What has been decided is in the journal before it is
answered; a table that is opened again is made from its journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from interpreter.acts.orders import orders
from interpreter.acts.performing import perform, undo_act
from interpreter.acts.rest import rest_for_me
from interpreter.agents.seats import Agent, agents_for
from interpreter.agents.sight import Sight
from interpreter.keeping.journal import Journal
from interpreter.keeping.save_file import SaveError
from interpreter.playing.session import IllegalChoice, Session
from interpreter.running.fuel import RunawayRule
from interpreter.serving import asking
from interpreter.serving.board import ground
from interpreter.serving.guide import guide_for, word_now
from interpreter.serving.happenings import all_lines, since_then
from interpreter.serving.locks import lock_of
from interpreter.serving.looking import has_secrets, look
from interpreter.serving.offering import offer
from interpreter.serving.sealed_choices import Sealed
from interpreter.serving.seating import PERSON, Door, Seating
from interpreter.serving.talk import Talk
from rulesdsl.base.diagnostics import UsageError

MOST_KEYS = 400  # decisions in one act
LONGEST_KEY = 400
REST_SECONDS = 20.0
Reply = dict[str, Any]


class Refused(Exception):
    """A request that is not answered. `code` is for programs, the words for people."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Table:
    """A session with its seats. Who plays or looks holds `lock`; `changed` is called after every change."""

    def __init__(self, identity: str, session: Session, seating: Seating, path: Path | None = None) -> None:
        self.identity = identity
        self.session = session
        self.seating = seating
        self.path = path
        self.talk = Talk(path)
        self.lock = lock_of(session.ruleset)
        self.changed: Callable[[Table], None] = lambda table: None
        self.thinking = False
        self.trouble = ""  # why the computer does not go on, in words
        self._agents: dict[str, Agent] = {}
        self.guide = guide_for(session)
        self.set_agents()
        self.sealed = Sealed(path)
        self._shown: dict[tuple[Door, str | None], tuple[int, str, Reply]] = {}
        self._version = 0  # grows with everything that happens here; what was shown for it is still true
        self._shown_for: dict[tuple[Door, str | None], tuple[int, int]] = {}
        self.sealed.play(session)  # what was kept when the table was closed, and is still wanted

    def set_agents(self) -> None:
        self._agents = agents_for(self.seating.kinds, str(self.session.facts["seed"]))

    # ---- what the computer does
    def waits_for_computer(self) -> bool:
        """Whether an agent is asked, or somebody who has no choice."""
        session = self.session
        if session.over or self.trouble:
            return False
        return session.player in self._agents or len(session.options) == 1

    def computer_decides(self) -> None:
        """One decision of an agent, or the only option somebody has."""
        with self.lock:
            if not self.waits_for_computer():
                return
            session = self.session
            self._version += 1
            agent = self._agents.get(str(session.player))
            if len(session.options) == 1 or agent is None:
                session.choose(session.options[0])
            else:
                index = agent.choose(Sight.of(session.ruleset, session.machine), len(session.history))
                session.choose(next(option for option in session.options if option.index == index))
            self.sealed.play(session)

    def settle(self, most: int = 100_000) -> None:
        """Let the computer decide until a person is asked."""
        for _ in range(most):
            if not self.waits_for_computer():
                return
            self.computer_decides()

    def touch(self) -> None:
        """Something has happened: looks are made anew, and who listens is told."""
        self.sealed.play(self.session)
        self._version += 1
        self.changed(self)

    def question_of(self, door: Door, seat: str | None) -> Session:
        """The game as this seat is asked in it; at one screen people take turns."""
        alone = seat is not None and len(door.seats) == 1
        return self.sealed.question_of(self.session, str(seat)) if alone else self.session

    # ---- what is seen
    def shown(self, door: Door, seat: str | None) -> Reply:
        """The look of a seat with its number: the number grows only when this seat sees something new."""
        with self.lock:
            now = (self._version, len(self.session.history))
            if self._shown_for.get((door, seat)) == now:
                return self._shown[door, seat][2]
            self._shown_for[door, seat] = now
            seen = look(self.question_of(door, seat), self.seating, door, seat)
            seen["table"], seen["talk"] = self.identity, self.talk.for_seats(door.seats)
            seen["trouble"] = self.trouble
            seen["guide"] = word_now(self.guide, self.session, seat) if self.guide is not None else None
            text = json.dumps(seen, sort_keys=True)
            at, before, reply = self._shown.get((door, seat), (0, "", {}))
            if text != before:
                at += 1
                reply = {"ok": True, "at": at, **seen}
                self._shown[door, seat] = (at, text, reply)
            return reply

    def close(self) -> None:
        """Give the journal back; nothing more is decided here."""
        recorder = self.session.recorder
        if isinstance(recorder, Journal):
            recorder.close(forget=not self.session.history)


def answer(table: Table, request: Mapping[str, Any]) -> Reply:
    """Answer one request, whatever it is: nothing raises, and what is refused has changed nothing."""
    try:
        door = table.seating.door(request.get("token"))
        if door is None:
            raise Refused("token", "this link does not lead to a seat at this table")
        wanted = request.get("do")
        found = REQUESTS.get(wanted) if isinstance(wanted, str) else None
        if found is None:
            raise Refused("unknown", "nobody here understands that request")
        seat = _seat(door, request)
        with table.lock:
            return found(table, door, seat, request)
    except Refused as refused:
        return {"ok": False, "code": refused.code, "error": str(refused)}
    except (UsageError, IllegalChoice, RunawayRule, SaveError) as error:
        return {"ok": False, "code": "refused", "error": str(error)}


def _seat(door: Door, request: Mapping[str, Any]) -> str | None:
    """Whose eyes are used: the only seat of the door, or the one that is named; with several and none named,
    nobody's: the curtain is drawn."""
    named = request.get("seat")
    if named is None:
        return door.seats[0] if len(door.seats) == 1 else None
    if not isinstance(named, str) or named not in door.seats:
        raise Refused("seat", "this link does not lead to that seat")
    return named


def _own(seat: str | None) -> str:
    if seat is None:
        raise Refused("seat", "only somebody who sits at the table can ask that")
    return seat


def _text(request: Mapping[str, Any], name: str, most: int = LONGEST_KEY) -> str:
    found = request.get(name)
    if not isinstance(found, str) or len(found) > most:
        raise Refused("form", f"“{name}” must be a text of at most {most} letters")
    return found


def _texts(request: Mapping[str, Any], name: str, least: int = 1) -> list[str]:
    found = request.get(name, [])
    right = isinstance(found, list) and least <= len(found) <= MOST_KEYS
    if not right or not all(isinstance(part, str) and len(part) <= LONGEST_KEY for part in found):
        raise Refused("form", f"“{name}” must be a list of at most {MOST_KEYS} short texts")
    return [str(part) for part in found]


def _looked(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return table.shown(door, seat)


def _ground(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **ground(table.session)}


def _acted(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """Do something: only who is asked, and only when he has seen what is on the table now."""
    own = _own(seat)
    at = request.get("at")
    session = _question(table, door, own)
    keys = _texts(request, "keys")
    if at != table.shown(door, seat)["at"]:
        raise Refused("stale", "something has changed since: look again")
    performed = perform(session, own, keys)
    stopped = performed.stopped
    if session is not table.session:
        if session.player == own:
            raise Refused("turn", "choose all you want to choose at once: the others are still choosing")
        table.sealed.keep(table.session, own, performed.done)
        stopped = stopped or "your choice is kept until the others have chosen"
    table.trouble = ""
    table.touch()
    return {**table.shown(door, seat), "done": len(performed.done), "stopped": stopped}


def _question(table: Table, door: Door, own: str) -> Session:
    """The game in which this seat is asked now, or a refusal."""
    session = table.question_of(door, own)
    if session.player != own:
        raise Refused("turn", "it is not you who is asked now")
    return session


def _rest(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """The computer does the rest of this part of the game for who is asked."""
    own = _own(seat)
    if request.get("at") != table.shown(door, seat)["at"]:
        raise Refused("stale", "something has changed since: look again")
    done = rest_for_me(table.session, own, seconds=REST_SECONDS)
    table.touch()
    return {**table.shown(door, seat), "done": done, "stopped": ""}


def _offered(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    own = _own(seat)
    return {"ok": True, "offer": offer(_question(table, door, own), own, _texts(request, "draft", least=0))}


def _ordered(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """Where pieces may be sent: a stack that is taken in the hand lights up its aims."""
    own = _own(seat)
    session = _question(table, door, own)
    to = _text(request, "to") if "to" in request else ""
    found = orders(session, own, _texts(request, "pieces"), to)
    return {"ok": True, "orders": [order.json() for order in found]}


def _why(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.why(table.question_of(door, seat), _own(seat), _text(request, "key"))}


def _why_not(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {
        "ok": True,
        **asking.why_not(table.question_of(door, seat), _own(seat), _texts(request, "things")),
    }


def _odds(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.odds(table.question_of(door, seat), _own(seat), _texts(request, "keys"))}


def _hint(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.hint(table.question_of(door, seat), _own(seat))}


def _undone(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """Take back one's own last decision; past dice only who insists, and the log tells of it."""
    own = _own(seat)
    if table.sealed.take_back(own):
        table.touch()
        return {**table.shown(door, seat), "taken_back": 1}
    last = next(
        (m for m in reversed(table.session.history) if m.who in table.seating.people and m.had_a_choice), None
    )
    if last is None or last.who not in door.seats:
        raise Refused("undo", "the last decision was not yours: there is nothing of yours to take back")
    count = undo_act(table.session, table.seating.people, insisting=request.get("insist") is True)
    table.touch()
    back = seat if last.who == own else None  # at one screen the other one sits down again
    return {**table.shown(door, back), "taken_back": count}


def _log(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, "lines": all_lines(table.session, seat)}


def _since(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **since_then(table.session, seat)}


def _rule(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.rule(table.session, _text(request, "rule"))}


def _contents(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.contents(table.session)}


def _thing(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, **asking.about(table.session, seat, _text(request, "thing"))}


def _map(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    from interpreter.playing.picture import map_svg  # only here: drawing is a lot of code

    if table.session.game.source.map is None:
        raise Refused("map", "this game has no map")
    return {"ok": True, "svg": map_svg(table.session, seat)}


def _say(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """A word to the others, or (with `note`) to oneself alone."""
    own = _own(seat)
    table.talk.say(own, _text(request, "text", 1_000), private=request.get("note") is True)
    table.touch()
    return table.shown(door, seat)


def _links(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """Where the others sit down: for the host, who hands the links out."""
    if not door.host:
        raise Refused("host", "only the host of the table hands out links")
    doors = [
        {"token": d.token, "seats": list(d.seats)} for d in table.seating.doors if not d.host
    ]  # fmt: skip
    return {"ok": True, "doors": doors}


def _saved(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """The whole game as a file, secrets included: only for the host."""
    from interpreter.serving.mail import as_file  # only here: few games are sent by mail

    if not door.host:
        raise Refused("host", "the file holds everybody's secrets: only the host of the table may have it")
    others = any(door.seats for door in table.seating.doors if not door.host)
    if others and has_secrets(table.session) and not table.session.over:
        raise Refused("host", "the file tells what the others hold: it can be had when the game is over")
    name, text = as_file(table.session)
    return {"ok": True, "name": name, "text": text}


def _stand_in(table: Table, door: Door, seat: str | None, request: Mapping[str, Any]) -> Reply:
    """The host gives a seat to the computer, or takes it back for a person."""
    if not door.host:
        raise Refused("host", "only the host of the table gives seats away")
    who, kind = _text(request, "of"), _text(request, "kind", 20)
    if who not in table.seating.kinds:
        raise Refused("seat", "there is no such seat")
    if kind != PERSON:
        agents_for({who: kind}, "")  # raises when there is no such agent
    table.seating.kinds[who] = kind
    table.set_agents()
    table.trouble = ""
    if table.path is not None:
        table.seating.write(table.path)
    table.touch()
    return table.shown(door, seat)


Answer = Callable[[Table, Door, "str | None", Mapping[str, Any]], Reply]
REQUESTS: dict[str, Answer] = {
    "look": _looked,
    "ground": _ground,
    "act": _acted,
    "offer": _offered,
    "orders": _ordered,
    "rest": _rest,
    "why": _why,
    "why_not": _why_not,
    "odds": _odds,
    "hint": _hint,
    "undo": _undone,
    "log": _log,
    "since": _since,
    "rule": _rule,
    "contents": _contents,
    "thing": _thing,
    "map": _map,
    "say": _say,
    "links": _links,
    "save": _saved,
    "stand_in": _stand_in,
}
