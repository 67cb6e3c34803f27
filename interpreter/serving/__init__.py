"""The table: games that people play by looking and clicking, alone, at one screen, by link.

`table.answer(table, request)` is the whole protocol, as plain values: it knows seats and secrets, and no
sockets. `hall` keeps many tables, `web` puts them behind HTTP, `web/` (the page) draws what is answered.
Everything a seat is told is made from `Session.view` and `Session.log_of` of that seat and nothing else.
"""
