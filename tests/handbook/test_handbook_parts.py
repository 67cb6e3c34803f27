"""Parts of the handbook: safe HTML and Markdown, and what is found in tables."""

from __future__ import annotations

import pytest

from interpreter.playing.game import open_game
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.tables.table import Table
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.analysis.tables import analyse, order_of_names
from rulesdsl.handbook.pages.chapters import setting_box
from rulesdsl.handbook.writers.markup import markdown_to_html
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.inline import link, plain, said, to_html
from tests.kit.datafiles import document, sound


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
    return sound(build_table(document(text)))


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
    return sound(build_table(document(text)))


def test_results_that_are_names_are_compared_as_names() -> None:
    """Names have no size, so columns are alike only when they say the same."""
    steady = names_table('{"1": [lost, held, won], "2": [lost, lost, held]}')
    assert [f for f in analyse(steady)[1] if f.kind in ("never-better", "worse")] == []
    assert order_of_names(steady) == ("lost", "held", "won")
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


def test_a_setting_says_once_what_it_is() -> None:
    game = open_game("tutorial/skirmish")
    book = Book(game.source, game.program, Facts())
    nodes = [setting.source for setting in game.program.settings.values()]
    known = (sx.Reading, sx.Option, sx.Parameter)
    titles = [setting_box(book, node).title for node in nodes if isinstance(node, known)]
    assert {title.split(":")[0] for title in titles} >= {"Option", "Parameter"}
    assert all(title.count(":") == 1 for title in titles), titles
