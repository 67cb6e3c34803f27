"""The workshop in the browser: a rulebook, an amendment that is being written, and what follows from it.

bench.py     one game, a house rule as it is typed: what is wrong, what changes, what no longer holds
reading.py   the rulebook as it is read        forms.py    counters and tables as forms
weighing.py  a comparison that one watches     shop.py     requests to replies (decision 22)
web.py       the door to the net               language.py the language server behind a WebSocket
"""
