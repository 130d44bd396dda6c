"""Questions asked on many instances, resumably."""
