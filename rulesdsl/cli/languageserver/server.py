"""The server: which file belongs to which game, when to look at it, and one function for each request.

Long because it has one short function for each request of the protocol.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError
from rulesdsl.base.resources import find_game
from rulesdsl.cli.languageserver import conversions as to
from rulesdsl.cli.languageserver.running import kept_position, run_example, shown_paragraph
from rulesdsl.editing.actions import actions
from rulesdsl.editing.colours import LEGEND, colours
from rulesdsl.editing.completing import completions
from rulesdsl.editing.desk import Desk, game_of
from rulesdsl.editing.drafting import as_house_rule, below_block, new_house_rule, slug
from rulesdsl.editing.hints import hints
from rulesdsl.editing.hovering import definition, hover
from rulesdsl.editing.lenses import lenses
from rulesdsl.editing.outline import Entry, folds, formatted, outline
from rulesdsl.editing.renaming import rename, renameable
from rulesdsl.house.applying import FOLDER

PATIENCE = 0.03  # seconds without a keystroke before the game is looked at
REST = 1.0  # seconds of nothing to do, after which garbage is looked for: never while somebody waits
MOST_GARBAGE = 1_000_000  # new objects, after which it is looked for behind the next messages all the same
_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "variable": lsp.CompletionItemKind.Variable,
    "define": lsp.CompletionItemKind.Function, "quantity": lsp.CompletionItemKind.Function,
    "route": lsp.CompletionItemKind.Function, "procedure": lsp.CompletionItemKind.Method,
    "action": lsp.CompletionItemKind.Event, "window": lsp.CompletionItemKind.Event,
    "token": lsp.CompletionItemKind.Event, "setting": lsp.CompletionItemKind.Constant,
    "track": lsp.CompletionItemKind.Variable, "field": lsp.CompletionItemKind.Field,
    "noun": lsp.CompletionItemKind.Class, "attribute": lsp.CompletionItemKind.Property,
    "enum": lsp.CompletionItemKind.Enum, "value": lsp.CompletionItemKind.EnumMember,
    "thing": lsp.CompletionItemKind.Reference, "table": lsp.CompletionItemKind.Struct,
    "paragraph": lsp.CompletionItemKind.Reference, "label": lsp.CompletionItemKind.Text,
}  # fmt: skip
_OUTLINE = {
    "paragraph": lsp.SymbolKind.Module, "define": lsp.SymbolKind.Function,
    "quantity": lsp.SymbolKind.Function,
    "procedure": lsp.SymbolKind.Method, "example": lsp.SymbolKind.Event, "classdecl": lsp.SymbolKind.Class,
    "enumeration": lsp.SymbolKind.Enum, "key": lsp.SymbolKind.Key, "item": lsp.SymbolKind.Object,
}  # fmt: skip
Answer = TypeVar("Answer")


class Utf16Protocol(LanguageServerProtocol):
    """Characters are counted in UTF-16, which every client must understand: pygls would take what the client
    likes best, and our places (conversions) would lie behind every “ö” of a line."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        return (yield from super().lsp_initialize(params))


class RulesServer(LanguageServer):
    """Holds a desk for every game of which a file is open."""

    def __init__(self, game: str = "") -> None:
        from rulesdsl.cli.languageserver.version import version

        super().__init__("rulesdsl", version(), protocol_cls=Utf16Protocol)
        self.default_game = game
        self.desks: dict[Path, Desk] = {}
        self.shown: dict[Path, set[str]] = {}
        self.prepared: set[Path] = set()
        self.preparing: set[asyncio.Task[None]] = set()
        self.versions: dict[str, int | None] = {}  # of the texts that the desks have
        self.stirs = 0

    def desk(self, uri: str) -> Desk:
        """The desk on which a file lies."""
        path = to.path_of(uri)
        directory = game_of(path)
        if directory is None and self.default_game:
            directory = find_game(self.default_game)
        if directory is None:
            raise UsageError(f"{path.name} belongs to no game (start the server with --game)")
        if directory not in self.desks:
            self.desks[directory] = Desk(directory)
        return self.desks[directory]

    def place(self, uri: str, at: lsp.Position) -> tuple[Desk, Path, int, int]:
        """A place as we count it."""
        desk, path = self.desk(uri), to.path_of(uri)
        lines = desk.text(path).split("\n")
        row = lines[at.line] if at.line < len(lines) else ""
        return desk, path, at.line + 1, to.column_of(row, at.character)

    def publish(self, desk: Desk) -> None:
        """Tell the client what is wrong now, and that it is no longer wrong where it was."""
        found: dict[str, list[Diagnostic]] = {to.uri_of(p): [] for p in desk.open_paths()}
        for problem in desk.problems():
            found.setdefault(to.uri_of(problem.span.file.path), []).append(problem)
        for path in desk.open_paths():
            if desk.is_house(path):
                found[to.uri_of(path)] = desk.problems_of(path)
        before = self.shown.get(desk.directory, set())
        for uri in {*before, *found}:
            told = [to.diagnostic(problem) for problem in found.get(uri, ())]
            # not the newest version that has come in: of that one nothing may be known yet
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, told, self.versions.get(uri))
            )
        self.shown[desk.directory] = {uri for uri, told in found.items() if told}

    def prepare(self, desk: Desk) -> None:
        """Once, after the first messages: get ready for questions, and let whoever asks go first."""

        async def file_by_file() -> None:
            try:
                for _ in desk.prepared():
                    await asyncio.sleep(PATIENCE)
            except (UsageError, RulebookError):
                self.prepared.discard(desk.directory)  # it cannot be read yet
            gc.collect()
            gc.freeze()  # what is known of a game stays; looking through it for garbage again takes long
            gc.disable()  # from now on at rest (`tidy`): in the middle of a question it is the slowest part

        if desk.directory not in self.prepared:
            self.prepared.add(desk.directory)
            task = asyncio.ensure_future(file_by_file())
            self.preparing.add(task)
            task.add_done_callback(self.preparing.discard)


def make_server(game: str = "") -> RulesServer:
    """A server with all its features."""
    server = RulesServer(game)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    _texts(server)
    _reading(server)
    _changing(server)
    _looks(server)
    _commands(server)
    return server


def quietly(answer: Callable[[], Answer]) -> Answer | None:
    """A game that cannot be read yet has no answer; that is no mistake of the server."""
    try:
        return answer()
    except (UsageError, RulebookError):
        return None


def answering(
    server: RulesServer, method: str, options: Any = None
) -> Callable[[Callable[[RulesServer, Any], Any]], Callable[[RulesServer, Any], Any]]:
    """A feature; of a file that belongs to no game there is nothing to say."""

    def registered(function: Callable[[RulesServer, Any], Any]) -> Callable[[RulesServer, Any], Any]:
        @wraps(function)
        def safe(ls: RulesServer, params: Any) -> Any:
            return quietly(lambda: function(ls, params))

        server.feature(method, options)(safe)
        return function

    return registered


# ---- texts ---------------------------------------------------------------------------------------------
def _texts(server: RulesServer) -> None:
    async def stirred(uri: str) -> None:
        """Wait until nobody types, then look."""
        server.stirs += 1
        mine = server.stirs
        await asyncio.sleep(PATIENCE)
        if mine == server.stirs:
            quietly(lambda: server.publish(server.desk(uri)))
            quietly(lambda: server.prepare(server.desk(uri)))
            await tidied(mine)

    async def tidied(mine: int) -> None:
        """Look for garbage when nothing is typed, or behind the messages where there is very much."""
        if gc.isenabled():
            return
        await asyncio.sleep(PATIENCE if gc.get_count()[0] > MOST_GARBAGE else REST)
        if mine == server.stirs or gc.get_count()[0] > MOST_GARBAGE:
            gc.collect()

    def taken(uri: str) -> None:
        document = server.workspace.get_text_document(uri)
        text = document.source
        quietly(lambda: server.desk(uri).edit(to.path_of(uri), text))
        server.versions[uri] = document.version

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: RulesServer, params: lsp.DidOpenTextDocumentParams) -> None:
        taken(params.text_document.uri)
        await stirred(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: RulesServer, params: lsp.DidChangeTextDocumentParams) -> None:
        taken(params.text_document.uri)
        await stirred(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: RulesServer, params: lsp.DidSaveTextDocumentParams) -> None:
        await stirred(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: RulesServer, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        quietly(lambda: server.desk(uri).close(to.path_of(uri)))
        server.versions.pop(uri, None)
        await stirred(uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: RulesServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        for desk in server.desks.values():
            desk.reread()
            quietly(lambda desk=desk: server.publish(desk))  # type: ignore[misc]


# ---- reading -------------------------------------------------------------------------------------------
def _reading(server: RulesServer) -> None:
    options = lsp.CompletionOptions(trigger_characters=[".", " ", "[", '"', "#", ":", "{", ","])

    @answering(server, lsp.TEXT_DOCUMENT_COMPLETION, options)
    def completed(ls: RulesServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        found = quietly(lambda: completions(desk, path, line, column)) or []
        row = desk.source_file(path).line(line)
        items = []
        for number, one in enumerate(found):
            typed = one.typed if one.typed is not None else _typed(row, column)
            start = to.position(row, line, column - len(typed))
            edit = lsp.TextEdit(lsp.Range(start, params.position), one.insert or one.word)
            items.append(lsp.CompletionItem(
                one.word, kind=_KINDS.get(one.kind), detail=one.detail or one.kind, text_edit=edit,
                sort_text=f"{number:04}",
                filter_text=f"{one.word} {one.detail}" if one.kind == "thing" else one.word,
            ))  # fmt: skip
        return lsp.CompletionList(is_incomplete=len(found) >= 400, items=items)

    @answering(server, lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: RulesServer, params: lsp.HoverParams) -> lsp.Hover | None:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        found = quietly(lambda: hover(desk, path, line, column))
        if found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), to.range_of(found.span))

    @answering(server, lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(ls: RulesServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        return [to.location(o.span) for o in quietly(lambda: definition(desk, path, line, column)) or []]

    @answering(server, lsp.TEXT_DOCUMENT_REFERENCES)
    def referred(ls: RulesServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        found = quietly(lambda: desk.at(path, line, column))
        places = desk.references(found.symbol) if found is not None else []
        wanted = params.context.include_declaration
        return [to.location(o.span) for o in places if wanted or not o.declares]

    @answering(server, lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlit(ls: RulesServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        found = quietly(lambda: desk.at(path, line, column))
        if found is None:
            return []
        kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
        return [
            lsp.DocumentHighlight(to.range_of(o.span), kinds[o.declares])
            for o in desk.occurrences(path)
            if o.symbol == found.symbol
        ]

    @answering(server, lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(ls: RulesServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        file = desk.source_file(path)

        def symbol(entry: Entry) -> lsp.DocumentSymbol:
            last = min(entry.last, len(file.lines))
            row = file.line(entry.first)
            first = lsp.Range(to.position(row, entry.first, 1), to.position(row, entry.first, len(row) + 1))
            whole = lsp.Range(first.start, to.position(file.line(last), last, len(file.line(last)) + 1))
            kind = _OUTLINE.get(entry.kind, lsp.SymbolKind.Variable)
            return lsp.DocumentSymbol(
                entry.name or "?", kind, whole, first, detail=entry.kind,
                children=[symbol(one) for one in entry.inside],
            )  # fmt: skip

        return [symbol(entry) for entry in outline(desk, path)]

    @answering(server, lsp.WORKSPACE_SYMBOL)
    def looked_for(ls: RulesServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        words = params.query.casefold()
        found = []
        for desk in server.desks.values():
            for one in quietly(lambda desk=desk: desk.everywhere(house=False)) or []:  # type: ignore[misc]
                if one.declares and words in one.symbol.word.casefold() and one.symbol.kind != "variable":
                    kind = _OUTLINE.get(one.symbol.kind, lsp.SymbolKind.Variable)
                    found.append(lsp.SymbolInformation(
                        location=to.location(one.span), name=one.symbol.word, kind=kind,
                        container_name=one.symbol.kind,
                    ))  # fmt: skip
        return found[:500]


def _typed(row: str, column: int) -> str:
    import re

    found = re.search(r"[A-Za-z_]\w*$", row[: column - 1])
    return found[0] if found else ""


# ---- changing ------------------------------------------------------------------------------------------
def _changing(server: RulesServer) -> None:
    @answering(server, lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(ls: RulesServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        found = quietly(lambda: renameable(desk, path, line, column))
        return to.range_of(found.span) if found is not None else None

    @answering(server, lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(ls: RulesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        desk, path, line, column = server.place(params.text_document.uri, params.position)
        try:
            return to.workspace_edit(rename(desk, path, line, column, params.new_name))
        except UsageError as error:
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
            return None

    @answering(server, lsp.TEXT_DOCUMENT_FORMATTING)
    def laid_out(ls: RulesServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        text = desk.text(path)
        new = formatted(desk, path)
        return [] if new == text else [lsp.TextEdit(to.whole_file(path, text), new)]

    kinds = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor])

    @answering(server, lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)
    def acted(ls: RulesServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        found = []
        for number, one in enumerate(quietly(lambda: actions(desk, path, first, last)) or []):
            kind = lsp.CodeActionKind.QuickFix if one.problem else lsp.CodeActionKind.Refactor
            told = [to.diagnostic(one.problem)] if one.problem else None
            if one.command:
                uri, title = params.text_document.uri, one.fix.title
                given: list[Any] = [uri, "My change"] if one.command == "houseRuleOfChanges" else [uri, first]
                command = lsp.Command(title, f"rulesdsl.{one.command}", arguments=given)
                found.append(lsp.CodeAction(title, kind=lsp.CodeActionKind.Refactor, command=command))
                continue
            found.append(lsp.CodeAction(
                one.fix.title, kind=kind, diagnostics=told, edit=to.workspace_edit(one.fix.edits),
                is_preferred=one.problem is not None and number == 0,
            ))  # fmt: skip
        return found


# ---- looks ---------------------------------------------------------------------------------------------
def _looks(server: RulesServer) -> None:
    @answering(server, lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(ls: RulesServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        return [lsp.FoldingRange(first - 1, last - 1) for first, last, _ in folds(desk, path)]

    legend = lsp.SemanticTokensLegend(list(LEGEND), ["declaration"])

    @answering(server, lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def coloured(ls: RulesServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        file = desk.source_file(path)
        told: list[int] = []
        line, start = 0, 0
        for one in quietly(lambda: colours(desk, path)) or []:
            at = to.position(file.line(one.line), one.line, one.column)
            if (at.line, at.character) < (line, start) or (told and (at.line, at.character) == (line, start)):
                continue
            told += [at.line - line, at.character - (start if at.line == line else 0), one.length,
                     LEGEND.index(one.kind), int(one.declares)]  # fmt: skip
            line, start = at.line, at.character
        return lsp.SemanticTokens(told)

    @answering(server, lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(ls: RulesServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        desk, path = server.desk(params.text_document.uri), to.path_of(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        file = desk.source_file(path)
        return [
            lsp.InlayHint(
                to.position(file.line(h.line), h.line, h.column), h.text, kind=lsp.InlayHintKind.Type
            )
            for h in quietly(lambda: hints(desk, path, first, last)) or []
        ]

    @answering(server, lsp.TEXT_DOCUMENT_CODE_LENS)
    def lensed(ls: RulesServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        desk, path = server.desk(uri), to.path_of(uri)
        found = []
        for one in quietly(lambda: lenses(desk, path)) or []:
            given: list[Any] = [uri, one.line, one.argument]
            command = lsp.Command(
                one.title, f"rulesdsl.{one.command}" if one.command else "", arguments=given
            )
            at = lsp.Position(one.line - 1, 0)
            found.append(lsp.CodeLens(lsp.Range(at, at), command=command))
        return found


# ---- commands ------------------------------------------------------------------------------------------
def _commands(server: RulesServer) -> None:
    def said(text: str, error: bool = False) -> str:
        kind = lsp.MessageType.Error if error else lsp.MessageType.Info
        server.window_show_message(lsp.ShowMessageParams(kind, text))
        return text

    def told(answer: Callable[[], str]) -> str:
        try:
            return answer()
        except UsageError as error:
            return said(str(error), error=True)
        except RulebookError as error:
            return said(error.problems[0].message, error=True)

    @server.command("rulesdsl.runExample")
    def run(uri: str, line: int = 1, *_: Any) -> str:
        desk, path = server.desk(uri), to.path_of(uri)
        return told(lambda: said(run_example(desk, path, int(line))))

    @server.command("rulesdsl.showParagraph")
    def show(uri: str, line: int = 1, *_: Any) -> str:
        desk, path = server.desk(uri), to.path_of(uri)
        return told(lambda: shown_paragraph(desk, path, int(line)))

    @server.command("rulesdsl.amend")
    def amend(uri: str, line: int = 1, number: str = "", title: str = "", *_: Any) -> str:
        desk = server.desk(uri)

        def made() -> str:
            source, _, _ = desk.view()
            name = title or f"Another {number}"
            return create(desk, name, new_house_rule(source, name, amend=number))

        return told(made)

    @server.command("rulesdsl.houseRuleOfChanges")
    def house(uri: str, title: str = "My change", *_: Any) -> str:
        desk, path = server.desk(uri), to.path_of(uri)

        def made() -> str:
            text, before = as_house_rule(desk, path, title)
            created = create(desk, title, text)
            edit = lsp.TextEdit(to.whole_file(path, desk.text(path)), before)
            change = lsp.WorkspaceEdit(changes={uri: [edit]})
            server.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(change))
            return created

        return told(made)

    @server.command("rulesdsl.exampleFromGame")
    def position(uri: str, line: int = 1, *_: Any) -> str:
        desk, path = server.desk(uri), to.path_of(uri)

        def made() -> str:
            text = kept_position(desk)
            edit = below_block(desk, path, int(line), text)
            if edit is None:
                raise UsageError("no block stands here")
            server.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(to.workspace_edit([edit])))
            return text

        return told(made)

    def create(desk: Desk, title: str, text: str) -> str:
        """A new house rule of the game, through the client, so that it can be undone."""
        path = desk.directory / FOLDER / f"{slug(title)}.md"
        uri = to.uri_of(path)
        start = lsp.Position(0, 0)
        changes: list[Any] = [
            lsp.CreateFile(uri=uri, options=lsp.CreateFileOptions(ignore_if_exists=True)),
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(uri),
                [lsp.TextEdit(lsp.Range(start, start), text)],
            ),
        ]
        server.workspace_apply_edit(lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(document_changes=changes)))
        server.window_show_document(lsp.ShowDocumentParams(uri))
        return uri

    @server.command("rulesdsl.openFile")
    def show_file(uri: str, line: int = 1, name: str = "", *_: Any) -> str:
        server.window_show_document(lsp.ShowDocumentParams(to.uri_of(Path(name))))
        return name

    @server.command("rulesdsl.game")
    def game(uri: str, *_: Any) -> str:
        return str(server.desk(uri).directory)
