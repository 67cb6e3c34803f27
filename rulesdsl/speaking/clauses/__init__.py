"""What is said, as a tree of clauses: who, does what, to whom, denied or not, and because of what.

Speakers build the tree; who is many, what is denied, when a name becomes “it” and what is a relative clause
is decided on it; only then it is made words (`words`).
"""
