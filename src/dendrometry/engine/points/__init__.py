"""Points that do not fit into memory: cells of near points, a tree in each, and an exact tree above."""
