"""Games that were played once and are played again on every change: the same choices, the same positions.

`python tests/recorded_games.py` records them anew. Do that only when a rule of a game was meant to change,
and say so in the commit: a recording that changes by accident is what this is here to find.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from interpreter.keeping.position_hash import position_hash
from interpreter.playing.session import Session

FOLDER = Path(__file__).parent / "testdata" / "recorded"
EVERY = 50  # decisions between two fingerprints


@dataclass(frozen=True)
class Recording:
    """The whole game, or its first `most` decisions."""

    name: str
    game: str
    scenario: str | None
    seed: int
    most: int = 10_000


RECORDINGS = (
    Recording("berlin-1", "race_for_berlin", None, 1),
    Recording("berlin-2", "race_for_berlin", None, 2),
    Recording("berlin-3", "race_for_berlin", None, 3),
    *(
        Recording(f"germany-{name}", "battle_for_germany", name, 7, 400)
        for name in (
            "historical", "extended", "collapse_in_the_east", "red_star_white_star", "three_players",
            "four_players",
        )
    ),
    Recording("downfall-three", "downfall_of_the_third_reich", "campaign", 3),
    Recording("downfall-two", "downfall_of_the_third_reich", "two_players", 4, 400),
    Recording("east-front", "east_front", None, 5),
    Recording("skirmish", "tutorial/skirmish", None, 5),
)  # fmt: skip


def fingerprint(session: Session) -> str:
    return position_hash(session.ruleset, session.machine)


def record(recording: Recording) -> dict[str, object]:
    session = Session.start(recording.game, seed=recording.seed, scenario=recording.scenario)
    rng = random.Random(recording.seed)
    choices: list[str] = []
    hashes = [fingerprint(session)]
    while not session.over and len(choices) < recording.most:
        option = session.options[int(rng.random() * len(session.options))]
        choices.append(option.key)
        session.choose(option)
        if len(choices) % EVERY == 0:
            hashes.append(fingerprint(session))
    return {"choices": choices, "hashes": hashes, "end": fingerprint(session), "over": session.over}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for recording in RECORDINGS:
        found = record(recording)
        (FOLDER / f"{recording.name}.json").write_text(json.dumps(found, indent=0) + "\n", "utf-8")
        print(f"{recording.name}: {len(found['choices'])} decisions")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
