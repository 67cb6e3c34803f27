"""Games played some way and saved, and files changed as a forger would change them."""

from __future__ import annotations

import re
from pathlib import Path

from interpreter.keeping.save_file import Chain
from rulesdsl import Session

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"


def played(decisions: int = 20, seed: int = 5) -> Session:
    session = Session.start(PATROL, seed=seed)
    for number in range(decisions):
        session.choose(session.options[(number * 7) % len(session.options)])
    return session


def rewritten(path: Path, change: object) -> Path:
    """The file with its lines changed and all checksums made anew: what a forger would do."""
    lines = [re.sub(r" #[0-9a-f]{12}$", "", line) for line in path.read_text().splitlines()]
    chain = Chain()
    path.write_text("".join(chain.line(line) for line in change(lines)))  # type: ignore[operator]
    return path
