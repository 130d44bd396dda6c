"""Lower bounds from equations between Bob's answers, as laws of Alice depend on each other."""
