"""Where everything lives in the state, and what generated functions are called."""
