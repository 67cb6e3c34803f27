"""Lowering: values, sets, rules, steps and options as Python source."""
