"""Back end A: procedures as resumable blocks, for sessions."""
