"""The rules of a generated game: settings, meanings, permissions, routes, the sequence of play."""

from __future__ import annotations

from dataclasses import replace

from rulesdsl.program.types import FLAG, NUMBER, Type, set_of, thing
from tests.fuzzing.book import Book, Saying, Variable
from tests.fuzzing.doings import Doing, indented, steps
from tests.fuzzing.numbers import number
from tests.fuzzing.phrases import phrase_of
from tests.fuzzing.talk import ATOM, NOUNS, OR, PRODUCT, SUM, Talk, arguments, at, say
from tests.fuzzing.things import enumerated, thing_of
from tests.fuzzing.truths import truth

PREPOSITIONS = ("to", "of", "from", "by", "with", "over")
LABELS = ("river", "woods", "hungry", "storm", "walls", "guards", "night", "decide(", "say \u2013 so")


def make_rules(book: Book) -> None:
    luck = book.luck
    _settings(book)
    _tokens_named(book)
    if luck.random() < 0.4:
        _effect(book)
        if book.maybe(0.4):
            _search(book)
    for _ in range(luck.randint(2, 3 + 2 * book.size)):
        luck.choice([_define, _define, _define, _quantity, _quantity, _route, _action])(book)
    phases = luck.randint(1, 2)
    for number_ in range(luck.randint(2, 2 + book.size)):
        _procedure(book, "phase" if number_ < phases else "procedure")
    _windows(book)
    _tokens(book)
    for _ in range(luck.randint(0, book.size)):
        _trigger(book)
    _extras(book)
    _game(book)


def talk_of(book: Book, params: tuple[Variable, ...] = (), secret: bool = False) -> Talk:
    return Talk(book, params, secret or not book.disciplined)


def _params(book: Book, most: int = 2) -> tuple[tuple[Variable, ...], str]:
    """Parameters, and how they are written: a class by itself, or a name with its type."""
    luck = book.luck
    found: list[Variable] = []
    written: list[str] = []
    for _ in range(luck.randint(0, most)):
        type_ = luck.choice(
            [thing("space", c) for c in book.spaces] + [thing("piece", c) for c in book.pieces] * 2
            + [thing("player"), NUMBER, FLAG]
            + [Type("enum", n) for n in sorted(set(book.enums) - {"direction"})]
            + [set_of("piece", c) for c in book.pieces]
        )  # fmt: skip
        noun = type_.of or type_.name or type_.kind
        if type_.kind == "set":
            name = f"some_{noun}"
            text = f"{name}: {book.plurals[noun]}"
        elif noun not in {v.name for v in found} and luck.random() < 0.6 and type_.kind != "flag":
            name = text = noun
        else:
            name = f"other_{noun}"
            text = f"{name}: {noun}"
        if name in {v.name for v in found}:
            continue
        found.append(Variable(name, type_))
        written.append(text)
    return tuple(found), f"({', '.join(written)})" if written else ""


def _settings(book: Book) -> None:
    luck = book.luck
    for _ in range(luck.randint(0, 2)):
        match luck.choice(["parameter", "option", "reading", "choice"]):
            case "parameter":
                name = book.name("last_turn", "stacking", "limit_of", "span")
                book.settings.append(Variable(name, NUMBER))
                book.paragraph("A parameter", f'parameter {name} = {luck.randint(1, 5)} "how many"')
            case "option":
                name = book.name("fog", "quick", "hard_mode")
                book.settings.append(Variable(name, FLAG))
                book.paragraph(
                    "An option", f'option {name}: flag = {luck.choice(["true", "false"])} "to agree on"'
                )
            case "choice":
                name = book.name("pace", "season")
                values: tuple[str, ...] = (f"{name}_one", f"{name}_two")
                book.enums[name] = values
                book.settings.append(Variable(name, Type("enum", name)))
                book.paragraph(
                    "An option", f'option {name}: {" or ".join(values)} = {values[0]} "to agree on"'
                )
            case _:
                name = book.name("ties", "sight", "doubt")
                values = (f"{name}_yes", f"{name}_no", f"{name}_both")[: luck.choice([2, 3])]
                book.enums[name] = values
                book.settings.append(Variable(name, Type("enum", name)))
                alternatives = ", ".join([f"{values[0]} (default)", *values[1:]])
                book.paragraph("A reading", f'reading {name}: {alternatives} "the text is not clear"')


def _secret_saying(book: Book) -> bool:
    return book.disciplined and book.maybe(0.25)


def _define(book: Book) -> None:
    luck = book.luck
    secret = _secret_saying(book)
    params, written = _params(book)
    talk = talk_of(book, params, secret)
    depth = 2 + (book.size > 2)
    type_ = luck.choice(
        [NUMBER, FLAG, FLAG, FLAG] + [Type("enum", n) for n in sorted(set(book.enums) - {"direction"})]
        + [thing("space", c) for c in book.spaces] + [set_of("piece", c) for c in book.pieces]
        + [set_of("space", c) for c in book.spaces] + [thing("player")]
    )  # fmt: skip
    name = book.name()
    wording = ""
    if type_ == FLAG and params and luck.random() < 0.2:
        wording = f' "{{{params[0].name}}} is fine"'
    form = _form(book, params) if type_ == FLAG else ""
    head = f"define {_head(name, written, form)}{wording}"
    first = at(say(talk, type_, depth), NOUNS)
    roll = luck.random()
    if roll < 0.12:
        case = f"{head} = {first} when {at(truth(talk, depth - 1), OR)}"
        last = at(say(talk, type_, depth - 1), NOUNS)
        statement = f"{case}\n    = {last} otherwise"
    elif roll < 0.3:
        lines = [f"{head} = if {at(truth(talk, depth - 1), OR)}: {first}"]
        for _ in range(luck.choice([0, 0, 1])):
            case = at(say(talk, type_, depth - 1), NOUNS)
            lines.append(f"otherwise if {at(truth(talk, 1), OR)}: {case}")
        lines.append(f"otherwise: {at(say(talk, type_, depth - 1), NOUNS)}")
        statement = "\n    ".join(lines)
    else:
        statement = f"{head} = {first}"
    book.sayings.append(Saying("define", name, params, type_, secret, form=form))
    book.paragraph("A meaning", statement)


def _form(book: Book, params: tuple[Variable, ...]) -> str:
    """How a define about a thing is said: `unit is ready`, `zone is foreign to unit`, `unit may_hit zone`."""
    if not params or params[0].type.kind != "thing" or book.maybe(0.3):
        return ""
    return book.luck.choice(
        ["is", "verb"] if len(params) == 1 else [*PREPOSITIONS, *["verb"] * len(PREPOSITIONS)]
    )


def _head(name: str, written: str, form: str) -> str:
    if not form:
        return f"{name}{written}"
    subject, *rest = written[1:-1].split(", ")
    match form:
        case "is":
            return f"{subject} is {name}"
        case "verb":
            return " ".join([subject, name, *rest])
        case _:
            return f"{subject} is {name} {form} {rest[0]}"


def _label(book: Book, paragraph: str = "") -> str:
    return f' "{book.luck.choice(LABELS)} {len(book.labels)}"'


def _quantity(book: Book) -> None:
    luck = book.luck
    secret = _secret_saying(book)
    record = luck.choice(sorted(book.records)) if book.records and luck.random() < 0.3 else ""
    params, written = ((), "") if record else _params(book)
    talk = talk_of(book, params, secret)
    name = book.name()
    full = f"{record}.{name}" if record else name
    scale = luck.choice(sorted(book.scales)) if book.scales and luck.random() < 0.25 else ""
    if scale:
        base = at(enumerated(talk, scale, 2), OR)
        type_ = Type("enum", scale)
    else:
        base, type_ = at(number(talk, 2), OR), NUMBER
    limits = ""
    if not scale:
        limits += luck.choice(["", "", " rounded down", " rounded up", " rounded nearest"])
        limits += luck.choice(["", "", " at least 1", " at least 0 - 2 at most 9"])
    stages = (
        f" stages {', '.join(luck.sample(['add', 'multiply', 'divide', 'shift', 'set', 'limit'], 3))}"
        if luck.random() < 0.2
        else ""
    )
    settled = [v for v in book.settings if v.type.kind in ("flag", "enum")]
    if stages and settled:
        setting = luck.choice(settled)
        value = "" if setting.type.kind == "flag" else f" is {luck.choice(book.enums[setting.type.name])}"
        stages += f" when {setting.name}{value}"
    rounding = luck.choice(["down", "up"])
    lines = [contribution(book, talk, scale, rounding, n == 0) for n in range(luck.randint(0, 3))]
    head = f"quantity {full}{written} = {base}{limits}{stages}"
    paragraph = book.paragraph("A quantity", "\n    ".join([head, *lines]))
    book.labels += [(paragraph.number, line.rsplit('"', 2)[1]) for line in lines if line.endswith('"')]
    if luck.random() < 0.5:
        more = [contribution(book, talk, scale, rounding, False) for _ in range(luck.randint(1, 2))]
        paragraph = book.paragraph("A change", "\n    ".join([f"modify {full}", *more]))
        book.labels += [(paragraph.number, line.rsplit('"', 2)[1]) for line in more if line.endswith('"')]
    if not record:
        book.sayings.append(Saying("quantity", name, params, type_, secret))
    else:
        book.sayings.append(Saying("quantity", full, (), type_, secret))


def contribution(book: Book, talk: Talk, scale: str, rounding: str, may_set: bool) -> str:
    luck = book.luck
    if scale:
        change = luck.choice(
            [
                f"shift {luck.choice('+-')}{luck.choice([1, 1, 2])}",
                f"at least {luck.choice(book.enums[scale])}",
            ]
        )
        if may_set and luck.random() < 0.3:
            change = f"= {luck.choice(book.enums[scale])}"
    else:
        amount = at(number(talk, 1), PRODUCT) if luck.random() < 0.4 else str(luck.randint(1, 3))
        amount = amount if amount.replace("_", "").isalnum() else f"({amount})"
        change = luck.choice(
            [
                f"+{amount}",
                f"+ {amount}",
                f"-{amount}",
                f"x{luck.randint(2, 3)}",
                f"/{luck.randint(2, 3)} rounded {rounding}",
            ]
        )
        if may_set and luck.random() < 0.3:
            change = luck.choice([f"= {amount}", "at least 0", "at most 9"])
    when = f" when {at(truth(talk, 1), OR)}" if luck.random() < 0.7 else ""
    return f"{change}{when}{_label(book)}"


def _action(book: Book) -> None:
    luck = book.luck
    params, written = _params(book)
    name = book.name()
    shown = (
        f' "{name} {{{params[0].name}}}"'
        if params and luck.random() < 0.6
        else luck.choice(["", f' "{name} now"'])
    )
    talk = talk_of(book, params)
    first = book.paragraph("An action", f"action {name}{written}{shown}")
    forbids = [first.number]
    for _ in range(luck.randint(0, 2)):
        paragraph = first if luck.random() < 0.5 else book.paragraph("Not allowed")
        label = _label(book) if luck.random() < 0.7 else ""
        paragraph.statements.append(f"forbid {name} when {at(truth(talk, 2), OR)}{label}")
        if label:
            book.labels.append((paragraph.number, label[2:-1]))
        forbids.append(paragraph.number)
    if len(forbids) > 1 and luck.random() < 0.6:
        allow = book.paragraph(
            "Allowed all the same", f"allow {name} when {at(truth(talk, 2), OR)} despite {forbids[-1]}"
        )
        if luck.random() < 0.5:
            book.paragraph(
                "And back",
                f"forbid {name} when {at(truth(talk, 1), OR)} despite {allow.number}{_label(book)}",
            )
    if luck.random() < 0.3:
        rungs = [
            f'either {at(truth(talk, 2), OR)} possible when {at(truth(talk, 1), OR)} "first"',
            f"else {at(truth(talk, 1), OR)}",
        ][: luck.choice([1, 2, 2])]
        when = f" when {at(truth(talk, 1), OR)}" if luck.random() < 0.4 else ""
        book.paragraph("A duty", "\n    ".join([f'must before {name}{when} "the order"', *rungs]))
    book.sayings.append(Saying("action", name, params, FLAG))


def _route(book: Book) -> None:
    luck = book.luck
    kind = luck.choice(list(book.pieces))
    travelled = luck.random() < 0.7
    params: tuple[Variable, ...]
    if travelled:
        params, written = (Variable(kind, thing("piece", kind)),), f"({kind})"
    else:
        params, written = _params(book)
    talk = talk_of(book, params)
    cls = next(iter(book.spaces))
    inside = replace(
        talk.with_(
            Variable("here", thing("space")),
            Variable("there", thing("space")),
            Variable("border", thing("border")),
        ),
        route=True,
    )
    name = book.name("march", "ride", "supply_line", "retreat", "march_0", "march_1", "ride_0")
    start = (
        f"{kind}.at" if travelled else at(say(talk, luck.choice([thing("space"), set_of("space")]), 2), NOUNS)
    )
    lines = [f"from {start}"]
    roll = luck.random()
    if roll < 0.25:
        lines.append(
            luck.choice(["along borders", "along ways", f"along borders where {at(truth(inside, 1), OR)}"])
        )
    costs = luck.random() < 0.6
    if costs:
        lines.append(
            f"cost {at(number(inside, 1), OR)}"
            if luck.random() < 0.6
            else f"cost {luck.choice(['1', '1/2', '2'])}"
        )
        lines.append(
            f"budget {at(number(talk, 1), OR)}" if luck.random() < 0.5 else f"budget {luck.randint(1, 3)}"
        )
        if luck.random() < 0.2:
            lines.append("always 1 step")
    exactly = False
    straight = book.form != "areas" and luck.random() < 0.2
    match luck.choice(["", "least", "most", "both", "exactly"]):
        case "least":
            lines.append(f"at least {luck.randint(1, 2)} steps")
        case "most":
            lines.append(f"at most {luck.choice(['1', '2', at(number(talk, 1), OR)])} steps")
        case "both":
            lines += ["at least 1 step", "at most 2 steps"]
        case "exactly" if not straight:
            exactly = True
            lines.append(f"exactly {luck.randint(1, 3)} steps")
    if straight:
        lines.append("straight")
    if luck.random() < 0.3:
        lines.append(f"through {book.plurals[cls]} where {at(truth(inside, 1), OR)}")
    if luck.random() < 0.3:
        lines.append(f"ending in {book.plurals[cls]} where {at(truth(inside, 1), OR)}")
    if luck.random() < 0.25:
        lines += [
            "prefer in order",
            f'    1 {at(truth(inside, 1), OR)} "best"',
            f"    2 {at(truth(inside, 1), OR)}",
        ]
    first = book.paragraph("A route", "\n    ".join([f"route {name}{written}", *lines]))
    _route_clauses(book, name, inside, cls, first.number)
    book.sayings.append(
        Saying("route", name, params, set_of("space"), travelled=travelled and not exactly and not straight)
    )


def _route_clauses(book: Book, name: str, inside: Talk, cls: str, number_: str) -> None:
    luck = book.luck
    cited: list[tuple[str, str]] = []
    for _ in range(luck.choice([0, 1, 1, 2])):
        via = luck.choice(["across border", f"into {cls}", f"ending in {cls}", f"from {cls}"])
        test = at(truth(inside, 2), OR)
        paragraph = book.paragraph("On the way", f"forbid {name} {via} when {test}{_label(book)}")
        cited.append((paragraph.number, via))
    if luck.random() < 0.3:
        paragraph = book.paragraph(
            "Halt", f"stop {name} in {cls} when {at(truth(inside, 1), OR)}{_label(book)}"
        )
        cited.append((paragraph.number, f"in {cls}"))
    if cited and luck.random() < 0.4:
        paragraph_number, via = luck.choice(cited)
        book.paragraph(
            "But", f"allow {name} {via} when {at(truth(inside, 1), OR)} despite {paragraph_number}"
        )


def _procedure(book: Book, kind: str) -> None:
    luck = book.luck
    params, written = _params(book)
    name = book.name("impulse", "full_turn", "fight", "lose", "plan_ahead", "council", "rest_or_dig")
    title = f' "{name.capitalize()}"' if luck.random() < 0.3 else ""
    chooser = luck.random() < 0.75
    lines = steps(Doing(talk_of(book, params), 2, asks=chooser), luck.randint(2, 3 + 2 * book.size))
    saying = Saying(kind, name, params, Type("none"), chooser=chooser)
    book.sayings.append(saying)
    if kind == "phase":
        book.phases.append(saying)
    book.paragraph("What is done", "\n".join([f"{kind} {name}{written}{title}", *indented(lines)]))


def _effect(book: Book) -> None:
    """A procedure of which rules ask what would follow: `after tidy_up(zone): …`."""
    luck = book.luck
    params, written = _params(book)
    name = book.name("tidy_up", "go_there", "advance", "settle_down")
    shown = "".join(f" {{{v.name}}}" for v in params)
    title = f' "this happens to{shown}"' if params and luck.random() < 0.5 else ""
    lines = steps(Doing(talk_of(book, params), 2, asks=False, plain=True), luck.randint(1, 3))
    book.sayings.append(Saying("effect", name, params, Type("none")))
    book.paragraph("What would follow", "\n".join([f"procedure {name}{written}{title}", *indented(lines)]))


def _search(book: Book) -> None:
    """How far something that rules ask about can be carried on."""
    luck = book.luck
    params, written = _params(book)
    effect = luck.choice([saying for saying in book.sayings if saying.kind == "effect"])
    universe, cls = luck.choice([("space", c) for c in book.spaces] + [("piece", c) for c in book.pieces])
    chosen, name = Variable(book.name("next_one"), thing(universe, cls)), book.name("farthest")
    talk = talk_of(book, params)
    phrase = phrase_of(talk, universe, cls, 1, alias=chosen.name)
    inside = talk_of(book, (*params, chosen))
    lines = [
        f"each step {luck.choice(['', 'a '])}{phrase}",
        f"do {effect.name}{arguments(inside, effect, 1)}",
    ]
    if luck.random() < 0.5:
        lines.append(f"counting {at(number(inside, 1), SUM)}")
    lines.append(f"at most {luck.choice(['1 step', '2 steps', '3 steps'])}")
    book.sayings.append(Saying("define", name, params, NUMBER))
    book.paragraph("How far", "\n".join([f"search {name}{written}", *indented(lines)]))


def _tokens_named(book: Book) -> None:
    luck = book.luck
    if luck.random() < 0.5:
        book.tokens = [
            book.name("fog_token", "halt", "gift", "dud", "trumpets") for _ in range(luck.randint(1, 3))
        ]
        book.windows = [book.name("before_fight", "interlude")]


def _windows(book: Book) -> None:
    luck = book.luck
    for name in book.windows:
        asking = luck.choice(
            [
                "",
                f" asking {', '.join(luck.sample(book.players, 2))}",
                f" asking {at(thing_of(talk_of(book), 'player', '', 1), ATOM)}",
            ]
        )
        whatever = " whatever they hold" if luck.random() < 0.3 else ""
        book.paragraph("A window", f"window {name}{asking}{whatever}")


def _tokens(book: Book) -> None:
    luck = book.luck
    for name in book.tokens:
        talk = talk_of(book, (Variable("holder", thing("player")),))
        lines = []
        for window in book.windows:
            when = f" when {at(truth(talk, 1), OR)}" if luck.random() < 0.5 else ""
            lines.append(f"play in {window}{when}")
        done = steps(Doing(talk, 1, asks=luck.random() < 0.3, token=True), luck.randint(0, 2))
        away = luck.choice(
            [
                f"discard {name}",
                f"discard {name}",
                f"return {name} to the bag",
                f"give {name} to opponent(holder)",
            ]
        )
        body = indented([away, *done])
        book.paragraph(
            "A token", "\n    ".join([f'token {name} "{name.capitalize()}"', *lines, "do:", *body])
        )


def _trigger(book: Book) -> None:
    luck = book.luck
    cls, kind = next(iter(book.spaces)), luck.choice(list(book.pieces))
    piece, place = Variable(kind, thing("piece", kind)), Variable(cls, thing("space", cls))
    known: tuple[Variable, ...]
    match luck.choice(["motion", "motion", "happens", "phase", "changes", "changes"]):
        case "motion":
            event, known = f"{kind} {luck.choice(['enters', 'leaves'])} {cls}", (piece, place)
        case "happens":
            event, known = f"{kind} is {luck.choice(['removed', 'flipped', 'placed'])}", (piece,)
        case "phase":
            phase = luck.choice(book.phases)
            event, known = f"phase {phase.name} {luck.choice(['begins', 'ends'])}", phase.params
        case _:
            attributes = [
                a for a in book.attributes
                if not a.printed and not (a.secret and book.disciplined) and a.owner
            ]  # fmt: skip
            if not attributes:
                return
            a = luck.choice(attributes)
            event = f"{a.owner}.{a.name} changes"
            known = (Variable(a.owner, thing(a.universe, a.owner)), Variable("before", a.type))
    talk = talk_of(book, known)
    when = f" when {at(truth(talk, 2), OR)}" if luck.random() < 0.5 else ""
    still = any(s.kind == "effect" for s in book.sayings)
    body = steps(Doing(talk, 1, asks=luck.random() < 0.2, still=still), 1)
    book.paragraph("An event", "\n".join([f"after {event}{when}:", *indented(body)]))


def _extras(book: Book) -> None:
    """What the outside asks for: the value of a position, the score, an invariant, something to weigh."""
    luck = book.luck
    player = (Variable("player", thing("player")),)
    talk = talk_of(book, player)
    for name in ("value", "score"):
        if name not in book.taken and luck.random() < 0.5:
            book.taken.add(name)
            book.paragraph("Points", f"quantity {name}(player) = {at(number(talk, 2), OR)}")
            book.sayings.append(Saying("quantity", name, player, NUMBER))
    found = [s for s in book.sayings if s.kind == "procedure" and s.params]
    if found and luck.random() < 0.3:
        chosen = luck.choice(found)
        params = ", ".join(f"{v.name}: {_written_type(book, v.type)}" for v in chosen.params)
        given = ", ".join(v.name for v in chosen.params)
        head = luck.choice(["procedure odds_it", "weigh it"])
        book.paragraph("To be weighed", f"{head}({params})\n    do {chosen.name}({given})")
    if luck.random() < 0.3:
        name = book.name("balance", "order_kept")
        book.paragraph("What always holds", f"always {name}: {at(truth(talk_of(book), 2), OR)}")


def _written_type(book: Book, type_: Type) -> str:
    noun = type_.of or type_.name or type_.kind
    return book.plurals[noun] if type_.kind == "set" else noun


def _game(book: Book) -> None:
    luck = book.luck
    talk = talk_of(book)
    begin = steps(Doing(talk, 1, asks=False), luck.randint(0, 2)) if luck.random() < 0.7 else []
    if book.tokens:
        begin += [f"draw a token for {player}" for player in book.players]
    rounds: list[str] = []
    for saying in phases_and_more(book):
        if luck.random() < 0.8:
            each = luck.random() < 0.5
            known = talk.with_(Variable("player", thing("player"))) if each else talk
            call = f"do {saying.name}{arguments(known, saying, 1)}"
            rounds += ["for each player:", f"    {call}"] if each else [call]
    rounds += steps(Doing(talk, 2, loop=True, repeats=1), luck.randint(1, 2))
    body = [*begin, f"repeat at most {luck.randint(1, 4)} times:", *indented(rounds)]
    if luck.random() < 0.9:
        test = at(truth(talk, 2), OR)
        body.append(f'if {test}: end game: {luck.choice(book.players)} wins "more"')
        end = luck.choice(["drawn", "nobody wins", f"{luck.choice(book.players)} wins"])
        body.append(f'end game: {end} "the end"')
    book.paragraph("The sequence of play", "\n".join(['phase game "The game"', *indented(body)]))


def phases_and_more(book: Book) -> list[Saying]:
    return [s for s in book.sayings if s.kind in ("phase", "procedure")]


__all__ = ["SUM", "make_rules"]
