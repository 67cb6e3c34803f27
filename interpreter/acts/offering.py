"""What a player may do next, as he would say it: a piece and its mode, a march to a destination, a set.

An act is a sequence of the keys of ordinary options; performing it chooses them one by one (performing.py).
Whoever plans keeps a draft, the keys so far, and asks what may follow: nothing happens in the game.

    offer = acts(session, "red")                      # what red may do
    offer = acts(session, "red", offer.acts[0].keys)  # what may follow if he begins with the first
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.acts.lookahead import AGAIN, GATHER, INNER, Enough, Limit, Lookahead, Node
from interpreter.acts.rest import scope_of
from interpreter.acts.together import together
from interpreter.acts.ways import Destination, destinations, is_march
from interpreter.agents.sight import thinking
from interpreter.compiling.decision_points import MenuSite, TravelSite
from interpreter.playing.moments import IllegalChoice, Option, Prompt
from interpreter.playing.option_things import DONE
from interpreter.playing.session import Session
from rulesdsl.base.published import published

MOST_OPENED = 40  # options of a question behind which a menu is opened at once
MOST_ENTRIES = 12  # entries of a menu that are told together with what they are about
MOST_FORCED = 8  # single options in a row that are taken without a word
MOST_MEMBERS = 60  # that are gathered at one go


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known beforehand: cost and way of a march, whether it must stop, what comes then."""

    cost: str = ""
    way: tuple[str, ...] = ()
    stops: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """What a player means, in one gesture.

    `first` and `second` are what to point at, one after the other. `further`: more has to be chosen before
    it makes sense, ask with its keys as draft. `series`: "gather" for one of several chosen together,
    "again" when the same question follows, so that a draft may go on with another one.
    """

    kind: str
    text: str
    paragraph: str
    keys: tuple[str, ...]
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    further: bool = False
    series: str = ""
    preview: Preview = field(default_factory=Preview)

    @property
    def id(self) -> str:
        """Stable as long as nothing is decided: the keys, joined."""
        return act_id(self.keys)

    def json(self) -> dict[str, Any]:
        seen = self.preview
        return {
            "id": self.id, "kind": self.kind, "text": self.text, "rule": self.paragraph,
            "keys": list(self.keys), "first": list(self.first), "second": list(self.second),
            "further": self.further, "series": self.series,
            "preview": {"cost": seen.cost, "way": list(seen.way), "stops": seen.stops, "then": seen.then},
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Offer:
    """What may follow a draft. `complete`: the draft may be performed as it is; `whole` is false when the
    limit was reached: some acts are only given by their first key."""

    prompt: Prompt | None
    acts: tuple[Act, ...] = ()
    complete: bool = False
    whole: bool = True
    series: str = ""
    rest: str = ""  # the part of the game whose rest the computer would do (`rest_for_me`), by its title

    def json(self) -> dict[str, Any]:
        asked = None if self.prompt is None else published(self.prompt)
        return {"prompt": asked, "acts": [act.json() for act in self.acts], "complete": self.complete,
                "whole": self.whole, "series": self.series, "rest": self.rest}  # fmt: skip


def act_id(keys: Sequence[str]) -> str:
    """The keys with a blank between them: no key holds one."""
    return " ".join(keys)


def acts(session: Session, seat: str | None, draft: Sequence[str] = (), limit: Limit | None = None) -> Offer:
    """What may follow a draft; nothing for a seat that is not asked. Raises `IllegalChoice` for a draft that
    cannot be."""
    session.known_seat(seat)
    if session.over or seat != session.player:
        if draft:
            raise IllegalChoice("somebody else is asked now")
        return Offer(None)
    for key in draft[:1]:
        session.find(key)
    with thinking(session.ruleset):
        return replace(_Offering(Lookahead(session, limit), tuple(draft)).offer(), rest=scope_of(session))


class _Offering:
    """One question about what may be done."""

    def __init__(self, look: Lookahead, draft: tuple[str, ...]) -> None:
        self.look, self.draft = look, draft

    def offer(self) -> Offer:
        look = self.look
        try:
            node = look.follow(self.draft)
        except Enough:
            return Offer(None, complete=False, whole=False)
        if node.ended:
            return Offer(None, complete=True)
        sitting, series = look.sitting(node), self._series(node)
        options = sitting.options
        if not self.draft and [o.key for o in options] != [o.key for o in look.session.options]:
            # what is hidden shows in the keys: what the game itself offers is all there is
            return Offer(look.session.prompt, tuple(map(_plain, look.session.options)), whole=False)
        found = list(self._acts(node, options))
        found = [*self._together(node, found), *found]
        missing = {o.key: o for o in options} | {}
        for act in found:
            missing.pop(act.keys[len(node.keys)], None)
        found += [
            replace(_plain(o), keys=(*node.keys, o.key), further=not look.whole) for o in missing.values()
        ]
        complete = bool(self.draft) and node.is_over
        return Offer(sitting.prompt, _numbered(found, options, len(node.keys)), complete, look.whole, series)

    def _series(self, node: Node) -> str:
        if self.look.gathers(node):
            return GATHER
        return AGAIN if node.relation == AGAIN and node.again == 0 else ""

    def _acts(self, node: Node, options: list[Option]) -> Iterator[Act]:
        try:
            if is_march(self.look, node):
                yield from self._marches(node, ())
                yield from (self._taken(node, o) for o in options if o.kind == DONE)
                return
            if self.look.is_bare(node):
                yield from (replace(_plain(o), keys=(*node.keys, o.key)) for o in options)
                return
            opens = len(options) <= MOST_OPENED or bool(self.draft)
            for option in options:
                yield from self._begun(node, option, opens)
            if self.look.gathers(node) or self._asks_on(node, options):
                yield from self._all(node)
        except Enough:
            self.look.whole = False

    def _asks_on(self, node: Node, options: list[Option]) -> bool:
        """Whether the same is asked for another piece as part of what was begun: who else advances."""
        first = next((o for o in options if o.kind != DONE), None)
        if (
            first is None
            or len(options) < 2
            or not all(t.startswith("piece:") for t in first.things or ("",))
        ):
            return False
        return self._goes_on(self.look.choose(node, first), {o.key for o in options})

    def _goes_on(self, node: Node, asked: set[str]) -> bool:
        """Whether a further one of those that were asked for may be chosen."""
        if node.ended or node.relation != INNER:
            return node.relation == GATHER and not node.ended
        members = [o.key for o in self.look.sitting(node).options if o.kind != DONE]
        return not is_march(self.look, node) and bool(members) and asked.issuperset(members)

    def _together(self, node: Node, found: Sequence[Act]) -> Iterator[Act]:
        try:
            for some in together(self.look, node, found):
                things = tuple(thing for act in some.members for thing in act.first)
                yield Act(
                    "together", some.text, some.members[0].paragraph, some.node.keys, second=things,
                    series=AGAIN if some.node.relation == AGAIN else "",
                    preview=Preview(then=some.node.ended),
                )  # fmt: skip
        except Enough:  # a convenience: what was found before is not less whole without it
            return

    def _taken(self, node: Node, option: Option) -> Act:
        """An option that is an act by itself, with what comes of it."""
        child = self.look.choose(node, option)
        return self._act(self._settled(child), option)

    def _act(self, child: Node, option: Option, **more: Any) -> Act:
        series = GATHER if child.relation == GATHER else ""
        if child.relation == AGAIN and child.again == 0 and option.kind != DONE:
            series = AGAIN
        further = not child.is_over and child.relation != GATHER
        preview = more.pop("preview", Preview(then=child.ended))
        known = {
            "kind": option.kind,
            "text": option.text,
            "paragraph": option.paragraph,
            "first": option.things,
        }
        return Act(keys=child.keys, further=further, series=series, preview=preview, **{**known, **more})

    def _begun(self, node: Node, option: Option, opens: bool) -> Iterator[Act]:
        """An option with what belongs to it: the entries of a menu, the destinations of a march."""
        child = self._forced(self.look.choose(node, option))
        if child.ended or child.relation != INNER:
            yield self._act(self._settled(child), option)
            return
        if is_march(self.look, child) and self.draft:
            yield from self._marches(child, option.things)
            if child.machine.pending is not None and child.machine.pending.out:
                yield self._act(child, option)  # and stay
            return
        if self.look.gathers(child):
            yield self._act(child, option)
            yield from self._all(child, f"{option.text}: ", option.things)
            return
        site = self.look.site(child)
        entries = self.look.sitting(child).options if isinstance(site, MenuSite) and opens else []
        if not 1 < len(entries) <= MOST_ENTRIES:
            yield self._act(child, option)
            return
        for entry in entries:
            then = self._settled(self._forced(self.look.choose(child, entry)))
            text = f"{option.text}: {entry.text}"
            yield self._act(then, option, kind="mode", text=text, second=entry.things)

    def _forced(self, node: Node) -> Node:
        """Past questions with a single answer that belong to what was begun."""
        for _ in range(MOST_FORCED):
            if node.ended or node.relation != INNER or is_march(self.look, node):
                break
            pending = node.machine.pending
            if pending is None or len(pending.options) + pending.out != 1:
                break
            node = self.look.choose(node, self.look.sitting(node).options[0])
        return node

    def _settled(self, node: Node) -> Node:
        """After what was meant is done: if its menu is asked once more, out of it."""
        while not node.ended and node.relation == AGAIN and node.again > 0:
            if not isinstance(self.look.site(node), MenuSite):
                break
            ways_out = [o for o in self.look.sitting(node).options if o.kind == DONE]
            if len(ways_out) != 1:
                break
            node = self.look.choose(node, ways_out[0])
        return node

    # ---- marches and sets
    def _marches(self, node: Node, first: tuple[str, ...]) -> Iterator[Act]:
        sitting, site = self.look.sitting(node), self.look.site(node)
        assert isinstance(site, TravelSite)
        prompt = sitting.prompt
        assert prompt is not None
        spaces = self.look.ruleset.program.world.universes["space"]
        name = sitting._names_around(site)["travelling_piece"]
        for found in destinations(self.look, node):
            text = f"{name} to {spaces.names[found.space]}"
            there = (f"space:{spaces.ids[found.space]}",)
            yield Act(
                "move", text, prompt.paragraph, self._settled(found.node).keys, first or prompt.things, there,
                preview=self._preview(found, spaces.ids),
            )  # fmt: skip

    def _preview(self, found: Destination, ids: Sequence[str]) -> Preview:
        way = tuple(ids[space] for space in found.way)
        return Preview(str(found.cost), way, found.stops, found.node.ended)

    def _all(self, node: Node, before: str = "", about: tuple[str, ...] = ()) -> Iterator[Act]:
        """Everything that may join, one after the other, and done."""
        names, things, here = list[str](), list[str](), node
        asked, paragraph = {o.key for o in self.look.sitting(node).options if o.kind != DONE}, ""
        for _ in range(MOST_MEMBERS):
            members = [o for o in self.look.sitting(here).options if o.kind != DONE]
            if not members:
                break
            names.append(members[0].text)
            things += members[0].things
            paragraph = members[0].paragraph
            here = self.look.choose(here, members[0])
            if not self._goes_on(here, asked):
                break
        if len(names) < 2:
            return
        if self._goes_on(here, asked):
            done = [o for o in self.look.sitting(here).options if o.kind == DONE]
            if not done:
                return
            here = self.look.choose(here, done[0])
        here = self._settled(here)
        many = "all" if len(names) >= len(asked) else str(len(names))
        yield Act(
            "all", f"{before}{many} ({', '.join(names)})", paragraph, here.keys, about or tuple(things),
            tuple(things) if about else (),
            further=not here.is_over, preview=Preview(then=here.ended),
        )  # fmt: skip


def _plain(option: Option) -> Act:
    return Act(option.kind, option.text, option.paragraph, (option.key,), option.things)


def _numbered(found: list[Act], options: list[Option], place: int) -> tuple[Act, ...]:
    """In the order of the options they begin with; those of whole places first, of everything last."""
    order = {option.key: number for number, option in enumerate(options)}
    rank = {"together": -1, "all": 1}
    return tuple(sorted(found, key=lambda act: (rank.get(act.kind, 0), order[act.keys[place]])))
