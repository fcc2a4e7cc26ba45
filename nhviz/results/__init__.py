"""One file per kind of system; each exports RESULTS, what no paper has."""
