"""File formats and data structures that hierarchies are read from and written to, one module for each."""
