"""The Language Server Protocol over the language service (rulesdsl.editing), with pygls."""
