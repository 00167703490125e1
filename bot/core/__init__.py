"""The session, which holds store, tables, locks and the commit; and what one press or command is about, read once."""
