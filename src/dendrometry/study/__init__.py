"""Studies: the tables and figures of the source documents, and what those left to further study."""
