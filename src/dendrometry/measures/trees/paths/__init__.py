"""Measures of the paths between items, and from the root to where they part."""
