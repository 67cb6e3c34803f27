"""Names that look like those of generated code, given to rules that must not be exchanged."""

from __future__ import annotations

from tests.hostile import bomb

WALKS = """route march_0(unit)
    from unit.at
    at most 2 steps
route march(unit)
    from unit.at
    at most 1 step"""
bomb(
    "coll_route0",
    "set n to number of cells among march(u0)\nadd number of cells among march_0(u0) to n",
    rules=WALKS,
)
bomb("coll_quantity", "set n to pot.x + pot__x + q_pot__x", declared="record pot\n    much: number",
     rules="quantity pot.x = 1\nquantity pot__x = 2\ndefine q_pot__x = 3")  # fmt: skip
bomb("coll_constants", "set n to K0_text + FUEL + decide + opts",
     rules="define K0_text = 1\ndefine FUEL = 2\ndefine decide = 3\ndefine opts = 4")  # fmt: skip
bomb("coll_cancelled", "open w\nif cancelled: add 1 to n", declared="track cancelled: flag",
     rules='window w asking red\ntoken t "T"\n    play in w\n    do:\n        cancel\n        return t to the bag')  # fmt: skip
