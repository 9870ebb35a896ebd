"""Loops that make trees and triplets."""
