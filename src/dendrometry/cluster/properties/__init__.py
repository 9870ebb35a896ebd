"""Properties of trees and their points: representatives of clusters, and whether merges are optimal."""
