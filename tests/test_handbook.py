"""The handbook: every printed number has its place, no link leads nowhere, no prose is stale."""

from __future__ import annotations

import re
import shutil
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from interpreter.game import open_game
from interpreter.handbook import facts_of_game
from rulesdsl.data.tables import Table, build_table
from rulesdsl.data.yamlfile import load_yaml
from rulesdsl.drawing import set_up
from rulesdsl.drawing.stylefile import style_of
from rulesdsl.handbook import Book, Facts, html_files, markdown_files
from rulesdsl.handbook.blocks import Item
from rulesdsl.handbook.inline import link, plain, said, strong, to_html
from rulesdsl.handbook.mappages import linked_map
from rulesdsl.handbook.markup import markdown_to_html
from rulesdsl.handbook.sentence_diff import merged_item, merged_text
from rulesdsl.handbook.table_analysis import analyse, order_of_names
from rulesdsl.resources import data_dir, shipped_games
from rulesdsl.source import SourceFile

GAMES = sorted(shipped_games())
BIG = "race_for_berlin"


class Document(HTMLParser):
    """The ids, addresses and words of a page; complains about elements not closed in order."""

    VOID = frozenset({"meta", "link", "br", "hr", "input", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []
        if tag in ("a", "use") and found.get("href"):
            self.addresses.append(str(found["href"]))
        self.loaded += [str(found[name]) for name in ("src",) if found.get(name)]
        if tag == "link":
            self.loaded.append(str(found.get("href")))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> in the wrong place"

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@lru_cache(maxsize=16)
def site(name: str, *house: str) -> dict[str, str]:
    game = open_game(name, tuple(Path(h) for h in house))
    return html_files(Book(game.source, game.program, facts_of_game(game)))


@lru_cache(maxsize=16)
def documents(name: str, *house: str) -> dict[str, Document]:
    return {file: Document(text) for file, text in site(name, *house).items() if file.endswith(".html")}


@pytest.mark.parametrize("name", GAMES)
def test_every_item_of_the_ledger_has_an_anchor(name: str) -> None:
    game = open_game(name)
    listed = game.source.game.paragraphs
    items = [p.id for p in listed] if listed is not None else list(game.program.paragraphs)
    assert items
    pages = documents(name)
    apart = {i for file, page in pages.items() if file != "print.html" for i in page.ids}
    for anchors in (apart, set(pages["print.html"].ids)):
        assert [i for i in items if f"rule-{i.replace(' ', '-')}" not in anchors] == []


@pytest.mark.parametrize("name", GAMES)
def test_no_link_is_broken_and_nothing_comes_from_elsewhere(name: str) -> None:
    check_links(documents(name), site(name))


def check_links(pages: dict[str, Document], files: dict[str, str]) -> None:
    broken = [
        (file, to) for file, page in pages.items() for to in page.addresses if not leads(pages, file, to)
    ]
    assert broken == []
    assert [(f, to) for f, page in pages.items() for to in page.loaded if to not in files] == []
    assert [f for f, page in pages.items() if len(set(page.ids)) != len(page.ids)] == [], "an id stands twice"
    assert [f for f, page in pages.items() if page.open] == [], "an element is not closed"


def leads(pages: dict[str, Document], file: str, to: str) -> bool:
    page, _, anchor = unquote(to).partition("#")
    found = pages.get(page or file)
    return found is not None and (not anchor or anchor in found.ids)


def test_links_of_the_search_lead_somewhere() -> None:
    import json

    for name in GAMES:
        text = site(name)["search-index.js"].removeprefix("window.handbookIndex = ").removesuffix(";\n")
        entries = json.loads(text)
        assert len(entries) > 5
        assert [e for e in entries if not leads(documents(name), "index.html", e[0])] == []


@pytest.mark.parametrize("name", GAMES)
def test_the_same_game_gives_the_same_bytes(name: str) -> None:
    game = open_game(name)
    assert html_files(Book(game.source, game.program, facts_of_game(game))) == site(name)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A game that may be changed."""
    place = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", place)
    return place


def rewritten(game: Path, file: str, before: str, after: str) -> dict[str, Document]:
    path = game / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    opened = open_game(game)
    files = html_files(Book(opened.source, opened.program, facts_of_game(opened)))
    return {name: Document(text) for name, text in files.items() if name.endswith(".html")}


@pytest.mark.parametrize(
    ("file", "before", "after", "page", "was", "now"),
    [
        ("tables/combat.yaml", "[R, D1R,   D1R,  D2R]", "[R, D1R,   D1R,  D3R]", "tables", "D2R", "D3R"),
        ("rules/03_combat.md", "+1 when number of zones", "+2 when number of zones",
         "modifiers", "+1 from two sides", "+2 from two sides"),
        ("rules/03_combat.md", "One or more units attack one adjacent zone.", "Up to nine units attack.",
         "rules-03-combat", "One or more units attack", "Up to nine units attack"),
    ],
)  # fmt: skip
def test_a_changed_value_is_on_the_page(
    copied: Path, file: str, before: str, after: str, page: str, was: str, now: str
) -> None:
    unchanged = documents("tutorial/skirmish")[f"{page}.html"].text
    changed = rewritten(copied, file, before, after)[f"{page}.html"].text
    assert (was in unchanged, now in unchanged) == (True, False)
    assert (was in changed, now in changed) == (False, True)


@pytest.mark.parametrize("name", GAMES)
def test_spaces_and_counters_of_the_map_lead_to_their_entries(name: str) -> None:
    source = open_game(name).source
    if source.map is None:
        return
    to = set(documents(name)["map.html"].addresses)
    shown = [view.id for space, views in set_up(source).items() for view in views[:5]]
    hidden = style_of(source)[0].hidden
    spaces = [s.id for s in source.map.spaces.values() if s.kind not in hidden]
    assert [s for s in spaces if f"spaces.html#space-{s}" not in to] == []
    assert [p for p in shown if f"counters.html#piece-{p}" not in to] == []


def test_a_changed_look_changes_the_map(copied: Path) -> None:
    """Drawings are remembered from run to run, so what they are drawn from must all count."""
    before = documents("tutorial/skirmish")["map.html"]
    assert any(to.startswith("counters.html#piece-") for to in before.addresses), (
        "counters lead to their entries"
    )
    opened = open_game(copied)
    first = linked_map(opened.source)
    files = html_files(Book(opened.source, opened.program, Facts()))
    style = copied / "drawing.yaml"
    text = style.read_text("utf-8")
    changed = re.sub(r"#[0-9a-f]{6}", "#123456", text, count=1, flags=re.IGNORECASE)
    assert changed != text
    style.write_text(changed, "utf-8")
    again = open_game(copied)
    assert linked_map(again.source) != first
    assert html_files(Book(again.source, again.program, Facts()))["map.html"] != files["map.html"]


def test_a_changed_rule_changes_the_computed_example(copied: Path) -> None:
    """The breakdown in the example of 5.10 follows the rule, although nobody touched the example."""
    before = documents("tutorial/skirmish")["rules-03-combat.html"].text
    assert "Houses −1 −1 5.5" in before
    after = rewritten(copied, "rules/03_combat.md", "-1 when target is town", "-3 when target is town")
    assert "Houses −3 −3 5.5" in after["rules-03-combat.html"].text


def test_house_rules_have_a_sheet_and_marks_in_the_margin() -> None:
    pages = documents(BIG, "thick_forests", "wave_after_wave")
    assert "changes.html" in pages
    assert "-2 when target is woods" in pages["changes.html"].text  # the code, a click away
    files = site(BIG, "thick_forests", "wave_after_wave")
    marked = [name for name, text in files.items() if 'class="paragraph changed"' in text]
    assert {"rules-08-combat.html", "rules-12-annexes.html", "print.html"} <= set(marked)
    check_links(pages, files)
    assert not any('class="paragraph changed"' in text for text in site(BIG).values())
    assert "changes.html" not in site(BIG)


def test_the_sheet_of_changes_says_before_and_after() -> None:
    """In sentences, of which only the words that differ are marked; values with what was printed."""
    sheet = site(BIG, "thick_forests", "wave_after_wave", "hitler_lets_go", "clear_victory")["changes.html"]
    assert "<em>woods</em>: <strong><del>−1</del> <ins>−2</ins></strong> when the target is woods." in sheet
    assert "<del>A zone can be attacked only once in an impulse.</del>" in sheet
    assert "turn 4 <del>3</del> → <ins>2</ins>" in sheet
    assert "<strong>Wave after wave</strong>: A zone may be attacked again" in sheet
    assert (
        "The game ends: the game is drawn (<del>equal victory points</del> <ins>no clear lead</ins>)" in sheet
    )
    assert 'href="rules-10-victory.html#rule-10"' in sheet


def test_the_sheet_of_changes_is_also_markdown() -> None:
    game = open_game(BIG, ("thick_forests",))
    sheet = markdown_files(Book(game.source, game.program, Facts()))["changes.md"]
    assert "*woods*: **<del>−1</del> <ins>−2</ins>** when the target is woods." in sheet
    assert "(rules-12-annexes.md#rule-annex-2)" in sheet


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("It is asked.", "It is asked.", "It is asked."),
        ("who is asked.", "who is asked; always.", "who is asked<ins>; always</ins>."),
        (f"a {link('rule:1', 'zone')} of it", "a zone of them", "a zone of <del>it</del> <ins>them</ins>"),
        ("one two three", "four five six", "<del>one two three</del> <ins>four five six</ins>"),
        ("the red unit may go", "the old tank may go", "the <del>red unit</del> <ins>old tank</ins> may go"),
        (f"so {strong('a b')} it is", f"so {strong('a c')} it is",
         "so <strong>a <del>b</del> <ins>c</ins></strong> it is"),
        (f"so {strong('many b')} it is", "so many c it is", "so many <del>b</del> <ins>c</ins> it is"),
        (f"x {strong('y z')}", "", "<del>x y z</del> "),
    ],
)  # fmt: skip
def test_two_sentences_become_one(old: str, new: str, shown: str) -> None:
    assert to_html(merged_text(old, new), lambda _: None) == shown


def test_steps_that_stay_are_left_out() -> None:
    same, gone = Item("Draw a token."), Item("End the turn.")
    old = Item("Phase:", (same, Item("Roll one die."), gone), ordered=True)
    new = Item("Phase:", (same, Item("Roll two dice."), Item("Nothing else whatever.")), ordered=True)
    made = merged_item(old, new)
    assert [to_html(item.text, lambda _: None) for item in made.inside] == [
        "…",
        "<del>Roll one die.</del>",
        "<del>End the turn.</del>",
        "<ins>Roll two dice.</ins>",
        "<ins>Nothing else whatever.</ins>",
    ]
    assert not made.ordered, "a number would count what is struck out"


def test_estimates_are_told_once() -> None:
    """Two counters of one army with the same values stand in one line, and so do the faces of a counter."""
    page = documents(BIG)["sources.html"].text
    assert "61st Army (2) strength 12 / 6 estimated (9 rifle divisions)" in page
    assert page.count("61st Army") == 2


def test_the_relations_of_a_paragraph_are_links_both_ways() -> None:
    game = open_game(BIG)
    book = Book(game.source, game.program, Facts())
    found = book.relations
    assert found.exception_to, "the game has exceptions"
    for identity, others in found.exception_to.items():
        for other in others:
            assert identity in found.excepted_by[other]
    page = documents(BIG)["rules-12-annexes.html"]
    assert "Values changed by" in page.text
    assert any(to.endswith("#rule-8.1.2") for to in page.addresses)


def test_markdown_has_the_same_places() -> None:
    for name in ("tutorial/skirmish", BIG):
        game = open_game(name)
        files = markdown_files(Book(game.source, game.program, Facts()))
        assert {"index.md", "map.md", "map.svg", "tables.md"} <= set(files)
        text = "\n".join(files.values())
        missing = [
            p for p in game.program.paragraphs if f'<a id="rule-{p.replace(" ", "-")}"></a>' not in text
        ]
        assert missing == []
        assert "\ue000" not in text


# ---- parts -------------------------------------------------------------------------------------------
def nowhere(target: str) -> str | None:
    return None


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* **c** `d*e*`", "<p>a <em>b</em> <strong>c</strong> <code>d*e*</code></p>"),
        ("- a\n- b\n  - c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
        ("1. a\n   more\n2. b", "<ol><li>a more</li><li>b</li></ol>"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        ("[a](javascript:x)", "<p>a</p>"),
        (
            "[a](https://b.example/?c=1&d)",
            '<p><a href="https://b.example/?c=1&amp;d" rel="noreferrer">a</a></p>',
        ),
        ("snake_case_name and 3*4*5", "<p>snake_case_name and 3<em>4</em>5</p>"),
        ("# T", "<h3>T</h3>"),
        ("> q", "<blockquote><p>q</p></blockquote>"),
    ],
)
def test_markdown_becomes_safe_html(text: str, html: str) -> None:
    assert markdown_to_html(text, nowhere) == html


def test_markdown_tables() -> None:
    made = markdown_to_html("| a | b |\n|---|---|\n| 1 | `2` |", nowhere)
    assert "<th>a</th><th>b</th>" in made
    assert "<td>1</td><td><code>2</code></td>" in made


def test_marks_cannot_be_forged() -> None:
    forged = link("rule:1", "x")
    assert said(forged) == "rule:1x"
    assert to_html(link("rule:1", "<b>"), lambda _: 'a"b') == '<a href="a&quot;b">&lt;b&gt;</a>'
    assert to_html(link("rule:1", "words"), nowhere) == plain(link("rule:1", "words")) == "words"


def table(cells: str) -> Table:
    text = f"""table: t
columns: {{key: odds, kind: ratio, values: ["1:1", "2:1"], below: first, above: last}}
rows: {{key: die, kind: number}}
result: {{kind: codes, codes: {{A: {{kind: number, name: a}}, D: {{kind: number, name: d}}}}}}
cells: {cells}
"""
    built, problems = build_table(load_yaml(SourceFile(Path("tables/t.yaml"), text)))
    assert built is not None
    assert problems == []
    return built


def test_a_column_that_is_never_better_is_found() -> None:
    _, findings = analyse(table('{"1": [A1, A1], "2": [D1, D1], "3": [D1, D1]}'))
    assert [f.text for f in findings if "odds" in f.text] == ["odds 2:1 is the same as 1:1"]


def test_a_result_that_turns_is_found() -> None:
    _, findings = analyse(table('{"1": [A2, A1], "2": [A1, ""], "3": ["", A1], "4": [D1, D2]}'))
    assert "from odds 1:1 to 2:1 at 3 the result turns against the trend: a" in [f.text for f in findings]


def names_table(cells: str) -> Table:
    text = f"""table: t
columns: {{key: odds, kind: ratio, values: ["1:1", "2:1", "3:1"], below: first, above: last}}
rows: {{key: die, kind: number}}
result: {{kind: name, of: result}}
cells: {cells}
"""
    built, problems = build_table(load_yaml(SourceFile(Path("tables/t.yaml"), text)))
    assert built is not None
    assert problems == []
    return built


def test_results_that_are_names_are_compared_as_names() -> None:
    """Names have no size, so columns are alike only when they say the same."""
    sound = names_table('{"1": [lost, held, won], "2": [lost, lost, held]}')
    assert [f for f in analyse(sound)[1] if f.kind in ("never-better", "worse")] == []
    assert order_of_names(sound) == ("lost", "held", "won")
    twice = names_table('{"1": [lost, held, held], "2": [lost, lost, lost]}')
    assert "odds 3:1 is the same as 2:1" in [f.text for f in analyse(twice)[1]]


def test_names_that_turn_are_found() -> None:
    turning = names_table('{"1": [lost, held, lost], "2": [lost, lost, held]}')
    found = [f.text for f in analyse(turning)[1] if f.kind == "worse"]
    assert any("held becomes lost, but lost becomes held" in text for text in found)
    assert order_of_names(turning) == ()


def test_a_sound_table_has_no_findings() -> None:
    trends, findings = analyse(table('{"1": [A2, A1], "2": [A1, D1], "3": [D1, D2]}'))
    assert findings == []
    assert {(t.key, t.part): t.direction for t in trends} == {
        ("odds", "a"): -1, ("odds", "d"): 1, ("die", "a"): -1, ("die", "d"): 1,
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_no_head_of_a_table_shows_an_identifier(name: str) -> None:
    for page, text in site(name).items():
        if page.endswith(".html"):
            heads = re.findall(r"<th[^>]*>(.*?)</th>|<caption>(.*?)</caption>", text)
            shown = [re.sub(r"<[^>]*>", "", one or other) for one, other in heads]
            assert [head for head in shown if "_" in head] == [], page


def test_what_changes_the_die_leads_to_its_paragraph() -> None:
    text = site("race_for_berlin")["tables.html"]
    assert re.search(r'<em><a href="rules-12-annexes.html#rule-annex-2">combat’s die modifier</a></em>', text)
