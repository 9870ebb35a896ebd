"""Validation of input: each check is made once and has one message."""
