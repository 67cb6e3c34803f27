"""From the text of a house rule to its tree."""
