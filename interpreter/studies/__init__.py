"""Studies: questions about the balance of games, asked in a file and answered by many games."""
