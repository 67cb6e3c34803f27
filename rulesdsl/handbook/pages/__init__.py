"""The pages of a handbook, each made of blocks."""
