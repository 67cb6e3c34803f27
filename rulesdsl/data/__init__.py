"""Files of a game that hold facts: YAML with a place for every value, checked against a schema."""
