"""Our places and messages as the protocol has them: lines and characters from 0, characters in UTF-16."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.fixes import Edit
from rulesdsl.base.source import SourceFile, Span


def path_of(uri: str) -> Path:
    """The file a client speaks of."""
    parsed = urlparse(uri)
    return Path(unquote(parsed.path)) if parsed.scheme in ("file", "") else Path(unquote(parsed.path or uri))


def uri_of(path: Path) -> str:
    return path.absolute().as_uri()


def units(text: str) -> int:
    """How long a text is for a client: characters beyond the first 65,536 count twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def position(line_text: str, line: int, column: int) -> lsp.Position:
    return lsp.Position(line - 1, units(line_text[: column - 1]))


def column_of(line_text: str, character: int) -> int:
    """The column of a character the client counts."""
    counted = 0
    for number, one in enumerate(line_text):
        if counted >= character:
            return number + 1
        counted += 2 if one > "\uffff" else 1
    return len(line_text) + 1


def range_of(span: Span) -> lsp.Range:
    file = span.file
    last = span.end_line or span.line
    end = span.end_column if span.end_column else span.column
    if last > len(file.lines):
        return lsp.Range(position(file.line(span.line), span.line, span.column), lsp.Position(last - 1, 0))
    return lsp.Range(
        position(file.line(span.line), span.line, span.column), position(file.line(last), last, end)
    )


def location(span: Span) -> lsp.Location:
    return lsp.Location(uri_of(span.file.path), range_of(span))


def diagnostic(problem: Diagnostic) -> lsp.Diagnostic:
    """A message with its second places and its help."""
    severity = lsp.DiagnosticSeverity.Error if problem.severity == "error" else lsp.DiagnosticSeverity.Warning
    text = problem.message + (f"\nhelp: {problem.help}" if problem.help else "")
    also = [
        lsp.DiagnosticRelatedInformation(location(span), label)
        for label, span in problem.also
        if span.file.text
    ]
    return lsp.Diagnostic(
        range=range_of(problem.span), message=text, severity=severity, code=problem.code, source="rulesdsl",
        related_information=also or None,
        data={"help": problem.help, "rule": problem.paragraph, "fixes": [fix.title for fix in problem.fixes]},
    )  # fmt: skip


def workspace_edit(edits: list[Edit] | tuple[Edit, ...]) -> lsp.WorkspaceEdit:
    changes: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        made = lsp.TextEdit(range_of(edit.span), edit.text)
        changes.setdefault(uri_of(edit.span.file.path), []).append(made)
    return lsp.WorkspaceEdit(changes=changes)


def whole_file(path: Path, text: str) -> lsp.Range:
    lines = SourceFile(path, text).lines
    return lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines) - 1, units(lines[-1])))
