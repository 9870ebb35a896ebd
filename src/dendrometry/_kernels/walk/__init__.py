"""Loops that walk two trees at once."""
