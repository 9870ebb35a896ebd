"""Formats that write a tree as brackets within brackets."""
