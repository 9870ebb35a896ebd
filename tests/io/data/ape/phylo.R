structure(list(edge = structure(c(5L, 6L, 6L, 5L, 7L, 7L, 6L, 
1L, 2L, 7L, 3L, 4L), dim = c(6L, 2L)), edge.length = c(2, 1, 
1, 1.5, 1.5, 1.5), Nnode = 3L, node.label = c("", "mammals", 
"birds"), tip.label = c("ape", "cat", "owl_1", "jay")), class = "phylo", order = "cladewise")
