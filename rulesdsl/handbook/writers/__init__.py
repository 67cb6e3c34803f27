"""Blocks as HTML and Markdown, and the frame around them."""
