"""A third house rule that settles what two others dispute: it requires both and says the same thing anew."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.house.edits import Edit
from rulesdsl.language.syntax import amendments as ax


def unsettled(edits: Sequence[Edit]) -> list[Edit]:
    """The edits without those that a house rule overrules which requires their author and another one."""
    judges = [
        rule for rule in {id(edit.rule): edit.rule for edit in edits}.values() if len(_required(rule)) > 1
    ]
    if not judges:
        return list(edits)
    words = [edit for edit in edits if edit.rule in judges]
    return [edit for edit in edits if not any(_overrules(word, edit) for word in words)]


def _required(rule: ax.HouseRule) -> set[str]:
    return {mention.name for mention in rule.mentions if mention.kind == "requires"}


def _overrules(word: Edit, edit: Edit) -> bool:
    if word.rule is edit.rule or edit.rule.name not in _required(word.rule):
        return False
    if word.region is not None and edit.region is not None:
        return word.region.overlaps(edit.region)
    # who says the whole anew overrules whoever changed a part of it
    return bool(word.keys & edit.keys) or bool(word.keys & {key[:3] for key in edit.keys if key[0] == "name"})
