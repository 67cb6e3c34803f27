"""Who may know a value: of expressions, variables, pieces (information flow)."""
