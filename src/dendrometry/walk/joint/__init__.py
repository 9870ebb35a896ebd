"""Pairs of items by where they join in both trees at once."""
