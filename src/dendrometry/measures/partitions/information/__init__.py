"""Measures of information: what one partition tells about the other."""
