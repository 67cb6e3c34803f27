"""Opponents. They decide by the same options as people, and see no more than the seat they sit in.

An agent is given a `Sight` (see `sight`), never a machine: what it may not know is not in there.
`make_agent("greedy", seed)` makes one; the words it understands are listed in `seats`.
"""
