"""Generated Python: pure rules become functions over the flat state, procedures become blocks."""
