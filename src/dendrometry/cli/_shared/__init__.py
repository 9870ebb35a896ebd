"""What commands share: their inputs, outputs, tables and help."""
