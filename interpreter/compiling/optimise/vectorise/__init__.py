"""Vectorising: conditions on members as bit masks instead of loops."""
