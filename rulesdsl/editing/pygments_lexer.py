"""A Pygments lexer, so that handbooks and hosts colour `rules` blocks (entry points in pyproject.toml)."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.lexers.markup import MarkdownLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from rulesdsl.editing.colours import keywords
from rulesdsl.editing.textmate import CONSTANTS, STATEMENTS


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """One block of rules, or an example."""

    name = "Rules"
    aliases: ClassVar[list[str]] = ["rules", "example"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = ""
    flags = re.MULTILINE

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"#.*$", Comment.Single),
            (r'"[^"\n]*"?', String.Double),
            (
                rf"^({'|'.join(STATEMENTS)})\b(\s+)([A-Za-z_][\w.]*)",
                bygroups(Keyword, Whitespace, Name.Function),
            ),
            (rf"^({'|'.join(STATEMENTS)})\b", Keyword),
            (r"\d+d\d+|\d+:\d+|\d+(?:[.\-]\d+)+[a-z]?|\d+", Number),
            (words(CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(sorted(keywords()), prefix=r"\b", suffix=r"\b"), Keyword.Reserved),
            (r"([A-Za-z_]\w*)(\()", bygroups(Name.Function, Punctuation)),
            (r"(\.)([A-Za-z_]\w*)", bygroups(Punctuation, Name.Attribute)),
            (r"[A-Za-z_]\w*", Name),
            (r"[<>!]=|[-+*/=<>×]", Operator),
            (r"[()\[\],:.{}→]", Punctuation),
            (r"\s+", Whitespace),
            (r".", Text),
        ],
    }


class RulebookLexer(RegexLexer):  # type: ignore[misc]
    """A chapter or a house rule: Markdown with blocks of rules."""

    name = "Rulebook"
    aliases: ClassVar[list[str]] = ["rulebook"]
    filenames: ClassVar[list[str]] = []
    url = ""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (
                r"(```(?:rules|example)\n)((?:.|\n)*?)(^```\n?)",
                bygroups(String.Backtick, using(RulesLexer), String.Backtick),
            ),
            (r"(?:(?!```(?:rules|example)\n).*\n)+", using(MarkdownLexer)),
            (r".+", Text),
        ],
    }
    flags = re.MULTILINE
