"""The search over version spaces in C, built where there is a compiler."""
