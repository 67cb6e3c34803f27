"""The intermediate representation: a typed tree between the rules of a game and the code that runs them.

    rules (rulesdsl.program)  →  lower/, routes/, emit/blocks, emit/playout   build nodes (builder.py)
                              →  passes (pipeline.py lists them)              nodes to nodes
                              →  emit/text.py                                 Python

Look at it with `rulesdsl code GAME NAME --stage ir` (as lowered), `--stage passed`, `--stage python`.

kinds.py       what a value is: flag, number, fraction, mask (universe and width), thing, enum, record, text
values.py      values, which change nothing
statements.py  statements and definitions: control, changes of the state, decisions, fuel
operations.py  what may be called of the surroundings, declared
builder.py     bodies under construction
asked.py       what is asked of trees: cells, variables, calls, sizes (analysis)
rewrite.py     trees made anew with something changed
show.py        trees as text

docs/decisions/0018 says why, and what a second back end has to do for every node. Three rules: nodes are not
changed once they stand in a body (one may stand in two functions); a pass takes a function and gives one; no
text of generated code is ever looked at again.
"""
