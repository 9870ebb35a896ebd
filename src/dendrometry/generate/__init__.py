"""Data made to order: partitions and trees with known properties."""
