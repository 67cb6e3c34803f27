"""Saves and journals with the rules they carry, and games looked at again."""
