"""Checks on the whole: what is cited and absent, declared and never used, or has no way to begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import did_you_mean, errors, nearest_word
from rulesdsl.base.fixes import Advice
from rulesdsl.base.lightclass import dataclass
from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.near_names import place_of
from rulesdsl.checking.whole.afterwards import check_what_follows
from rulesdsl.checking.whole.circles import circles
from rulesdsl.checking.whole.mentions import Mentions, program_mentions
from rulesdsl.checking.whole.modules import check_modules
from rulesdsl.checking.whole.nesting import check_nesting
from rulesdsl.checking.whole.opponent import check_opponent_file
from rulesdsl.checking.whole.simultaneous import check_together
from rulesdsl.checking.whole.totality import check_cells, check_labels, check_lookup
from rulesdsl.checking.world.scenarios import check_scenarios
from rulesdsl.checking.world.seating import check_seating
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT, MAIN, ODDS, TAKES_PART
from rulesdsl.language.plurals import plural_of

Rules = list[tuple[str, sx.Rule]]


@dataclass(slots=True)
class Whole:
    """A game with all its rules looked at one by one, and what they speak of."""

    ctx: Context
    source: GameSource
    rules: Rules
    program: pg.Program
    mentions: list[tuple[str, str, Mentions]]


Check = Callable[[Whole], None]


def check_whole(ctx: Context, source: GameSource, rules: Rules, program: pg.Program) -> None:
    """All checks on the whole, in their order: some say nothing when the ones above have found errors."""
    known = ctx.memory.mentioned if ctx.memory is not None else None
    whole = Whole(ctx, source, rules, program, program_mentions(program, known))
    check_scenarios(ctx, source)
    for one in CHECKS:
        one(whole)
    check_modules(ctx, source)


def check_citations(whole: Whole) -> None:
    """`despite 7.1.4` needs a paragraph 7.1.4."""
    ctx = whole.ctx
    for paragraph, node in whole.rules:
        ctx.paragraph = paragraph
        cited: tuple[sx.ParagraphRef, ...] = ()
        if isinstance(node, sx.Permission):
            cited = node.despite
        elif isinstance(node, (sx.Quantity, sx.Modify)):
            cited = tuple(ref for part in node.contributions for ref in (*part.despite, *part.later))
        for ref in cited:
            if ref.id not in ctx.titles:
                ctx.problem("unknown-paragraph", f"there is no paragraph {ref.id}", ref.span,
                            did_you_mean(ref.id, ctx.titles), about=(ref.id,))  # fmt: skip


def check_beginning(whole: Whole) -> None:
    """A game needs a phase called `game`, a default scenario that exists."""
    ctx, game = whole.ctx, whole.source.game
    ctx.paragraph = ""
    begins = any(isinstance(node, sx.Procedure) and node.name == MAIN for _, node in whole.rules)
    if MAIN not in ctx.unread and not begins and not errors(ctx.problems):
        phases = [name for name, (_, node) in ctx.procedures.items() if node.kind == "phase"]
        near = next((name for name in phases if name not in ctx.used and nearest_word(MAIN, [name])), "")
        place = place_of(ctx, near) or whole.source.game.span
        message = f'no phase is called "{MAIN}": play has nowhere to begin'
        ctx.problem(
            "no-beginning",
            message,
            place,
            Advice(f'call "{near}" so', fixes.word(near, MAIN)) if near else "",
            about=(MAIN,),
        )
    known = {*whole.source.scenarios, *whole.source.unread("scenarios")}
    if game.scenario and game.scenario not in known:
        ctx.problem(
            "unknown-scenario", f'there is no scenario "{game.scenario}"', game.scenario_span,
            did_you_mean(game.scenario, whole.source.scenarios), about=(game.scenario,),
        )  # fmt: skip


def check_data_files(whole: Whole) -> None:
    """A paragraph that leaves its work to a data file needs that file."""
    ctx = whole.ctx
    for paragraph in whole.program.paragraphs.values():
        name = paragraph.data_file
        # The "/" in front: whoever stands in the game's directory has files without one.
        if name is not None and not any(
            f"/{f.path.as_posix()}".endswith(f"/{name}") for f in whole.source.files
        ):
            ctx.paragraph = paragraph.id
            ctx.problem("unknown-file", f"the game has no file {name}", paragraph.span, about=(name,))


def check_spellings(whole: Whole) -> None:
    """What a game file says about spellings must name a reading or option, one of its values, and a class."""
    ctx, program = whole.ctx, whole.program
    ctx.paragraph = ""
    for spelling in whole.source.game.spellings:
        setting = program.settings.get(spelling.setting)
        values = setting.alternatives if setting is not None else ()
        if setting is None:
            hint = did_you_mean(spelling.setting, program.settings)
            ctx.problem(
                "unknown-name",
                f'there is no reading "{spelling.setting}"',
                spelling.span,
                hint,
                about=(spelling.setting,),
            )
        elif spelling.value not in values:
            hint = did_you_mean(spelling.value, values)
            message = f'"{spelling.value}" is no value of {spelling.setting}'
            ctx.problem(
                "unknown-name", message, spelling.span, hint, about=(spelling.value, spelling.setting)
            )
        elif spelling.of not in ctx.world.nouns:
            message = f'"{spelling.of}" is no class of spaces or pieces'
            ctx.problem(
                "unknown-noun",
                message,
                spelling.span,
                did_you_mean(spelling.of, ctx.world.nouns),
                about=(spelling.of,),
            )
        ctx.used.add(spelling.setting)


def check_telling(whole: Whole) -> None:
    """The places a game file has words for must be there, and what it lets players watch must be a number."""
    ctx, program, telling = whole.ctx, whole.program, whole.source.game.telling
    ctx.paragraph = ""
    spaces = ctx.world.universes["space"]
    for (place, _), span in zip(telling.places, telling.place_spans, strict=True):
        if place not in spaces.ids:
            ctx.problem(
                "unknown-name",
                f'there is no space "{place}"',
                span,
                did_you_mean(place, spaces.ids),
                about=(place,),
            )
    players = ctx.world.universes["player"].ids
    for (player, _), span in zip(telling.goals, telling.goal_spans, strict=True):
        if player not in players:
            ctx.problem(
                "unknown-name",
                f'there is no player "{player}"',
                span,
                did_you_mean(player, players),
                about=(player,),
            )
    attributes = [name for universe, name in ctx.world.attributes if universe == "player"]
    known = [*program.quantities, *program.defines, *ctx.world.tracks, *attributes]
    for watched in telling.watched:
        rule = program.quantities.get(watched.value) or program.defines.get(watched.value)
        if rule is None and watched.value not in known:
            hint = did_you_mean(watched.value, known)
            ctx.problem(
                "unknown-name",
                f'there is nothing to watch called "{watched.value}"',
                watched.span,
                hint,
                about=(watched.value,),
            )
        elif rule is not None and [p.type.name for p in rule.params] not in ([], ["player"]):
            message = f'"{watched.value}" cannot be watched: it is not about a player alone'
            ctx.problem("wrong-arguments", message, watched.span, about=(watched.value,))
        ctx.used.add(watched.value)


def check_unused(whole: Whole) -> None:
    """What nobody asks for is a slip or a leftover: a warning."""
    ctx = whole.ctx
    if ctx.unread or errors(ctx.problems):  # what could not be read may have asked for it
        return
    for name, table in whole.source.tables.items():
        if f"table {name}" not in ctx.used:
            ctx.paragraph = ""
            ctx.problem(
                "unused", f'no rule reads the table "{name}"', table.span, warning=True, about=(name,)
            )
    for paragraph, node in whole.rules:
        ctx.paragraph = paragraph
        match node:
            case sx.Define(name=name) | sx.Search(name=name) | sx.Action(name=name):
                kind = type(node).__name__.lower()
            case sx.Route(name=name) | sx.Window(name=name):
                kind = type(node).__name__.lower()
            case sx.Procedure(name=name) if name != MAIN:
                kind = node.kind
            case sx.Reading(settled=True):
                continue
            case sx.Reading(name=name) | sx.Option(name=name) | sx.Parameter(name=name):
                kind = type(node).__name__.lower()
            case _:
                continue
        outside = name == TAKES_PART or name.startswith((INVARIANT, ODDS))  # asked from there
        if name not in ctx.used and not outside:
            ctx.problem("unused", f'no rule uses the {kind} "{name}"', node.span, warning=True, about=(name,))


def check_circles(whole: Whole) -> None:
    """Meanings and procedures may not go in circles: nothing would ever come to an end."""
    ctx = whole.ctx
    places: dict[str, tuple[str, sx.Rule]] = {**ctx.defines, **ctx.quantities, **ctx.actions, **ctx.routes}
    calls = {name: part.called for _, name, part in whole.mentions if name in places}
    places.update(ctx.procedures)
    calls.update(ctx.done)
    for circle in circles(calls):
        ctx.paragraph, node = places[circle[0]]
        chain = " → ".join([*circle, circle[0]])
        ctx.problem("recursion", f"this goes in a circle: {chain}", node.span, about=(*circle,))


def check_simultaneous(whole: Whole) -> None:
    """Who chooses at the same time as others is offered and shown nothing of what they have chosen."""
    check_together(whole.ctx, whole.program, whole.mentions)


def check_afterwards(whole: Whole) -> None:
    """`after play(…): …` looks at what follows by itself."""
    check_what_follows(whole.ctx, whole.program, whole.mentions, whole.rules)


def check_tables(whole: Whole) -> None:
    """Names in tables mean something, and no table can be asked for a place it does not have."""
    ctx = whole.ctx
    for table in whole.source.tables.values():
        ctx.paragraph = ""
        for key in table.keys:
            if key.kind == "name" and (values := ctx.world.values_of(key.of)) is not None:
                check_labels(ctx, table, key, values)
            elif key.kind == "name":
                known = [*ctx.world.enums, *ctx.world.nouns]
                ctx.unknown("there is no enumeration and no class", key.of, key.span or table.span, known)
        names = [table.result.of] if table.result.kind == "name" else []
        for name in [*names, *(f.of for f in table.result.fields if f.kind == "name")]:
            if name not in ctx.world.enums:
                ctx.unknown("there is no enumeration", name, table.span, ctx.world.enums)
        check_cells(ctx, table)
    if errors(ctx.problems):
        return
    for paragraph, _, part in whole.mentions:
        ctx.paragraph = paragraph
        for lookup in part.lookups:
            check_lookup(ctx, whole.program, lookup)


def check_players(whole: Whole) -> None:
    """Who takes part is said of a player, and settled before play begins."""
    check_seating(whole.ctx, whole.program)


def check_opponent(whole: Whole) -> None:
    """What the computer opponent reckons stands apart from the rules."""
    check_opponent_file(whole.ctx, whole.source, whole.rules, whole.mentions)


def check_depth(whole: Whole) -> None:
    """Sets inside sets, loops inside loops."""
    check_nesting(whole.ctx, whole.program, whole.mentions)


def check_never_read(whole: Whole) -> None:
    """State that is kept and never asked for is a slip or a leftover: a warning."""
    ctx = whole.ctx
    if ctx.unread or errors(ctx.problems):  # what could not be read may have asked for it
        return
    attributes = {key for _, _, part in whole.mentions for key in part.attributes}
    tracks = {name for _, _, part in whole.mentions for name in part.tracks}
    watched = {
        (ctx.world.nouns[t.subject][0], t.attribute) for t in whole.program.triggers if t.event == "changes"
    }
    for series in ctx.world.series.values():
        members = {(series.universe, member) for member in series.members}
        if members & attributes:  # one declaration, asked for in one of its values
            attributes |= members
    for key, attribute in ctx.world.attributes.items():
        if not attribute.printed and not attribute.built_in and key not in attributes | watched:
            ctx.paragraph = attribute.paragraph
            ctx.problem(
                "never-read",
                f'no rule asks for "{attribute.name}"',
                attribute.span,
                warning=True,
                about=(attribute.name,),
            )
    for track in ctx.world.tracks.values():
        if track.name not in tracks:
            ctx.paragraph = track.paragraph
            ctx.problem(
                "never-read",
                f'no rule asks for the track "{track.name}"',
                track.span,
                warning=True,
                about=(track.name,),
            )


def check_faces(whole: Whole) -> None:
    """One counter of a kind with fewer faces than all others: `flip` would do nothing to it."""
    by_class: dict[str, list[Piece]] = {}
    for piece in whole.source.pieces.values():
        by_class.setdefault(piece.kind, []).append(piece)
    for kind, pieces in by_class.items():
        usual, many = Counter(len(piece.faces) for piece in pieces).most_common(1)[0]
        odd = [piece for piece in pieces if len(piece.faces) < usual]
        if usual > 1 and len(odd) == 1 and many == len(pieces) - 1 and many >= 4:
            faces = "1 face" if len(odd[0].faces) == 1 else f"{len(odd[0].faces)} faces"
            others = f"the other {many} {plural_of(kind)} have {usual}"
            whole.ctx.paragraph = ""
            whole.ctx.problem("piece-face", f'"{odd[0].id}" has {faces}, {others}', odd[0].span,
                              "add what is printed on its other side to `faces`", warning=True)  # fmt: skip


CHECKS: list[Check] = [
    check_faces,
    check_depth,
    check_data_files,
    check_tables,
    check_circles,
    check_afterwards,
    check_simultaneous,
    check_citations,
    check_beginning,
    check_players,
    check_spellings,
    check_telling,
    check_opponent,
    check_unused,
    check_never_read,
]
