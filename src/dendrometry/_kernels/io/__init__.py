"""Loops that read and write trees."""
