"""The version of the engine, as saves and `rulesdsl --version` tell it."""

__version__ = "0.1.0"
