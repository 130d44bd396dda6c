"""One-way communication complexity and private learning on small finite instances, exactly."""
