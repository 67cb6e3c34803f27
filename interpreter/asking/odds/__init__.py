"""Exact chances, by dictating every die."""
