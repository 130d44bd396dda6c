"""The families of classes of the papers, each a function of its parameters."""
