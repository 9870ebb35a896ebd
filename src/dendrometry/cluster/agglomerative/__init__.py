"""Merge clusters: one algorithm a file."""
