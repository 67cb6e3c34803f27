"""Documents: examples, fences, paragraphs, chapters."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.language.syntax.choices import ActionUse
from rulesdsl.language.syntax.components import Reading
from rulesdsl.language.syntax.expressions import Expr
from rulesdsl.language.syntax.nodes import Node, Rule
from rulesdsl.language.syntax.rules import ParagraphRef
from rulesdsl.language.syntax.statements import Block, EndGame


@dataclass(frozen=True, slots=True)
class Expectation(Node):
    """`town.holder is red` · `cannot attack(town) by 8.1.1` · `can attack(town)` · `offered "x"` ·
    `the game goes on`"""

    kind: str
    condition: Expr | None
    action: ActionUse | None
    paragraph: ParagraphRef | None
    outcome: EndGame | None = None
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingGiven(Node):
    """`given reading end_of_supply: strict` · `given option fog: true` · `given parameter hand: 4`"""

    kind: str
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Example(Node):
    """One `example` block: `given:`, `rolling`, `choosing`, `when:`, `expect:`"""

    scenario: str | None
    given: Block
    rolls: tuple[int, ...]
    choices: tuple[str, ...]
    played: Block
    expected: tuple[Expectation, ...]
    settings: tuple[SettingGiven, ...] = ()


@dataclass(frozen=True, slots=True)
class Fence(Node):
    """One fenced block of a paragraph: kind `rules` or `example`, the text, the first line of the text."""

    kind: str
    text: str
    first_line: int


@dataclass(frozen=True, slots=True)
class Paragraph(Node):
    """`### 7.1.2 Cost of entering a zone`, its prose, its rules and its examples"""

    id: str
    title: str
    level: int
    prose: str
    fences: tuple[Fence, ...] = ()
    rules: tuple[Rule, ...] = ()
    examples: tuple[Example, ...] = ()
    informative: str | None = None  # `*Informative: why nothing is executed.*`
    data_file: str | None = None  # `*Data: scenarios/campaign.yaml.*`: the data say what this paragraph says

    @property
    def played(self) -> tuple[Rule, ...]:
        """The statements that do something: a settled reading only records what was assumed."""
        return tuple(rule for rule in self.rules if not (isinstance(rule, Reading) and rule.settled))


OPPONENT = "opponent"


def of_opponent(paragraph: str) -> bool:
    """Whether a paragraph (`opponent`, `opponent 2`) says what a position is worth, and is no rule."""
    return paragraph == OPPONENT or paragraph.startswith(f"{OPPONENT} ")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One Markdown file of a rulebook."""

    file: SourceFile
    title: str
    preface: str
    paragraphs: tuple[Paragraph, ...]
    # (kind, name) of statements that could not be read, so that their absence is not reported again
    unread: tuple[tuple[str, str], ...] = ()
    # (paragraph, statement, its last line) where one change makes it readable: others may speak of it
    meant: tuple[tuple[str, Rule, int], ...] = ()
