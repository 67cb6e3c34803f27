"""Statements of procedures as canonical lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_arguments, print_expr, print_exprs, print_phrase
from rulesdsl.language.printing.levels import AND, BY, COMMA, FROM, NOTHING, TAIL, TO, WORD, Level
from rulesdsl.language.printing.lines import INDENT, WIDTH, line

_COMPOUND = (sx.If, sx.ForEach, sx.Repeat, sx.With, sx.Choose, sx.Together, sx.Menu)


def print_outcome(end: sx.EndGame) -> str:
    """`red wins "more points"` · `drawn` · `nobody wins`"""
    who = f"{_postfix(end.winner)} wins" if end.winner is not None else ""
    if end.each is not None and end.ranked:
        by = ", then ".join(print_expr(measure, Level.SUM) for measure in end.ranked)
        ranked = f"each {print_phrase(end.each)} ranked by {by}"
        return ranked + text_after(end.reason)
    if end.each is not None and end.payoff is not None:
        gets = f"each {print_phrase(end.each)} gets {print_expr(end.payoff, Level.SUM)}"
        return f"{gets}{text_after(end.reason)}"
    if end.payoff is not None and end.winner is not None:
        return f"{_postfix(end.winner)} gets {print_expr(end.payoff, Level.SUM)}"
    how = who or {"drawn": "drawn", "nobody": "nobody wins"}[end.outcome]
    return f"{how}{text_after(end.reason)}"


def block(head: str, body: sx.Block, depth: int) -> Iterator[str]:
    """`head:` and its statements; a single short one stays on the line of its head if it stood there."""
    only = sx.closed(body[0]) if len(body) == 1 else None
    if only is not None and not isinstance(only, _COMPOUND) and _shares_line(only):
        whole = f"{head}: {_simple(only)}"
        if INDENT * depth + len(whole) <= WIDTH:
            yield line(whole, depth)
            return
    yield line(f"{head}:", depth, opens=True)
    yield from statements(body, depth + 1)


def statements(body: sx.Block, depth: int) -> Iterator[str]:
    for stmt in map(sx.closed, body):
        if isinstance(stmt, _COMPOUND):
            yield from _compound(stmt, depth)
        else:
            yield line(_simple(stmt), depth)


def text_after(text: str | None) -> str:
    """A label or a prompt at the end of a line."""
    return "" if text is None else f' "{text}"'


def when(condition: sx.Expr | None, word: str = "when") -> str:
    return "" if condition is None else f" {word} {print_expr(condition)}"


def action_use(action: sx.ActionUse | None) -> str:
    return "" if action is None else f" for {called(action.name, action.arguments)}"


def called(name: str, arguments: tuple[sx.Argument, ...]) -> str:
    return name + (print_arguments(arguments) if arguments else "")


def _shares_line(stmt: sx.Stmt) -> bool:
    source = stmt.span.file.line(stmt.span.line)
    return bool(source[: stmt.span.column - 1].strip())


def _postfix(expr: sx.Expr) -> str:
    return print_expr(expr, Level.POSTFIX)


def _simple(stmt: sx.Simple) -> str:
    match stmt:
        case sx.Let(name, value):
            return f"let {name} = {print_expr(value)}"
        case sx.Assign(target, value):
            return f"set {print_expr(target, Level.POSTFIX, TO)} to {print_expr(value)}"
        case sx.Increase(target, value, sign) if sign > 0:
            return f"add {print_expr(value, Level.SUM, TO)} to {_postfix(target)}"
        case sx.Increase(target, value):
            return f"subtract {print_expr(value, Level.SUM, FROM)} from {_postfix(target)}"
        case sx.Mark(target, flag, until):
            end = f" until end of {until}" if until else ""
            return f"mark {print_expr(target, Level.POSTFIX, TAIL)} as {flag}{end}"
        case sx.Unmark(target, flag):
            return f"unmark {print_expr(target, Level.POSTFIX, TAIL)} as {flag}"
        case sx.Move(pieces, place, placed) if placed:
            front = [print_expr(piece, Level.POSTFIX, COMMA) for piece in pieces[:-1]]
            last = print_expr(pieces[-1], Level.POSTFIX, TAIL)
            return f"place {', '.join([*front, last])} in {_postfix(place)}"
        case sx.Move(pieces, place):
            return f"move {print_expr(pieces[0], Level.POSTFIX, TO)} to {_postfix(place)}"
        case sx.Remove(piece):
            return f"remove {_postfix(piece)}"
        case sx.Flip(piece, face):
            to = "" if face is None else f" to face {print_expr(face, Level.SUM)}"
            return f"flip {_postfix(piece)}{to}"
        case sx.Put(piece, on_top):
            return f"put {_postfix(piece)} {'on top' if on_top else 'at the bottom'}"
        case sx.Swap(piece, other):
            return f"swap {print_expr(piece, Level.POSTFIX, AND)} and {_postfix(other)}"
        case sx.Do(name, arguments):
            return f"do {called(name, arguments)}"
        case sx.Roll(count, faces, name, purpose):
            return f"roll {count}d{faces} as {name}" + (f' for "{purpose}"' if purpose is not None else "")
        case sx.Pool(dice, faces, counted, beyond, name, purpose):
            plain = isinstance(dice, sx.Number) and not dice.ratio and dice.value.denominator == 1
            pool = f"{print_expr(dice, Level.SUM, WORD)}{'' if plain else ' '}d{faces}"
            numbers = [print_expr(face, Level.SUM) for face in counted]
            which = f"{numbers[0]} or {beyond}" if beyond else " or ".join(numbers)
            why = f' for "{purpose}"' if purpose is not None else ""
            return f"roll {pool}, count {which} as {name}{why}"
        case sx.Pick(phrase):
            return f"pick {print_phrase(phrase)} at random"
        case sx.Shuffle(pieces):
            return f"shuffle {_postfix(pieces)}"
        case sx.Remember(name):
            return f"remember the position as {name}"
        case sx.Travel(player, piece, route):
            return f"{_postfix(player)} moves {print_expr(piece, Level.POSTFIX, BY)} by {route}"
        case sx.EndGame():
            return f"end game: {print_outcome(stmt)}"
        case sx.Note(text, values):
            return f'note "{text}"' + (f", {print_exprs(values)}" if values else "")
        case _:
            return _tokens(stmt)


def _tokens(stmt: sx.OfTokens | sx.Jumping) -> str:
    match stmt:
        case sx.Draw(player):
            return f"draw a token for {_postfix(player)}"
        case sx.ReturnToken(token):
            return f"return {_postfix(token)} to the bag"
        case sx.Discard(token):
            return f"discard {_postfix(token)}"
        case sx.Give(token, player, openly):
            how = " openly" if openly else ""
            return f"give {print_expr(token, Level.POSTFIX, TO)} to {_postfix(player)}{how}"
        case sx.Show(token, players):
            whom = _postfix(players) if players is not None else "everybody"
            return f"show {print_expr(token, Level.POSTFIX, TO)} to {whom}"
        case sx.OpenWindow(name):
            return f"open {name}"
        case sx.Cancel():
            return "cancel"
        case sx.Leave():
            return "leave"
        case sx.Finish():
            return "finish"
        case _:
            assert_never(stmt)


def _compound(stmt: sx.Compound, depth: int) -> Iterator[str]:
    match stmt:
        case sx.If(branches, otherwise):
            for number, (condition, body) in enumerate(branches):
                word = "otherwise if" if number else "if"
                yield from block(f"{word} {print_expr(condition)}", body, depth)
            yield from _otherwise(otherwise, depth)
        case sx.ForEach(phrase, chooser, body, start, measure):
            order = "" if chooser is None else f" in the order {_postfix(chooser)} chooses"
            if start is not None:
                order = f" from {_postfix(start)} round"
            if measure is not None:
                order = f" in order of {print_expr(measure, Level.SUM)}"
            then = FROM if start is not None else NOTHING
            yield from block(f"for each {print_phrase(phrase, then)}{order}", body, depth)
        case sx.Repeat(times, condition, body):
            head = f"repeat at most {print_expr(times, Level.SUM)} times{when(condition, 'while')}"
            yield from block(head, body, depth)
        case sx.With(record, arguments, body):
            yield from block(f"with {record}{print_arguments(arguments)}", body, depth)
        case sx.Choose():
            yield from _choose(stmt, _postfix(stmt.player), depth)
        case sx.Together(phrase, choice):
            yield from _choose(choice, f"at the same time each {print_phrase(phrase)}", depth)
        case sx.Menu(player, _, (item,), may, otherwise) if may:
            yield from block(f"{_postfix(player)} may {_item(item)}", item.body, depth)
            yield from _otherwise(otherwise, depth)
        case sx.Menu(player, prompt, items):
            yield line(f"{_postfix(player)} chooses one of{text_after(prompt)}:", depth, opens=True)
            for item in items:
                yield from block(_item(item), item.body, depth + 1)
        case _:
            assert_never(stmt)


def _otherwise(body: sx.Block | None, depth: int) -> Iterator[str]:
    if body is not None:
        yield from block("otherwise", body, depth)


def _item(item: sx.MenuItem) -> str:
    return f'"{item.label}"{when(item.condition)}{action_use(item.action)}'


def _choose(stmt: sx.Choose, who: str, depth: int) -> Iterator[str]:
    *front, last = stmt.phrases
    printed = [*(print_phrase(phrase, COMMA) for phrase in front), print_phrase(last)]
    phrases = ", ".join(printed if stmt.count is not None else map(_with_article, printed))
    chooses = "repeatedly chooses" if stmt.repeatedly else "chooses"
    head = f"{who} {chooses} {_count(stmt.count)}{phrases}{action_use(stmt.action)}"
    if stmt.way_out is not None:
        out = "until" if stmt.repeatedly else "or"
        head += f' {out} "{stmt.way_out.label}"{action_use(stmt.way_out.action)}'
    head += text_after(stmt.prompt)
    if stmt.preferences:
        head += f" preferring ({print_exprs(stmt.preferences)})"
    if stmt.body is None:
        yield line(head, depth)
    else:
        yield from block(head, stmt.body, depth)
        yield from _otherwise(stmt.otherwise, depth)


def _with_article(phrase: str) -> str:
    """`a unit among force`, as an author writes it; what begins with no name has none."""
    return f"{'an' if phrase[0] in 'aeio' else 'a'} {phrase}" if phrase[:1].isalpha() else phrase


def _count(count: sx.Count | None) -> str:
    if count is None:
        return ""
    amount = "" if count.amount is None else f"{print_expr(count.amount, Level.SUM, WORD)} "
    return f"{count.kind} {amount}"
