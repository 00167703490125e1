"""Results of finished games: ranking, tables of members, titles, editions, sides and seats."""
