"""What has happened, in lines: the log, and what somebody chose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from interpreter.acts.story import Line
from interpreter.playing.session import LogEntry, Option, Session
from rulesdsl.cli.play.board import Board
from rulesdsl.cli.play.screen import player_name
from rulesdsl.speaking.clauses.words import told
from rulesdsl.speaking.say.happenings import under

CHANGES = ("set", "mark", "unmark", "move", "place", "remove", "flip")
HANG = 4  # columns by which a line goes on further in than it began


def log_lines(entries: Iterable[LogEntry]) -> list[Text]:
    """Each entry with its paragraph at the end; phases stand out, and what changes alike for several things
    is told once."""
    lines = []
    for entry in _together(entries):
        line = Text("— " if entry.kind == "phase" else "  ", style="bold" if entry.kind == "phase" else "")
        line.append(entry.text)
        line.append(f"  ({entry.paragraph})" if entry.paragraph else "", style="dim")
        lines.append(line)
    return lines


def _together(entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Entries in a row that say the same of one thing after the other, as one: `A, B: turned`."""
    waiting: LogEntry | None = None
    for entry in entries:
        what, said = _alike(entry), _alike(waiting) if waiting is not None else None
        if waiting is not None and what is not None and what == said:
            clause = under(f"{waiting.parted[0]}, {entry.parted[0]}", what[2])
            things = (*waiting.things, *entry.things)
            waiting = replace(waiting, text=told(clause), things=things, clause=clause)
            continue
        if waiting is not None:
            yield waiting
        waiting = entry
    if waiting is not None:
        yield waiting


def _alike(entry: LogEntry) -> tuple[str, str, str] | None:
    """What must be the same in two entries that become one; None for those that stay by themselves."""
    name, what = entry.parted
    return (entry.kind, entry.paragraph, what) if name and entry.kind.split()[0] in CHANGES else None


def story_lines(session: Session, lines: Iterable[Line]) -> list[Text]:
    """One line an act: whose it was in his colour, phases bold, the paragraphs at the end."""
    board = Board(session, session.view(None))
    rows = []
    for line in lines:
        if line.kind == "phase":
            text = Text(f"— {line.text}", style="bold")
        else:
            name = line.text.removesuffix(line.acted) if line.who else ""
            text = Text("  ").append(name.removesuffix(": "), style=board.seat_style(line.who))
            text.append(f": {line.acted}" if name else line.text)
        text.append(f"  ({', '.join(line.rules)})" if line.rules else "", style="dim")
        rows.append(text)
    return rows


def choice_line(session: Session, option: Option, again: bool, remark: str = "") -> Text:
    """Somebody's choice, with what was asked; when the same is asked `again`, only with its paragraph."""
    prompt = session.prompt
    assert prompt is not None
    parts = [part for part in ("" if again else prompt.text, prompt.paragraph, remark) if part]
    line = Text(f"{player_name(session, prompt.player)}: {option.text}", style="italic")
    return line.append(f"  ({', '.join(parts)})" if parts else "", style="dim")


def hanging(lines: Iterable[Text], console: Console, width: int) -> Iterator[Text]:
    """Lines that are too long, broken so that one sees where the next one begins."""
    for line in lines:
        if line.cell_len <= width:
            yield line
            continue
        hang = max(HANG, len(line.plain) - len(line.plain.lstrip()) + 2)
        for number, row in enumerate(line.wrap(console, width - hang)):
            row.rstrip()
            yield Text(" " * hang if number else "", style=line.style).append_text(row)
