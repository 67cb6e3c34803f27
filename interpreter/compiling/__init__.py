"""From `Program` to Python code: lowering, optimising, emitting; rulesets and whole games at one go."""
