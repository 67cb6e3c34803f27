"""The words of the pages, table and workshop: every sentence has one in French, and none is left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.measuring.effect import WAYS
from tests.kit.chromium import Browser, find_chromium
from tests.kit.served_tables import house

PAGE = Path(__file__).parents[2] / "interpreter" / "serving" / "page"
WORKSHOP = Path(__file__).parents[2] / "interpreter" / "workshop" / "page"
CALL = re.compile(r'\bt\(("(?:[^"\\]|\\.)*")')
UNSAID = re.compile(r'(?:\}, |=> |\? |: |return )"([A-Za-z][a-z]*(?: [a-z]+)+[ …?.]*)"')
STRING = r'"((?:[^"\\]|\\.)*)"'


def said(page: Path = PAGE) -> set[str]:
    """Everything that is given to `t`: as it stands, in tables of words, as attributes of the page."""
    found: set[str] = set()
    for path in page.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        if path.name in ("fr.js", "words.js"):
            text = text if path.name == "words.js" else ""
        found |= {match[1][1:-1] for match in CALL.finditer(text)}
        for table in re.findall(r"(?:TABS|WHO|rows) = \[(.*?)\];", text, re.DOTALL):
            rows = re.findall(rf"\[{STRING}, {STRING}\]", table)
            keyed = "const rows" in text and table in text.partition("const rows")[2]
            found |= {words for key, words in rows} | ({key for key, _ in rows} if keyed else set())
        for row in re.findall(r"\.\.\.\[(\[\"human\".*?\])\]\.map", text):
            found |= {words for _, words in re.findall(rf"\[{STRING}, {STRING}\]", row)}
    html = (page / "index.html").read_text(encoding="utf-8")
    for tag in re.findall(r"<[^>]*data-say=[^>]*>", html):
        names = re.search(r'data-say="([^"]*)"', tag)
        assert names is not None
        for name in names[1].split():
            value = re.search(rf'[ ]{name}="([^"]*)"', tag)
            assert value is not None, tag
            found.add(value[1])
    return found


def french(page: Path = PAGE) -> dict[str, str]:
    text = (page / "fr.js").read_text(encoding="utf-8")
    pairs = re.findall(rf"^  {STRING}: {STRING},$", text, re.MULTILINE)
    assert len(pairs) == len(dict(pairs)) > 90
    return dict(pairs)


def test_every_sentence_has_one_in_french() -> None:
    known = french()
    missing = said() - set(known)
    assert not missing
    from_elsewhere = {"until another one is asked"}  # told by the table, not by the page
    assert set(known) - said() - from_elsewhere == set()


def test_the_workshop_speaks_french_as_well() -> None:
    own, shared = french(WORKSHOP), french()
    assert not said(WORKSHOP) - set(own) - set(shared)
    assert not set(own) & set(shared)
    assert set(own) - said(WORKSHOP) == {*WAYS.values()}  # told by the server
    for path in WORKSHOP.glob("*.js"):  # a text of more than one word that no t( ) is around
        text = re.sub(r"class: (?:[^,{}]|\$\{[^}]*\})*", "", path.read_text(encoding="utf-8"))
        bare = UNSAID.findall(text) if path.name != "fr.js" else []
        assert not bare, path.name


@pytest.mark.parametrize("page", [PAGE, WORKSHOP], ids=["table", "workshop"])
def test_sentences_keep_what_is_filled_in(page: Path) -> None:
    for english, other in french(page).items():
        assert sorted(re.findall(r"\{\d\}", english)) == sorted(re.findall(r"\{\d\}", other)), english


@pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium")
def test_a_page_in_french(tmp_path: Path) -> None:
    with house(tmp_path / "games") as at, Browser(tmp_path / "profile", 900, 700) as browser:
        browser.open(f"{at.address}#key={at.hall.key}&language=fr")
        browser.wait("document.querySelector('.card') !== null")
        assert browser.evaluate("document.documentElement.lang") == "fr"
        assert browser.evaluate("document.querySelector('h1').innerText") == "À quoi jouons-nous ?"
        table = at.hall.begin("tutorial/skirmish", seed="4")
        browser.evaluate(f"location.hash = '{at.link(table, table.seating.host.token).partition('#')[2]}'")
        browser.wait("Boolean(window.current && window.current.look && current.offer)")
        assert browser.evaluate("document.querySelector('#standing .turn').innerText") == "tour 1 sur 6"
        assert browser.evaluate("document.getElementById('tab-log').innerText") == "Journal"
        assert browser.evaluate("document.getElementById('home').title") == "Tous les jeux"
        assert browser.complaints() == []
