"""The sandbox's page in a real browser, as wide as a phone and a desktop (`make browser`): what a newcomer does first works, and
nothing is wrong in the console. What is seen on the way lies in `build/browser/`."""
from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from sandbox import demo
from sandbox.server import Sandbox, sandbox

try:
    from playwright.async_api import Browser, Locator, Page, async_playwright, expect
except ModuleNotFoundError:
    sys.exit("Playwright is missing: `make browser` installs it, or pip install -e '.[dev,sandbox,browser]'.")

SHOTS = Path("build/browser")
SIZES = {"phone": (390, 844), "desktop": (1366, 900)}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TIMEOUT = 60_000            # milliseconds for one thing: a game of automatic players may think
LIST = ".select-list:visible"


def chromium() -> str:
    """The browser of this machine, or the one that CHROMIUM names; ends with a sentence where there is none."""
    named = os.environ.get("CHROMIUM", "")
    found = next(filter(None, map(shutil.which, (named,) if named else BROWSERS)), None)
    return found or sys.exit(f"There is no browser here called {named or ' or '.join(BROWSERS)}. Install Chromium (on Debian and "
                             "Ubuntu: apt install chromium), or name one: make browser CHROMIUM=/path/to/it.")


class Visit:
    """Somebody who looks at the page for the first time."""

    def __init__(self, page: Page, size: str, box: Sandbox) -> None:
        self.page, self.size, self.box = page, size, box
        self.talk = page.frame_locator("#talk iframe")
        self.wrong: list[str] = []
        page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))

    async def arrive(self) -> None:
        await self.page.goto(self.box.address)
        await self.button("Your move").wait_for()

    def button(self, words: str, *, exact: bool = True) -> Locator:
        """The newest button of the conversation that says so."""
        return self.talk.get_by_role("button", name=words, exact=exact).last

    def words(self, words: str) -> Locator:
        return self.talk.get_by_text(words).last

    async def act_as(self, who: str, where: str = "") -> None:
        await self.page.click(f"#people button[title^='Act as {who}']")
        if where:
            await self.page.click(f"#conversations button:has-text('{where}')")

    async def choose(self, list_: str, words: str) -> None:
        """Open the newest list that says so, and choose what begins with these words."""
        await self.talk.locator(".select-trigger", has_text=list_).first.click()
        await self.talk.locator(f"{LIST} .select-option").filter(has_text=words).first.click()

    async def board(self) -> None:
        """Wait until the newest picture is seen."""
        board = self.talk.locator("img.gallery-image").last
        await expect(board).to_be_in_viewport()
        await expect(board).not_to_have_js_property("naturalWidth", 0)

    async def shot(self, name: str) -> None:
        await self.page.screenshot(path=SHOTS / f"{self.size}-{name}.png")


# --- what is tried ---------------------------------------------------------------------------------------------

async def the_first_screen(visit: Visit) -> None:
    """The board, one *Your move*, and the question once."""
    await visit.board()
    await expect(visit.button("Your move")).to_be_in_viewport()
    await expect(visit.page.get_by_role("button", name="Your move")).to_have_count(0)
    shown = visit.talk.get_by_role("button", name="Your move", exact=True)
    seen = [await one.is_visible() and await in_view(one) for one in await shown.all()]
    assert sum(seen) == 1, f"{sum(seen)} buttons say Your move"
    asked = [await in_view(one) for one in await visit.talk.get_by_text("What do you do?").all()]
    assert sum(asked) == 1, f"the question stands there {sum(asked)} times"


async def a_list_is_chosen_after_scrolling(visit: Visit) -> None:
    """It opens where it is, stays open, and takes what is tapped; the conversation doesn't move."""
    await visit.button("Your move").click()
    await visit.words("Choose an action").wait_for()
    timeline = visit.talk.locator("#channel-timeline")
    await visit.page.wait_for_timeout(1500)
    await timeline.hover()
    await visit.page.mouse.wheel(0, -70)
    await visit.page.wait_for_timeout(500)
    before = await timeline.evaluate("all => all.scrollTop")
    await visit.talk.locator(".select-trigger").last.click()
    options = visit.talk.locator(f"{LIST} .select-option")
    await options.first.wait_for()
    await visit.page.keyboard.press("End")
    await visit.page.wait_for_timeout(700)
    await expect(options.first).to_be_attached()
    now = await timeline.evaluate("all => all.scrollTop")
    assert abs(now - before) <= 1, f"the conversation jumped from {before} to {now}"
    await visit.shot("list")
    await options.filter(has_text="Attack").first.click()
    await visit.button("Attack Britain in North America", exact=False).wait_for()
    await visit.shot("attack")


async def a_press_while_the_page_loads(visit: Visit) -> None:
    """A press counts as soon as its button is there, and so does one while another is under way."""
    await visit.page.reload()
    await visit.button("Your secrets").click()
    await visit.button("Your move").click()
    await visit.words("Your unrest").wait_for()
    await visit.words("Choose an action").wait_for()


async def a_name_makes_one_somebody_else(visit: Visit) -> None:
    await visit.act_as("Ben", "attack")
    await expect(visit.page.locator("#you")).to_have_text("You are Ben (Blue).")
    await visit.button("Your move").wait_for()


async def a_form_is_filled_in_cancelled_and_opened_again(visit: Visit) -> None:
    await visit.act_as("Ben", "attack")
    await visit.button("Your move").click()
    await visit.words("Take an action").wait_for()
    await visit.choose("Take an action", "Movement")
    await visit.choose("Move: ", "France to Italy")
    form = visit.talk.locator(".modal-dialog")
    await form.wait_for()
    await form.locator(".select-trigger").first.click()
    await visit.talk.locator(f"{LIST} .select-option").last.click()
    await visit.shot("form")
    await form.get_by_role("button", name="Cancel").click()
    await form.wait_for(state="detached")
    await visit.choose("Move: ", "France to Italy")
    await form.wait_for()
    await form.get_by_role("button", name="Cancel").click()


async def a_bid_by_taps(visit: Visit) -> None:
    who, channel = await at_an_auction(visit.box, visit.size)
    await visit.act_as(who, channel)
    await visit.button("Your move").click()
    gold = visit.button("0 gold")
    lists = visit.talk.locator(".select-trigger:visible")
    while True:
        await gold.or_(lists.last).first.wait_for()
        if await gold.count():
            break
        await lists.last.click()
        await visit.talk.locator(f"{LIST} .select-option").first.click()
        await visit.page.wait_for_timeout(1000)
    await gold.click()
    await visit.words("bids 0 gold").wait_for()
    await visit.shot("bid")


async def a_game_alone(visit: Visit) -> None:
    """Two taps, and it's the move of who plays; nothing of joining or starting."""
    await visit.page.click("#people button[title^='Act as Carla']")
    await visit.page.click("#solo")
    await visit.page.click("#titles button:has-text('Imperial Struggle')")
    await expect(visit.page.locator("#move")).to_have_text("It's your move.", timeout=TIMEOUT)
    await visit.button("Your move").wait_for()
    for label in ("Join", "Start"):
        await expect(visit.talk.get_by_role("button", name=label, exact=True)).to_have_count(0)
    await visit.board()


ONLY = sys.argv[1:]          # words of the names of steps; none: all


STEPS: tuple[Callable[[Visit], Awaitable[None]], ...] = (
    the_first_screen, a_list_is_chosen_after_scrolling, a_press_while_the_page_loads, a_name_makes_one_somebody_else,
    a_form_is_filled_in_cancelled_and_opened_again, a_bid_by_taps, a_game_alone)


async def in_view(one: Locator) -> bool:
    """True if somebody sees it without scrolling."""
    where = "one => { const box = one.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; }"
    return bool(await one.evaluate(where))


async def at_an_auction(box: Sandbox, name: str) -> tuple[str, str]:
    """A game of all in a channel of its own, as far as its first bid: who bids, and where."""
    lobby, people = box.services.lobby, {person.id: person.name for person in box.world.people}
    async with box.world.acting():
        channel = box.world.open_channel(f"auction-{name}")
        game = await lobby.open(key=demo.STRUGGLE.game, edition=demo.STRUGGLE.edition, seats=4, options={}, pack=None, title="",
                                guild=box.world.guild.id, channel=channel, owner=box.world.person("Gina").id)
        for player in demo.STRUGGLE.players:
            await lobby.join(game.id, box.world.person(player).id, name=player)
        await lobby.start(game.id, game.owner)
    while (table := await box.services.session.table(game.id)).state.phase != "auction":
        (waiting, *_) = await box.services.queries.waiting(game.id)
        assert waiting.user is not None
        async with box.world.acting():
            await box.services.answers.answer(game.id, waiting.user, table.default(waiting.seat))
    (waiting, *_) = await box.services.queries.waiting(game.id)
    return people[waiting.user or 0], f"auction-{name}"


# --- all of it -------------------------------------------------------------------------------------------------

async def visits(browser: Browser, size: str) -> list[str]:
    """All steps at one size, each from a page that is opened anew; what went wrong."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox(Path(folder) / "sandbox.db") as box:
            for step in [step for step in STEPS if not ONLY or any(words in step.__name__ for words in ONLY)]:
                width, height = SIZES[size]
                page = await browser.new_page(viewport={"width": width, "height": height})
                page.set_default_timeout(TIMEOUT)
                visit = Visit(page, size, box)
                name = f"{size}: {step.__name__.replace('_', ' ')}"
                try:
                    await visit.arrive()
                    await step(visit)
                    assert not visit.wrong, "; ".join(visit.wrong)
                    await visit.shot(step.__name__.replace("_", "-"))
                except Exception as error:
                    await visit.shot(f"wrong-{step.__name__}")
                    wrong.append(f"{name}: {str(error).splitlines()[0]}")
                print(f"{'✗' if wrong and wrong[-1].startswith(name) else '✓'} {name}", flush=True)
                await page.close()
    return wrong


async def run() -> int:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        wrong = [one for size in SIZES for one in await visits(browser, size)]
        await browser.close()
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    SHOTS.mkdir(parents=True, exist_ok=True)
    sys.exit(asyncio.run(run()))
