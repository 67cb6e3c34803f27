"""House rules: documents that amend a rulebook. They stack in any order, or say where they clash."""
