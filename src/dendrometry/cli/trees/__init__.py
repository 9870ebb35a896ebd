"""Commands for trees."""
