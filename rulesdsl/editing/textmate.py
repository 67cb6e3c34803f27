"""The TextMate grammar of `rules` blocks, written from the language itself: no word is listed twice."""

from __future__ import annotations

from typing import Any

from rulesdsl.editing.colours import keywords

# The first words of statements: what a reader looks for first.
STATEMENTS = (
    "action", "after", "allow", "always", "border", "define", "enum", "forbid", "group", "modify", "must",
    "option",
    "parameter", "phase", "piece", "player", "procedure", "quantity", "quiet", "reading", "record", "repeal",
    "replace", "route", "scale", "search", "set", "space", "stop", "token", "track", "weigh", "window",
    "given", "rolling", "choosing", "when", "expect",
)  # fmt: skip
CONSTANTS = ("none", "true", "false", "it")


def rules_grammar() -> dict[str, Any]:
    """`source.rules`: one block."""
    words = sorted(keywords() - {*STATEMENTS, *CONSTANTS}, key=lambda word: (-len(word), word))
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rules",
        "scopeName": "source.rules",
        "patterns": [
            {"match": r"#.*$", "name": "comment.line.number-sign.rules"},
            {"match": r'"[^"]*"?', "name": "string.quoted.double.rules"},
            {
                "match": rf"^({'|'.join(STATEMENTS)})\b(?:\s+([A-Za-z_][\w.]*))?",
                "captures": {
                    "1": {"name": "keyword.control.rules"},
                    "2": {"name": "entity.name.function.rules"},
                },
            },
            {  # `unit may be pinned "…"`, `unit has aim: …`
                "match": r"^([A-Za-z_]\w*)\s+(may\s+be|has)\s+([A-Za-z_]\w*)",
                "captures": {
                    "1": {"name": "entity.name.class.rules"},
                    "2": {"name": "keyword.control.rules"},
                    "3": {"name": "entity.name.function.rules"},
                },
            },
            {
                "match": r"\b(despite|by)\s+((?:event|annex)?\s*\d[\w.\-]*)",
                "captures": {
                    "1": {"name": "keyword.other.rules"},
                    "2": {"name": "constant.numeric.paragraph.rules"},
                },
            },
            {"match": r"\b\d+(?:d\d+|:\d+|/\d+)?\b", "name": "constant.numeric.rules"},
            {"match": rf"\b({'|'.join(CONSTANTS)})\b", "name": "constant.language.rules"},
            {"match": rf"\b({'|'.join(words)})\b", "name": "keyword.other.rules"},
            {"match": r"[<>!]=|[-+*/=<>×]", "name": "keyword.operator.rules"},
            {"match": r"(?<=\.)[A-Za-z_]\w*", "name": "variable.other.property.rules"},
            {
                "match": r"\b([A-Za-z_]\w*)(?=\()",
                "captures": {"1": {"name": "entity.name.function.rules"}},
            },
            {"match": r"\b[A-Za-z_]\w*\b", "name": "variable.other.rules"},
        ],
    }


def markdown_grammar() -> dict[str, Any]:
    """Fences of chapters and house rules inside of Markdown."""
    return {
        "scopeName": "markdown.rules.codeblock",
        "injectionSelector": "L:text.html.markdown",
        "patterns": [{"include": "#block"}],
        "repository": {
            "block": {
                "begin": r"(^|\G)(\s{0,3})(`{3,}|~{3,})\s*(rules|example)\s*$",
                "end": r"(^|\G)(\2|\s{0,3})(\3)\s*$",
                "name": "markup.fenced_code.block.markdown",
                "beginCaptures": {
                    "3": {"name": "punctuation.definition.markdown"},
                    "4": {"name": "fenced_code.block.language.markdown"},
                },
                "endCaptures": {"3": {"name": "punctuation.definition.markdown"}},
                "patterns": [
                    {
                        "begin": r"(^|\G)(\s*)(.*)",
                        "while": r"(^|\G)(?!\s{0,3}(?:`{3,}|~{3,})\s*$)",
                        "contentName": "meta.embedded.block.rules",
                        "patterns": [{"include": "source.rules"}],
                    }
                ],
            }
        },
    }
