"""The pages of `python3 tests/run reference`, served beside the app once they are built."""

from starlette.routing import Mount
from starlette.staticfiles import StaticFiles


def routes(folder):
    """Routes to the pages in a folder; none if it has no first page."""
    if not (folder / "index.html").is_file():
        return []
    return [Mount("/reference", StaticFiles(directory=folder, html=True))]
