"""One file per paper; each exports CORRECTIONS, its misprints with what is right."""
