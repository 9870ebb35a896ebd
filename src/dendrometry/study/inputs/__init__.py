"""Data that several studies share."""
