"""A saved game looked at again, also under other rules."""
