"""Animals that canter ships: tables of joints and gaits, and the generator that moves them. Data first, code second."""
