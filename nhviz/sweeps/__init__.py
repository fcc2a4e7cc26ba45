"""A quantity over one or two parameters: what is swept, in which order, and what was found."""
