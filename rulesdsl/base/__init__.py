"""What every room stands on. Places in files, problems as values, limits, reading and writing, the cache."""
