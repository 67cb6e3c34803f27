"""The language: its trees (`syntax`), from text to trees (`parsing`), from trees to text (`printing`)."""
