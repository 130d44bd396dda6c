"""How good covers are: their distance from the class, and how likely public points give one."""
