"""Documents: from raw text to sparse unit vectors; near-duplicates; first stories."""
