"""Loops of single measures."""
