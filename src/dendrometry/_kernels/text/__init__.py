"""Loops over documents."""
