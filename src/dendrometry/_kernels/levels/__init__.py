"""Loops over every number of groups."""
