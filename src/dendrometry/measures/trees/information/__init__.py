"""Measures of information that one tree has about another, level by level."""
