"""What plots share: axes, colours, scales, marks."""
