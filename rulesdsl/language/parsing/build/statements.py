"""Steps of procedures and examples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import v_args
from lark.tree import Meta

from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.build.places import (
    Body,
    Children,
    Otherwise,
    PlacedTransformer,
    Preferences,
    text_of,
    unquoted,
)


@v_args(meta=True)
class StatementBuilder(PlacedTransformer):
    """One method per rule of the grammar."""

    # -- statements
    def let(self, meta: Meta, c: Children) -> sx.Let:
        return sx.Let(str(c[0]), c[1], span=self._span(meta))

    def assign(self, meta: Meta, c: Children) -> sx.Assign:
        return sx.Assign(c[0], c[1], span=self._span(meta))

    def increase(self, meta: Meta, c: Children) -> sx.Increase:
        return sx.Increase(c[1], c[0], 1, span=self._span(meta))

    def decrease(self, meta: Meta, c: Children) -> sx.Increase:
        return sx.Increase(c[1], c[0], -1, span=self._span(meta))

    def mark(self, meta: Meta, c: Children) -> sx.Mark:
        until = str(c[2]) if c[2] is not None else None
        return sx.Mark(c[0], str(c[1]), until, span=self._span(meta))

    def unmark(self, meta: Meta, c: Children) -> sx.Unmark:
        return sx.Unmark(c[0], str(c[1]), span=self._span(meta))

    def move(self, meta: Meta, c: Children) -> sx.Move:
        return sx.Move((c[0],), c[1], span=self._span(meta))

    def place(self, meta: Meta, c: Children) -> sx.Move:
        return sx.Move(tuple(c[:-1]), c[-1], True, span=self._span(meta))

    def remove(self, meta: Meta, c: Children) -> sx.Remove:
        return sx.Remove(c[0], span=self._span(meta))

    def flip(self, meta: Meta, c: Children) -> sx.Flip:
        return sx.Flip(c[0], c[1], span=self._span(meta))

    def put(self, meta: Meta, c: Children) -> sx.Put:
        return sx.Put(c[0], str(c[1]).endswith("top"), span=self._span(meta))

    def swap(self, meta: Meta, c: Children) -> sx.Swap:
        return sx.Swap(c[0], c[1], span=self._span(meta))

    def do(self, meta: Meta, c: Children) -> sx.Do:
        return sx.Do(str(c[0]), c[1] if len(c) > 1 else (), span=self._span(meta))

    def roll(self, meta: Meta, c: Children) -> sx.Roll:
        count, faces = str(c[0]).split("d")
        return sx.Roll(int(count), int(faces), str(c[1]), unquoted(c[2]), span=self._span(meta))

    def roll_pool(self, meta: Meta, c: Children) -> sx.Pool:
        *dice, (counted, beyond), name, purpose = c
        many, faces = str(dice[-1]).split("d")
        span = self._span(meta)
        amount = dice[0] if len(dice) > 1 else sx.Number(Fraction(int(many)), span=span)
        return sx.Pool(amount, int(faces), counted, beyond, str(name), unquoted(purpose), span=span)

    def counted(self, meta: Meta, c: Children) -> tuple[tuple[sx.Expr, ...], str]:
        if isinstance(c[0], sx.Expr):
            return (c[0],), str(c[1]).split()[-1]
        return tuple(sx.Number(Fraction(int(x)), span=self._token_span(x)) for x in c), ""

    def pick(self, meta: Meta, c: Children) -> sx.Pick:
        return sx.Pick(c[0], span=self._span(meta))

    def shuffle(self, meta: Meta, c: Children) -> sx.Shuffle:
        return sx.Shuffle(c[0], span=self._span(meta))

    def remember(self, meta: Meta, c: Children) -> sx.Remember:
        return sx.Remember(str(c[0]), span=self._span(meta))

    def draw(self, meta: Meta, c: Children) -> sx.Draw:
        return sx.Draw(c[0], span=self._span(meta))

    def return_token(self, meta: Meta, c: Children) -> sx.ReturnToken:
        return sx.ReturnToken(c[0], span=self._span(meta))

    def discard(self, meta: Meta, c: Children) -> sx.Discard:
        return sx.Discard(c[0], span=self._span(meta))

    def give(self, meta: Meta, c: Children) -> sx.Give:
        return sx.Give(c[0], c[1], len(c) > 2 and c[2] is not None, span=self._span(meta))

    def show(self, meta: Meta, c: Children) -> sx.Show:
        return sx.Show(c[0], c[1] if len(c) > 1 else None, span=self._span(meta))

    def open_window(self, meta: Meta, c: Children) -> sx.OpenWindow:
        return sx.OpenWindow(str(c[0]), span=self._span(meta))

    def cancel(self, meta: Meta, c: Children) -> sx.Cancel:
        return sx.Cancel(span=self._span(meta))

    def leave(self, meta: Meta, c: Children) -> sx.Leave:
        return sx.Leave(span=self._span(meta))

    def finish(self, meta: Meta, c: Children) -> sx.Finish:
        return sx.Finish(span=self._span(meta))

    def end_game(self, meta: Meta, c: Children) -> sx.EndGame:
        return sx.EndGame(*c[0], span=self._span(meta))

    def outcome_wins(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("wins", c[0], unquoted(c[1]))

    def outcome_drawn(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("drawn", None, unquoted(c[1]))

    def outcome_nobody(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("nobody", None, unquoted(c[1]))

    def end_with_payoffs(self, meta: Meta, c: Children) -> sx.EndGame:
        return sx.EndGame("gets", None, unquoted(c[2]), c[0], c[1], span=self._span(meta))

    def end_ranked(self, meta: Meta, c: Children) -> sx.EndGame:
        each, *measures, reason = c
        return sx.EndGame(
            "gets", None, unquoted(reason), each, None, tuple(measures), span=self._span(meta)
        )  # fmt: skip

    def note(self, meta: Meta, c: Children) -> sx.Note:
        return sx.Note(text_of(c[0]), tuple(x for x in c[1:] if x is not None), span=self._span(meta))

    def travel(self, meta: Meta, c: Children) -> sx.Travel:
        return sx.Travel(c[0], c[1], str(c[2]), span=self._span(meta))

    def if_stmt(self, meta: Meta, c: Children) -> sx.If:
        otherwise = c.pop().body if isinstance(c[-1], Otherwise) else None
        branches = tuple((c[i], c[i + 1].body) for i in range(0, len(c), 2))
        return sx.If(branches, otherwise, span=self._span(meta))

    def otherwise(self, meta: Meta, c: Children) -> Otherwise:
        return Otherwise(c[0].body)

    def for_stmt(self, meta: Meta, c: Children) -> sx.ForEach:
        return sx.ForEach(c[0], c[1], c[2].body, span=self._span(meta))

    def for_round(self, meta: Meta, c: Children) -> sx.ForEach:
        return sx.ForEach(c[0], None, c[2].body, c[1], span=self._span(meta))

    def for_in_order(self, meta: Meta, c: Children) -> sx.ForEach:
        return sx.ForEach(c[0], None, c[2].body, None, c[1], span=self._span(meta))

    def repeat_stmt(self, meta: Meta, c: Children) -> sx.Repeat:
        return sx.Repeat(c[0], c[1], c[2].body, span=self._span(meta))

    def with_stmt(self, meta: Meta, c: Children) -> sx.With:
        return sx.With(str(c[0]), c[1], c[2].body, span=self._span(meta))

    def choose_stmt(self, meta: Meta, c: Children) -> sx.Choose:
        return self._choice(meta, c)

    def repeatedly_stmt(self, meta: Meta, c: Children) -> sx.Choose:
        return self._choice(meta, c, repeatedly=True)

    def together_stmt(self, meta: Meta, c: Children) -> sx.Together:
        phrase: sx.NounPhrase = c[0]
        who = sx.Name(phrase.alias or phrase.words[-1], span=phrase.span)
        return sx.Together(phrase, self._choice(meta, [who, *c[1:]]), span=self._span(meta))

    def _choice(self, meta: Meta, c: Children, repeatedly: bool = False) -> sx.Choose:
        player, rest = c[0], c[1:]
        count = rest.pop(0) if isinstance(rest[0], sx.Count) else None
        phrases = []
        while rest and isinstance(rest[0], sx.NounPhrase):
            phrases.append(rest.pop(0))
        otherwise = rest.pop().body if isinstance(rest[-1], Otherwise) else None
        body = rest.pop().body if isinstance(rest[-1], Body) else None
        preferences = rest.pop().parts if isinstance(rest[-1], Preferences) else ()
        action, rest = self._action_use(rest)
        way_out, prompt = rest[0], unquoted(rest[1])
        return sx.Choose(
            player=player,
            count=count,
            phrases=tuple(phrases),
            action=action,
            way_out=way_out,
            prompt=prompt,
            preferences=preferences,
            body=body,
            otherwise=otherwise,
            repeatedly=repeatedly,
            span=self._span(meta),
        )

    def number_phrase(self, meta: Meta, c: Children) -> sx.NounPhrase:
        name, low, high, condition = c
        span = self._span(meta)
        tails: list[sx.Tail] = [] if name is None else [sx.TailAs(str(name), span=span)]
        tails.append(sx.TailRange(low, high, span=span))
        if condition is not None:
            tails.append(sx.TailWhere(condition, span=span))
        return sx.NounPhrase(("number",), tuple(tails), span=span, word_spans=(span,))

    def prefer_block(self, meta: Meta, c: Children) -> Preferences:
        return Preferences(tuple(c))

    def count_up_to(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("up to", c[0], span=self._span(meta))

    def count_at_least(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("at least", c[0], span=self._span(meta))

    def count_exactly(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("exactly", c[0], span=self._span(meta))

    def count_any(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("any number of", None, span=self._span(meta))

    def alternative_out(self, meta: Meta, c: Children) -> sx.WayOut:
        action, _ = self._action_use(c[1:]) if len(c) > 1 and c[1] is not None else (None, [])
        return sx.WayOut(text_of(c[0]), action, span=self._span(meta))

    def menu_stmt(self, meta: Meta, c: Children) -> sx.Menu:
        items = tuple(x for x in c if isinstance(x, sx.MenuItem))
        return sx.Menu(c[0], unquoted(c[1]), items, span=self._span(meta))

    def menu_item(self, meta: Meta, c: Children) -> sx.MenuItem:
        action, _ = self._action_use(c[2:])
        return sx.MenuItem(text_of(c[0]), c[1], action, c[-1].body, span=self._span(meta))

    def may_stmt(self, meta: Meta, c: Children) -> sx.Menu:
        otherwise = c.pop().body if isinstance(c[-1], Otherwise) else None
        action, _ = self._action_use(c[3:])
        item = sx.MenuItem(text_of(c[1]), c[2], action, c[-1].body, span=self._span(meta))
        return sx.Menu(c[0], None, (item,), True, otherwise, span=self._span(meta))

    def arguments(self, meta: Meta, c: Children) -> tuple[sx.Argument, ...]:
        return tuple(x for x in c if x is not None)

    def argument(self, meta: Meta, c: Children) -> sx.Argument:
        return sx.Argument(str(c[0]) if c[0] is not None else None, c[1], span=self._span(meta))

    # -- examples
    def example(self, meta: Meta, c: Children) -> sx.Example:
        parts: dict[str, Any] = {
            "given": (), "rolls": (), "choices": (), "played": (), "expected": (), "settings": (),
        }  # fmt: skip
        for key, value in c:
            parts[key] = value if key == "scenario" else (*parts[key], *value)
        return sx.Example(
            scenario=parts.get("scenario"),
            given=parts["given"],
            rolls=parts["rolls"],
            choices=parts["choices"],
            played=parts["played"],
            expected=parts["expected"],
            settings=parts["settings"],
            span=self._span(meta),
        )

    def given(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("given", c[0].body)

    def given_scenario(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("scenario", str(c[0]))

    def given_setting(self, meta: Meta, c: Children) -> tuple[str, Any]:
        kind = str(c[0]).split()[-1]
        return ("settings", (sx.SettingGiven(kind, str(c[1]), c[2], span=self._span(meta)),))

    def rolling(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("rolls", tuple(int(x) for x in c))

    def choosing(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("choices", tuple(text_of(x) for x in c))

    def playing(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("played", c[0].body)

    def expect(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("expected", tuple(c))

    def expect_true(self, meta: Meta, c: Children) -> sx.Expectation:
        return sx.Expectation("true", c[0], None, None, span=self._span(meta))

    def expect_outcome(self, meta: Meta, c: Children) -> sx.Expectation:
        outcome, winner, reason = c[0]
        ended = sx.EndGame(outcome, winner, reason, span=self._span(meta))
        return sx.Expectation("outcome", None, None, None, ended, span=self._span(meta))

    def expect_gets(self, meta: Meta, c: Children) -> sx.Expectation:
        ended = sx.EndGame("gets", c[0], None, None, c[1], span=self._span(meta))
        return sx.Expectation("outcome", None, None, None, ended, span=self._span(meta))

    def expect_goes_on(self, meta: Meta, c: Children) -> sx.Expectation:
        return sx.Expectation("goes on", None, None, None, span=self._span(meta))

    def expect_cannot(self, meta: Meta, c: Children) -> sx.Expectation:
        action, _ = self._action_use(c)
        return sx.Expectation("cannot", None, action, c[-1], span=self._span(meta))

    def expect_can(self, meta: Meta, c: Children) -> sx.Expectation:
        action, _ = self._action_use(c)
        return sx.Expectation("can", None, action, None, span=self._span(meta))

    def expect_offered(self, meta: Meta, c: Children) -> sx.Expectation:
        offers = tuple(text_of(x) for x in c)
        return sx.Expectation("offered", None, None, None, None, offers, span=self._span(meta))

    def expect_not_offered(self, meta: Meta, c: Children) -> sx.Expectation:
        offers = tuple(text_of(x) for x in c)
        return sx.Expectation("not offered", None, None, None, None, offers, span=self._span(meta))
