"""Many games between agents, and what they tell about one rule set or two."""
