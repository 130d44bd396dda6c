"""What selections by quality can reach at most, and what they need, exactly."""
