"""The same decisions under other rules: where the games part, and which paragraph parts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

from interpreter.asking.questions import why_not
from interpreter.compiling.ir.ways import split_way
from interpreter.keeping.decisive_section import decisive_paragraphs
from interpreter.playing.game import Game
from interpreter.playing.session import Session
from interpreter.running.dice import BY_SEED
from rulesdsl.base.diagnostics import UsageError

Line = tuple[str, str]  # of the log: the paragraph and its words


@dataclass(frozen=True, slots=True)
class Cause:
    """A paragraph that made a difference. `changed`: the house rules changed it themselves."""

    paragraph: str
    title: str
    what: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Divergence:
    """After `number` decisions both games were the same; then they were not."""

    number: int
    what: str
    causes: tuple[Cause, ...]


def replay_under(session: Session, game: Game) -> Divergence | None:
    """Make the decisions of a game again under the rules of `game`; None when nothing differs."""
    found, fired = _first_difference(session, game, len(session.history))
    if found is None:
        return None

    def still(variant: Game) -> bool:
        return _first_difference(session, variant, found.number)[0] is not None

    decisive = decisive_paragraphs(session.game, game, still)
    changed = changed_paragraphs(session.game, game)
    causes = _ordered(game, changed, decisive, found.causes, fired)
    return replace(found, causes=tuple(_titled(session.game, cause) for cause in causes))


def _first_difference(session: Session, game: Game, last: int) -> tuple[Divergence | None, set[str]]:
    """Where the games part, up to the decision `last`, and the paragraphs that had a say just before."""
    facts = session.facts
    settings: Mapping[str, str] = {k: v for k, v in facts["settings"].items() if k in game.program.settings}
    dice = facts.get("dice", BY_SEED)
    other = Session.start(game, facts["scenario"], settings, seed=facts["seed"], dice=dice)
    one = session.copy()
    if session.history:
        one.undo(len(session.history))
    fired = _Fired(one, other)
    for number in range(last + 1):
        found = _compare(one, other, number, game)
        if found is not None:
            return found, fired.since()
        if number < last:
            fired.mark()
            for game_ in (one, other):
                game_.choose(session.history[number].key, session.dice_of(number))
    return None, set()


def _titled(played: Game, cause: Cause) -> Cause:
    """A paragraph that the other rules no longer have is known by its title in the game that was played."""
    paragraph = played.program.paragraphs.get(cause.paragraph)
    return cause if cause.title or paragraph is None else replace(cause, title=paragraph.title)


class _Fired:
    """Which paragraphs had a say since a moment, in either game."""

    def __init__(self, *sessions: Session) -> None:
        self._sides = [session.ruleset.full for session in sessions]
        self.mark(nothing=True)

    def mark(self, nothing: bool = False) -> None:
        self._before = [[0] * len(side.fired) if nothing else side.fired[:] for side in self._sides]

    def since(self) -> set[str]:
        return {
            paragraph
            for side, before in zip(self._sides, self._before, strict=True)
            for number, paragraph in enumerate(side.unit.rules[: len(before)])
            if side.fired[number] > before[number] and not split_way(paragraph)[1]
        }


def _ordered(
    game: Game, changed: list[str], decisive: list[str], causes: tuple[Cause, ...], fired: set[str]
) -> tuple[Cause, ...]:
    """What made the difference first. Where that is not known: changed paragraphs that had a say, or all."""
    found = {cause.paragraph: replace(cause, changed=cause.paragraph in changed) for cause in causes}
    said = [paragraph for paragraph in changed if paragraph in fired or paragraph in found]
    what = "made the difference" if decisive else "was changed by the house rules"
    for paragraph in decisive or said or changed:
        if paragraph not in found:
            found[paragraph] = replace(_cause(game, paragraph, what), changed=True)
        elif decisive:
            found[paragraph] = replace(found[paragraph], what=f"{what}: {found[paragraph].what}")
    return tuple(
        sorted(found.values(), key=lambda cause: (cause.paragraph not in decisive, not cause.changed))
    )


def changed_paragraphs(played: Game, other: Game) -> list[str]:
    """The paragraphs that the house rules of either game changed; those that both have changed nothing."""
    common = {file.text for file in played.house} & {file.text for file in other.house}
    names: list[str] = []
    for game in (other, played):
        shared = {file.path.stem for file in game.house if file.text in common}
        changes = [change for change in game.source.changes if change.house not in shared]
        names += [change.subject if change.kind == "paragraph" else change.paragraph for change in changes]
    return list(dict.fromkeys(name for name in names if name))


def _compare(one: Session, other: Session, number: int, game: Game) -> Divergence | None:
    before = [(e.paragraph, e.text) for e in one.log if e.decision == number]
    after = [(e.paragraph, e.text) for e in other.log if e.decision == number]
    for old, new in zip_longest(before, after):
        if old != new:
            asked = _other_question(one, other, number, game) if old is None or new is None else None
            return asked or _other_line(old, new, number, game)
    if one.over or other.over:
        if one.result == other.result:
            return None
        ended = other.result if other.over else one.result
        assert ended is not None
        what = f"the game {'is' if other.over else 'was'} over: {_verdict(other if other.over else one)}"
        if one.over and other.over:
            what = f"it was: {_verdict(one)}; it is: {_verdict(other)}"
        return Divergence(
            number, what, (_cause(game, ended.paragraph, "ends it"),) if ended.paragraph else ()
        )
    return _other_question(one, other, number, game) or _compare_options(one, other, number, game)


def _verdict(session: Session) -> str:
    """How a game ended: two may end at the same moment, and be won by others."""
    result, players = session.result, session.ruleset.program.world.universes["player"]
    assert result is not None
    winners = " and ".join(players.names[players.index[winner]] for winner in result.winners)
    verdict = f"won by {winners}" if winners else "drawn" if result.outcome == "drawn" else "nobody wins"
    return f"{verdict} ({result.reason})" if result.reason else verdict


def _other_line(old: Line | None, new: Line | None, number: int, game: Game) -> Divergence:
    """The log tells something else, or stops sooner."""
    if old is None or new is None:
        what = f"no longer: {old[1]}" if old is not None else f"new: {new[1] if new is not None else ''}"
    else:
        what = f"it was: {old[1]}; it is: {new[1]}"
    rules = dict.fromkeys(line[0] for line in (new, old) if line is not None and line[0])
    return Divergence(number, what, tuple(_cause(game, paragraph, "says so") for paragraph in rules))


def _other_question(one: Session, other: Session, number: int, game: Game) -> Divergence | None:
    """Somebody else is asked, or something else."""
    if one.prompt is None or other.prompt is None:
        return None
    if one.player == other.player and one.site.paragraph == other.site.paragraph:
        return None
    what = f"{_asked(other)} is asked: {other.prompt.text}; it was {_asked(one)}: {one.prompt.text}"
    return Divergence(number, what, (_cause(game, other.site.paragraph, "asks"),))


def _asked(session: Session) -> str:
    """The name of who is asked."""
    players = session.ruleset.program.world.universes["player"]
    return players.names[players.index[session.player]] if session.player is not None else ""


def _compare_options(one: Session, other: Session, number: int, game: Game) -> Divergence | None:
    old, new = {o.key: o for o in one.options}, {o.key: o for o in other.options}
    lost, gained = [k for k in old if k not in new], [k for k in new if k not in old]
    if not lost and not gained:
        return None
    causes: dict[str, Cause] = {}
    for key in lost[:5]:
        for paragraph, text in _refusals(other, key):
            causes.setdefault(paragraph, _cause(game, paragraph, f"forbids {old[key].text}: {text}"))
    for key in gained[:5]:
        for paragraph, text in _refusals(one, key):
            causes.setdefault(
                paragraph, _cause(game, paragraph, f"no longer forbids {new[key].text}: {text}")
            )
    if not causes:
        causes[other.site.paragraph] = _cause(game, other.site.paragraph, "asks")
    words = []
    if lost:
        words.append(f"no longer possible: {', '.join(old[k].text for k in lost[:5])}")
    if gained:
        words.append(f"newly possible: {', '.join(new[k].text for k in gained[:5])}")
    return Divergence(number, "; ".join(words), tuple(causes.values()))


def _refusals(session: Session, key: str) -> list[tuple[str, str]]:
    try:
        return [(refusal.paragraph, refusal.clause) for refusal in why_not(session, key)]
    except (UsageError, LookupError):
        return []


def _cause(game: Game, paragraph: str, what: str) -> Cause:
    known = game.program.paragraphs.get(paragraph)
    return Cause(paragraph, known.title if known is not None else "", what, changed=False)
