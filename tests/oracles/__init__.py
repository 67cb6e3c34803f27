"""Independent answers that the engine is held against.

The hand-written games live in `benchmarks.baselines`, which is no installed package: whichever way pytest
was started, importing this package makes them importable.
"""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)
