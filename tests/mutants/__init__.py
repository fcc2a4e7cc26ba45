"""Wrong pictures, made one at a time, that the tests in tests/pictures must notice: `make mutants`."""
