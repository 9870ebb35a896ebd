"""Measures of a tree against the classes of its items."""
