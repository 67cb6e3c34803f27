"""The language server as an editor meets it: quick after a keystroke, never wrong, and its fixes help."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rulesdsl.base.diagnostics import errors
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.editing.fixing import good_fixes
from rulesdsl.pipeline.workspace import Workspace
from tests.promises import Outcome

LARGEST = max(
    shipped_games(), key=lambda name: sum(p.stat().st_size for p in (data_dir("games") / name).rglob("*"))
)
MEDIAN, SLOWEST = 0.150, 0.400  # seconds after one keystroke: the median, and 95 of 100
ANSWER = 0.050  # seconds for completion and hover, the median
MENDED = 0.90
MISTAKEN = ("race_for_berlin", "tutorial/skirmish", "tutorial/connect_four", "tutorial/breakthrough")


def keystrokes(count: int) -> Outcome:
    """Single keystrokes in the largest game over standard input and output: messages, completion, hover.

    Judged is the server's own work: on a machine that others share the clock tells of them. Both are told."""
    from tests.checking.test_mistakes import rule_lines
    from tests.kit.lsp_client import Client

    outcome = Outcome()
    rng = random.Random(count)
    folder = data_dir("games") / LARGEST / "rules"
    waits: dict[str, list[Wait]] = {"messages": [], "completion": [], "hover": []}
    with Client() as client:
        paths = sorted(folder.glob("*.md"))
        texts = {path: path.read_text(encoding="utf-8") for path in paths}
        for path in paths:
            client.open(path)
        paths = [path for path in paths if rule_lines(texts[path])]
        client.at("completion", paths[0], rule_lines(texts[paths[0]])[0], 0)  # what is loaded once
        client.change(paths[0], f"{texts[paths[0]]}\n```rules\nwhn\n```\n")
        client.change(paths[0], texts[paths[0]])
        for _ in range(count):
            path = rng.choice(paths)
            lines = texts[path].split("\n")
            number = rng.choice(rule_lines(texts[path])) - 1
            column = rng.randrange(len(lines[number]) + 1)
            lines[number] = lines[number][:column] + rng.choice("aeiou xy.(") + lines[number][column:]
            _timed(waits["messages"], client.server.pid, client.change, path, "\n".join(lines))
            _timed(waits["completion"], client.server.pid, client.at, "completion", path, number, column + 1)
            _timed(waits["hover"], client.server.pid, client.at, "hover", path, number, column)
            client.change(path, texts[path])
            outcome.done += 1
    told = [f"load {os.getloadavg()[0]:.1f}"]
    for what, found in waits.items():
        median, late = _spread([wait.work for wait in found])
        clock, late_clock = _spread([wait.clock for wait in found])
        told.append(
            f"{what}: median {median * 1000:.0f} ms of processor, 95 % in {late * 1000:.0f} "
            f"({clock * 1000:.0f} and {late_clock * 1000:.0f} by the clock)"
        )
        if median > (MEDIAN if what == "messages" else ANSWER) or (what == "messages" and late > SLOWEST):
            outcome.failure(told[-1])
    outcome.note = "; ".join(told)
    return outcome


class Wait(NamedTuple):
    """Seconds until the answer, and those that the server worked for it."""

    clock: float
    work: float


def _spread(seconds: list[float]) -> tuple[float, float]:
    """The median, and what 95 of 100 stay under."""
    seconds = sorted(seconds)
    return seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]


def _timed(waits: list[Wait], pid: int, ask: Callable[..., Any], *given: Any) -> None:
    begun, worked = time.perf_counter(), _worked(pid)
    ask(*given)
    clock = time.perf_counter() - begun
    waits.append(Wait(clock, clock if worked is None else (_worked(pid) or worked) - worked))


def _worked(pid: int) -> float | None:
    """Processor seconds of all threads of a process; None where the system does not tell."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/schedstat"))
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9 if tasks else None
    except OSError:
        return None


def typed_edits(count: int) -> Outcome:
    """Random edits: what the server says is what a fresh check says, and it lives on."""
    from tests.checking.test_workspace import edited
    from tests.kit.lsp_client import Client

    outcome = Outcome()
    rng = random.Random(count)
    games = ("tutorial/skirmish", "tutorial/breakthrough", "tutorial/hex")
    with Client() as client:
        texts: dict[Path, str] = {}
        for name in games:
            for path in sorted((data_dir("games") / name / "rules").glob("*.md")):
                texts[path] = path.read_text(encoding="utf-8")
                client.open(path)
        for _ in range(count):
            path = rng.choice(list(texts))
            after = edited(rng, texts[path])
            told = sorted(message["message"].split("\nhelp: ")[0] for message in client.change(path, after))
            if told != _fresh(path, after):
                outcome.failure(f"{path.name}: {told[:2]}")
            client.change(path, texts[path])
            outcome.done += 1
    if client.server.returncode or any("Traceback" in line for line in client.complaints):
        outcome.failure(f"the server ended with {client.server.returncode}: {client.complaints[-1:]}")
    return outcome


def _fresh(path: Path, text: str) -> list[str]:
    workspace = Workspace(path.parent.parent)
    workspace.edit(path, text)
    return sorted(p.message for p in workspace.problems() if p.span.file.path == path)


def features(count: int) -> Outcome:
    """Every feature of the server on every shipped game (the first `count` of them)."""
    from tests.editing.test_lsp import everything, hold
    from tests.kit.lsp_client import Client

    outcome = Outcome()
    with Client() as client:
        for name in list(shipped_games())[:count]:
            outcome.done += 1
            try:
                hold(everything(client, name))
            except (AssertionError, RuntimeError) as error:
                outcome.failure(f"{name}: {str(error)[:300]}")
    return outcome


def fixes(count: int) -> Outcome:
    """Seeded slips with a help line: the offered change removes the message and makes no new one."""
    from tests.editing.test_editing import seeded

    outcome = Outcome()
    rng = random.Random(count)
    workspaces = [Workspace(data_dir("games") / name) for name in MISTAKEN]
    for workspace in workspaces:
        workspace.problems()
    mended = 0
    while outcome.done < count:
        workspace = rng.choice(workspaces)
        slip = seeded(workspace, rng)
        if slip is None:
            continue
        path, text, broken = slip
        workspace.edit(path, broken)
        wrong = workspace.problems()
        if any(problem.help for problem in errors(wrong)):
            outcome.done += 1
            mended += any(good_fixes(workspace, problem, wrong) for problem in errors(wrong)[:3])
        workspace.edit(path, text)
    outcome.note = f"{mended / count:.1%} mended"
    if mended / count < MENDED:
        outcome.failure(outcome.note)
    return outcome
