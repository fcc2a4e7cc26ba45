"""One file per lab; each exports LAB. A system without one gets the usual lab from its declarations."""
