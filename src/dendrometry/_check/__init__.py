"""Questions to input, each asked once and in one wording."""
