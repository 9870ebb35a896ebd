"""Two trees walked at once: what the measures read."""
