"""What players mean: whole acts made of the atomic decisions of a session (see offering.py)."""
