"""The real program in a real terminal, driven by tmux: start, choose, why, undo, save, quit, go on."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.keeping.saves import load

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds; a busy machine is no failure

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="tmux is not installed (apt-get install tmux)"
)


class Terminal:
    """A screen of 80 columns and 24 lines with the program in it."""

    def __init__(self, socket: Path, home: Path) -> None:
        self.base = ["tmux", "-S", str(socket), "-f", os.devnull]
        self.home = home

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run([*self.base, *arguments], capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout

    def start(self, *arguments: str) -> None:
        words = [
            "env", f"PYTHONPATH={ROOT}", f"HOME={self.home}", f"XDG_DATA_HOME={self.home}", "TERM=xterm",
            sys.executable, "-m", "rulesdsl", *arguments,
        ]  # fmt: skip
        line = f"{shlex.join(words)}; echo exit code $?; sleep 100"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:  # a server that is just going away may take the session with it
            self.tmux("new-session", "-d", "-s", "table", "-x", "80", "-y", "24", "bash", "-c", line)
            if self.tmux("list-sessions", "-F", "#S").strip() == "table":
                break
            time.sleep(0.2)
        self.tmux("set-option", "-g", "history-limit", "5000")

    def type(self, line: str) -> None:
        self.tmux("send-keys", "-t", "table", "-l", line)
        self.tmux("send-keys", "-t", "table", "Enter")

    def press(self, key: str) -> None:
        self.tmux("send-keys", "-t", "table", key)

    def text(self) -> str:
        """Everything that has been on the screen."""
        return self.tmux("capture-pane", "-t", "table", "-p", "-J", "-S", "-5000")

    def wait_for(self, pattern: str, after: str = "") -> str:
        """The screen as soon as the pattern is there, behind the last `after`."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            text = self.text()
            if re.search(pattern, text[text.rfind(after) :] if after else text):
                return text
            time.sleep(0.1)
        raise AssertionError(f"{pattern!r} did not come; the screen:\n{self.text()}")

    def stop(self) -> None:
        self.tmux("kill-server")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    # not below tmp_path: the name of a socket may be no longer than about a hundred characters
    socket = Path(f"/tmp/rulesdsl-test-{os.getpid()}-{time.monotonic_ns()}")
    found = Terminal(socket, tmp_path)
    yield found
    found.stop()
    socket.unlink(missing_ok=True)


def test_an_evening(terminal: Terminal, tmp_path: Path) -> None:
    """Start, choose, why, undo, save, quit; go on later in the same position."""
    file = tmp_path / "evening.save"
    terminal.start("play", "tutorial/skirmish", "--seed", "1", "--seat", "blue=human", "--save", str(file))
    terminal.wait_for(r"Blue: who marches\?")
    terminal.type("guards")
    terminal.wait_for(r"march of Guards")
    terminal.type("why 1")
    terminal.wait_for(r"offered by 4.1 Marching", after="> why 1")
    terminal.type("why not depot")
    terminal.wait_for(r"4\.1", after="> why not depot")
    terminal.type("undo")
    terminal.wait_for(r"who marches\?", after="taken back: 1 decision")
    terminal.type("hussars")
    terminal.wait_for(r"march of Hussars")
    copy = tmp_path / "copy.save"
    terminal.type(f"save {copy}")
    terminal.wait_for(r"saved in")
    terminal.type("quit")
    terminal.wait_for(r"exit code 0")
    assert f"--save {file}" in terminal.text().replace("\n", "")
    terminal.stop()
    kept, copied = load(file), load(copy)
    assert kept.choices == copied.choices
    assert len(kept.choices) == 1
    assert kept.hash == copied.hash

    terminal.start("play", "--save", str(file), "--seat", "blue=human")
    screen = terminal.wait_for(r"march of Hussars")
    assert "going on after 1 decision)" in screen
    terminal.type("1")
    terminal.wait_for(r"Hussars →")
    terminal.type("undo")
    terminal.wait_for(r"taken back: 1 decision")
    terminal.type("quit")
    terminal.wait_for(r"exit code 0")
    assert load(file).hash == kept.hash


def test_ctrl_c_leaves_a_save_that_goes_on(terminal: Terminal) -> None:
    terminal.start("play", "tutorial/tic_tac_toe", "--seed", "1", "--seat", "all=human")
    terminal.wait_for(r"Cross: .*\(2")
    terminal.type("b2")
    terminal.wait_for(r"Nought: .*\(2")
    terminal.press("C-c")
    screen = terminal.wait_for(r"exit code 130")
    assert "Traceback" not in screen
    (file,) = terminal.home.rglob("tic_tac_toe*.save")
    assert load(file).choices == ["mark_cell:b2"]


def test_the_curtain_between_two_people(terminal: Terminal) -> None:
    """Skirmish has secrets: the screen is cleared before the other one looks."""
    terminal.start("play", "tutorial/skirmish", "--seed", "1", "--seat", "all=human")
    terminal.wait_for(r"Blue: who marches\?")
    terminal.type("march with hussars")
    terminal.wait_for(r"the next step")
    terminal.type("orchard")
    terminal.wait_for(r"halt here")
    terminal.type("halt here")
    terminal.wait_for(r"Blue: who marches\?", after="the next step")
    terminal.type("end of movement")
    terminal.wait_for(r"which zone is attacked\?")
    terminal.type("end of combat")
    screen = terminal.wait_for(r"Red, it is your turn\. .* Press Enter")
    assert "which zone is attacked" not in screen, "not even by scrolling back"
    terminal.press("Enter")
    screen = terminal.wait_for(r"Red: who marches\?")
    assert "your tokens: Morning mist; Blue holds 0" in screen
    assert "board" in screen
    assert "Hussars →" in screen, "what the other one did is told behind the curtain"


def test_a_narrow_terminal_without_colours(terminal: Terminal) -> None:
    terminal.start("play", "tutorial/hex", "--seed", "1", "--seat", "all=human")
    screen = terminal.wait_for(r"Red: .*\(2")
    assert max(map(len, screen.splitlines())) <= 80
    terminal.type("quit")
    terminal.wait_for(r"exit code 0")
