"""Draws the picture of README.md anew: `PYTHONPATH=.:.setup python -m tests.browser.start_picture`.

The menu that stands in the picture is also written into the file, where a test reads it.
"""

import io
import tempfile
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

import browsers
from bootstrap import is_root
from tests.browser.driver import FLAGS, ROOT, Server, new_page, settled
from tests.browser.visitor import menu

PICTURE = ROOT / ".readme" / "start.png"
MENU = "menu"


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log.txt")
        try:
            server.wait()
            browser = playwright.chromium.launch(
                executable_path=browsers.find(), args=FLAGS, chromium_sandbox=not is_root()
            )
            page = new_page(browser, server, reduced_motion="reduce")
            page.goto("/")
            page.get_by_role("button", name="Show me without a guess").click()
            page.locator(".score-number").wait_for()
            settled(page)
            page.wait_for_load_state("networkidle")
            titles = menu(page).all_inner_texts()
            picture = Image.open(io.BytesIO(page.screenshot()))
            browser.close()
        finally:
            server.stop()
    about = PngInfo()
    about.add_text(MENU, " ".join(titles))
    picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=256).save(
        PICTURE, pnginfo=about, optimize=True
    )


if __name__ == "__main__":
    main()
