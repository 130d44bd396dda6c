"""Pictures of the objects, for people who would rather look than read."""
