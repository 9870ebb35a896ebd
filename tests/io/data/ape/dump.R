merges <-
structure(list(merge = structure(c(-1L, -3L, 1L, -5L, -2L, -4L, 
2L, 3L), dim = c(4L, 2L)), height = c(1, 2, 5.5, 16.75), order = c(5L, 
1L, 2L, 3L, 4L), labels = c("ape", "cat", "elk", "jay", "owl"
), method = "average", call = quote(hclust(d = dist(points), 
    method = "average")), dist.method = "euclidean"), class = "hclust")
