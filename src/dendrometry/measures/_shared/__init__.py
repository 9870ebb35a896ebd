"""What measures share: counts, matchings, expectations."""
