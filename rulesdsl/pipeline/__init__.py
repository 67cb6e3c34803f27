"""Read, amend, check: every problem of a game in one call, and a game that is being edited."""
