"""What files hold: their bytes, the formats by name, and what formats require."""
