"""Several house rules together."""
