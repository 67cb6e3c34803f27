"""Counters, their symbols, stacks and sheets."""
