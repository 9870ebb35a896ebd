"""Loops over graphs of concepts."""
