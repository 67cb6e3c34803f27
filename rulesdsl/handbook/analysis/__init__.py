"""What is found out about rules and tables for the handbook."""
