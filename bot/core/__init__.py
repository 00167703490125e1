"""What one press or command is about: read once, handed on, never looked up again. Knows no Discord."""
