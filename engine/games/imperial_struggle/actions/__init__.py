"""The answers that a player can give, by chapters. `engine.games.imperial_struggle.answers` lists them all."""
