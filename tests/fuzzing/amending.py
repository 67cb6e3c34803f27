"""House rules for a generated game: each a document that may fit it, or be refused."""

from __future__ import annotations

from rulesdsl.program.types import NUMBER
from tests.fuzzing.book import Book
from tests.fuzzing.doings import Doing, indented, steps
from tests.fuzzing.statements import contribution, talk_of
from tests.fuzzing.talk import OR, at
from tests.fuzzing.truths import truth


def house_rules(book: Book) -> dict[str, str]:
    """Some documents under `house/`."""
    return {f"house/rule_{n}.md": _document(book, n) for n in range(book.luck.choice([0, 1, 1, 2]))}


def _document(book: Book, number: int) -> str:
    luck = book.luck
    sections = [luck.choice(SECTIONS)(book) for _ in range(luck.choice([1, 1, 2, 3]))]
    body = "\n\n".join(section for section in sections if section)
    return f"# House rule {number}\nA reason.\n\n{body or _prose(book)}\n"


def _some_paragraph(book: Book) -> str:
    return book.luck.choice(book.paragraphs).number


def _amends(number: str, *statements: str) -> str:
    return f"## amends {number}\nOther words.\n```rules\n{chr(10).join(statements)}\n```"


def _prose(book: Book) -> str:
    return f"## amends {_some_paragraph(book)}\nOther words."


def _set_printed(book: Book) -> str:
    luck = book.luck
    found = [
        a for a in book.attributes if a.printed and a.type.kind in ("number", "flag", "enum") and a.owner
    ]
    if not found:
        return ""
    a = luck.choice(found)
    one = luck.choice(book.ids(a.universe, a.owner))
    match a.type.kind:
        case "number":
            value = str(luck.randint(1, 6))
        case "flag":
            value = luck.choice(["true", "false"])
        case _:
            value = luck.choice(book.enums[a.type.name])
    face = f"[{luck.randint(1, 2)}]" if a.per_face else ""
    return _amends(_some_paragraph(book), f"set {one}.{a.name}{face} = {value}")


def _set_border(book: Book) -> str:
    found = [a for a in book.attributes if a.printed and a.universe == "border" and a.type.kind == "flag"]
    if not found or not book.borders:
        return ""
    one, other = book.luck.choice(book.borders)
    return _amends(_some_paragraph(book), f"set border {one}/{other}.{book.luck.choice(found).name} = true")


def _set_start(book: Book) -> str:
    piece = book.luck.choice([one for ids in book.pieces.values() for one in ids])
    place = book.luck.choice([*book.ids("space", ""), "none"])
    return _amends(_some_paragraph(book), f"set {piece}.start = {place}")


def _set_cell(book: Book) -> str:
    luck = book.luck
    found = [t for t in book.tables if t.cells]
    if not found:
        return ""
    table = luck.choice(found)
    place = ", ".join(luck.choice(table.cells))
    if table.result is None:
        name, type_ = luck.choice(table.fields)
        value = {"number": "1", "flag": "yes"}.get(type_.kind) or luck.choice(book.enums[type_.name])
        return _amends(_some_paragraph(book), f"set table {table.name}[{place}].{name} = {value}")
    match table.result.kind:
        case "number":
            value = luck.choice(["1", "-1", "7"])
        case "flag":
            value = luck.choice(["yes", "no"])
        case "enum":
            value = luck.choice([*book.enums[table.result.name], "nonsense"])
        case _:
            value = '"another word"'
    return _amends(_some_paragraph(book), f"set table {table.name}[{place}] = {value}")


def _set_setting(book: Book) -> str:
    if not book.settings:
        return ""
    setting = book.luck.choice(book.settings)
    statement = f" {setting.name}"
    home = next(
        p for p in book.paragraphs if any(f"{statement}:" in s or f"{statement} =" in s for s in p.statements)
    )
    kind = home.statements[0].split()[0]
    match setting.type.kind:
        case "number":
            value = str(book.luck.randint(1, 4))
        case "flag":
            value = book.luck.choice(["true", "false"])
        case _:
            value = book.luck.choice(book.enums[setting.name])
    return _amends(home.number, f"set {kind} {setting.name} = {value}")


def _labelled(book: Book) -> str:
    if not book.labels:
        return ""
    number, label = book.luck.choice(book.labels)
    if book.maybe(0.6):
        return _amends(number, f'repeal "{label}"')
    home = next(p for p in book.paragraphs if p.number == number)
    if any(f'"{label}"' in s and s.startswith("forbid") for s in home.statements):
        name = next(s for s in home.statements if f'"{label}"' in s).split()[1]
        return _amends(number, f'replace "{label}": forbid {name} when {at(truth(talk_of(book), 1), OR)}')
    return _amends(number, f'replace "{label}": +2 when {at(truth(talk_of(book), 1), OR)}')


def _repeal(book: Book) -> str:
    luck = book.luck
    paragraph = luck.choice(book.paragraphs)
    if luck.random() < 0.4:
        return f"## repeals {paragraph.number}"
    begun = [
        s
        for s in paragraph.statements
        if s.split()[0] in ("forbid", "allow", "stop", "must", "after", "modify")
    ]
    if begun:
        return _amends(paragraph.number, f"repeal {' '.join(luck.choice(begun).split()[:4]).rstrip(':')}")
    return ""


def _more(book: Book) -> str:
    """A new line of a quantity, a new step after a phase, a new meaning."""
    luck = book.luck
    roll = luck.random()
    quantities = [s for s in book.sayings if s.kind == "quantity" and s.type == NUMBER]
    if quantities and roll < 0.4:
        quantity = luck.choice(quantities)
        line = contribution(book, talk_of(book, quantity.params), "", "down", False)
        return _amends(_some_paragraph(book), f"modify {quantity.name}", f"    {line}")
    if roll < 0.7:
        phase = luck.choice(book.phases)
        done = steps(Doing(talk_of(book, phase.params), 1, asks=luck.random() < 0.3), 1)
        new = f"9{luck.randint(0, 9)}"
        text = "\n".join([f"after phase {phase.name} ends:", *indented(done)])
        return f"## after {_some_paragraph(book)} \u2192 {new} New\nMore.\n```rules\n{text}\n```"
    paragraph = luck.choice(book.paragraphs)
    defines = [s for s in paragraph.statements if s.startswith("define")]
    if not defines:
        return _prose(book)
    head = defines[0].split(" =")[0].split(' "')[0]
    words = head.split("(")[0].split()  # a name may stand behind what it is said of: `unit is ready`
    known = next(s for s in book.sayings if s.kind == "define" and s.name in words)
    if known.type.kind != "flag":
        return _prose(book)
    talk = talk_of(book, known.params, known.secret)
    return f"## replaces {paragraph.number} Anew\nWords.\n```rules\n{head} = {at(truth(talk, 2), OR)}\n```"


SECTIONS = (
    _set_printed, _set_border, _set_start, _set_cell, _set_cell, _set_setting, _set_setting, _labelled,
    _labelled, _repeal, _more, _more,
)  # fmt: skip
