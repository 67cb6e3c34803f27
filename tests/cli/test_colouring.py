"""Colours of `rules` blocks: the Pygments lexer and the TextMate grammar on every shipped chapter."""

from __future__ import annotations

import re

from rulesdsl.base.resources import data_dir
from rulesdsl.editing.textmate import markdown_grammar, rules_grammar

CHAPTERS = sorted(data_dir("games").rglob("rules/*.md"))


def test_the_lexer_knows_every_sign_of_every_chapter() -> None:
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Error

    lexer = get_lexer_by_name("rules")
    for path in CHAPTERS:
        for block in re.findall(r"```rules\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M):
            tokens = list(lexer.get_tokens(block))
            assert "".join(text for _, text in tokens).strip("\n") == block.strip("\n")
            assert not [text for kind, text in tokens if kind is Error]


def test_a_chapter_is_markdown_with_rules_in_it() -> None:
    from pygments.lexers import get_lexer_by_name

    text = CHAPTERS[0].read_text(encoding="utf-8")
    tokens = list(get_lexer_by_name("rulebook").get_tokens(text))
    assert "".join(part for _, part in tokens).strip() == text.strip()


def test_the_grammar_of_editors_colours_every_statement() -> None:
    patterns = [re.compile(one["match"]) for one in rules_grammar()["patterns"]]
    heads = {one for one in patterns if one.pattern.startswith("^(")}
    assert markdown_grammar()["patterns"]
    for path in CHAPTERS:
        for block in re.findall(r"```rules\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M):
            for line in block.split("\n"):
                if re.match(r"[a-z]", line) and not re.match(r"(?:and|or|when|where|despite)\b", line):
                    assert any(head.match(line) for head in heads), line


NEWEST = """search longest_road(player, end): "road"
    at the same time each player chooses where because "so"
player has stock: number per good
unit may be pinned "is pinned down", quietly
"""


def test_the_newest_statements_have_colours() -> None:
    """No shipped chapter need say them yet. What is said of a class begins with the class."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Keyword

    told = {text for kind, text in get_lexer_by_name("rules").get_tokens(NEWEST) if kind in Keyword}
    assert {"search", "same", "time", "because", "per", "quietly"} <= told
    patterns = [re.compile(one["match"]) for one in rules_grammar()["patterns"]]
    assert any(one.match("search longest_road") for one in patterns if one.pattern.startswith("^("))
    (plain,) = (one for one in patterns if re.search(r"\bchooses\b", one.pattern))
    assert all(plain.fullmatch(word) for word in ("because", "per", "quietly"))
