"""rulesdsl: rulebooks of board wargames as programs. The front end: text and data in, `Program` out."""

__version__ = "0.1.0"
