"""Tables: files, labels of rows and columns, cells."""
