"""Fused kernels for NVIDIA devices, in Triton."""
