"""Text of rules to syntax trees: Markdown cut into paragraphs, statements read with lark."""
