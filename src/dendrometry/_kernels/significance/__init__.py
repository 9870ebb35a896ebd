"""Loops of tests of nodes."""
