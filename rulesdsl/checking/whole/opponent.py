"""`opponent.md` holds what the computer opponent reckons, and nothing that the game is played by."""

from __future__ import annotations

from rulesdsl.book.loader import GameSource
from rulesdsl.book.texts import OPPONENT_FILE
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.near_names import place_of
from rulesdsl.checking.whole.mentions import Mentions
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT, LAST_TURN, ODDS, SCORE, TAKES_PART
from rulesdsl.language.syntax.documents import OPPONENT, of_opponent

_ASKED_OUTSIDE = (TAKES_PART, SCORE, LAST_TURN)  # by the engine, of the rules


def check_opponent_file(
    ctx: Context,
    source: GameSource,
    rules: list[tuple[str, sx.Rule]],
    mentions: list[tuple[str, str, Mentions]],
) -> None:
    """Its paragraphs stand in its file, reckon only, and no rule asks for what they declare."""
    _check_places(ctx, source)
    declared = {
        name for table in (ctx.defines, ctx.quantities) for name, (paragraph, _) in table.items()
        if of_opponent(paragraph)
    }  # fmt: skip
    for ctx.paragraph, node in rules:
        if of_opponent(ctx.paragraph):
            _check_statement(ctx, node, declared)
        elif isinstance(node, sx.Modify) and not node.record and node.name in declared:
            _not_for_rules(ctx, node.name, node)
    for ctx.paragraph, name, part in mentions if declared else ():
        if not of_opponent(ctx.paragraph):
            for asked in sorted(part.called & declared):
                _not_for_rules(ctx, asked, _statement(ctx, source, name))


def _check_places(ctx: Context, source: GameSource) -> None:
    """By its number everybody knows that a paragraph is none of the rules."""
    for chapter in source.chapters:
        here = chapter.file.path == source.directory / OPPONENT_FILE
        for paragraph in chapter.paragraphs:
            ctx.paragraph = paragraph.id
            if here and not of_opponent(paragraph.id):
                message = f"{OPPONENT_FILE} holds no rules of the game"
                help_ = f"write `## {OPPONENT} {paragraph.title}`, or `## {OPPONENT} 2 …` for a second one"
                ctx.problem("opponent-place", message, paragraph.span, help_.replace("  ", " "))
            elif of_opponent(paragraph.id) and not here:
                message = f'paragraph "{paragraph.id}" is not one of the rules'
                ctx.problem(
                    "opponent-place",
                    message,
                    paragraph.span,
                    f"put it into {OPPONENT_FILE}",
                    about=(paragraph.id,),
                )


def _check_statement(ctx: Context, node: sx.Rule, declared: set[str]) -> None:
    name = str(getattr(node, "name", ""))
    if not isinstance(node, (sx.Define, sx.Quantity, sx.Modify)):
        message = f"in {OPPONENT_FILE} only `define`, `quantity` and `modify` can stand"
        ctx.problem("opponent-rule", message, node.span, "put it into a chapter under rules/")
    elif isinstance(node, sx.Modify) and (node.record or name not in declared):
        shown = f"{node.record}.{name}" if node.record else name
        message = f'"{shown}" belongs to the rules: the opponent cannot change it'
        ctx.problem("opponent-rule", message, node.span, about=(shown,))
    elif name in _ASKED_OUTSIDE or name.startswith((INVARIANT, ODDS)):
        message = f'"{name}" is asked of the rules, not of the opponent'
        ctx.problem("opponent-rule", message, node.span, "put it into a chapter under rules/", about=(name,))


def _statement(ctx: Context, source: GameSource, name: str) -> sx.Rule | sx.Paragraph:
    """Where the statement stands that asks; examples and triggers have no name."""
    tables = (ctx.defines, ctx.quantities, ctx.actions, ctx.routes, ctx.procedures, ctx.windows, ctx.tokens)
    found = next((table[name][1] for table in tables if name in table), None)
    if found is not None:
        return found
    return next(p for chapter in source.chapters for p in chapter.paragraphs if p.id == ctx.paragraph)


def _not_for_rules(ctx: Context, name: str, node: sx.Rule | sx.Paragraph) -> None:
    place = place_of(ctx, name)
    message = f'"{name}" belongs to the computer opponent: nothing in the rules may depend on it'
    also = (("declared here", place),) if place is not None else ()
    ctx.problem("opponent-in-rules", message, node.span, also=also, about=(name,))
