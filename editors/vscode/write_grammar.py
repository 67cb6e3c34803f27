"""Writes the TextMate grammars from the language itself: `make vscode` runs this before packaging."""

from __future__ import annotations

import json
from pathlib import Path

from rulesdsl.editing.textmate import markdown_grammar, rules_grammar

FOLDER = Path(__file__).parent / "syntaxes"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, grammar in (("rules", rules_grammar()), ("markdown", markdown_grammar())):
        text = json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"
        (FOLDER / f"{name}.tmLanguage.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
