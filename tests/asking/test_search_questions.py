"""Questions as players ask them: the deciding paragraph is among the first three hits for nine in ten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from interpreter.playing.game import open_game
from rulesdsl.handbook import Book, Facts, html_files, write_files
from tests.kit.chromium import Browser, find_chromium

QUESTIONS = sorted((Path(__file__).parents[1] / "testdata" / "questions").glob("*.yaml"))
pytestmark = pytest.mark.skipif(
    find_chromium() is None,
    reason="no Chromium is installed here (.ci/run installs it: apt-get install chromium)",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module", params=QUESTIONS, ids=lambda file: file.stem)
def asked(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, list[str]]]:
    """The questions of a game, with a site open that can answer them."""
    data = yaml.safe_load(request.param.read_text("utf-8"))
    game = open_game(data["game"])
    place = tmp_path_factory.mktemp("site")
    write_files(html_files(Book(game.source, game.program, Facts())), place)
    browser.open(f"file://{place}/index.html")
    return list(data["questions"])


def found(browser: Browser, questions: list[str]) -> list[list[str]]:
    code = f"JSON.stringify({json.dumps(questions)}.map((q) => handbookFind(q)))"
    answer: list[list[str]] = json.loads(browser.evaluate(code))
    return answer


def test_nine_questions_in_ten_are_answered(browser: Browser, asked: list[dict[str, list[str]]]) -> None:
    hits = found(browser, [str(question["ask"]) for question in asked])
    missed = [
        (question["ask"], first[:3])
        for question, first in zip(asked, hits, strict=True)
        if not {str(one) for one in question["decides"]} & set(first[:3])
    ]
    assert len(asked) == 40
    assert len(asked) - len(missed) >= 36, missed


def test_one_known_word_is_enough(browser: Browser, asked: list[dict[str, list[str]]]) -> None:
    known, unknown = found(browser, ["xyzzy quux stacking", "xyzzy"])
    assert known
    assert any(hit.startswith("6") for hit in known[:3])
    assert unknown == []
    [typo] = found(browser, ["reinforcemnts"])
    assert any(hit.startswith("2.1") for hit in typo[:3])
