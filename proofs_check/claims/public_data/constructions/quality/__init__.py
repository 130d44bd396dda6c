"""Quality of covers: distance from the class, and the probability that public points give one."""
