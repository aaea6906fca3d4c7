"""Many tables: who sits where next, and the facts that every box of an evening folds."""
