"""Games on disk: saves, journals, and the rules they carry."""
