"""Back end C: whole games as C, for a machine with words (decision 20).

    playout code (ir)  →  types.py, inference.py   what every value is: words, whole numbers, fractions, masks
                       →  values.py, statements.py  C, typed
                       →  searches.py, surroundings.py, runtime.h   what the code calls
                       →  program.py               one C text, its tables and its entry points

Whatever has no machine type is told (`Unsupported`), and the game is played by the Python it was always
played by. No word of an author reaches the text: names are ours, texts are numbers of bytes.
"""
