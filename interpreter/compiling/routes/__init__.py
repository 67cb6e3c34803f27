"""Route searches: the plan by masks, its code, the reference search, and which one answers."""
