"""The log people read: one line an act, with what came of it, as far as a seat may know.

The log of a session is what the rules tell, entry by entry. Here the decisions that were meant together are
one line: who did what, the roll with its sums, its column and what the table said, and the consequences;
nothing is told twice. Every line carries the things it names and the paragraphs it rests on.

One file: what a line leaves out depends on everything else in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from interpreter.acts.grouping import act_starts
from interpreter.compiling.decision_points import TravelSite
from interpreter.playing.counters import as_seen
from interpreter.playing.moments import LogEntry, Moment
from interpreter.playing.option_things import DONE, option_kind, option_things
from interpreter.playing.prompts import option_keys, option_text, out_key, out_text, prompt_text
from interpreter.playing.session import Session
from interpreter.playing.sitting import Sitting
from interpreter.playing.views import is_among, line_for
from rulesdsl.base.published import published
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.speaking.clauses.words import told as in_words
from rulesdsl.speaking.say.happenings import brief, picked

BARE = "bare"  # an act that is the name of a thing and nothing else: said with what was asked
_COMING = ("move", "place")
PICKS = in_words(picked(""))  # what is said before it
CHANGES = ("set", "mark", "unmark", "move", "place", "remove", "flip")
MOST_NAMES, MOST_PARTS = 12, 12  # told in one line
UNIVERSES = ("piece", "space", "player", "token", "border")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line: an act, a roll with its sums, a change, a note; `detail` is what it is made of.

    Of what happens to things, `names` are of whom it is told and `what` is told of them.
    """

    kind: str
    text: str
    paragraph: str = ""
    things: tuple[str, ...] = ()
    detail: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    what: str = ""
    place: str = ""  # where a move led: several in a row are told as a way
    flipped: bool = False

    @property
    def brief(self) -> str:
        """Without most of very many names."""
        return brief(", ".join(self.names), self.what or self.text, MOST_NAMES)


@dataclass(frozen=True, slots=True)
class Line:
    """One act with what came of it, or a phase, or what happened without anybody's doing.

    `first` and `last` are the decisions of the reader's own that stand before and after it.
    """

    kind: str  # phase, act, event, undo
    who: str  # the id of a player; nothing when it was nobody's doing
    text: str
    parts: tuple[Part, ...]
    things: tuple[str, ...]
    rules: tuple[str, ...]
    own: int  # how many decisions the reader had taken before it

    acted: str = ""  # the text without who acted

    def json(self) -> dict[str, Any]:
        told = published(self)
        del told["acted"]
        for part in told["parts"]:
            del part["names"], part["what"], part["place"], part["flipped"]
        return told


def story(session: Session, seat: str | None, since: int = -1) -> list[Line]:
    """The lines for a seat (None: somebody who looks on) after the first `since` decisions; -1: all of them,
    with what came before the first."""
    session.known_seat(seat)
    return list(_joined(_Teller(session, seat).lines(since)))


def since_last_decision(session: Session, seat: str) -> list[Line]:
    """What happened since the seat last decided anything it had a choice in."""
    own = [i for i, moment in enumerate(session.history) if moment.who == seat and moment.had_a_choice]
    starts = [start for start in act_starts(session) if start > (own[-1] if own else -1)]
    if not own:
        return story(session, seat)
    if not starts:
        return []
    return story(session, seat, starts[0])


def _joined(lines: Iterator[Line]) -> Iterator[Line]:
    """What came of an act by itself belongs to its line; acts of the same sort in a row are one line."""
    waiting: Line | None = None
    for line in lines:
        if waiting is not None and _goes_on(waiting, line):
            waiting = replace(
                waiting, text=f"{waiting.text}; {line.acted or line.text}",
                acted=f"{waiting.acted}; {line.acted or line.text}", parts=(*waiting.parts, *line.parts),
                things=tuple(dict.fromkeys((*waiting.things, *line.things))),
                rules=tuple(dict.fromkeys((*waiting.rules, *line.rules))),
            )  # fmt: skip
            continue
        if waiting is not None:
            yield waiting
        waiting = line
    if waiting is not None:
        yield waiting


def _goes_on(before: Line, line: Line) -> bool:
    if before.kind == "act" and line.kind == "event":
        return True
    plain = all(part.kind == "act" for part in (*before.parts, *line.parts))
    return (
        plain and before.kind == line.kind == "act" and before.who == line.who and before.rules == line.rules
    )


class _Teller:
    def __init__(self, session: Session, seat: str | None) -> None:
        self.session, self.seat = session, seat
        self.program = session.ruleset.program
        self.players = self.program.world.universes["player"]
        self.private = bool(self.program.visibility)
        self._leavings: dict[int, dict[str, list[int]]] = {}  # by decision and thing: numbers of entries

    def lines(self, since: int) -> Iterator[Line]:
        session, history = self.session, self.session.history
        opening, since = since < 0, max(0, since)
        starts = act_starts(session, since)
        by_decision: dict[int, list[tuple[int, LogEntry]]] = {}
        first_line = history[since].log_length if since < len(history) else len(session.log)
        first_line = 0 if opening else first_line
        for number, entry in enumerate(session.log[first_line:], first_line):
            seen = line_for(entry, self.seat)
            if seen is not None:
                named = seen.text != entry.text and self._was_shown(number)
                told = replace(entry, seen_by=None, others="", partly=()) if named else seen
                by_decision.setdefault(entry.decision, []).append((number, told))
        if opening:
            yield from self._happened([], by_decision.get(0, []), 0)
        for place, start in enumerate(starts):
            end = starts[place + 1] if place + 1 < len(starts) else len(history)
            yield from self._act(start, end, by_decision)

    def _was_shown(self, number: int) -> bool:
        """Whether a counter that went away face down came to lie open there: a card played to the trick.

        One that went on in the same decision lay open if it is named when it leaves; else who may see it at
        the end. Which hidden places it has passed is told to nobody.
        """
        entry = self.session.log[number]
        visibility = self.program.visibility.get(IDENTITY)
        if entry.kind not in _COMING or visibility is None or visibility.thing is None:
            return False
        history, ruleset = self.session.history, self.session.ruleset
        after = history[entry.decision].machine if entry.decision < len(history) else self.session.machine
        pieces = self.program.world.universes["piece"]
        for thing in (thing for thing in entry.things if thing in pieces.index):
            leaving = self._next_leaving(number, thing)
            if leaving is not None:
                seen = line_for(leaving, self.seat)
                if seen is None or seen.text != leaving.text:
                    return False
                continue
            eyes = ruleset.evaluate(after.s, visibility.viewers, {visibility.thing: pieces.index[thing]})
            if not is_among(ruleset, eyes, self.seat):
                return False
        return True

    def _next_leaving(self, number: int, thing: str) -> LogEntry | None:
        """The next entry of the same decision in which somebody goes on from where an entry took him."""
        decision = self.session.log[number].decision
        if decision not in self._leavings:
            leavings: dict[str, list[int]] = {}
            for n, entry in enumerate(takewhile(lambda e: e.decision == decision, self.session.log[number:])):
                for each in entry.things if entry.kind in (*_COMING, "remove") else ():
                    leavings.setdefault(each, []).append(number + n)
            self._leavings[decision] = leavings
        numbers = self._leavings[decision].get(thing, [])
        after = bisect_right(numbers, number)
        return self.session.log[numbers[after]] if after < len(numbers) else None

    def _act(
        self, start: int, end: int, by_decision: Mapping[int, list[tuple[int, LogEntry]]]
    ) -> Sequence[Line]:
        """The lines of one act. What is past does not change: it is written once for each reader."""
        is_past = end < len(self.session.history)
        key = ("act", start, end, self.seat)
        if is_past and key in self.session.remembered:
            kept: Sequence[Line] = self.session.remembered[key]
            return kept
        entries = [e for n in range(start + 1, end + 1) for e in by_decision.get(n, [])]
        told = tuple(self._happened(list(range(start, end)), entries, start))
        if is_past:
            self.session.remembered[key] = told
        return told

    def _happened(
        self, decisions: list[int], entries: list[tuple[int, LogEntry]], start: int
    ) -> Iterator[Line]:
        """The lines of one act: its own, and the phases that begin after it."""
        who = self.session.history[decisions[0]].who if decisions else ""
        parts = _Growing(self._acted(decisions))
        echoed = {thing for part in parts for thing in part.things}
        marched = any(part.kind == "march" for part in parts)
        said = " ".join(part.text for part in parts if part.kind != BARE)
        last = max((line for line, entry in entries if entry.kind == "roll"), default=-1)
        for line, entry in entries:
            if entry.kind in ("phase", "undo"):
                yield from self._line(who, [*parts], start)
                parts, who = _Growing(), ""
                yield from self._line("", [self._part(entry.kind, entry)], start, entry.kind)
            elif entry.kind == "roll":
                from interpreter.acts.rolls import roll_told  # only now: its words are a lot of code

                told = roll_told(self.session, self.seat, self._moment(entry), line, entry, line == last)
                parts.without_notes_of(told.numbers)
                parts.add(Part("roll", told.text, entry.paragraph, (), told.detail))
            else:
                part = self._part("note" if entry.kind == "note" else "change", entry)
                if self._known(part, entry, echoed, marched, said) or self._goes_without_saying(
                    part, entry, said, echoed
                ):
                    continue
                if entry.kind in ("move", "place") and (act := _went(parts.only, part)):
                    parts.replace_only(act)
                    continue
                if entry.kind.startswith("set"):
                    parts.without_overtaken(part)
                if entry.kind in _COMING and part.what == self._place(entry):
                    parts.without_last_turn(part)
                parts.add(part)
        yield from self._line(who, [*parts], start)

    def _known(self, part: Part, entry: LogEntry, echoed: set[str], marched: bool, said: str) -> bool:
        """Whether the act itself has said it: a note that names only what was chosen, the steps of a march,
        a change in the very words of the act."""
        if entry.kind == "move" and marched and part.things and set(part.things) <= echoed:
            return True
        what, came = part.what, entry.kind in ("move", "place")
        if came and ", ".join(part.names) in said and self._place(entry) in said:
            return True
        if entry.kind.startswith(("mark", "set")) and set(part.things) <= echoed:
            return any(what.startswith(word) for word in said.casefold().split() if len(word) > 3)
        if entry.kind == "note" and not part.names and part.text in said:
            return True
        if entry.kind == "token play" and part.things and set(part.things) <= echoed:
            return True
        others = [v for v in entry.values if isinstance(v, int) and not isinstance(v, bool)]
        return entry.kind == "note" and bool(part.things) and set(part.things) <= echoed and not others

    def _goes_without_saying(self, part: Part, entry: LogEntry, said: str, echoed: set[str]) -> bool:
        """Whose turn it is now, that something is nobody's any more, that the stone is his who has put it
        there."""
        if part.names == ("none",):  # nobody was there to be moved
            return True
        if not entry.kind.startswith("set") or not entry.decision:
            return False
        what = part.what or part.text
        who = self.session.history[entry.decision - 1].who
        if part.names:
            mine = what.endswith(f" {self.players.names[self.players.index[who]]}")
            return mine and bool(part.things) and part.things[0] in echoed
        if what.endswith(" none") or what.rpartition(" ")[2] == said:
            return True
        history = self.session.history
        after = history[entry.decision].who if entry.decision < len(history) else self.session.player
        return bool(entry.things) and set(entry.things) <= {who, str(after)}

    def _moment(self, entry: LogEntry) -> Moment | None:
        return self.session.history[entry.decision - 1] if entry.decision else None

    def _part(self, kind: str, entry: LogEntry) -> Part:
        name, what = entry.parted
        things = tuple(self._thing(i) for i in entry.things)
        moved = entry.kind == "move" and what.startswith("to ")  # and not in words of the game for the place
        return Part(
            "pick" if entry.kind == "pick" else kind, entry.text, entry.paragraph, things, (),
            (name,) if name else (), what if name else "", what.removeprefix("to ") if name and moved else "",
            entry.kind == "flip",
        )  # fmt: skip

    def _place(self, entry: LogEntry) -> str:
        """The name of the place somebody came to."""
        spaces = self.program.world.universes["space"]
        places = [spaces.names[spaces.index[thing]] for thing in entry.things if thing in spaces.index]
        what = entry.parted[1]  # the game may have words of its own for who comes there
        plain = (f"to {places[-1]}", f"placed in {places[-1]}") if places else ()
        return places[-1] if what in plain else what

    def _thing(self, identity: str) -> str:
        universes = self.program.world.universes
        return next((f"{u}:{identity}" for u in UNIVERSES if identity in universes[u].index), identity)

    def _line(self, who: str, parts: Sequence[Part], start: int, kind: str = "") -> Iterator[Line]:
        rules = tuple(dict.fromkeys(part.paragraph for part in parts if part.paragraph))
        parts = [replace(p, kind="act", detail=()) if p.kind == BARE else p for p in together(parts)]
        parts = in_a_row(parts)
        if not parts:
            return
        head = [p.brief for p in parts if p.kind in ("act", "march")]
        rest = [p.brief for p in parts if p.kind not in ("act", "march")]
        if len(rest) > MOST_PARTS:  # all of them are in the parts
            rest = [*rest[:MOST_PARTS], f"… and {len(rest) - MOST_PARTS} more"]
        name = f"{self.players.names[self.players.index[who]]}: " if who and head else ""
        acted = "; ".join([*(["; ".join(head)] if head else []), *rest])
        things = tuple(dict.fromkeys(thing for part in parts for thing in part.things))
        own = sum(moment.who == self.seat for moment in self.session.history[:start])
        yield Line(
            kind or ("act" if head else "event"), who if head else "", name + acted, tuple(parts), things,
            rules, own, acted,
        )  # fmt: skip

    # ---- what was chosen
    def _acted(self, decisions: Sequence[int]) -> Iterator[Part]:
        """What somebody chose, in his words; a march as its way."""
        chosen: list[Part] = []
        piece, way = "", list[str]()
        for number in decisions:
            moment = self.session.history[number]
            if not self._may_hear(moment):
                continue
            site = self.session.ruleset.full.blocks.sites[moment.machine.pending.site]  # type: ignore[union-attr]
            part = self._choice(moment)
            if isinstance(site, TravelSite):
                if part.kind == DONE:
                    continue
                piece = piece or self._marcher(moment, site)
                way.append(part.things[0])
            elif part.kind != DONE and not (way and part.kind == "menu"):  # the way tells that it went on
                chosen.append(part)
        if way:
            spaces = self.program.world.universes["space"]
            names = [spaces.names[spaces.index[thing.partition(":")[2]]] for thing in way]
            marcher = self.program.world.universes["piece"]
            name = marcher.names[marcher.index[piece.partition(":")[2]]]
            paragraph = self._choice(self.session.history[decisions[-1]]).paragraph
            yield from self._said([p for p in chosen if piece not in p.things])
            yield Part("march", f"{name} → {' → '.join(names)}", paragraph, (piece, *way))
            return
        yield from self._said(chosen)

    def _said(self, chosen: Sequence[Part]) -> Iterator[Part]:
        """Several choices of one act as one part: `activate Guards: combat`."""
        chosen = [p for p, after in pairwise([*chosen, None]) if p and not _said_again(p, after)]
        if not chosen:
            return
        texts, asked = [""], ""
        for before, part in pairwise([None, *chosen]):
            assert part is not None
            again = bool(asked) and part.detail == (asked,)
            joint = ", " if again else _between(before, part) if before else ""
            if before and asked and not again and part.kind != "menu":
                joint = "; "
            asked = part.detail[0] if part.detail else ""
            if asked and not again:  # a bare name says nothing without what was asked
                texts += ["; " if before else "", f"{asked}: {part.text}"]
            else:
                texts += [joint, part.text]
        things = tuple(t for part in chosen for t in part.things if not t.startswith("entry:"))
        kind = BARE if all(part.detail for part in chosen) else "act"
        yield Part(kind, "".join(texts), chosen[0].paragraph, things)

    def _marcher(self, moment: Moment, site: TravelSite) -> str:
        pieces = self.program.world.universes["piece"]
        return f"piece:{pieces.ids[moment.machine.stack[-1][site.piece_slot]]}"

    def _may_hear(self, moment: Moment) -> bool:
        """Whether the reader may know what was asked and chosen: his own decisions, and those that hang on no
        secret. That somebody may play a token tells that he holds one."""
        pending = moment.machine.pending
        if pending is None:
            return False
        site = self.session.ruleset.full.blocks.sites[pending.site]
        told = moment.had_a_choice or isinstance(site, TravelSite)  # a step is part of the way all the same
        if moment.who == self.seat or self.private or not told:
            return moment.who == self.seat and told
        return all(type_.name != "token" for type_ in getattr(site, "types", ()))

    def _choice(self, moment: Moment) -> Part:
        """A decision in words: written out for this one option alone."""
        key = (id(moment), "choice")
        if key not in self.session.remembered:
            self.session.remembered[key] = self._written(moment)
        part: Part = self.session.remembered[key]
        return part

    def _written(self, moment: Moment) -> Part:
        session = self.session
        then = Sitting(session.game, session.ruleset, moment.machine, session.facts)
        site, pending = then.site, moment.machine.pending
        assert pending is not None
        program = as_seen(session.ruleset, moment.machine, pending.who)
        keys = option_keys(program.world, site, pending.options, pending.out)
        index = keys.index(moment.key)
        if pending.out and index == len(keys) - 1:
            return Part(DONE, out_text(site), site.paragraph, (f"entry:{out_key(site)}",))
        value, around = pending.options[index], then._names_around(site)
        text = option_text(program, site, value, around)
        things = option_things(program.world, site, value, keys[index])
        kind = option_kind(site, value)
        bare = not isinstance(site, TravelSite) and kind != "next"
        bare = bare and (text.isdecimal() or any(text == self._name(thing) for thing in things))
        asked = (prompt_text(program, site, around),) if bare else ()
        return Part(kind, text, site.paragraph, things, asked)

    def _name(self, thing: str) -> str:
        kind, _, identity = thing.partition(":")
        universe = self.program.world.universes.get(kind)
        return universe.names[universe.index[identity]] if universe and identity in universe.index else ""


def _between(before: Part, part: Part) -> str:
    """How a choice of an act is joined to the one before it: its mode, one more member, another one."""
    if part.kind == "menu":
        return ": "
    return ", " if part.kind == before.kind else "; " if before.kind == "menu" else ": "


def _said_again(part: Part, after: Part | None) -> bool:
    """Whether a choice of who comes next is part of the words of the choice that follows it."""
    return after is not None and part.kind == "next" and part.text in after.text


class _Growing:
    """The parts of a line while it is told: what comes may take the place of what was there.

    A decision may change thousands of things, so nothing here looks through all parts for each of them.
    """

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self._parts: dict[int, Part] = {}
        self._count = 0
        self._set: dict[tuple[str, tuple[str, ...]], list[int]] = {}  # changes since the last other part
        self._notes: dict[str, list[int]] = {}  # by the first word of what they say
        for part in parts:
            self.add(part)

    def __iter__(self) -> Iterator[Part]:
        return iter([*self._parts.values()])

    @property
    def only(self) -> Part | None:
        """The part there is, where there is one and no more."""
        return next(iter(self._parts.values())) if len(self._parts) == 1 else None

    def replace_only(self, part: Part) -> None:
        self._parts = {next(iter(self._parts)): part}

    def add(self, part: Part) -> None:
        number = self._count = self._count + 1
        self._parts[number] = part
        if part.kind != "change":
            self._set.clear()
        elif (word := _set_what(part.text)) and part.text.startswith(f"{word} "):
            self._set.setdefault((word, part.things), []).append(number)
        if part.kind == "note" and not part.things:
            self._notes.setdefault(_sums(part)[0], []).append(number)

    def without_overtaken(self, part: Part) -> None:
        """Drop what the same thing was set to just before: of five turns on the spot the last one counts."""
        for number in self._set.pop((_set_what(part.text), part.things), ()):
            self._parts.pop(number, None)

    def without_last_turn(self, part: Part) -> None:
        """Drop how a counter was turned just before it went where the game has a word of its own for it: who
        is eliminated is not told to be at full strength."""
        for number, before in reversed([*self._parts.items()]):
            if before.names != part.names or not before.flipped:
                return
            del self._parts[number]

    def without_notes_of(self, numbers: frozenset[str]) -> None:
        """Drop notes that only say the sums which are told with a roll."""
        for first in numbers & self._notes.keys():
            left: list[int] = []
            for number in self._notes[first]:
                if numbers.issuperset(_sums(self._parts[number])):
                    del self._parts[number]
                else:
                    left.append(number)
            self._notes[first] = left


def _went(act: Part | None, part: Part) -> Part | None:
    """An act that is told better by where it took somebody: `A advances to B`, and not `A advances; A: to B`;
    a bare name that was chosen gives way to what it did. Only what came at once, before any die."""
    name, _, where = part.text.rpartition(": ")
    if not name or act is None:
        return None
    things = tuple(dict.fromkeys((*act.things, *part.things)))
    if act.kind == BARE and set(act.things) & set(part.things):
        return Part("act", f"{name} {where}", act.paragraph or part.paragraph, things)
    if act.kind == "act" and (act.text.startswith(f"{name} ") or act.text.endswith(f" {name}")):
        return replace(act, text=f"{act.text} {where}", things=things)
    return None


def _set_what(text: str) -> str:
    """What a change sets: the things and the first word of what is told of them."""
    name, colon, what = text.rpartition(": ")
    return f"{name}: {what.partition(' ')[0]}" if colon else ""


def _sums(part: Part) -> list[str]:
    """What a note says after its words, one by one."""
    return [word.strip(" ,") for word in part.text.rpartition(":")[2].split(",")]


def together(parts: Sequence[Part]) -> list[Part]:
    """Changes that say the same of one thing after the other are told once: `A, B: reduced`."""
    told: list[list[Part]] = []  # each with those that are told with it
    places: dict[tuple[str, str, str], int] = {}
    named: dict[tuple[str, str, str], set[str]] = {}
    for part in parts:
        key = (part.kind, part.paragraph, part.what)
        if part.kind != "change" or not part.names:
            told.append([part])
        elif key not in places:
            places[key], named[key] = len(told), set(part.names)
            told.append([part])
        elif not part.things or not named[key].issuperset(part.names):  # who is unknown is another one
            told[places[key]].append(part)
            named[key].update(part.names)
    return [several[0] if len(several) == 1 else _as_one(several) for several in told]


def in_a_row(parts: Sequence[Part]) -> list[Part]:
    """What happens to the same things one after the other is told under their name once: `A: reduced, placed
    in Hill`; steps as a way: `A: to B → C`; what chance picks as a list."""
    told: list[Part] = []
    for part in parts:
        last = told[-1] if told else None
        if last is not None and last.kind == part.kind == "pick":
            things = tuple(dict.fromkeys((*last.things, *part.things)))
            text = f"{last.text}, {part.text.removeprefix(PICKS).strip()}"
            told[-1] = replace(last, text=text, things=things)
        elif last is not None and last.kind == part.kind == "change" and last.names == part.names != ():
            joint = f" → {part.place}" if last.place and part.place else f", {part.what}"
            what, things = f"{last.what}{joint}", tuple(dict.fromkeys((*last.things, *part.things)))
            text = f"{', '.join(part.names)}: {what}"
            told[-1] = replace(last, text=text, what=what, things=things, place=part.place)
        else:
            told.append(part)
    return told


def _as_one(parts: Sequence[Part]) -> Part:
    first, named = parts[0], Counter(name for part in parts for name in part.names)
    names = tuple(name if count == 1 else f"{name} ×{count}" for name, count in named.items())
    things = tuple(thing for part in parts for thing in part.things)
    return replace(first, text=f"{', '.join(names)}: {first.what}", things=things, detail=(), names=names)
