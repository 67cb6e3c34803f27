"""Exact chances: the rules run with every die dictated."""
