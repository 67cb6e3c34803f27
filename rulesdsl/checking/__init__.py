"""From what was written to a `Program`, or to all problems at once. No rule is run."""
