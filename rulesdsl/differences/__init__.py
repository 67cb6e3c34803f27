"""Two versions of a game compared: what was changed, and what falls silent by it."""
