"""How a game is drawn: `drawing.yaml`, defaults, patterns."""
