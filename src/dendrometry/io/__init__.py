"""Doors: one file for each format that hierarchies come from and go to."""
