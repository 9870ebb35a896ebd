"""Formats that represent a tree as a table."""
