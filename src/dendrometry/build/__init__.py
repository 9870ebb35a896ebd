"""Points or distances in, hierarchies out."""
