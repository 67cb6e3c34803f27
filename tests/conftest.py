"""What holds for all tests. Those that drive a program of somebody else in real time, a browser, a terminal,
a cluster, are tried again before they are called broken: a machine may be busy for a while. A fault of ours
fails every time."""

from __future__ import annotations

import os

import pytest

# Nothing is compiled beside a test because somebody in it thinks long; test_native_steps does that itself.
os.environ.setdefault("RULESDSL_NO_NATIVE_THOUGHTS", "1")

OTHER_PROGRAMS = (
    "test_handbook_browser",
    "test_play_tmux",
    "test_search_questions",
    "test_studies",
    "test_study_cluster",
    "test_table_browser",
    "test_table_words",
    "test_workshop_browser",
)
TRIES_AGAIN = 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    again = pytest.mark.flaky(reruns=TRIES_AGAIN, reruns_delay=1)
    for item in items:
        if item.path.stem in OTHER_PROGRAMS:
            item.add_marker(again)
