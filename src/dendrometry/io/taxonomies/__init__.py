"""Published taxonomies, one in each file: NCBI, OBO, SKOS, lineages, products."""
