"""Where the grammar and the shipped games lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.diagnostics import UsageError, did_you_mean

GAME_FILE = "game.yaml"
_PACKAGE = Path(__file__).resolve().parent.parent


def data_dir(name: str) -> Path:
    """The directory `grammar` or `games`, wherever this installation keeps it."""
    places = (_PACKAGE.parent / name, _PACKAGE / "_data" / name)
    for place in places:
        if place.is_dir():
            return place
    raise UsageError(f'this installation has no directory "{name}"; looked in {places[0]} and {places[1]}')


def shipped_games() -> list[str]:
    """The names of the games that came with this installation, such as `tutorial/hex`."""
    root = data_dir("games")
    found = (path.parent.relative_to(root).as_posix() for path in root.glob(f"**/{GAME_FILE}"))
    return sorted(name for name in found if name != ".")


def find_game(name_or_path: str | Path) -> Path:
    """The directory of a game, given its shipped name or a path to a directory anywhere.

    A path wins over a name only when it really holds a game: a directory called `hex` that happens
    to stand in the current directory must not hide a shipped game.
    """
    wanted = str(name_or_path)
    path = Path(wanted)
    try:
        if wanted and (path / GAME_FILE).is_file():
            return path
        # Someone who completes file names with the tab key may name the file itself.
        if path.name == GAME_FILE and path.is_file():
            return path.parent
        is_directory = bool(wanted) and path.is_dir()
    except (OSError, ValueError):  # a name too long, or with a zero byte, is simply not a path
        is_directory = False
    shipped = shipped_games()
    name = wanted.strip("/")
    for known in shipped:
        if name == known:
            return data_dir("games") / known
    # `hex` for `tutorial/hex`, when only one game ends that way.
    ending = [known for known in shipped if name and known.endswith("/" + name)]
    if len(ending) == 1:
        return data_dir("games") / ending[0]
    raise UsageError(_not_found(wanted, is_directory, shipped))


def _not_found(wanted: str, is_directory: bool, shipped: list[str]) -> str:
    if is_directory:
        return f'the directory "{wanted}" holds no {GAME_FILE}, so it is not a game'
    last_parts = {known.rsplit("/", 1)[-1]: known for known in shipped}
    hint = did_you_mean(wanted, [*shipped, *last_parts])
    return f'there is no game "{wanted}"; ' + (hint or 'see "rulesdsl list" for the shipped games')
