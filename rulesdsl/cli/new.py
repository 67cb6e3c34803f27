"""`rulesdsl new`: a directory with a small game that checks clean, plays, and waits to be changed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file

TEMPLATE = Path(__file__).parent / "template"
_ID = re.compile(r"[a-z][a-z0-9_]{0,59}")


def _make(name: Path, words: dict[str, str]) -> None:
    """The whole game, or nothing: a full disk must not leave half of one."""
    name.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".rulesdsl-", dir=name.parent))
    try:
        for source in sorted(TEMPLATE.rglob("*")):
            if source.is_file():
                text = source.read_text(encoding="utf-8")
                for word, meaning in words.items():
                    text = re.sub(rf"\b{word}\b", meaning.replace("\\", ""), text)
                target = beside / source.relative_to(TEMPLATE)
                target.parent.mkdir(parents=True, exist_ok=True)
                write_file(target, text)
        beside.chmod(0o777 & ~_umask())
        os.rename(beside, name)
    except BaseException as error:
        shutil.rmtree(beside, ignore_errors=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(name)) from None
        raise


def _umask() -> int:
    found = os.umask(0o077)
    os.umask(found)
    return found


@click.command()
@click.argument("name", metavar="NAME", type=click.Path(path_type=Path))
@click.option("--title", help="The title people read (default: made from the name).")
def new(name: Path, title: str | None) -> None:
    """Start a game of your own in the new directory NAME.

    It holds a small, complete game: read its rules, change them, and check and play it as you go.
    """
    identity = name.name
    if not _ID.fullmatch(identity):
        raise UsageError(f'"{identity}" cannot be the name of a game: use small letters, digits and "_"')
    if os.path.lexists(name):
        raise UsageError(f"{name} exists already; choose another name")
    if title is not None and (not title.strip() or re.search(r'[\n"#{}\[\]:]', title)):
        raise UsageError("a title is one line without quotes, brackets, colons and #")
    words = {"NAME": identity, "TITLE": (title or identity.replace("_", " ").capitalize()).strip()}
    _make(name, words)
    click.echo(f"{name} is a game now. Try:", err=True)
    for line in (f"rulesdsl check {name}", f"rulesdsl test {name}", f"rulesdsl play {name}"):
        click.echo(f"  {line}", err=True)
