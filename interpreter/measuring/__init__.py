"""Many games and what they tell; examples, ledger, invariants."""
