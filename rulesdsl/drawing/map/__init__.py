"""Maps: layout, then layers from the ground up."""
