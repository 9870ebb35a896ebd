"""Measures of triples of items: which two of three are joined first."""
