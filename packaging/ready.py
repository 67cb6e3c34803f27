"""Build hook: grammar tables and shipped games are made ready when the package is built or installed.

What fails here is not missed: the installed program makes it at first use.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReadyHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes `rulesdsl/_data/ready`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        sys.path.insert(0, self.root)
        os.environ["RULESDSL_NO_CACHE"] = "1"
        try:
            from rulesdsl.pipeline.ready import make_ready

            self.app.display_info(f"made ready: {make_ready()} files of games")
            self.app.display_info(f"made ready: handbooks of {_handbooks()} games")
        except Exception as error:
            self.app.display_warning(f"nothing was made ready ({error}); the first start will take longer")


def _handbooks() -> int:
    """In a memory of their own: what has just been made ready is read, and nothing is left in a home."""
    from interpreter.measuring.ready_handbooks import make_handbooks_ready

    with tempfile.TemporaryDirectory() as kept:
        os.environ["XDG_CACHE_HOME"] = kept
        del os.environ["RULESDSL_NO_CACHE"]
        return make_handbooks_ready()
