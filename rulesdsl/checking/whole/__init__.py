"""Checks on the whole game: completeness, totality of tables, circles, nesting."""
