"""Words for the nodes of a hierarchy of documents."""
