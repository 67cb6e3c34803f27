"""Declarations and data files as numbered things with typed attributes."""
