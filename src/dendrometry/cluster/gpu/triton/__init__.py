"""The fused kernels of the GPU, in Triton."""
