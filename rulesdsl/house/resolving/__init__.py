"""What a statement of a house rule means in this game: one resolver for each kind of statement."""
