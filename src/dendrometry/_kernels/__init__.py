"""Compiled loops: arrays in, new arrays out, nothing checked."""
