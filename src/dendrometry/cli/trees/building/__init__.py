"""Commands that build and cut trees."""
