"""Divide clusters: one algorithm a file."""
