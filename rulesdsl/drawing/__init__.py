"""Maps and counters of any game as SVG: pure text, no dependency, the same bytes every time.

`draw_map(source)` draws the set-up; `prepare` once and `draw_map(…, prepared=…)` draws many positions.
`counter_sheet(source)` shows every counter with all its faces. `style_of` reads the game's `drawing.yaml`.
"""

from __future__ import annotations

from rulesdsl.drawing.counters.sheet import counter_sheet
from rulesdsl.drawing.map.draw import Prepared, draw_map, prepare
from rulesdsl.drawing.style.style_file import style_of
from rulesdsl.drawing.views import MapOptions, PieceView, SpaceMark, piece_view, set_up, space_marks

__all__ = [
    "MapOptions",
    "PieceView",
    "Prepared",
    "SpaceMark",
    "counter_sheet",
    "draw_map",
    "piece_view",
    "prepare",
    "set_up",
    "space_marks",
    "style_of",
]
