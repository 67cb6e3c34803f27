"""What cannot be read: where, and what was perhaps meant."""
