"""Emitting Python: lines under construction, code objects, and the two back ends."""
