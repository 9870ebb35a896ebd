"""The result of a comparison: its measures, p-values and verdict."""
