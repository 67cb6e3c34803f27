"""What stands in a report, as blocks that both the page and the paper print: sentences, figures, tables.

Under every figure stand the numbers it was drawn from, so that it can be drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote

from interpreter.measuring.comparison import Measure
from interpreter.measuring.usage import CELL, OFFERED, REFUSED, SPACE, TAKEN
from interpreter.studies.carrying import engine
from interpreter.studies.figures import (
    MINUS,
    Course,
    Distribution,
    Figure,
    Forest,
    Row,
    bins_of,
    counts_of,
    span_of,
)
from interpreter.studies.findings import ArmFinding, Effect, Findings, cautions, found_sentences, lead

MOST_ROWS = 25


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Sentences:
    """Findings, one below the other."""

    lines: tuple[str, ...]
    strong: bool = False


@dataclass(frozen=True)
class Picture:
    caption: str
    figure: Figure


@dataclass(frozen=True)
class Grid:
    """A table; `folded` behind its title on the page. Numbers stand on the right."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = True


@dataclass(frozen=True)
class Commands:
    lines: tuple[str, ...]


Block = Heading | Paragraph | Sentences | Picture | Grid | Commands


def contents(found: Findings) -> list[Block]:
    """The whole report, in order."""
    return [
        Heading("What was found"),
        *([Paragraph(lead(found))] if lead(found) else []),
        Sentences(tuple(found_sentences(found)), strong=True),
        *_differences(found),
        *_interactions(found),
        *_shares(found),
        *_distributions(found),
        *_use(found),
        Heading("What cannot be said"),
        Sentences(tuple(cautions(found))),
        *_stopping(found),
        *_again(found),
    ]


def subtitle(found: Findings) -> str:
    games = sum(entry.games for entry in found.arms)
    each = f"{found.games:,} in each of {len(found.arms)} arms"
    return f"{games:,} games, {each}, on the same seeds (seed {found.study.seed})"


# ---- who wins -----------------------------------------------------------------------------------------
def _differences(found: Findings) -> Iterator[Block]:
    compared = [entry for entry in found.arms if entry.comparison is not None]
    if not compared:
        return
    yield Heading(f"The difference each arm makes, beside “{found.base.arm.name}”")
    yield Paragraph(
        "Each line is a difference, with the interval in which it lies with 95 % confidence. A filled "
        "diamond: more than luck. An open circle: not to be told from luck, also where its own interval just "
        "leaves zero out, for among many lines one or two do so by chance."
    )
    for kind, seat, name in _questions(compared):
        rows = []
        for entry in compared:
            measure = _measure(entry, kind, seat)
            if measure is not None:
                rows.append(_row(entry.arm.name, measure))
        if not rows or all(row.value == row.low == row.high == 0 for row in rows):
            continue
        unit = (
            "points of all games"
            if kind in ("wins", "drawn")
            else found.length_unit
            if kind == "length"
            else "points"
        )
        sides = ("shorter", "longer") if kind == "length" else ("fewer", "more")
        sides = ("lower", "higher") if kind == "score" else sides
        title = "length of a game" if kind == "length" else name
        yield Picture(title[0].upper() + title[1:], Forest(unit, tuple(rows), 0.0, *sides))
        yield _forest_numbers(title, rows)


def _questions(compared: Sequence[ArmFinding]) -> list[tuple[str, str, str]]:
    """Kind, seat and name of everything that is compared. Where two players share all wins, one tells
    both."""
    asked: dict[tuple[str, str], str] = {}
    drawn = False
    for entry in compared:
        assert entry.comparison is not None
        for measure in entry.comparison.measures:
            asked.setdefault((measure.kind, measure.seat), measure.name)
            drawn = drawn or measure.kind == "drawn"
    wins = [key for key in asked if key[0] == "wins"]
    if len(wins) == 2 and not drawn:
        del asked[wins[1]]
    order = ("wins", "drawn", "score", "length")
    return [
        (kind, seat, name) for (kind, seat), name in sorted(asked.items(), key=lambda e: order.index(e[0][0]))
    ]


def _measure(entry: ArmFinding, kind: str, seat: str) -> Measure | None:
    measures = entry.comparison.measures if entry.comparison is not None else ()
    return next((m for m in measures if m.kind == kind and m.seat == seat), None)


def _row(label: str, measure: Measure) -> Row:
    scale, places = (100, 1) if measure.kind in ("wins", "drawn") else (1, 2)
    value, (low, high) = scale * measure.difference, (scale * end for end in measure.interval)
    return Row(label, value, low, high, measure.found, _around(value, low, high, places))


def _around(value: float, low: float, high: float, places: int) -> str:
    if value == low == high == 0:
        return "not once different"
    return f"{value:+.{places}f} ({low:+.{places}f} to {high:+.{places}f})".replace("-", MINUS)


def _forest_numbers(title: str, rows: Sequence[Row]) -> Grid:
    lines = tuple(
        (row.label, f"{row.value:.3f}", f"{row.low:.3f}", f"{row.high:.3f}", "yes" if row.found else "no")
        for row in rows
    )
    return Grid(f"Numbers: {title}", ("arm", "difference", "from", "to", "more than luck"), lines)


def _interactions(found: Findings) -> Iterator[Block]:
    if not found.main:
        return
    yield Heading("Each factor alone, and two together")
    yield Paragraph(
        "A factor alone: how the wins change, as a mean over all levels of the others. Two together: "
        "what they "
        "change beyond the sum of what each does alone; near zero, the rules do not get in each other's way."
    )
    for title, effects in (("Alone", found.main), ("Together", found.together)):
        if effects:
            rows = tuple(map(_effect_row, effects))
            yield Picture(
                f"{title}: games won by {effects[0].seat}",
                Forest("points of all games", rows, 0.0, "fewer", "more"),
            )
            yield _forest_numbers(title.lower(), rows)


def _effect_row(effect: Effect) -> Row:
    value, (low, high) = 100 * effect.difference, (100 * end for end in effect.interval)
    return Row(effect.name, value, low, high, effect.found, _around(value, low, high, 1))


def _shares(found: Findings) -> Iterator[Block]:
    yield Heading("How often each side wins")
    results = dict.fromkeys(name for entry in found.arms for name in entry.results)
    for result in results:
        rows = []
        for entry in found.arms:
            share = entry.results.get(result)
            if share is not None and share.of:
                low, high = (100 * end for end in share.interval)
                note = f"{100 * share.value:.1f} % ({low:.1f} to {high:.1f})"
                rows.append(Row(entry.arm.name, 100 * share.value, low, high, False, note))
        if rows and any(row.value for row in rows):
            name = found.result_name(result)
            won = f"Won by {name}" if result not in ("drawn", "nobody") else name.capitalize()
            yield Picture(won, Forest("% of games", tuple(rows)))
    head = ("arm", *(found.result_name(result) for result in results), "games", "failed")
    lines = tuple(
        (
            entry.arm.name,
            *(str(entry.results[result].count) if result in entry.results else "0" for result in results),
            str(entry.games),
            str(len(entry.failed)),
        )
        for entry in found.arms
    )
    yield Grid("Numbers: results", head, lines)


def _distributions(found: Findings) -> Iterator[Block]:
    yield Heading("How long the games are, and how they are scored")
    rows = tuple((e.arm.name, tuple(map(float, e.lengths))) for e in found.arms if e.lengths)
    if rows:
        yield Picture(f"Length in {found.length_unit} (▲ median)", Distribution(found.length_unit, rows))
        yield from _spread_numbers(f"length in {found.length_unit}", rows)
    for player, name in found.names.items():
        rows = tuple((e.arm.name, e.scores[player]) for e in found.arms if e.scores.get(player))
        if rows and len({value for _, values in rows for value in values}) > 1:
            yield Picture(f"Score of {name} (▲ median)", Distribution(f"score of {name}", rows))
            yield from _spread_numbers(f"score of {name}", rows)


def _spread_numbers(title: str, rows: Sequence[tuple[str, tuple[float, ...]]]) -> Iterator[Grid]:
    lines = []
    for label, values in rows:
        ordered = sorted(values)
        cuts = [
            ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0, 0.25, 0.5, 0.75, 1)
        ]
        lines.append(
            (label, *(f"{cut:g}" for cut in cuts), f"{sum(values) / len(values):.2f}", str(len(values)))
        )
    head = ("arm", "least", "quarter", "half", "three quarters", "most", "mean", "games")
    yield Grid(f"Numbers: {title}", head, tuple(lines))
    bins = bins_of(Distribution("", tuple(rows)))
    columns = [counts_of(values, bins) for _, values in rows]
    bars = zip(bins, bins[1:], *columns, strict=False)
    counted = tuple((span_of(low, high), *map(str, counts)) for low, high, *counts in bars if any(counts))
    yield Grid(f"Every bar: {title}, in how many games", (title, *(label for label, _ in rows)), counted)


# ---- what is used -------------------------------------------------------------------------------------
def _use(found: Findings) -> Iterator[Block]:
    if not any(entry.counted for entry in found.arms):
        return
    yield Heading("Which rules are used")
    yield from _changed_use(found)
    base = found.base
    if base.counted:
        yield _decisions(base)
        yield from _cells(base)
        yield from _spaces(base)


def _changed_use(found: Findings) -> Iterator[Block]:
    lines = []
    for entry in found.arms:
        uses = [use for use in entry.comparison.uses if use.found] if entry.comparison else []
        for use in uses[:5]:
            paragraph = entry.arm.game.program.paragraphs.get(use.paragraph)
            title = paragraph.title if paragraph is not None else "(repealed)"
            lines.append(
                (entry.arm.name, f"{use.paragraph} {title}", f"{use.before:.2f}", f"{use.after:.2f}")
            )
    if lines:
        head = ("arm", "paragraph", f"in “{found.base.arm.name}”", "in this arm")
        title = "Paragraphs used more or less often in a game, more than by luck (up to five for each arm)"
        yield Grid(title, head, tuple(lines), folded=False)
    else:
        counted = max(entry.counted for entry in found.arms)
        yield Paragraph(
            f"In {counted} games of each arm no paragraph was used more or less often than by luck."
        )


def _decisions(entry: ArmFinding) -> Grid:
    asked: dict[tuple[str, str], list[int]] = {}
    for key, count in entry.usage.items():
        kind, *rest = key.split("\t")
        if kind in (OFFERED, TAKEN, REFUSED):
            asked.setdefault((rest[0], rest[1]), [0, 0, 0])[(OFFERED, TAKEN, REFUSED).index(kind)] += count
    ordered = sorted(asked.items(), key=lambda pair: (-pair[1][0], pair[0]))
    per_game = max(1, entry.counted)
    lines = tuple(
        (paragraph, what, f"{offered / per_game:.1f}", f"{taken / per_game:.1f}", f"{refused / per_game:.1f}",
         f"{100 * taken / offered:.0f} %" if offered else "")
        for (paragraph, what), (offered, taken, refused) in ordered
    )  # fmt: skip
    title = f"What was offered, taken and refused in a game of “{entry.arm.name}”"
    return Grid(title, ("paragraph", "what", "offered", "taken", "refused", "taken of offered"), lines)


def _cells(entry: ArmFinding) -> Iterator[Block]:
    used: dict[str, dict[str, int]] = {}
    for key, count in entry.usage.items():
        kind, *rest = key.split("\t")
        if kind == CELL:
            used.setdefault(rest[0], {})[rest[1]] = count
    for name, table in entry.arm.game.program.tables.items():
        counts = used.get(name, {})
        whole = sum(len(row.cells) for page in table.pages for row in page.rows)
        columns = [label.text for label in table.columns] or [""]
        for page in table.pages:
            lines = []
            for row in page.rows:
                keys = [
                    " / ".join(filter(None, (page.label.text if page.label else "", c, row.label.text)))
                    for c in columns
                ]
                lines.append((row.label.text, *(str(counts[key]) if key in counts else "·" for key in keys)))
            of = f", {page.label.text}" if page.label else ""
            hit = len(counts)
            title = f"Table {table.title or name}{of}: {hit} of {whole} results were looked up (· never)"
            yield Grid(title, ("", *columns), tuple(lines))


def _spaces(entry: ArmFinding) -> Iterator[Block]:
    world = entry.arm.game.program.world
    if "space" not in world.universes:
        return
    spaces = world.universes["space"]
    counts = {key.split("\t")[1]: n for key, n in entry.usage.items() if key.startswith(f"{SPACE}\t")}
    if not counts:
        return
    never = [name for identity, name in zip(spaces.ids, spaces.names, strict=True) if identity not in counts]
    names: Mapping[str, str] = dict(zip(spaces.ids, spaces.names, strict=True))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    lines = tuple((names[i], f"{n / max(1, entry.counted):.2f}") for i, n in ordered[:MOST_ROWS])
    title = f"Spaces chosen or gone to: {len(counts)} of {len(spaces)}, the first {len(lines)}"
    yield Grid(title, ("space", "times in a game"), lines)
    if never:
        yield Grid(
            f"Spaces nobody chose or went to: {len(never)}", ("space",), tuple((name,) for name in never)
        )


# ---- honesty ------------------------------------------------------------------------------------------
def _stopping(found: Findings) -> Iterator[Block]:
    within = found.study.stopping.within
    if not within or not found.looks:
        return
    points = tuple((look.games, look.widest) for look in found.looks)
    yield Picture(
        "Every look, and how certain one was then",
        Course("the widest interval to either side, in points", points, within),
    )
    lines = tuple((str(x.games), f"{x.widest:.2f}", "yes" if x.enough else "no") for x in found.looks)
    yield Grid("Numbers: looks", ("games of each arm", "widest interval ±", "stopped"), lines)


def _again(found: Findings) -> Iterator[Block]:
    yield Heading("To make it again")
    yield Paragraph(
        "The games depend on the rules, the players and the seeds alone. Each line plays the games "
        "of one arm again; "
        "game 17 of an arm is “rulesdsl play” with the same words and --seed " + f"{found.study.seed}/17."
    )
    yield Commands(tuple(_command(entry, found) for entry in found.arms))
    lines = tuple((entry.arm.name, entry.arm.rules[:16]) for entry in found.arms)
    yield Grid(
        f"Rules by content hash (engine {', '.join(found.engines) or engine()})", ("arm", "rules"), lines
    )
    for file in dict.fromkeys(file for entry in found.arms for file in entry.arm.game.house):
        yield Grid(f"The house rule {file.path.name}", ("",), tuple((line,) for line in file.lines))
    yield Grid("The file of the study", ("",), tuple((line,) for line in found.study.file.lines))


def _command(entry: ArmFinding, found: Findings) -> str:
    setup, program = entry.arm.setup, entry.arm.game.program
    words = ["rulesdsl", "simulate", program.game]
    if entry.arm.scenario:
        words += ["--scenario", entry.arm.scenario]
    for path in setup.house:
        shipped = path.parent == setup.game / "house"
        words += ["--house", path.stem if shipped else path.name]
    for name, value in sorted(setup.settings.items()):
        words += ["--option", f"{name}={value}"]
    for seat, kind in setup.seats.items():
        words += ["--seat", f"{seat}={kind}"]
    return " ".join(map(quote, [*words, "--seed", found.study.seed, "--games", str(found.games)]))
