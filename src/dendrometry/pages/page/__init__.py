"""What every page is made of: markup, packed data, the shell."""
