"""Data shared by several studies."""
