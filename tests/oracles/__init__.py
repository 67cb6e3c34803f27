"""Independent answers that the engine is held against; hand-written games are in `benchmarks.baselines`."""
