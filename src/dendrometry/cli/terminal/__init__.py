"""Output of the commands: tables, files, and shell completion."""
