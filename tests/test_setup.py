"""The bootstrap code in `.setup/`, `tests/run` and the first lines of `app.py`."""

import ast
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tomllib
import zipfile
from contextlib import nullcontext
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from packaging.pylock import Pylock
from packaging.requirements import Requirement
from streamlit.testing.v1 import AppTest

import bootstrap
import browsers
import errors
import launch

ROOT = Path(__file__).resolve().parents[1]
BEFORE_THE_CHECK = [ROOT / "app.py", ROOT / "tests" / "run", *(ROOT / ".setup").rglob("*.py")]

LOCK = """\
lock-version = "1.0"
dependency-groups = ["tests", "reference"]
created-by = "a test"

[[packages]]
name = "furo"
version = "2025.12.19"
marker = "('reference' in dependency_groups)"
wheels = [{ path = "furo-2025.12.19-py3-none-any.whl", hashes = { sha256 = "05" } }]

[[packages]]
name = "numpy"
version = "2.4.6"
marker = "(python_full_version < '3.99')"
sdist = { path = "numpy-2.4.6.tar.gz", hashes = { sha256 = "02" } }
wheels = [{ path = "numpy-2.4.6-py3-none-any.whl", hashes = { sha256 = "01" } }]

[[packages]]
name = "pytest"
version = "9.2.0"
marker = "('tests' in dependency_groups or 'reference' in dependency_groups)"
wheels = [{ path = "pytest-9.2.0-py3-none-any.whl", hashes = { sha256 = "04" } }]

[[packages]]
name = "streamlit"
version = "1.67.0"
wheels = [{ path = "streamlit-1.67.0-py3-none-any.whl", hashes = { sha256 = "03" } }]
"""


class Commands:
    """Stands for `bootstrap.call`: notes each command and does what it would do to `.venv`."""

    def __init__(self):
        self.done = []
        self.commands = []
        self.made_for = ""
        self.pip_output = None
        self.interrupt_pip = False

    def __call__(self, command, **_):
        self.done.append(self.name(command))
        self.commands.append(command)
        failed = False
        if self.done[-1] == "venv":
            bootstrap.PYTHON.parent.mkdir(parents=True, exist_ok=True)
            bootstrap.PYTHON.touch()
            self.made_for = bootstrap.VERSION
        if self.done[-1] == "pip":
            if self.interrupt_pip:
                raise KeyboardInterrupt
            failed = self.pip_output is not None
        output = self.pip_output if failed else self.made_for
        return subprocess.CompletedProcess(command, int(failed), output)

    @staticmethod
    def name(command):
        if command[1] == "-m":
            return command[2]
        return "ask" if command[1] == "-c" else " ".join(command)

    def since(self):
        """The commands since the last question."""
        done, self.done = self.done, []
        return done


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """A project in a folder of its own, whose commands are only noted."""
    (tmp_path / "pylock.toml").write_text(LOCK)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "LOCK", tmp_path / "pylock.toml")
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    commands = Commands()
    monkeypatch.setattr(bootstrap, "call", commands)
    return commands


@pytest.mark.parametrize("path", BEFORE_THE_CHECK, ids=lambda path: path.name)
def test_an_old_python_can_read_the_code_that_tells_it_so(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    # This import is an error before Python 3.7.
    assert "__future__" not in [node.module for node in imports]


def test_an_old_python_is_told_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    assert errors.guarded(lambda: 0) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("LabelRank Lab: Python 3.11 or newer is needed, but ")


def test_a_foreseeable_cause_is_one_sentence_and_exit_code_1(capsys):
    def main():
        raise errors.SetupError("the reason.")

    assert errors.guarded(main) == 1
    assert capsys.readouterr().err == "LabelRank Lab: the reason.\n"


def taken(lines):
    """The names of the packages that pip takes from the lines, on this Python."""
    heads = [Requirement(line.rstrip(" \\")) for line in lines if not line.startswith(" ")]
    return [head.name for head in heads if head.marker is None or head.marker.evaluate()]


def test_a_purpose_takes_the_packages_of_its_group_and_of_the_app(commands):
    assert commands.done == []
    assert taken(bootstrap.requirements("app")) == ["numpy", "streamlit"]
    assert taken(bootstrap.requirements("tests")) == ["numpy", "pytest", "streamlit"]
    assert taken(bootstrap.requirements("reference")) == ["furo", "numpy", "pytest", "streamlit"]


@pytest.mark.parametrize("groups", [[], ["tests"], ["reference"]])
def test_setup_takes_from_the_lock_what_other_installers_take(groups):
    lock = Pylock.from_dict(tomllib.loads(bootstrap.LOCK.read_text(encoding="utf-8")))
    selected = [package.name for package, _ in lock.select(dependency_groups=groups)]
    assert taken(bootstrap.requirements(*(groups or ["app"]))) == selected


def test_pip_is_given_the_versions_of_the_lock_and_their_hashes(commands):
    bootstrap.ensure("app")
    (option, path) = commands.commands[-1][-2:]
    assert option == "--requirement"
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    assert lines[2:] == [
        "numpy==2.4.6 ; (python_full_version < '3.99') \\",
        "    --hash=sha256:01 \\",
        "    --hash=sha256:02",
        "pytest==9.2.0 ; (python_version < '3' or python_version < '3') \\",
        "    --hash=sha256:04",
        "streamlit==1.67.0 \\",
        "    --hash=sha256:03",
    ]


def wheel(folder, name, version, needs=""):
    """Write a wheel without modules; return its hash."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nProvides-Extra: more\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{about}/METADATA", metadata + needs)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_newer_version_of_what_is_needed_with_an_extra_is_not_taken(tmp_path):
    old = wheel(tmp_path, "ground", "1.0")
    wheel(tmp_path, "ground", "1.1")
    user = wheel(tmp_path, "user", "1.0", "Requires-Dist: ground[more]>=1.0\n")
    locked = tmp_path / "locked.txt"
    locked.write_text(f"ground==1.0 --hash=sha256:{old}\nuser==1.0 --hash=sha256:{user}\n")
    local = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": tmp_path.as_uri(),
        "PIP_CONFIG_FILE": os.devnull,
    }
    arguments = [
        *bootstrap.pip_arguments(locked),
        "--dry-run",
        "--report",
        str(tmp_path / "report"),
    ]
    subprocess.run(
        [sys.executable, "-m", "pip", *arguments], env={**os.environ, **local}, check=True
    )
    report = json.loads((tmp_path / "report").read_text())
    versions = {each["metadata"]["name"]: each["metadata"]["version"] for each in report["install"]}
    assert versions == {"ground": "1.0", "user": "1.0"}


def test_a_second_run_does_nothing(commands):
    bootstrap.ensure("app")
    assert commands.since() == ["venv", "pip"]
    bootstrap.ensure("app")
    assert commands.since() == []


def test_a_changed_lock_is_installed_into_the_same_environment(commands):
    bootstrap.ensure("app")
    commands.since()
    bootstrap.LOCK.write_text(LOCK.replace("2.4.6", "2.4.7"))
    bootstrap.ensure("app")
    assert commands.since() == ["ask", "pip"]


def test_an_interrupted_installation_starts_anew(commands):
    commands.interrupt_pip = True
    assert errors.guarded(lambda: bootstrap.ensure("app")) == 130
    commands.since()
    commands.interrupt_pip = False
    bootstrap.ensure("app")
    assert commands.since() == ["venv", "pip"]


def test_an_environment_of_another_python_is_made_anew(commands, monkeypatch):
    bootstrap.ensure("app")
    commands.since()
    monkeypatch.setattr(bootstrap, "VERSION", "3.99")
    bootstrap.ensure("app")
    assert commands.since() == ["ask", "venv", "pip"]


def test_a_failed_installation_keeps_the_environment(commands):
    commands.pip_output = "WARNING: Retrying (Retry(total=4)) ...\nERROR: No matching distribution"
    with pytest.raises(errors.SetupError, match="could not reach the package index"):
        bootstrap.ensure("app")
    commands.since()
    commands.pip_output = None
    bootstrap.ensure("app")
    assert commands.since() == ["ask", "pip"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for x", "No matching distribution found for x"),
        ("ERROR: the cause\nand advice", "packages: ERROR: the cause"),
        ("", "it gave no reason"),
    ],
)
def test_what_pip_says_becomes_one_sentence(output, reason):
    assert reason in bootstrap.pip_reason(output)
    assert "\n" not in bootstrap.pip_reason(output)


def test_a_missing_ensurepip_names_the_package_to_install(commands, monkeypatch):
    monkeypatch.setattr(bootstrap, "has_ensurepip", lambda: False)
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    with pytest.raises(errors.SetupError) as error:
        bootstrap.ensure("app")
    assert str(error.value).endswith(f"sudo apt-get install python{bootstrap.VERSION}-venv")
    assert commands.since() == []


def test_root_on_debian_gets_ensurepip_installed(commands, monkeypatch):
    package = f"apt-get install -y --no-install-recommends python{bootstrap.VERSION}-venv"
    monkeypatch.setattr(bootstrap, "has_ensurepip", lambda: package in commands.done)
    monkeypatch.setattr(bootstrap, "is_root", lambda: True)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    bootstrap.ensure("app")
    assert commands.since() == ["apt-get update", package, "venv", "pip"]


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind((launch.HOST, 0))
        server.listen()
        yield server.getsockname()[1]


def test_the_next_free_port_is_taken(taken_port, monkeypatch):
    monkeypatch.setattr(launch, "PORT", taken_port)
    assert launch.choose_port(None) > taken_port


def test_a_wanted_port_that_is_taken_is_an_error(taken_port):
    with pytest.raises(errors.SetupError, match=f"port {taken_port} is taken"):
        launch.choose_port(taken_port)


def test_the_browser_is_opened_only_where_that_is_asked_for():
    assert "--browser" not in launch.server_command("python", 8501)
    assert "--browser" in launch.server_command("python", 8501, show=True)


def test_hosts_and_origins_are_handed_to_the_server_and_checked(capsys):
    allowed = ["--allow-host=lab.example.org", "--allow-frame=https://course.example:8443"]
    options = launch.parse("app.py", allowed)
    command = launch.server_command(
        "python", 8501, hosts=options.allow_host, frames=options.allow_frame
    )
    assert command[-2:] == allowed
    for wrong in (
        *("--allow-host=https://a.example", "--allow-host=a b", "--allow-host=*"),
        *("--allow-frame=a.example", "--allow-frame=https://a.example/x", "--allow-frame=*"),
        *("--allow-frame=https://a.example; script-src *", "--allow-frame=data://a"),
    ):
        with pytest.raises(SystemExit):
            launch.parse("app.py", [wrong])
        assert "is not" in capsys.readouterr().err


def test_the_named_browser_goes_before_all_others(monkeypatch):
    monkeypatch.setenv("LABELRANK_BROWSER", sys.executable)
    assert browsers.find() == sys.executable


def test_a_named_browser_that_is_none_is_not_replaced_by_another(monkeypatch, tmp_path):
    monkeypatch.setenv("LABELRANK_BROWSER", str(tmp_path / "none"))
    assert browsers.find() is None
    monkeypatch.setattr(browsers, "has_libatomic", lambda: True)
    assert browsers.problem().endswith("none, which is no program.")


def test_a_browser_on_the_path_is_found_and_else_the_downloaded_one(monkeypatch, tmp_path):
    monkeypatch.delenv("LABELRANK_BROWSER", raising=False)
    program = tmp_path / "google-chrome"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browsers, "usual_places", list)
    monkeypatch.setattr(browsers, "DOWNLOADED", tmp_path / "browser")
    assert browsers.find() == str(program)
    program.unlink()
    assert browsers.find() is None
    monkeypatch.setattr(browsers, "has_libatomic", lambda: True)
    assert browsers.problem().startswith("No Chromium or Chrome was found")
    (tmp_path / "browser").write_text(sys.executable)
    assert browsers.find() == sys.executable


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(browsers, "has_libatomic", lambda: False)
    assert browsers.problem().endswith("sudo apt-get install libatomic1")


@pytest.fixture
def entry(tmp_path):
    """The first lines of app.py, with a page and a bootstrap that only say their name."""
    head = (ROOT / "app.py").read_text(encoding="utf-8").partition("import streamlit")[0]
    script = tmp_path / "app.py"
    script.write_text(head + "import streamlit as st\nst.write('the page')\n", encoding="utf-8")
    (tmp_path / ".setup").mkdir()
    (tmp_path / ".setup" / "__main__.py").write_text("raise SystemExit('the bootstrap')")
    return script


def test_plain_python_runs_the_bootstrap(entry):
    run = subprocess.run([sys.executable, entry], capture_output=True, text=True, check=False)
    assert run.stderr == "the bootstrap\n"


def test_streamlit_and_its_tests_run_the_page(entry):
    app = AppTest.from_file(str(entry), default_timeout=60).run()
    assert [text.value for text in app.markdown] == ["the page"]


@pytest.fixture
def runner(monkeypatch):
    """`tests/run` as a module.

    `failing` names the commands that fail, `ran` those that ran, `compiled` those beside them.
    """
    loader = SourceFileLoader("tests_run", str(ROOT / "tests" / "run"))
    runner = module_from_spec(spec_from_loader(loader.name, loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    loader.exec_module(runner)
    runner.failing, runner.ran, runner.compiled = set(), [], []

    def call(command, env, **_):
        runner.ran.append((command[1:], env))
        return int(command[2] in runner.failing)

    def compiling(command, **_):
        runner.compiled.append(command[1:])
        return nullcontext()

    monkeypatch.setattr(runner.subprocess, "call", call)
    monkeypatch.setattr(runner.subprocess, "Popen", compiling)
    monkeypatch.setattr(runner, "ensure", lambda _: sys.executable)
    monkeypatch.setattr(runner, "ensure_browser", lambda _: None)
    return runner


def run_with(runner, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["tests/run", *arguments])
    return runner.main()


def test_all_checks_run_after_a_failure_and_pytest_tells_it_last(runner, monkeypatch):
    runner.failing = {"ruff"}
    assert run_with(runner, monkeypatch) == 1
    assert [command[1] for command, _ in runner.ran] == ["ruff", "ruff", "mypy", "pytest"]
    assert runner.ran[-1][1]["LABELRANK_FAILED_CHECKS"] == "ruff check, ruff format"


def test_what_is_compiled_beside_the_checks_is_kept_for_all_programs(runner, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run_with(runner, monkeypatch)
    assert runner.compiled == [["-m", "pytest", "--collect-only", "-qq"]]
    assert {env["PYTHONDONTWRITEBYTECODE"] for _, env in runner.ran} == {""}


def test_the_exit_code_is_0_when_nothing_fails_and_1_when_pytest_does(runner, monkeypatch):
    assert run_with(runner, monkeypatch) == 0
    runner.failing = {"pytest"}
    assert run_with(runner, monkeypatch) == 1


def test_slow_runs_the_slow_tests_only_and_hands_arguments_on(runner, monkeypatch):
    assert run_with(runner, monkeypatch, "slow", "--", "-k", "forest") == 0
    assert [command for command, _ in runner.ran] == [
        ["-m", "pytest", "--durations=15", "-m", "slow", "-k", "forest"]
    ]
    assert runner.compiled == []


def test_benchmarks_are_one_program_that_is_told_the_words(runner, monkeypatch):
    assert run_with(runner, monkeypatch, "benchmarks", "yeast", "grid") == 0
    assert [command for command, _ in runner.ran] == [
        [str(ROOT / "tests" / "benchmarks"), "yeast", "grid"]
    ]
    runner.failing = {"large"}
    assert run_with(runner, monkeypatch, "benchmarks", "large") == 1


def test_the_reference_is_one_program_whose_warnings_are_failures(runner, monkeypatch):
    assert run_with(runner, monkeypatch, "reference") == 0
    ((command, _),) = runner.ran
    assert command[:3] == ["-m", "sphinx", "--fail-on-warning"]
    assert command[-2:] == [".reference", ".reference/html"]
    runner.failing = {"sphinx"}
    assert run_with(runner, monkeypatch, "reference") == 1


def test_the_end_says_how_many_minutes_each_check_took(runner, monkeypatch, capsys):
    clock = iter([0, 30, 30, 30, 30, 90, 90, 510])
    monkeypatch.setattr(runner.time, "monotonic", lambda: next(clock))
    run_with(runner, monkeypatch)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "minutes: ruff check 0.5, ruff format 0.0, mypy 1.0, pytest 7.0"


def test_versions_are_one_program_that_is_told_the_words(runner, monkeypatch):
    assert run_with(runner, monkeypatch, "versions", "3.13", "--", "-x") == 0
    assert [command for command, _ in runner.ran] == [["-m", "tests.versions", "3.13", "--", "-x"]]


def test_words_choose_benchmarks_and_versions_only(runner, monkeypatch):
    with pytest.raises(SystemExit):
        run_with(runner, monkeypatch, "slow", "forest")
    assert runner.ran == []


def test_ci_names_the_benchmark_data_beside_the_project(tmp_path):
    project, data = tmp_path / "main", tmp_path / "shared" / "data"
    (project / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", project / ".ci" / "run")
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text('#!/bin/sh\necho "$LABELRANK_BENCHMARK_DATA|$*"\n')
    python.chmod(0o755)
    variables = {"PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]])}

    def ci(**more):
        command = [project / ".ci" / "run", "slow"]
        return subprocess.check_output(command, text=True, env={**variables, **more}).strip()

    assert ci() == f"|{project}/tests/run slow"
    data.mkdir(parents=True)
    assert ci() == f"{data}|{project}/tests/run slow"
    assert ci(LABELRANK_BENCHMARK_DATA="mine") == f"mine|{project}/tests/run slow"
