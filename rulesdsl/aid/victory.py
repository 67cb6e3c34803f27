"""How the game ends and what gives points, read from the rules that end it and that count."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.handbook.book import Book
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import SCORE
from rulesdsl.speaking.blocks import Block, Item, Items
from rulesdsl.speaking.inline import capital, plain, rule, said
from rulesdsl.speaking.say.steps import outcome


def victory_lines(book: Book) -> Iterator[Block]:
    ends = tuple(_ends(book))
    if ends:
        yield Items(ends, kind="ends")
    points = tuple(_points(book))
    if points:
        yield Items(points, kind="points")


def _ends(book: Book) -> Iterator[Item]:
    """Every end of the game with what brings it about."""
    seen: set[str] = set()
    for identity, node in book.rules_of(sx.Procedure, sx.Trigger, sx.Token):
        body = node.body if isinstance(node, (sx.Procedure, sx.Trigger, sx.Token)) else ()
        for terms, end in _endings(body, ""):
            when = f"{book.own(plain(book.speaker.say(terms)))}: " if isinstance(terms, sx.Expr) else ""
            text = book.own(plain(outcome(book.speaker, end).removeprefix("the game ends: ")))
            told = f"{_mark(book, identity)}{capital(when + text)} ({rule(identity)})"
            if told not in seen:
                seen.add(told)
                yield Item(told)


def _endings(block: sx.Block, terms: sx.Expr | str) -> Iterator[tuple[sx.Expr | str, sx.EndGame]]:
    for step in block:
        match step:
            case sx.EndGame():
                yield terms, step
            case sx.If(branches, otherwise):
                for condition, body in branches:
                    yield from _endings(body, condition)
                yield from _endings(otherwise or (), "")
            case sx.ForEach(body=body) | sx.Repeat(body=body) | sx.With(body=body):
                yield from _endings(body, terms)
            case _:
                pass


def _points(book: Book) -> Iterator[Item]:
    """Where the score goes up or down: directly, or by a procedure that is told how much."""
    score = book.program.quantities.get(SCORE)
    if score is None:
        return
    counted = {part.name for part in sx.walk(score.source.base) if isinstance(part, sx.Attr)}
    payers = dict(_payers(book, counted))
    for identity, node in book.rules_of(sx.Procedure, sx.Trigger, sx.Token):
        amounts: dict[str, None] = {}
        for part in sx.walk(node):
            match part:
                case sx.Increase(sx.Attr(name=name), value, sign) if name in counted and not (
                    isinstance(node, sx.Procedure) and node.name in payers
                ):
                    amounts[_amount(book, value, sign)] = None
                case sx.Do(name, arguments) if name in payers:
                    at, sign = payers[name]
                    if at < len(arguments):
                        value = arguments[at].value
                        amounts[f"{'+' if sign > 0 else '−'}{book.own(plain(book.speaker.say(value)))}"] = (
                            None
                        )
                case _:
                    pass
        if amounts:
            title = said(book.title_of(identity)) or identity
            yield Item(f"{_mark(book, identity)}{title} ({rule(identity)}): {', '.join(amounts)}")


def _amount(book: Book, value: sx.Expr, sign: int) -> str:
    return f"{'+' if sign > 0 else '−'}{book.own(plain(book.speaker.say(value)))}"


def _payers(book: Book, counted: set[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Procedures that add one of their arguments to the score: name → which one, and its sign."""
    for _, node in book.rules_of(sx.Procedure):
        assert isinstance(node, sx.Procedure)
        names = [param.name for param in node.params]
        for part in sx.walk(node):
            match part:
                case sx.Increase(sx.Attr(name=name), sx.Name(id=amount), sign) if (
                    name in counted and amount in names
                ):
                    yield node.name, (names.index(amount), sign)
                case _:
                    pass


def _mark(book: Book, identity: str) -> str:
    return "▸ " if book.relations.amended_by.get(identity) else ""
