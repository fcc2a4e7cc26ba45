"""What happens on the page: one module per lab, with the name of its layout."""
