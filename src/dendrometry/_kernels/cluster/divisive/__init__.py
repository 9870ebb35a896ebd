"""Loops that divide clusters."""
