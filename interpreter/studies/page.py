"""A report as one HTML page: no script, nothing fetched, readable on a telephone, on paper and without
colour."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import assert_never

from interpreter.studies.contents import (
    Block,
    Commands,
    Grid,
    Heading,
    Paragraph,
    Picture,
    Sentences,
    contents,
    subtitle,
)
from interpreter.studies.figures import draw
from interpreter.studies.findings import Findings
from rulesdsl.base.writing import write_file

WIDE, NARROW = 760, 350

STYLE = """
:root { color-scheme: light; --ink: #1d2430; --soft: #5b6472; --faint: #d9dde3; --mark: #14507a; --paper:
#fff; } * { box-sizing: border-box; }
body { margin: 0; background: #f4f5f7; color: var(--ink);
  font: 17px/1.55 "Source Sans 3", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
main { max-width: 832px; margin: 0 auto; padding: 48px 36px 64px; background: var(--paper); }
header { border-bottom: 3px solid var(--ink); padding-bottom: 20px; margin-bottom: 8px; }
h1 { font-size: 34px; line-height: 1.15; margin: 0 0 10px; letter-spacing: -0.01em; }
.question { font-size: 20px; line-height: 1.4; margin: 0 0 10px; }
.facts { color: var(--soft); font-size: 15px; margin: 0; }
h2 { font-size: 22px; line-height: 1.25; margin: 48px 0 10px; }
p { margin: 8px 0 16px; max-width: 66ch; }
ul { margin: 8px 0 16px; padding: 0; list-style: none; max-width: 68ch; }
li { padding: 10px 0 10px 18px; border-left: 3px solid var(--faint); margin-bottom: 8px; }
ul.strong { font-size: 18px; }
ul.strong li { border-left-color: var(--mark); padding: 6px 0 6px 18px; }
li b { display: block; }
figure { margin: 22px 0 4px; break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: 4px; }
figure svg { display: block; max-width: 100%; height: auto; }
figure svg.narrow { display: none; }
details { margin: 0 0 10px; }
summary { cursor: pointer; color: var(--soft); font-size: 15px; padding: 4px 0; }
summary:hover, summary:focus-visible { color: var(--ink); text-decoration: underline; }
.scroll { overflow-x: auto; margin: 4px 0 16px; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 6px; font-size: 16px; }
th, td { text-align: right; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--faint); vertical-align:
top; } th:first-child, td:first-child, td.text, th.text { text-align: left; }
th { font-weight: 600; border-bottom: 1.5px solid var(--ink); }
pre { background: #f4f5f7; border: 1px solid var(--faint); padding: 12px 14px; overflow-x: auto;
  font: 13px/1.6 "DejaVu Sans Mono", Menlo, Consolas, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  body { font-size: 16px; }
  main { padding: 28px 20px 48px; }
  h1 { font-size: 27px; }
  .question { font-size: 18px; }
  h2 { font-size: 20px; margin-top: 38px; }
  ul.strong { font-size: 17px; }
  figure svg.wide { display: none; }
  figure svg.narrow { display: block; }
}
@media print { body { background: none; } main { padding: 0; } }
"""


def write_page(found: Findings, path: Path) -> None:
    """The report of a study, in one file."""
    write_file(path, page(found))


def page(found: Findings) -> str:
    study = found.study
    question = f'<p class="question">{escape(study.question)}</p>' if study.question else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(study.title)}</title><style>{STYLE}</style></head>\n<body><main>"
        f"<header><h1>{escape(study.title)}</h1>{question}"
        f'<p class="facts">{escape(subtitle(found))}</p></header>\n'
        + "\n".join(map(_block, contents(found)))
        + "\n</main></body></html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Heading(text=text):
            return f"<h2>{escape(text)}</h2>"
        case Paragraph(text=text):
            return f"<p>{escape(text)}</p>"
        case Sentences(lines=lines, strong=strong):
            return (
                f"<ul{' class=strong' if strong else ''}>{''.join(_sentence(x, strong) for x in lines)}</ul>"
            )
        case Picture(caption=caption, figure=figure):
            wide = draw(figure, WIDE).replace("<svg ", '<svg class="wide" ', 1)
            narrow = draw(figure, NARROW).replace("<svg ", '<svg class="narrow" ', 1)
            return f"<figure><figcaption>{escape(caption)}</figcaption>{wide}{narrow}</figure>"
        case Grid(title=title, folded=folded):
            table = _table(block)
            if folded:
                return f"<details><summary>{escape(title)}</summary>{table}</details>"
            return table.replace("<table>", f"<table><caption>{escape(title)}</caption>", 1)
        case Commands(lines=lines):
            return f"<pre>{escape(chr(10).join(lines))}</pre>"
        case _:
            assert_never(block)


def _sentence(line: str, strong: bool) -> str:
    who, colon, what = line.partition(": ")
    if strong and colon:
        return f"<li><b>{escape(who)}</b>{escape(what[:1].upper() + what[1:])}</li>"
    return f"<li>{escape(line)}</li>"


def _table(grid: Grid) -> str:
    texts = [not any(_is_number(row[column]) for row in grid.rows) for column in range(len(grid.head))]
    marks = [' class="text"' if text else "" for text in texts]
    head = "".join(f"<th{mark}>{escape(text)}</th>" for text, mark in zip(grid.head, marks, strict=True))
    if grid.head == ("",):  # a text, line by line
        return f"<pre>{escape(chr(10).join(row[0] for row in grid.rows))}</pre>"
    lines = "".join(
        "<tr>" + "".join(f"<td{m}>{escape(cell)}</td>" for cell, m in zip(row, marks, strict=True)) + "</tr>"
        for row in grid.rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def _is_number(text: str) -> bool:
    return text.strip("+-%· .0123456789") == "" and any(letter.isdigit() for letter in text)
