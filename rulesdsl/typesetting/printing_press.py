"""Typst documents become PDF here, drawings pictures, and only here is the wheel asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulesdsl.base.diagnostics import UsageError


@dataclass(frozen=True, slots=True)
class Document:
    """The source of a document with the drawings it shows."""

    source: str
    drawings: Mapping[str, str] = field(default_factory=dict)


def typeset(document: Document) -> bytes:
    """The document as PDF, the same bytes for the same document."""
    return _made(document, "pdf", "a PDF", timestamp=0)


def _made(document: Document, form: str, what: str, **settings: float) -> bytes:
    try:
        import typst
    except ImportError as error:
        raise UsageError(f"{what} needs the extra pdf: pip install 'rulesdsl[pdf]'") from error
    files: dict[str, bytes] = {"main": document.source.encode()}
    files |= {name: svg.encode() for name, svg in document.drawings.items()}
    compile_document: Any = typst.compile  # its types do not know that several files may be handed in
    made = compile_document(files, format=form, **settings)
    assert isinstance(made, bytes)
    return made


def picture(svg: str, form: str, width: int) -> bytes:
    """A drawing alone as PNG or PDF, so many pixels (of a PDF: points) wide."""
    page = "#set page(width: auto, height: auto, margin: 0pt)"
    drawing = Document(f'{page}\n#image("drawing.svg", width: {width}pt)\n', {"drawing.svg": svg})
    return _made(drawing, form, "a picture of this kind", ppi=72.0)


def pages_of_pdf(pdf: bytes) -> int:
    """How many pages a PDF of ours has: its page objects (the outline has a `/Count`, too, often larger)."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))
