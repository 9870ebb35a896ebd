"""Plot layouts as arrays of coordinates; nothing is drawn here."""
