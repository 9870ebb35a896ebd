"""Hypothesis draws the same examples in every run, and compiling may take its time."""

from hypothesis import HealthCheck, settings

settings.register_profile("dendrometry", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dendrometry")
