"""YAML, read strictly: events, line numbers, JSON Schema, messages for people."""
