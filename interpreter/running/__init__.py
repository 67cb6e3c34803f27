"""What runs while a game is played: the machine, its dice, and what generated code calls."""
