"""What is on the page: the shell, and one module per lab."""
