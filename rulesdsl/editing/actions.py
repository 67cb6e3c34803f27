"""What a key could do here: the fixes of the messages at a place, and what an author often wants next."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.fixes import Fix
from rulesdsl.base.lightclass import dataclass
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.drafting import changed_chapter, example_below, second_face
from rulesdsl.editing.fixing import good_fixes
from rulesdsl.editing.locating import spot


@dataclass(frozen=True, slots=True)
class Action:
    """A fix of a message, or a change nobody has asked for yet; `command` where somebody else makes it."""

    fix: Fix
    problem: Diagnostic | None = None
    command: str = ""


def actions(desk: Desk, path: Path, first: int, last: int) -> list[Action]:
    """Everything that can be done for some lines of a file. A fix is offered when it keeps its promise."""
    found: list[Action] = []
    workspace = desk.workspace_of(path)
    problems = desk.with_house(path) if desk.is_house(path) else desk.problems()
    for problem in problems:
        own = problem.span.file.path == path and problem.span.line <= last
        if own and (problem.span.end_line or problem.span.line) >= first:
            found += [Action(fix, problem) for fix in good_fixes(workspace, problem, problems)]
    if path.suffix == ".md" and spot(desk.text(path), first, 1).block == "rules":
        fix = example_below(desk, path, first)
        found += [Action(fix)] if fix is not None else []
        found.append(
            Action(Fix("add an example from the position of the last kept game", ()), None, "exampleFromGame")
        )
    if changed_chapter(desk, path):
        title = "turn my changes of this chapter into a house rule"
        found.append(Action(Fix(title, ()), None, "houseRuleOfChanges"))
    face = second_face(desk, path, first)
    return [*found, Action(face)] if face is not None else found
