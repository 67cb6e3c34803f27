"""One game for players, agents, servers: prompt, options, choice, log, views. It shows no secret."""
