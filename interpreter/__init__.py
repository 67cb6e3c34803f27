"""The back end: a checked `Program` in, a game out. Import its submodules."""
