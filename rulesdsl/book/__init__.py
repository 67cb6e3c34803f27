"""A game directory in memory: chapters and data files, each fact with its source. It knows no rule."""
