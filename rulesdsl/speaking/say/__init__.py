"""One module for each part of the language: what it says in English."""
