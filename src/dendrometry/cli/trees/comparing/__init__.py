"""Commands that compare trees."""
