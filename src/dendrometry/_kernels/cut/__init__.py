"""Loops of cuts."""
