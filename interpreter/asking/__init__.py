"""Why and why not: the clauses that play, run once more one by one. No rule is implemented a second time."""
