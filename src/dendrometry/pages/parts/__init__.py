"""Parts of pages: tables, curves, trees."""
