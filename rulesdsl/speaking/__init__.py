"""Rules as English: names, wordings, predicates, sentences. Nobody else makes sentences of rules."""
