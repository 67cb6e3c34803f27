"""What tests share: one module a subject."""
