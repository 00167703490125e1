"""Makes the plates that maps are drawn from, out of outlines of the real world; a developer's tool, see docs/maps.md."""
