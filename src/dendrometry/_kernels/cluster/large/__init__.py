"""Loops over graphs of neighbours."""
