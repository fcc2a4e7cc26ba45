"""One file per lesson; each exports LESSON, steps that are states with words."""
