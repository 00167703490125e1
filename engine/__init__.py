"""The rules: games as scripts over a log. Imports the standard library and pydantic, nothing else."""
