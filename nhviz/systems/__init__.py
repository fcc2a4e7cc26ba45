"""One file per system; each exports SYSTEM and its docstring is the mathematics."""
