"""The developer's instruments: figures that can be compared across machines and hours. Nothing here is a test."""
