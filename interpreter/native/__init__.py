"""Native games: C of the back end (compiling/emit/native), built, kept, loaded and played.

compilers.py  which compiler there is: one of the system, or the `ziglang` wheel (extra `native`)
building.py   text to library, kept by what it says
library.py    a library in this process: structures, oracles, machines (ctypes)
games.py      `NativeGames`: games by number, by script, many at once; thread-safe

Knows no game. Whatever goes wrong here is a reason (`NotNative`), and the game is played by Python.
"""
