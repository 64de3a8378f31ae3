"""The one style sheet of all markup."""

from pathlib import Path

_SHEET = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
STYLE = f"<style>{_SHEET}</style>"
