"""Find or install a Chromium or Chrome for the tests."""

import os
import shutil
import sys
from ctypes.util import find_library
from pathlib import Path

from bootstrap import VENV, apt_install, call, last_line

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Where the path of a browser that Playwright has downloaded is kept.
DOWNLOADED = VENV / "browser"
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def find():
    """Path of an installed browser, or None; LABELRANK_BROWSER goes before all others."""
    named = os.environ.get("LABELRANK_BROWSER")
    if named:
        return shutil.which(named)
    places = [shutil.which(name) for name in NAMES] + usual_places()
    if DOWNLOADED.exists():
        places.append(DOWNLOADED.read_text())
    return next((place for place in places if place and Path(place).exists()), None)


def usual_places():
    """Where macOS and Windows keep the browsers that are not on the PATH."""
    if sys.platform == "darwin":
        program = "/Applications/{0}.app/Contents/MacOS/{0}"
        return [program.format(name) for name in ("Chromium", "Google Chrome")]
    folders = [
        os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
    ]
    return [folder + r"\Google\Chrome\Application\chrome.exe" for folder in folders if folder]


def has_libatomic():
    """Whether the library is there that Playwright's own program needs on Linux."""
    return not sys.platform.startswith("linux") or find_library("atomic") is not None


def problem():
    """Say in one sentence why no browser can be driven, or return None."""
    named = os.environ.get("LABELRANK_BROWSER")
    if not has_libatomic():
        return "Playwright needs libatomic, on Debian and Ubuntu: sudo apt-get install libatomic1"
    if find():
        return None
    if named:
        return f"LABELRANK_BROWSER names {named}, which is no program."
    return "No Chromium or Chrome was found; install one, or name it in LABELRANK_BROWSER."


def ensure_browser(python):
    """Install what is missing; where that fails, the tests that need a browser say so."""
    if not has_libatomic():
        apt_install("libatomic1")
    if find() or os.environ.get("LABELRANK_BROWSER"):
        return
    apt_install("chromium")
    if find():
        return
    print("Downloading a browser with Playwright ...", flush=True)
    download = call([python, "-m", "playwright", "install", "chromium"])
    if download.returncode:
        print("Playwright could not download one; check the network.", flush=True)
    else:
        DOWNLOADED.write_text(last_line(call([python, "-c", ASK_PLAYWRIGHT]).stdout))
