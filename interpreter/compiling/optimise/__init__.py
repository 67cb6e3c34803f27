"""Optimising: folding, inlining, shared reads (common subexpressions), fuel."""
