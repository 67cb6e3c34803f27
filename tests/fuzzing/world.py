"""What exists in a generated game: players, map, pieces, values, attributes, tracks, records, tables."""

from __future__ import annotations

from rulesdsl.program.types import FLAG, NUMBER, TEXT, Type, set_of, thing
from tests.fuzzing.book import LOWER, Attribute, Book, Table, TableKey, Variable

PREFIX = {"unit": "u", "leader": "l", "corps": "k"}
PLAYERS = ("red", "blue", "green", "amber")
AREA_NAMES = ("harbour", "town", "forest", "hill", "castle", "ford", "mill", "marsh", "keep", "camp")


def make_world(book: Book) -> None:
    """Everything that is declared rather than done; the statements go into the first paragraphs."""
    luck = book.luck
    book.players = list(PLAYERS[: luck.choice([2, 2, 2, 3, 4])])
    book.taken.update(
        PLAYERS, AREA_NAMES, ("it", "here", "there", "border", "player", "token", "space", "piece")
    )
    _enumerations(book)
    _map(book)
    _pieces(book)
    _attributes(book)
    _groups(book)
    _tracks(book)
    _records(book)
    for _ in range(luck.randint(0, 1 + book.size // 2)):
        book.tables.append(_table(book))


def _enumerations(book: Book) -> None:
    luck = book.luck
    words = [
        "plain",
        "woods",
        "urban",
        "clear",
        "mist",
        "storm",
        "calm",
        "high",
        "low",
        "iron",
        "wood",
        "stone",
    ]
    luck.shuffle(words)
    statements = []
    for _ in range(luck.randint(1, 2)):
        name = book.name("terrain", "weather", "stance", "grade", "stuff")
        values = tuple(words.pop() for _ in range(luck.choice([2, 3])))
        book.enums[name] = values
        book.taken.update(values)
        kind = luck.choice(["enum", "scale"])
        if kind == "scale":
            book.scales.add(name)
        statements.append(f"{kind} {name}: {', '.join(values)}")
    book.paragraph("Values", *statements)


def _map(book: Book) -> None:
    luck = book.luck
    book.form = luck.choice(["areas", "areas", "areas", "squares", "hexes"])
    if book.form == "areas":
        cls = book.name("zone", "area", "county")
        names = list(AREA_NAMES)
        luck.shuffle(names)
        book.spaces[cls] = names[: luck.randint(3, 4 + book.size)]
        if luck.random() < 0.4:
            box = book.name("box", "pool")
            book.spaces[box] = [book.name("reserve", "exile", "dead")]
        zones = book.spaces[cls]
        pairs = [(zones[luck.randrange(i)], zones[i]) for i in range(1, len(zones))]
        pairs += [(a, b) for a in zones for b in zones if a < b and luck.random() < 0.2]
        seen: set[frozenset[str]] = set()
        for pair in pairs:
            if frozenset(pair) not in seen:
                seen.add(frozenset(pair))
                book.borders.append(pair)
    else:
        cls = book.name("field", "cell") if book.form == "squares" else book.name("hex", "tile")
        columns, rows = luck.randint(2, 4), luck.randint(2, 3)
        numbers = book.form == "hexes"
        book.spaces[cls] = [
            f"{c:02}{r:02}" if numbers else f"{'abcd'[c - 1]}{r}"
            for r in range(1, rows + 1)
            for c in range(1, columns + 1)
        ]
        book.files["grid"] = f"{columns} {rows}"
        book.enums["direction"] = (
            ("north", "east", "south", "west")
            if book.form == "squares"
            else ("northeast", "east", "southeast", "southwest", "west", "northwest")
        )
        book.taken.update(("direction", "column", "row", *book.enums["direction"], *book.spaces[cls]))
    for name in list(book.spaces):
        plural = (
            f"{name}es" if name.endswith("x") else f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
        )
        if luck.random() < 0.15:
            plural = f"many_{name}"
        book.plurals[name] = plural
        book.taken.update((name, plural))


def _pieces(book: Book) -> None:
    luck = book.luck
    for kind in luck.sample(["unit", "leader", "corps"], luck.choice([1, 1, 2])):
        book.taken.update((kind, f"{kind}s"))
        book.pieces[kind] = [
            f"{PREFIX[kind]}{number}" for number in range(1, luck.randint(2, 3 + book.size) + 1)
        ]
        book.plurals[kind] = f"{kind}s" if kind != "corps" else "corpses"
        book.taken.update((*book.pieces[kind], book.plurals[kind]))
    book.plurals |= {
        "border": "borders",
        "player": "players",
        "token": "tokens",
        "space": "spaces",
        "piece": "pieces",
    }


def _attributes(book: Book) -> None:
    luck = book.luck
    for universe in ("space", "border", "piece", "player"):
        for cls in book.classes(universe):
            lines: list[str] = []
            for _ in range(luck.randint(1, 2 + book.size)):
                lines.append(_attribute(book, universe, cls))
            if universe == "piece":
                book.attributes.append(
                    Attribute(universe, cls, f"{cls}_owner", thing("player"), True, False, False)
                )
                lines.append(f"printed {cls}_owner: player")
                if not book.stacked and luck.random() < 0.3:
                    book.stacked = cls
                    lines.append(f"{book.name('height', 'rung_of')}: stack")
            plural = book.plurals[cls] if cls else ""
            named = f" plural {plural}" if plural.startswith("many_") else ""
            head = f"{universe} {cls}{named}" if cls else universe
            book.paragraph(f"What a {cls or universe} is", "\n    ".join([head, *lines]))


def _attribute(book: Book, universe: str, cls: str) -> str:
    luck = book.luck
    name = book.name(*LOWER)
    printed = universe != "player" and luck.random() < 0.4
    secret = not printed and luck.random() < 0.3
    type_, written = _type(book, printed)
    per_face = printed and universe == "piece" and type_ == NUMBER and luck.random() < 0.5
    if printed and universe == "border" and type_.kind not in ("flag", "number"):
        type_, written = FLAG, "flag"
    default = ""
    if not printed and type_.kind == "thing" and not type_.nullable:
        type_, written = type_.or_none(), f"{written} or none"
    if not printed and type_.kind == "number" and luck.random() < 0.4:
        default = f" = {luck.randint(type_.low or 0, type_.high or 5)}"
    elif not printed and type_.kind == "flag" and luck.random() < 0.3:
        default = " = true"
    elif not printed and type_.kind == "enum" and luck.random() < 0.5:
        default = f" = {luck.choice(book.enums[type_.name])}"
    if printed and universe == "border" and type_.kind == "number":
        default = f" = {type_.low or 0}"
    wording = ""
    if type_.kind == "flag" and luck.random() < 0.15:
        wording = f' "has {luck.choice(["rested", "broken", "sworn"])}"'
    visible = f" visible to {_viewers(book, universe, cls)}" if secret else ""
    if not printed and luck.random() < 0.15:
        per = luck.choice(sorted(book.enums))
        book.series.append(Attribute(universe, cls, name, type_, False, False, secret, per))
        return f"{name}: {written} per {per}{default}{visible}"
    quiet = "quiet " if not printed and luck.random() < 0.12 else ""
    face = " per face" if per_face else ""
    book.attributes.append(Attribute(universe, cls, name, type_, printed, per_face, secret))
    return f"{quiet}{'printed ' if printed else ''}{name}: {written}{face}{wording}{default}{visible}"


def _viewers(book: Book, universe: str, cls: str) -> str:
    luck = book.luck
    if universe == "player":
        return luck.choice(["it", "it", "nobody", "opponent(it)"])
    if universe == "piece" and f"{cls}_owner" not in {a.name for a in book.attributes}:
        return luck.choice([f"{cls}_owner", f"opponent({cls}_owner)", "nobody", book.players[0]])
    return luck.choice(["nobody", *book.players])


def _type(book: Book, printed: bool) -> tuple[Type, str]:
    luck = book.luck
    cls = luck.choice(list(book.spaces))
    choices: list[tuple[Type, str]] = [
        (NUMBER, "number"), (NUMBER, "number"), (FLAG, "flag"), (FLAG, "flag"),
        (Type("number", low=1, high=6), "1 to 6"), (thing("player", nullable=True), "player or none"),
    ]  # fmt: skip
    name = luck.choice(sorted(set(book.enums) - {"direction"}))
    choices += [(Type("enum", name), name)] * 2
    if printed:
        choices.append((TEXT, "text"))
    else:
        choices += [
            (thing("space", cls, nullable=True), f"{cls} or none"),
            (set_of("space", cls), f"set of {book.plurals[cls]}"),
        ]
    return luck.choice(choices)


def _groups(book: Book) -> None:
    for text in [a for a in book.attributes if a.type.kind == "text" and a.universe == "piece" and a.printed][
        :1
    ]:
        if book.maybe(0.7):
            # the attribute itself becomes the group of the piece
            book.groups[text.name] = text.owner
            book.group_ids[text.name] = ["left", "right"]
            book.plurals[text.name] = f"{text.name}s"
            book.taken.update((f"{text.name}s", "left", "right", "members"))
            place = book.attributes.index(text)
            book.attributes[place] = Attribute(
                "piece", text.owner, text.name, thing(text.name), True, False, False
            )
            book.paragraph("Groups", f"group {text.name} from {text.owner}.{text.name}")


def _tracks(book: Book) -> None:
    luck = book.luck
    for _ in range(luck.randint(1, 2 + book.size)):
        name = book.name()
        type_, written = _type(book, printed=False)
        if type_.kind == "text":
            type_, written = NUMBER, "number"
        secret = luck.random() < 0.25
        visible = f" visible to {luck.choice(['nobody', *book.players])}" if secret else ""
        quiet = "quiet " if luck.random() < 0.1 else ""
        book.tracks.append(Variable(name, type_, secret))
        book.paragraph("A track", f"{quiet}track {name}: {written}{visible}")


def _records(book: Book) -> None:
    luck = book.luck
    for _ in range(luck.randint(0, 1 + book.size // 2)):
        name = book.name("battle", "clash", "raid", "siege")
        parts = []
        lines = []
        for _ in range(luck.randint(1, 3)):
            type_, written = luck.choice(_field_types(book))
            secret = book.disciplined and luck.random() < 0.25
            part = (
                book.name("target", "stake", "prize", "side", "level")
                if type_.kind != "set"
                else book.name("attackers", "defenders", "victims")
            )
            if type_.kind == "set":
                part = part if part.endswith("s") else f"{part}s"
                book.taken.update((part, part[:-1]))
            parts.append(Variable(part, type_, secret))
            lines.append(f"{part}: {written}")
        book.records[name] = parts
        book.paragraph("A record", "\n    ".join([f"record {name}", *lines]))


def _field_types(book: Book) -> list[tuple[Type, str]]:
    found: list[tuple[Type, str]] = [(NUMBER, "number"), (FLAG, "flag"), (thing("player"), "player")]
    found += [(thing("space", cls), cls) for cls in book.spaces]
    found += [(thing("piece", cls), cls) for cls in book.pieces]
    return found + [(set_of("piece", cls), f"set of {book.plurals[cls]}") for cls in book.pieces] * 2


# ---- tables ------------------------------------------------------------------------------------------
def _table(book: Book) -> Table:
    from tests.fuzzing.sheets import write_table

    luck = book.luck
    name = book.name("combat", "effort", "scent", "ruin", "losses")
    axes = luck.choice(
        [("rows",), ("columns", "rows"), ("columns", "rows"), ("pages", "columns", "rows"), ("pages", "rows")]
    )
    keys = tuple(_key(book, axis) for axis in axes)
    enum = luck.choice(sorted(set(book.enums) - {"direction"}))
    kind = luck.choice(["number", "number", "flag", "text", "name", "codes", "fields"])
    fields: tuple[tuple[str, Type], ...] = ()
    result: Type | None = {"number": NUMBER, "flag": FLAG, "text": TEXT, "name": Type("enum", enum)}.get(kind)
    if kind == "codes":
        fields = (("hits", NUMBER), ("retreat", FLAG))
    elif kind == "fields":
        fields = (("found", FLAG), ("bonus", NUMBER), ("mood_of", Type("enum", enum)))
    table = Table(name, keys, result, fields)
    return write_table(book, table, axes, kind, enum)


def _key(book: Book, axis: str) -> TableKey:
    luck = book.luck
    name = f"{axis}_key"
    kind = luck.choice(
        ["number", "number", "name", "flag"] + (["ratio", "ratio"] if axis == "columns" else [])
    )
    if kind == "name":
        of = luck.choice([*sorted(set(book.enums) - {"direction"}), "player"])
        return TableKey(name, kind, of, 0, 0, False)
    if kind == "number":
        return TableKey(name, kind, "", 1, luck.choice([3, 6, 6, 12]), luck.random() < 0.5)
    return TableKey(name, kind, "", 0, 0, False)
