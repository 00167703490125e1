"""The same bot on a simulated Discord, in a page that only this machine can open: to try it, and to show it."""
import logging
from importlib import import_module

from engine.refusals import Faulty

logging.disable(logging.WARNING)        # simcord tries a client out as it is imported, and discord.py warns of what it lacks
try:
    for library in ("simcord", "aiohttp", "markdown_it", "linkify_it", "regex"):
        import_module(library)
except ModuleNotFoundError:
    raise Faulty("There is no token: set DISCORD_TOKEN, in the environment or in a file .env beside the bot. Without one only "
                 "the sandbox starts, which needs the libraries for development.") from None
finally:
    logging.disable(logging.NOTSET)
