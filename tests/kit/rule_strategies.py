"""Random statements of a rules block and examples, for hypothesis; see strategies.py."""

from __future__ import annotations

from hypothesis import strategies as st

from rulesdsl.language import syntax as sx
from tests.kit.strategies import (
    SIMPLE_STATEMENTS,
    action_uses,
    bodies,
    exprs,
    maybe,
    names,
    noun_phrases,
    numbers,
    several,
    texts,
)
from tests.kit.strategies import small_exprs as _e

types = st.one_of(
    st.builds(sx.Type, several(names, 1)),
    st.builds(sx.Type, several(names), st.integers(-9, 9), st.integers(-9, 9)),
    st.builds(sx.Type, several(names, 1, 1), is_set=st.just(True)),
)
_params = several(st.builds(sx.Param, names, maybe(types)))
_attributes = st.builds(
    sx.Attribute,
    names,
    types,
    st.booleans(),
    st.booleans(),
    maybe(_e),
    maybe(_e),
    st.booleans(),
    maybe(texts),
    per=st.just("") | names,
)
_spoken_attributes = st.builds(
    sx.Attribute,
    names,
    types,
    st.just(False),
    st.just(False),
    maybe(_e),
    maybe(_e),
    st.booleans(),
    maybe(texts),
    per=st.just("") | names,
)
_identities = st.builds(
    sx.Attribute, st.just(sx.IDENTITY), st.just(sx.Type((sx.IDENTITY,))), st.just(False), st.just(False),
    st.none(), _e, showing=several(names),
)  # fmt: skip
_rounding = maybe(st.sampled_from(["down", "up", "nearest"]))
_refs = st.builds(sx.ParagraphRef, st.sampled_from(["7.1.4", "6-82", "8.2.1a", "event 3", "12"]))
contributions = st.builds(
    sx.Contribution,
    st.sampled_from(["+", "-", "=", "x", "/", "shift +", "shift -", "at least", "at most"]),
    _e, _rounding, maybe(_e), maybe(_e), several(_refs), maybe(texts), several(_refs),
)  # fmt: skip
_events = st.one_of(
    st.builds(sx.Event, st.sampled_from(["enters", "leaves"]), names, names),
    st.builds(sx.Event, st.sampled_from(["removed", "flipped", "placed"]), names, st.none()),
    st.builds(sx.Event, st.sampled_from(["begins", "ends"]), names, st.none()),
    st.builds(sx.Event, st.just("changes"), names, names),
)
_via = st.tuples(st.sampled_from(["across", "into", "through", "ending in", "from", "in"]), names)
_steps = several(st.tuples(names, maybe(_e)))
_rungs = st.builds(sx.Rung, _e, maybe(_e), maybe(texts))
_preferences = st.builds(sx.Preference, _e, maybe(texts))


@st.composite
def permissions(draw: st.DrawFn) -> sx.Permission:
    kind = draw(st.sampled_from(["forbid", "allow", "stop"]))
    via, via_name = draw(_via | st.just((None, None)))
    despite = draw(several(_refs, 1 if kind == "allow" else 0))
    return sx.Permission(kind, draw(several(names, 1)), via, via_name, draw(maybe(_e)), despite,
                         draw(maybe(texts)))  # fmt: skip


@st.composite
def _routes(draw: st.DrawFn) -> sx.Route:
    along = draw(maybe(names))
    return sx.Route(
        draw(names), draw(_params), draw(_e), along, draw(maybe(_e)) if along else None, draw(_e),
        draw(maybe(_e)), draw(numbers), draw(maybe(_e)), draw(_steps), draw(_steps), draw(st.booleans()),
        draw(several(_preferences)), draw(maybe(_e)), draw(maybe(_e)),
    )  # fmt: skip


@st.composite
def _sentences(draw: st.DrawFn) -> sx.Define:
    """`define zone is foreign to unit = …`"""
    form = draw(st.sampled_from(["is", "verb", "to", "of", "from", "by", "with", "over"]))
    few = {"is": (1, 1), "verb": (1, 2)}.get(form, (2, 2))
    params = draw(several(st.builds(sx.Param, names, maybe(types)), *few))
    cases = (*draw(several(st.builds(sx.Case, exprs, exprs))), sx.Case(draw(exprs), None))
    return sx.Define(draw(names), params, cases, draw(maybe(texts)), form)


@st.composite
def _searches(draw: st.DrawFn) -> sx.Search:
    """`search most_taken(man)`, also where parts are missing"""
    name, argued = draw(names), several(st.builds(sx.Argument, maybe(names), exprs))
    then = draw(maybe(argued))
    return sx.Search(
        name=name,
        params=draw(_params),
        wording=draw(maybe(texts)),
        phrases=draw(several(noun_phrases(exprs), 1, 2)),
        procedure=draw(names),
        arguments=draw(argued),
        counting=draw(maybe(exprs)),
        bound=draw(st.integers(1, 40)),
        then=then,
        leads_to="" if then is None else draw(names),
    )


@st.composite
def _readings(draw: st.DrawFn) -> sx.Reading:
    alternatives = draw(st.lists(names, min_size=2, max_size=4, unique=True).map(tuple))
    return sx.Reading(draw(names), alternatives, draw(st.sampled_from(alternatives)), draw(maybe(texts)))


@st.composite
def _worded_readings(draw: st.DrawFn) -> sx.Reading:
    """With what each alternative means; with one alternative it is settled."""
    alternatives = draw(st.lists(names, min_size=1, max_size=3, unique=True).map(tuple))
    wordings = tuple(draw(texts) for _ in alternatives)
    default = draw(st.sampled_from(alternatives))
    return sx.Reading(draw(names), alternatives, default, draw(maybe(texts)) or None, wordings)


RULES = [
    st.builds(sx.Enumeration, names, several(names, 1), st.booleans()),
    st.builds(sx.ClassDecl, st.sampled_from(["space", "border", "piece", "player", "token"]), names,
              maybe(names), several(_attributes | _identities)),
    st.builds(sx.ClassDecl, st.just(""), names, st.none(), _spoken_attributes.map(lambda one: (one,)),
              st.just(True)),
    st.builds(sx.GroupDecl, names, names, names),
    st.builds(sx.TrackDecl, names, types, maybe(_e), maybe(_e), st.booleans(), maybe(texts)),
    st.builds(sx.RecordDecl, names, several(st.builds(sx.Param, names, types), 1)),
    st.builds(sx.Define, names, _params, several(st.builds(sx.Case, exprs, maybe(exprs)), 1), maybe(texts)),
    _sentences(),
    _searches(),
    st.builds(lambda name, value: sx.Define(f"invariant_{name}", (), (sx.Case(value, None),), None, "always"),
              names, exprs),
    st.builds(sx.Procedure, st.just("procedure"), names.map("odds_{}".format), _params, maybe(texts), bodies),
    st.builds(sx.Quantity, maybe(names), names, _params, exprs, _rounding, maybe(_e), maybe(_e),
              several(names), several(contributions)),
    st.builds(sx.Quantity, maybe(names), names, _params, exprs, _rounding, maybe(_e), maybe(_e),
              several(names, 1), several(contributions), maybe(_e)),
    st.builds(sx.Modify, maybe(names), names, _params, several(contributions, 1)),
    st.builds(sx.Action, names, _params, maybe(texts)),
    permissions(),
    st.builds(sx.Must, names, maybe(_e), maybe(texts), several(_rungs, 1)),
    _routes(),
    st.builds(sx.Procedure, st.sampled_from(["phase", "procedure"]), names, _params, maybe(texts), bodies),
    st.builds(sx.Trigger, _events, maybe(_e), bodies),
    st.builds(sx.Window, names, several(_e)),
    st.builds(sx.Token, names, texts, several(st.builds(sx.PlayIn, names, maybe(_e), maybe(_e)), 1), bodies),
    _readings(),
    _worded_readings(),
    st.builds(sx.Option, names, types, _e, maybe(texts)),
    st.builds(sx.Parameter, names, _e, maybe(texts)),
]  # fmt: skip
rules = st.one_of(RULES)
expectations = st.one_of(
    st.builds(sx.Expectation, st.just("true"), exprs, st.none(), st.none()),
    st.builds(sx.Expectation, st.just("goes on"), st.none(), st.none(), st.none()),
    st.builds(sx.Expectation, st.just("can"), st.none(), action_uses, st.none()),
    st.builds(sx.Expectation, st.just("cannot"), st.none(), action_uses, _refs),
    st.builds(
        sx.Expectation, st.just("outcome"), st.none(), st.none(), st.none(),
        st.one_of(
            st.builds(sx.EndGame, st.just("wins"), _e, maybe(texts)),
            st.builds(sx.EndGame, st.sampled_from(["drawn", "nobody"]), st.none(), maybe(texts)),
        ),
    ),
)  # fmt: skip
_played = several(st.one_of(SIMPLE_STATEMENTS))
_settings_given = st.builds(
    sx.SettingGiven, st.sampled_from(("reading", "option", "parameter")), names, exprs
)
examples = st.builds(
    sx.Example, maybe(names), _played, several(numbers), several(texts), _played, several(expectations, 1),
    several(_settings_given),
)  # fmt: skip
