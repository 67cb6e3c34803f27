"""Back end B: procedures as plain functions, for games that nobody stops."""
