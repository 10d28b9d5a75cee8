"""The preset `gaits`: transitions, root motion, posture and actions of our own."""
