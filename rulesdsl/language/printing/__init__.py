"""Syntax trees as canonical text, and `rulesdsl fmt`. Nothing is decided here."""
