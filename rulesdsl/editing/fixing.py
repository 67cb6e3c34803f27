"""Fixes that keep their promise: applied to a copy of the game and checked before they are offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError
from rulesdsl.base.fixes import Edit, Fix, applied
from rulesdsl.pipeline.workspace import Workspace

Texts = dict[Path, str]


def good_fixes(workspace: Workspace, problem: Diagnostic, before: Sequence[Diagnostic]) -> list[Fix]:
    """Those of the proposed changes after which the message is gone and no other has come, the best first."""
    found = [
        (left, fix) for fix in problem.fixes if (left := _left(workspace, fix, problem, before)) is not None
    ]
    return [fix for _, fix in sorted(found, key=lambda entry: entry[0])]


def _left(workspace: Workspace, fix: Fix, problem: Diagnostic, before: Sequence[Diagnostic]) -> int | None:
    """How many problems are left after a fix; None when it does not do what it says."""
    try:
        texts = changed_texts(workspace, fix.edits)
        after = tried(workspace, texts)
    except (UsageError, RulebookError):
        return None
    known, now = Counter(map(_said, before)), Counter(map(_said, after))
    if now - known or now[_said(problem)] >= known[_said(problem)]:
        return None
    return len(after)


def _said(problem: Diagnostic) -> tuple[str, str, str]:
    """A message wherever it stands: lines may move."""
    return problem.code, problem.message, problem.span.file.path.name


class HasTexts(Protocol):
    """Whoever knows the texts of files as they are now."""

    def text(self, path: Path) -> str: ...


def changed_texts(workspace: HasTexts, edits: Iterable[Edit]) -> Texts:
    """The files that edits change, as they are then."""
    by_file: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file.path, []).append(edit)
    return {path: applied(workspace.text(path), made) for path, made in by_file.items()}


def tried(workspace: Workspace, texts: Texts) -> list[Diagnostic]:
    """What would be wrong with other texts; the workspace is as before afterwards."""
    before = {path: workspace.text(path) for path in texts}
    try:
        _put(workspace, texts)
        return workspace.problems()
    finally:
        _put(workspace, before)


def _put(workspace: Workspace, texts: Texts) -> None:
    for path, text in texts.items():
        if path in workspace.house:
            workspace.edit_house(path, text)
        else:
            workspace.edit(path, text)


def repaired(workspace: Workspace, most: int = 200) -> tuple[Texts, list[tuple[Diagnostic, Fix]]]:
    """The files of a game with every fix made that can be made, and what was done; nothing is written."""
    done: list[tuple[Diagnostic, Fix]] = []
    texts: Texts = {}
    problems = workspace.problems()
    hopeless: set[tuple[str, str, str]] = set()
    while len(done) < most:
        problem = next((p for p in problems if p.fixes and _said(p) not in hopeless), None)
        if problem is None:
            break
        fixes = good_fixes(workspace, problem, problems)
        if not fixes:
            hopeless.add(_said(problem))
            continue
        made = changed_texts(workspace, fixes[0].edits)
        _put(workspace, made)
        texts |= made
        done.append((problem, fixes[0]))
        problems = workspace.problems()
    return texts, done
