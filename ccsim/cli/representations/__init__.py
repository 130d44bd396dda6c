"""Commands about representations of classes."""
