"""Mistake trees and their refutations: the two proofs of a Littlestone dimension."""
