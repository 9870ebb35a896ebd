"""Agglomerative algorithms on the processor, each by the linkages it serves."""
