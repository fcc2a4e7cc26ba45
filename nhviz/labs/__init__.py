"""One file per lab; each exports LAB. A system without one gets a plain lab from its declarations."""
