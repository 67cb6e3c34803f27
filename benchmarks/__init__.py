"""Measurements: the engine beside its peers, in one run. Nothing here is installed with the package."""
