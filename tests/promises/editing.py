"""The language server as an editor meets it: quick after a keystroke, never wrong, and its fixes help."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from rulesdsl.base.diagnostics import Diagnostic, UsageError, errors
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.book.texts import belongs
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.fixing import good_fixes
from rulesdsl.editing.renaming import all_texts, rename
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.pipeline.workspace import Workspace
from tests.promises import Outcome
from tests.promises.keeping import FAILED, Attempt, Broken, answers

LARGEST = max(
    shipped_games(), key=lambda name: sum(p.stat().st_size for p in (data_dir("games") / name).rglob("*"))
)
MEDIAN, SLOWEST = 0.150, 0.400  # seconds after one keystroke: the median, and 95 of 100
ANSWER = 0.050  # seconds for completion and hover, 95 of 100
MENDED = 0.90
OFFERED = 0.95  # of the words that stand somewhere, in each kind of file
SEVERAL, DECISIONS = 5, 150  # files in which a word that is renamed stands; decisions of the game played
RENAMED = (
    "define", "quantity", "action", "route", "procedure", "attribute", "value", "noun", "setting", "thing",
    "track", "field",
)  # fmt: skip
LONG_WAIT = 1800.0  # seconds: a long measurement runs beside other work
EDITS, TAKEN_BACK = 100, 0.7  # edits of one server; the share that is taken back at once
MISTAKEN = ("race_for_berlin", "tutorial/skirmish", "tutorial/connect_four", "tutorial/breakthrough")

Built = TypeVar("Built")


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
        words = {
            path: [
                (number - 1, found.start() + 1)
                for number in rule_lines(texts[path])
                for found in re.finditer(r"[a-z_]{3,}", texts[path].split("\n")[number - 1])
            ]
            for path in paths
        }
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
            word = rng.choice([one for one in words[path] if one[0] != number])  # where nobody has typed
            _timed(waits["hover"], client.server.pid, client.at, "hover", path, *word)
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
        if median > (MEDIAN if what == "messages" else ANSWER) or late > (
            SLOWEST if what == "messages" else ANSWER
        ):
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
    """Random edits in chapters, data and house rules, some of them left as they are while the next are made:
    what the server says of every open file is what a fresh check says, and it lives on. In parts of one
    server and one game each; every tenth part is a large game, whose fresh checks take longest."""
    small = [name for name in shipped_games() if "/" in name]
    large = [name for name in shipped_games() if "/" not in name]
    attempts = []
    for number in range(-(-count // EDITS)):
        kind, which = (large, number // 10) if number % 10 == 9 else (small, number - number // 10)
        edits = min(EDITS, count - number * EDITS)
        attempts.append((f"part {number}", partial(_edited_part, kind[which % len(kind)], number, edits)))
    outcome = Outcome()
    wrong = 0
    for name, answer in answers("typed-edits", attempts):
        if answer.startswith(FAILED):
            outcome.failure(f"{name}: {answer.removeprefix(FAILED)}")
            continue
        edits, complained = json.loads(answer)
        outcome.done += edits
        wrong += complained
    outcome.note = f"after {wrong} of them something was wrong"
    return outcome


def _edited_part(game: str, number: int, edits: int) -> str:
    from tests.checking.test_workspace import edited
    from tests.kit.lsp_client import Client

    rng = random.Random(number)
    folder = data_dir("games") / game
    house = sorted((folder / "house").glob("*.md"))
    house = house[number % len(house) :][:1] if house else []
    paths = [*sorted((folder / "rules").glob("*.md")), *sorted(folder.glob("*.yaml")), *house]
    paths = [path for path in paths if path in house or belongs(folder, path)]
    printed = {path: path.read_text(encoding="utf-8") for path in paths}
    texts = dict(printed)
    fresh = FreshChecks(folder, house)
    complained = 0
    with Client(patience=LONG_WAIT) as client:
        client.open_all(paths)
        for _ in range(edits):
            path = rng.choice(paths)
            texts[path] = edited(rng, texts[path])
            found = client.change_all(path, texts[path])
            wanted = fresh.messages(texts)
            for one in paths:
                told = _told(found[one])
                if told != wanted[one]:
                    raise Broken(f"{game}, {one.name}: {told[:3]} instead of {wanted[one][:3]}")
            complained += any(found.values())
            if rng.random() < TAKEN_BACK:  # whoever takes back does not wait for an answer
                texts[path] = printed[path]
                client.type(path, texts[path])
    if client.server.returncode or any("Traceback" in line for line in client.complaints):
        raise Broken(f"{game}: the server ended with {client.server.returncode}: {client.complaints[-1:]}")
    return json.dumps([edits, complained])


def _told(messages: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return sorted(
        (one["range"]["start"]["line"] + 1, one["message"].split("\nhelp: ")[0]) for one in messages
    )


class FreshChecks:
    """Checks that know nothing of what was typed before. Only printed texts are read once: what is made of
    them depends on nothing else, and whatever was edited is read from its first character on."""

    def __init__(self, folder: Path, house: list[Path]) -> None:
        self.folder, self.house = folder, house
        self._printed: dict[tuple[str, Path], tuple[str, Any]] = {}

    def messages(self, texts: dict[Path, str]) -> dict[Path, list[tuple[int, str]]]:
        """By file; of a house rule, what a check of the game with it says about that file."""
        rules = {path: text for path, text in texts.items() if path not in self.house}
        problems = self._workspace(rules, ()).problems()
        found = {path: _of(path, problems) for path in rules}
        for path in self.house:
            found[path] = _of(path, self._workspace({**rules, path: texts[path]}, (path,)).problems())
        return found

    def _workspace(self, texts: dict[Path, str], house: tuple[Path, ...]) -> Workspace:
        workspace = Forgetful(self.folder, house, self._printed)
        for path, text in texts.items():
            workspace.edit_house(path, text) if path in house else workspace.edit(path, text)
        return workspace


class Forgetful(Workspace):
    """A workspace that reads every text anew, but for those that it is handed."""

    def __init__(
        self, folder: Path, house: tuple[Path, ...], printed: dict[tuple[str, Path], tuple[str, Any]]
    ) -> None:
        super().__init__(folder, house=house)
        self._printed = printed

    def _remembered(self, kind: str, file: SourceFile, read: Callable[[], Built], /) -> Built:
        known = self._printed.get((kind, file.path))
        if known is None:  # the first check of a part is that of the printed texts
            known = self._printed[kind, file.path] = (file.path.read_text(encoding="utf-8"), None)
        if known[0] != file.text:
            return read()
        if known[1] is None:
            known = self._printed[kind, file.path] = (file.text, read())
        made: Any = known[1]
        result: Built = made
        return result


def _of(path: Path, problems: list[Diagnostic]) -> list[tuple[int, str]]:
    return sorted((p.span.line, p.message) for p in problems if p.span.file.path == path)


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


def completions(count: int) -> Outcome:
    """In so many places of each kind of file of every shipped game: the word that stands there is offered."""
    from tests.editing.test_editing import offered

    outcome = Outcome()
    rng = random.Random(count)
    kinds: dict[str, list[int]] = {}
    for name in shipped_games():
        desk = Desk(data_dir("games") / name)
        places: dict[str, list[Occurrence]] = {}
        for one in desk.everywhere():
            path = one.span.file.path
            folder = path.parent.name if path.parent != desk.directory else path.name
            if not one.declares and one.span.text.isidentifier():  # a word: no "one of a, b"
                places.setdefault(folder, []).append(one)
        for kind, found in places.items():
            chosen = rng.sample(found, min(count, len(found)))
            hits = sum(offered(desk, one) for one in chosen)
            known = kinds.setdefault(kind, [0, 0])
            known[:] = [known[0] + hits, known[1] + len(chosen)]
            outcome.done += len(chosen)
    outcome.note = ", ".join(f"{kind} {hits} of {of}" for kind, (hits, of) in sorted(kinds.items()))
    for kind, (hits, of) in kinds.items():
        if hits < of * OFFERED and of - hits > 1:
            outcome.failure(f"{kind}: {hits} of {of}")
    return outcome


def renames(count: int) -> Outcome:
    """Words that stand in five files or more get another name: the game and its house rules check as before,
    and the same random game is played, state by state. A name that nobody uses may not be refused. Left out
    are games with modules, whose words have the names that a module asks for, and codes of a letter or two,
    which tables put together with numbers (`D2`)."""
    rng = random.Random(count)
    large = [name for name in shipped_games() if not _has_modules(name)]
    attempts: list[Attempt] = []
    while len(attempts) < count and large:
        name = large[len(attempts) % len(large)]
        if often := _often(name):
            place = rng.choice(often)
            attempts.append((f"{len(attempts)}: {name} {place.symbol}", partial(_renamed, name, place)))
        else:
            large.remove(name)
    outcome = Outcome()
    for what, answer in answers("renames", attempts):
        outcome.done += 1
        if answer.startswith(FAILED):
            outcome.failure(f"{what}: {answer.removeprefix(FAILED)}")
    return outcome


def _has_modules(name: str) -> bool:
    return "\nmodules:" in (data_dir("games") / name / "game.yaml").read_text(encoding="utf-8")


@cache
def _often(name: str) -> list[Occurrence]:
    """Where the words are declared that stand in several files of a game."""
    files: dict[Symbol, set[Path]] = {}
    declared: dict[Symbol, Occurrence] = {}
    for one in Desk(data_dir("games") / name).everywhere():
        files.setdefault(one.symbol, set()).add(one.span.file.path)
        if one.declares and one.symbol.kind in RENAMED:
            declared.setdefault(one.symbol, one)
    often = [
        place
        for symbol, place in declared.items()
        if len(files[symbol]) >= SEVERAL and len(symbol.word) > 2 and symbol.word.isidentifier()
    ]
    return sorted(often, key=lambda o: o.symbol)


def _renamed(name: str, place: Occurrence) -> str:
    from tests.editing.test_editing import hashes_of

    printed = data_dir("games") / name
    with TemporaryDirectory() as folder:
        game = Path(folder) / printed.name
        shutil.copytree(printed, game)
        desk = Desk(game)
        new = f"{place.symbol.word}_anew"
        where = game / place.span.file.path.relative_to(printed)
        try:
            edits = rename(desk, where, place.span.line, place.span.column, new)
        except UsageError as error:
            raise Broken(f"refused: {error}") from None
        before = hashes_of(game, DECISIONS)
        told = len(desk.problems())
        of_house = {house: len(desk.with_house(house)) for house in desk.house_files()}
        changed = all_texts(desk, edits)
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
        if len(problems := Workspace(game).problems()) > told:
            raise Broken(f"{problems[0].message} ({problems[0].span.file.path.name})")
        for house, count in of_house.items():
            if len(Workspace(game, house=(house,)).problems()) > count:
                raise Broken(f"with {house.name} something is wrong")
        if hashes_of(game, DECISIONS) != before:
            raise Broken("it is another game")
    return f"{len(edits)} places in {len(changed)} files"


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
