"""Tests of the studio; a package, so that its fixtures are not taken for those of all tests."""
