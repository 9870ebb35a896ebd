"""Measures of the heights at which pairs of items join."""
