"""Coordinates of plots, computed apart from drawing."""
