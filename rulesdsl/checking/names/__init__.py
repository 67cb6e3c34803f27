"""Name resolution: what is declared, and what a written name means."""
