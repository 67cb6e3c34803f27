"""Programs made at random from the grammar and the types, what they are tried with, and what they showed.

* `generated.game_of(seed, size)` makes a whole game: `world` and `sheets` what exists, `statements`, `doings`
  and `choosing` its rules, `talk`, `numbers`, `truths`, `things`, `phrases` their expressions, `amending`
  house rules;
* `trials`, `twinned`, `commands` (all of them: `trying`): what is asked of every game that passes the checks;
* `shrinking`, `corpus`: a game that fails, made small, and kept for ever under `tests/testdata/corpus/`;
* `covering`: which nodes of a program and which lines of checker and compiler were reached;
* `damage`, `harnesses`: bytes instead of programs (YAML, chapters, house rules, saves).
"""
