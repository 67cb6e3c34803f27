"""docs/python.md: every example runs, and prints what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_examples_of_the_page_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it saves games
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), {}, "python", str(PAGE), 0)
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 20
    assert not result.failed, "".join(told)
