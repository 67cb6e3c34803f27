"""Two versions of a game: what was changed, what falls silent."""
