"""Experiments of this server: kept in the core's store, run by programs beside it, and results.

A program started here lives on when the page, the session or the server ends.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from ipaddress import ip_address
from pathlib import Path
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

import streamlit as st

from labelrank_core.experiments import ConfigError, Experiment, read_config
from labelrank_core.experiments.database import StoreError
from labelrank_core.experiments.store import Status, Store
from pages.ui import session
from pages.ui.wording import text
from pages.ui.workers import worker_pool

P = ParamSpec("P")
R = TypeVar("R")
RUN = "run"
MOST_AT_ONCE = 2
_MOST_LISTED = 20
_ROOT = Path(__file__).resolve().parents[2]
_NICER = 19
_STARTING = Lock()


class TooManyError(RuntimeError):
    """As many experiments run on this server as may."""


def store() -> Store:
    """Open the store of this server."""
    return Store()


def store_errors_shown(function: Callable[P, R]) -> Callable[P, R | None]:
    """Let a part of a page, or a callback, say in one sentence where the store cannot be used."""

    @wraps(function)
    def wrapped(*arguments: P.args, **options: P.kwargs) -> R | None:
        try:
            return function(*arguments, **options)
        except StoreError as error:
            st.error(text.markdown(text.error_message(error)), icon=":material/hard_drive:")
            return None

    return wrapped


def current_run() -> str | None:
    """Return the experiment that the link names, or else the one this session looked at last."""
    run = st.query_params.get(RUN) or session.get_state("_run")
    if run:
        open_run(run)
    return run


def open_run(run: str) -> None:
    """Open an experiment in the page and its link."""
    session.set_state("_run", run)
    st.query_params[RUN] = run


def leave() -> None:
    """Let the page show none; for callbacks."""
    session.set_state("_run", None)
    st.query_params.pop(RUN, None)


def listed() -> tuple[list[Status], int, bool]:
    """List the experiments that this visitor may find without a link."""
    run_store = store()
    alone = is_local(st.get_option("server.address"), st.context.url)
    started_here = session.get_state("_own_runs", [])
    runs = [run for run in run_store.ids() if alone or run in started_here]
    return [run_store.status(run) for run in runs[:_MOST_LISTED]], len(runs[_MOST_LISTED:]), alone


def host() -> str:
    """Return the name of the machine that runs experiments: 'computer' or 'server'."""
    is_own = is_local(st.get_option("server.address"), st.context.url)
    return "computer" if is_own else "server"


def is_local(address: Any, url: str | None) -> bool:
    """Tell whether a server is reached from its own machine alone.

    `address` is the one it listens at, `url` the page in the browser, by which a proxy is reached.
    """
    hosts = [str(address).strip("[]"), urlsplit(url or "http://localhost").hostname or ""]
    return all(map(_is_loopback, hosts))


def _is_loopback(host: str) -> bool:
    try:
        return bool(ip_address(host).is_loopback)
    except ValueError:
        return host == "localhost"


def read_visitors_config(config: str) -> Experiment:
    """Read a config that a visitor brought."""
    experiment = read_config(config)
    if experiment.scheduler:
        raise ConfigError("scheduler: only the command line uses clusters; remove it.")
    for i, source in enumerate(experiment.data):
        if source.kind == "files":
            raise ConfigError(
                f"data[{i}]: only the command line reads files. Add them on the page Data and "
                "choose them here, or use a sample."
            )
    return experiment


def create(experiment: Experiment, n_workers: int) -> str:
    """Keep a new experiment, start it, and let this session find it again."""
    run_store = store()
    with _STARTING:
        _check_number(run_store)
        run = run_store.create(experiment, folder=run_store.home)
    session.set_state("_own_runs", [*session.get_state("_own_runs", []), run])
    _start(run_store, run, n_workers)
    return run


def resume(run: str, n_workers: int = 1) -> None:
    """Start an experiment again where it stopped; nothing happens if it runs already."""
    run_store = store()
    with _STARTING:
        _check_number(run_store)
        queued = run_store.queue(run)
    if queued:
        _start(run_store, run, n_workers)


def _check_number(run_store: Store) -> None:
    if run_store.n_running() >= MOST_AT_ONCE:
        raise TooManyError(
            f"{MOST_AT_ONCE} experiments are running on this {host()}, the most it allows. Start "
            "this one when one of them has ended."
        )


def _start(run_store: Store, run: str, n_workers: int) -> None:
    """Start the program beside the server, in a session of its own and behind other work."""
    command = [sys.executable, "-m", "labelrank_core", "--home", str(run_store.home.resolve())]
    command += ["run", run, "--workers", str(n_workers)]
    apart: dict[str, Any] = {"start_new_session": True}
    if os.name == "nt":
        flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
        apart = {"creationflags": sum(getattr(subprocess, flag) for flag in flags)}
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        # The folder is not looked in where PYTHONSAFEPATH is set.
        env={**os.environ, "PYTHONPATH": worker_pool.python_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **apart,
    )
    if os.name != "nt":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICER)
    Thread(target=_watch, args=(process, run_store, run), daemon=True).start()


def _watch(process: subprocess.Popen[bytes], run_store: Store, run: str) -> None:
    """Say so where a program ends before it could say anything itself."""
    code = process.wait()
    with suppress(KeyError, StoreError):
        if run_store.status(run).state == "waiting":
            run_store.refuse(run, f"The program ended with code {code} before it began.")
