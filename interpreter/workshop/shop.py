"""Requests to replies, in plain values: everything the page of the workshop can ask (decision 22).

Only the host of the hall may ask. No request names a file: what may be written is what the user has named
when he started the workshop, and it is never overwritten without a question.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from interpreter.measuring.effect import WAYS, changed_paragraphs
from interpreter.measuring.mattering import Mattered, mattering
from interpreter.playing.game import Game
from interpreter.playing.session import IllegalChoice, Session
from interpreter.running.fuel import RunawayRule
from interpreter.serving.catalogue import described, game_listed
from interpreter.serving.hall import Hall
from interpreter.serving.table import Refused, Reply
from interpreter.workshop import forms, reading
from interpreter.workshop.bench import Bench, problem_told
from interpreter.workshop.weighing import Question, Weighing
from rulesdsl.base.diagnostics import RulebookError, UsageError, errors
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import find_game
from rulesdsl.base.textfile import read_source
from rulesdsl.base.writing import write_file
from rulesdsl.editing.drafting import new_house_rule, slug
from rulesdsl.house.variants import variant_of_texts

AGENTS = ("random", "greedy", "easy", "club")  # the quicker first; a game of the last takes seconds
MOST_BENCHES = 4
MOST_PROBLEMS = 60
MOST_MOMENTS = 25
UNNAMED = "my_house_rule.md"
TITLE = "My house rule"


class Workshop:
    """Benches for the games somebody works on, one comparison at a time, and the file that may be written."""

    def __init__(self, hall: Hall, game: str | None = None, file: Path | None = None) -> None:
        self.hall, self.game, self.file = hall, game, file
        self.editor = False  # whether the bundle with the editor is there (web.py)
        self.language = False  # whether a language server can be had
        self.leaving: list[Callable[[], None]] = []  # what else must be put away at the end
        self._opening = threading.RLock()
        self._benches: dict[str, Bench] = {}
        self._weighing: dict[str, Weighing] = {}
        self._saved = ""  # fingerprint of what we wrote last

    def close(self) -> None:
        for one in self._weighing.values():
            one.stop()
        self._weighing.clear()
        for leave in self.leaving:
            leave()

    def bench(self, name: str) -> Bench:
        with self._opening:
            if name not in self._benches:
                if len(self._benches) >= MOST_BENCHES:
                    self._benches.pop(next(iter(self._benches)))
                # a text that is in no file has a name where no file of a game can be
                path = user_cache_path("rulesdsl") / "workshop" / UNNAMED
                if self.file is not None and name == self.game:
                    path = self.file
                self._benches[name] = Bench(name, find_game(name), path.absolute())
            return self._benches[name]

    def warm(self) -> None:
        """Read the rulebook that was named before somebody asks for it."""
        if self.game is not None:
            with suppress(RulebookError):
                bench = self.bench(self.game)
                with bench.lock:
                    reading.rulebook(bench)

    def fresh_bench(self, name: str) -> Bench:
        """The same for who opens the page anew: a game that was edited on disk meanwhile is read again."""
        with self._opening:
            if name in self._benches and self._benches[name].printed.reread():
                del self._benches[name]
            return self.bench(name)

    # ---- requests
    def answer(self, request: Mapping[str, Any]) -> Reply:
        if not self.hall.is_host(request.get("token")):
            return {"ok": False, "code": "token", "error": "this address lacks its key"}
        found = REQUESTS.get(str(request.get("do")))
        if found is None:
            return {"ok": False, "code": "form", "error": "the workshop does not know this request"}
        try:
            return {"ok": True, **found(self, request)}
        except Refused as refused:
            return {"ok": False, "code": refused.code, "error": str(refused)}
        except RulebookError as error:
            wrong = errors(error.problems) or error.problems
            return {"ok": False, "code": "rules", "error": wrong[0].message}
        except (UsageError, RunawayRule, IllegalChoice) as error:
            return {"ok": False, "code": "refused", "error": str(error)}
        except OSError as error:
            return {"ok": False, "code": "file", "error": (error.strerror or str(error)).lower()}

    def file_told(self) -> dict[str, Any] | None:
        """The file that was named: its text, when it is there."""
        if self.file is None:
            return None
        there = self.file.is_file()
        text = read_source(self.file, DEFAULT.rule_file_bytes).text if there else ""
        return {"name": self.file.name, "there": there, "text": text}

    def save(self, text: str, sure: bool) -> Reply:
        """Write the file that was named. What is there and is not our own last version is asked for first."""
        if self.file is None:
            raise Refused("form", "no file was named: start with rulesdsl workshop GAME --house FILE")
        with self._opening:
            there = self.file.is_file()
            current = _fingerprint(self.file.read_bytes()) if there else ""
            if there and current != self._saved and current != _fingerprint(text.encode()) and not sure:
                return {"saved": False, "asks": f"{self.file.name} exists already: write over it?"}
            write_file(self.file, text)
            self._saved = _fingerprint(text.encode())
        return {"saved": True, "name": self.file.name}

    def weigh(self, question: Question) -> str:
        """One at a time: two would take each other's processor."""
        with self._opening:
            for one in self._weighing.values():
                one.stop()
            self._weighing.clear()
            identity = secrets.token_urlsafe(6)
            self._weighing[identity] = Weighing(question)
            return identity

    def weighing(self, identity: object) -> Weighing:
        found = self._weighing.get(str(identity))
        if found is None:
            raise Refused("form", "this comparison is over")
        return found


# ---- what a request says -----------------------------------------------------------------------------------
def _text(request: Mapping[str, Any]) -> str:
    text = request.get("text")
    if not isinstance(text, str) or len(text.encode(errors="replace")) > DEFAULT.rule_file_bytes:
        raise Refused("form", "“text” must be the text of a house rule")
    return text


def _names(request: Mapping[str, Any], key: str = "others") -> list[str]:
    named = request.get(key, [])
    if not isinstance(named, list) or len(named) > 60 or not all(isinstance(one, str) for one in named):
        raise Refused("form", f"“{key}” must be a list of names")
    return [str(one)[:200] for one in named]


def _word(request: Mapping[str, Any], key: str, default: str = "") -> str:
    word = request.get(key, default)
    if not isinstance(word, str) or len(word) > 300 or "\n" in word:
        raise Refused("form", f"“{key}” must be a short text")
    return word


def _bench(shop: Workshop, request: Mapping[str, Any]) -> Bench:
    name = request.get("game")
    if not isinstance(name, str) or name not in shop.hall.names():
        raise Refused("form", "there is no such game here")
    return shop.bench(name)


def _scenario(bench: Bench, request: Mapping[str, Any]) -> str | None:
    wanted = _word(request, "scenario")
    if wanted and wanted not in bench.source.scenarios:
        raise Refused("form", "there is no such scenario")
    return wanted or None


def _fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---- replies ------------------------------------------------------------------------------------------
def _games(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    return {"games": [game_listed(name) for name in shop.hall.names()], "game": shop.game or ""}


def _opened(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """The rulebook, and all there is to choose."""
    bench = shop.fresh_bench(_bench(shop, request).name)
    with bench.lock:
        told = described(bench.name)
        return {
            "game": bench.name, "title": told["title"], "summary": told["summary"],
            "house": told["house"], "scenarios": told["scenarios"], "scenario": told["scenario"],
            "players": told["players"], "chapters": reading.rulebook(bench), **forms.listing(bench.source),
            "file": shop.file_told() if bench.name == shop.game else None,
            "uri": bench.path.as_uri(), "editor": shop.editor, "language": shop.language,
        }  # fmt: skip


def _considered(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """What is wrong, what clashes, what changes."""
    bench, text, others = _bench(shop, request), _text(request), _names(request)
    with bench.lock:
        if not text.strip():
            return {"empty": True, "sound": False, "problems": [], "html": "", "paragraphs": []}
        looked = bench.look(text, others)
        wrong = sorted(looked.problems, key=lambda p: (p.severity != "error", p.span.file.path != bench.path))
        told = [problem_told(problem, bench.path) for problem in wrong[:MOST_PROBLEMS]]
        changes = reading.changes(bench, looked) if looked.sound else {"html": "", "paragraphs": []}
        return {
            "empty": False,
            "sound": looked.sound,
            "problems": told,
            "more": len(wrong) - len(told),
            **changes,
        }


def _proved(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    return _bench(shop, request).prove(_text(request), _names(request))


def _drafted(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """A text to go on from: a new house rule about a paragraph, or one more section of this one."""
    bench, text = _bench(shop, request), _text(request)
    amend, after = _word(request, "amend"), _word(request, "after")
    if bool(amend) == bool(after):
        raise Refused("form", "say either “amend” or “after”")
    head = f"## amends {amend}"
    if amend and head in (line.strip() for line in text.splitlines()):
        line = next(n for n, row in enumerate(text.splitlines(), 1) if row.strip() == head)
        return {"text": text, "line": line}
    made = new_house_rule(bench.source, _word(request, "title", TITLE) or TITLE, amend, after)
    if not text.strip():
        return {"text": made, "line": 3}
    section = made[made.index("## ") :]
    body = text.rstrip("\n") + "\n\n"
    return {"text": body + section, "line": body.count("\n") + 1}


def _form(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    bench = _bench(shop, request)
    text, others = _text(request), _names(request)
    with bench.lock:
        looked = bench.look(text, others)
        return forms.form(bench, looked, _word(request, "kind"), _word(request, "name"))


def _put(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    bench = _bench(shop, request)
    kind, name, what = _word(request, "kind"), _word(request, "name"), _names(request, "what")
    return {"text": forms.put(bench, _text(request), kind, name, what, _word(request, "value"))}


def _begun(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """A table with these rules; its journal carries them. With `before` it begins at a moment of a game that
    was shown, and the person sits where somebody was asked."""
    bench = _bench(shop, request)
    text, others, scenario = _text(request), _names(request), _scenario(bench, request)
    before, seed = request.get("before"), _word(request, "seed")
    if before is None:
        game = bench.game(text, others) if text.strip() or others else bench.name
        table = shop.hall.begin(game, scenario=scenario)
        return {"table": table.identity, "token": table.seating.host.token}
    opened = bench.game(text, others)
    session, moments = _shown(bench, opened, scenario, seed)
    found = next((moment for moment in moments if moment.number == before), None)
    if found is None:
        raise Refused("form", "this game has no such moment")
    opening = session.choices[: found.number - 1]
    seats = [f"{found.seat}=human"]
    table = shop.hall.begin(opened, scenario=scenario, seed=seed, seats=seats, opening=opening)
    return {"table": table.identity, "token": table.seating.host.token}


def _shown(
    bench: Bench, game: Game, scenario: str | None, seed: str
) -> tuple[Session, Iterator[Mattered]]:  # fmt: skip
    """A game between random players, with the moments at which what was changed matters."""
    session = Session.start(game, scenario, seed=seed)
    rules = [paragraph for paragraph in changed_paragraphs(game) if paragraph in game.program.paragraphs]
    return session, mattering(session, dict.fromkeys(session.ruleset.seats.ids, AGENTS[0]), rules)


def _weighed(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    bench, agent = _bench(shop, request), _word(request, "agent", AGENTS[0])
    if agent not in AGENTS:
        raise Refused("form", f"players are {' or '.join(AGENTS)}")
    bench.game(_text(request), _names(request))  # says what is wrong before a process is started
    house = tuple((str(file.path), file.text) for file in bench.files(_text(request), _names(request)))
    seed = _word(request, "seed") or str(secrets.randbelow(10**9))
    return {"id": shop.weigh(Question(str(bench.directory), house, _scenario(bench, request), agent, seed))}


def _standing(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    return {**shop.weighing(request.get("id")).state, "ways": WAYS}


def _stopped(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    found = shop.weighing(request.get("id"))
    found.stop()
    return {**found.state, "ways": WAYS}


def _moments(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """One game between random players: the moments at which the changed paragraphs mattered."""
    bench = _bench(shop, request)
    game = bench.game(_text(request), _names(request))
    seed = _word(request, "seed") or str(secrets.randbelow(10**9))
    session, moments = _shown(bench, game, _scenario(bench, request), seed)
    told, count = [], 0
    for moment in moments:
        count += 1
        if count <= MOST_MOMENTS:
            told.append({
                "number": moment.number, "turn": moment.turn, "player": moment.player, "asked": moment.asked,
                "chosen": moment.chosen, "ways": list(moment.ways),
                "lines": [{"text": line.text, "rule": line.paragraph, "ours": number in moment.ours}
                          for number, line in enumerate(moment.lines) if number in moment.ours or number < 8],
            })  # fmt: skip
    return {"seed": seed, "moments": told, "count": count, "decisions": len(session.history)}


def _variant(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    """The file of a variant: the game, its scenario, these house rules."""
    bench, text = _bench(shop, request), _text(request)
    others, title = _names(request), _word(request, "title", TITLE) or TITLE
    bench.game(text, others)
    scenario = _scenario(bench, request) or ""
    made = variant_of_texts(title, bench.name, scenario, others, {slug(title): text}, {}, {})
    return {"name": f"{slug(title)}.yaml", "text": made}


def _sheet(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    bench, title = _bench(shop, request), _word(request, "title", TITLE) or TITLE
    with bench.lock:
        looked = bench.look(_text(request), _names(request))
        if not looked.sound:
            raise UsageError("the house rule has errors: repair them first")
        return {"name": f"{slug(title)}.html", "text": reading.sheet(bench, looked)}


def _saved(shop: Workshop, request: Mapping[str, Any]) -> Reply:
    return shop.save(_text(request), request.get("sure") is True)


ShopAnswer = Callable[[Workshop, Mapping[str, Any]], Reply]
REQUESTS: Mapping[str, ShopAnswer] = {
    "games": _games, "open": _opened, "consider": _considered, "prove": _proved, "draft": _drafted,
    "form": _form, "put": _put, "begin": _begun, "weigh": _weighed, "standing": _standing, "stop": _stopped,
    "moments": _moments, "variant": _variant, "sheet": _sheet, "save": _saved,
}  # fmt: skip
