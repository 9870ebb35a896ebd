"""Where things are drawn, as arrays of numbers; nothing here draws."""
