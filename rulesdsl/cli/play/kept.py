"""The games that are kept: found by a part of their names, the last one first."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.keeping import games_directory
from rulesdsl.cli.play.tongue import t

LAST = "last"
MOST = 12


def kept_games() -> list[Path]:
    """Every kept game, the one played last first."""
    directory = games_directory()
    found = [path for path in directory.glob("*.save") if path.is_file()] if directory.is_dir() else []
    return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))


def find_kept(name: str) -> Path:
    """The kept game meant by a part of its name; `last` is the one played last."""
    games = kept_games()
    if not games:
        raise UsageError(t("no game is kept yet: rulesdsl play begins one"))
    if name == LAST:
        return games[0]
    wanted = name.casefold().removesuffix(".save")
    exact = [path for path in games if path.stem.casefold() == wanted]
    found = exact or [path for path in games if all(word in path.stem.casefold() for word in wanted.split())]
    if len(found) == 1:
        return found[0]
    listed = "".join(f"\n  {line}" for line in listing(found or games))
    problem = t('no kept game is called "{}"', name) if not found else t('"{}" may be one of several', name)
    raise UsageError(t("{}; there are:{}", problem, listed))


def listing(games: list[Path]) -> list[str]:
    """A line for each: its name, and when it was played last."""
    lines = [
        f"{path.stem}   {datetime.fromtimestamp(path.stat().st_mtime):%d %b %H:%M}" for path in games[:MOST]
    ]
    return [*lines, t("… and {} older ones", len(games) - MOST)] if len(games) > MOST else lines
