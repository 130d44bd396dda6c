"""Learners to which some points are public: label privacy and semi-private learning."""
