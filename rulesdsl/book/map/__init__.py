"""Maps: spaces, borders, grids."""
