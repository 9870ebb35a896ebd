"""Loops of partitions."""
