"""Two hierarchies in, numbers out: how alike they are, more than by chance, and where they differ."""
