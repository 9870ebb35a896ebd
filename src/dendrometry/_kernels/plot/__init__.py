"""Loops that lay out drawings."""
