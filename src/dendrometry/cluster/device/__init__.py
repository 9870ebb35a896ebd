"""Trees built on a GPU: array code against the array API standard, and fused kernels where Triton is installed."""
