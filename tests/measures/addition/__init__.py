"""Two measures that exist for a test alone, and what must hold once each is one file and one line."""
