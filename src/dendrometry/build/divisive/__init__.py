"""From the top down: trees made by splitting clusters, and by a sample's tree above flat clusters."""
