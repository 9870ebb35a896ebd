"""What formats share: bytes, rows, comments, lengths of branches, requirements."""
