structure(list(merge = structure(c(-1L, -3L, -2L, 1L), dim = c(2L, 
2L)), height = c(1, 2.5), order = c(3L, 1L, 2L), labels = c("ape", 
"cat", "owl"), method = "average", call = hclust(d = d, method = "average"), 
    dist.method = "euclidean"), class = "hclust")
