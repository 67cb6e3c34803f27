"""Type checking: expressions, phrases, permissions, steps."""
