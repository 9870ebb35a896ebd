"""Formats that represent a tree by nested brackets."""
