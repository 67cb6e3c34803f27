"""Lines above the text: run this example, which house rules amend this, which readings matter here."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.outline import fences
from rulesdsl.language import syntax as sx


@dataclass(frozen=True, slots=True)
class Lens:
    """`command` is empty where there is nothing to do but read."""

    line: int
    title: str
    command: str = ""
    argument: str = ""


def lenses(desk: Desk, path: Path) -> list[Lens]:
    """Everything to be shown above lines of a chapter or house rule."""
    if path.suffix != ".md":
        return []
    source, ctx, _ = desk.view(path)
    file = SourceFile(path, desk.text(path))
    found = [
        Lens(first - 1, "run this example", "runExample")
        for kind, first, _ in fences(file)
        if kind == "example"
    ]
    amending = amended_by(desk)
    for chapter in source.chapters:
        if chapter.file.path != path:
            continue
        for paragraph in chapter.paragraphs:
            line = paragraph.span.line
            if file.line(line) != chapter.file.line(line):
                continue
            for house in amending.get(paragraph.id, ()):
                found.append(Lens(line, f"amended by {house.stem}", "openFile", str(house)))
            readings = sorted(
                _settings(paragraph) & {n for n, s in ctx.settings.items() if s.kind == "reading"}
            )
            if readings:
                told = ", ".join(f"{name} = {_value(ctx.settings[name])}" for name in readings)
                found.append(Lens(line, f"readings that matter here: {told}"))
            if paragraph.rules:
                found.append(Lens(line, "amend in a house rule", "amend", paragraph.id))
    return sorted(found, key=lambda lens: (lens.line, lens.title))


def amended_by(desk: Desk) -> dict[str, list[Path]]:
    """House rules by the paragraphs they touch."""
    found: dict[str, list[Path]] = {}
    for path in desk.house_files():
        rule = desk.house_rule(path)
        for number in dict.fromkeys(section.anchor or section.paragraph for section in rule.sections):
            found.setdefault(number, []).append(path)
    return found


def _settings(paragraph: sx.Paragraph) -> set[str]:
    """Names that a paragraph asks for, and readings that it declares; not those that cannot be switched."""
    asked = {part.id for rule in paragraph.rules for part in sx.walk(rule) if isinstance(part, sx.Name)}
    own = {rule.name: rule.settled for rule in paragraph.rules if isinstance(rule, sx.Reading)}
    return (asked | own.keys()) - {name for name, settled in own.items() if settled}


def _value(setting: object) -> str:
    alternatives, default = getattr(setting, "alternatives", ()), getattr(setting, "default", 0)
    return str(alternatives[int(default)]) if alternatives else str(default)
