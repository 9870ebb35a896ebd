"""Commands for documents."""
