"""A way to play under one name: game, scenario, house rules, readings and options in a file to share.

House rules that come with the game are named; others travel inside the file, text and all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.ownfiles import own_folder, read_own, write_own
from rulesdsl.base.resources import find_game
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml.file import load_yaml
from rulesdsl.house.applying import shipped_house_rules

KEYS = ("variant", "title", "game", "scenario", "house", "readings", "options", "texts")
_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,79}")


@dataclass(frozen=True, slots=True)
class Variant:
    """`house` are names of shipped house rules; `texts` others by their names."""

    name: str
    title: str
    game: str
    scenario: str
    house: tuple[str, ...]
    texts: Mapping[str, str]
    readings: Mapping[str, str]
    options: Mapping[str, str]

    def house_files(self) -> list[Path]:
        """The house rules as files; those that travelled are laid out in the user's own cache."""
        from platformdirs import user_cache_path

        found = [Path(name) for name in self.house]
        if not self.texts:
            return found
        digest = hashlib.sha256("\0".join(f"{n}\0{t}" for n, t in sorted(self.texts.items())).encode())
        folder = user_cache_path("rulesdsl") / "variants" / digest.hexdigest()[:24]
        if not own_folder(folder):
            raise UsageError(
                f"{folder} belongs to somebody else: the house rules of a variant cannot be laid out"
            )
        for name, text in self.texts.items():
            path = folder / f"{name}.md"
            if read_own(path) != text.encode():
                write_own(path, text.encode())
            found.append(path)
        return found


def read_variant(path: Path) -> Variant:
    """The variant of a file; `UsageError` or `RulebookError` says what is wrong with it."""
    if not path.is_file():
        raise UsageError(f'there is no variant "{path}" (make one with `rulesdsl variant new`)')
    said = load_yaml(read_source(path, DEFAULT.yaml_file_bytes)).value
    if not isinstance(said, dict) or "game" not in said:
        raise UsageError(f"{path} is no variant: it names no game")
    for key in said:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"there are {', '.join(KEYS)}"
            raise UsageError(f'{path}: a variant has no "{key}" ({hint})')
    texts = _mapping(path, said, "texts")
    for name in texts:
        if not _NAME.fullmatch(name):
            raise UsageError(f'{path}: "{name}" cannot be the name of a house rule')
    house = said.get("house") or []
    if not isinstance(house, list):
        raise UsageError(f"{path}: house is a list of names")
    _only_shipped(path, str(said["game"]), [*map(str, house)])
    return Variant(
        name=str(said.get("variant", path.stem)),
        title=str(said.get("title", path.stem)),
        game=str(said["game"]),
        scenario=str(said.get("scenario") or ""),
        house=tuple(map(str, house)),
        texts=texts,
        readings=_mapping(path, said, "readings"),
        options=_mapping(path, said, "options"),
    )


def _only_shipped(path: Path, game: str, names: Sequence[str]) -> None:
    """A variant may be a stranger's, and a save carries the house rules it is played with: a name that leads
    to some file of ours would send that file to whoever is sent the save."""
    shipped = shipped_house_rules(find_game(game)) if names else []
    for name in names:
        if name not in shipped:
            hint = did_you_mean(name, shipped) or "others are written out in it, under texts"
            raise UsageError(f'{path}: {game} comes with no house rule "{name}" ({hint})')


def _mapping(path: Path, said: Mapping[str, Any], key: str) -> dict[str, str]:
    found = said.get(key) or {}
    if not isinstance(found, dict):
        raise UsageError(f"{path}: {key} is a mapping of names to values")
    shown = {True: "true", False: "false"}
    return {str(n): shown[v] if isinstance(v, bool) else str(v) for n, v in found.items()}


def variant_text(
    title: str, game: str, scenario: str, house: Sequence[Path], readings: Mapping[str, str],
    options: Mapping[str, str],
) -> str:  # fmt: skip
    """The file of a variant."""
    shipped = shipped_house_rules(find_game(game))
    named = [str(rule) for rule in house if str(rule) in shipped]
    carried = [rule for rule in house if str(rule) not in shipped]
    texts = {rule.stem: read_source(rule, DEFAULT.rule_file_bytes).text for rule in carried}
    return variant_of_texts(title, game, scenario, named, texts, readings, options)


def variant_of_texts(
    title: str, game: str, scenario: str, named: Sequence[str], texts: Mapping[str, str],
    readings: Mapping[str, str], options: Mapping[str, str],
) -> str:  # fmt: skip
    """The same; `named` are house rules that come with the game, `texts` others by their names."""
    lines = [f"variant: {slug(title)}", f"title: {quoted(title)}", f"game: {game}"]
    lines += [f"scenario: {scenario}"] if scenario else []
    lines += [f"house: [{', '.join(named)}]"] if named else []
    for key, values in (("readings", readings), ("options", options)):
        if values:
            lines += [f"{key}:", *(f"  {name}: {quoted(value)}" for name, value in values.items())]
    if texts:
        lines.append("texts:")
    lines += [f"  {name}: {escaped(text)}" for name, text in texts.items()]
    return "\n".join(lines) + "\n"


def slug(title: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", title.casefold())) or "variant"


def quoted(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_][\w ]*", text) else escaped(text)


def escaped(text: str) -> str:
    """A text in double quotes on one line, as YAML has it."""
    signs = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(signs.get(sign, sign) for sign in text) + '"'
