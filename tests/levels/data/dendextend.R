# Writes the tables beside this file: two trees of R's USArrests, and what dendextend says of them at every k.
# Run with R 4.2.2 and dendextend 1.16.0:  Rscript dendextend.R
suppressPackageStartupMessages(library(dendextend))
d <- dist(scale(USArrests))
trees <- list(average = hclust(d, "average"), complete = hclust(d, "complete"))
stopifnot(all(sapply(trees, function(h) !anyDuplicated(h$height))))
write.csv(data.frame(left_a = trees$average$merge[, 1], right_a = trees$average$merge[, 2],
                     height_a = sprintf("%.17g", trees$average$height),
                     left_b = trees$complete$merge[, 1], right_b = trees$complete$merge[, 2],
                     height_b = sprintf("%.17g", trees$complete$height)),
          "dendextend_trees.csv", row.names = FALSE, quote = FALSE)
bk <- Bk(trees$average, trees$complete)
e <- sapply(bk, attr, "E_FM"); v <- sapply(bk, attr, "V_FM")
write.csv(data.frame(k = as.integer(names(bk)), bk = sprintf("%.17g", unlist(bk)), expected = sprintf("%.17g", e),
                     variance = sprintf("%.17g", v), limit = sprintf("%.17g", e + qnorm(0.95) * sqrt(v))),
          "dendextend_bk.csv", row.names = FALSE, quote = FALSE)
cat("cor_cophenetic", sprintf("%.17g", cor_cophenetic(trees$average, trees$complete)), "\n")
