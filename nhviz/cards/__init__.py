"""One file per paper; each exports CARDS, its figures and claims as states with a check."""
