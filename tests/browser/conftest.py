"""Fixtures of the tests that use the app as a visitor does."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import browsers
from bootstrap import is_root
from tests.browser.driver import FLAGS, RESULTS, Server, Visit, Visitors

REPORT = pytest.StashKey[pytest.TestReport]()


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call":
        item.stash[REPORT] = report
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The installed Chromium or Chrome; without one the tests fail, they are not skipped."""
    if problem := browsers.problem():
        pytest.fail(problem, pytrace=False)
    with sync_playwright() as playwright:
        # Chromium refuses to run as root inside its sandbox.
        browser = playwright.chromium.launch(
            executable_path=browsers.find(), args=FLAGS, chromium_sandbox=not is_root()
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def start_server(tmp_path_factory) -> Iterator[Callable[[], Server]]:
    servers: list[Server] = []

    def start() -> Server:
        servers.append(Server(tmp_path_factory.mktemp("server") / "log.txt"))
        servers[-1].wait()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def app_server(start_server) -> Server:
    """The server that the tests share."""
    return start_server()


@pytest.fixture
def cold_server(start_server) -> Iterator[Callable[[], Server]]:
    """Start a server that nobody has visited: `server = cold_server()`."""
    servers: list[Server] = []

    def start() -> Server:
        servers.append(start_server())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def visitors(browser, app_server) -> Visitors:
    """Pages that the tests share."""
    return Visitors(browser, app_server)


@pytest.fixture
def visit(visitors, request) -> Iterator[Callable[[Server], Page]]:
    """Open a page at a server, and fail the test for whatever went wrong unasked in it."""
    # Asked for first, its servers outlive the pages.
    request.getfixturevalue("cold_server")
    visits: list[Visit] = []

    def start(server: Server) -> Page:
        visits.append(visitors.visit(server))
        return visits[-1].page

    yield start
    report = request.node.stash.get(REPORT, None)
    failed = report is not None and report.failed
    if failed:
        name = re.sub(r"[^\w-]+", "_", request.node.name)
        for number, one in enumerate(visits):
            one.page.screenshot(path=RESULTS / f"{name}-{number}.png", full_page=True)
    problems = [problem for one in visits for problem in one.end()]
    for one in visits:
        if failed or problems:
            one.page.context.close()
        else:
            visitors.take_back(one.page)
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.fixture
def page(visit, app_server) -> Page:
    """A new visitor's page at the shared server."""
    return visit(app_server)
