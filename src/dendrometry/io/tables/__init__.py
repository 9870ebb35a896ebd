"""Formats that write a tree as a table."""
