"""What the discrete maps are made of: displacements and their branches, folds, momentum loci, behaviour at rest."""
