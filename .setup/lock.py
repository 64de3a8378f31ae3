"""Write pylock.toml: `python3 .setup/lock.py`, with uv on the PATH.

It has what the app needs and, behind a marker, what groups of pyproject.toml need beside it: one
version for all supported Pythons where there is one, with the hashes of all files. A lock has to
say where each file is; no registry is named, so files are expected in `.wheels` beside the lock.
"""

import json
import subprocess
import sys
from urllib.parse import unquote

from bootstrap import LOCK, ROOT, SECTIONS

HEAD = f"""\
# Written by .setup/lock.py.
lock-version = "1.0"
requires-python = ">=3.11"
dependency-groups = {json.dumps(SECTIONS[1:])}
created-by = "labelrank-lab"
"""
COMMAND = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version=3.11"]
COMMAND += ["--fork-strategy=fewest", "--generate-hashes", "--no-header", "--no-annotate"]
COMMAND += ["--format=pylock.toml", "requirements.txt", "--constraints=-"]


def main():
    packages, pins = {}, set()
    for number in range(len(SECTIONS)):
        # The first section is requirements.txt, the others are groups of pyproject.toml.
        groups = [f"--group={group}" for group in SECTIONS[1 : number + 1]]
        for package in resolve(groups, pins):
            condition = package.get("marker", "")
            pin = f"{package['name']}=={package['version']}" + (condition and f" ; {condition}")
            if pin in pins:
                continue
            pins.add(pin)
            key = (package["name"], package["version"])
            conditions = packages.setdefault(key, (package, []))[1]
            conditions.append(joined_by_and(in_groups(SECTIONS[number:]), condition))
    blocks = [block(*packages[key]) for key in sorted(packages)]
    LOCK.write_text("\n".join([HEAD, *blocks]), encoding="utf-8")


def resolve(groups, pins):
    """Resolve requirements.txt and groups within the pins; return the packages of uv's lock."""
    import tomllib

    run = subprocess.run(
        [*COMMAND, *groups],
        cwd=str(ROOT),
        input="\n".join(sorted(pins)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return tomllib.loads(run.stdout)["packages"]


def in_groups(sections):
    """The marker of what a section and those after it install; what the app needs has none."""
    if sections == SECTIONS:
        return ""
    return " or ".join(f"'{name}' in dependency_groups" for name in sections)


def joined_by_and(*conditions):
    conditions = [condition for condition in conditions if condition]
    return " and ".join(f"({condition})" for condition in conditions) if conditions else ""


def block(package, conditions):
    """The lines of a package; without a marker where one of the conditions is always true."""
    lines = ["[[packages]]", f'name = "{package["name"]}"', f'version = "{package["version"]}"']
    if all(conditions):
        lines.append(f'marker = "{" or ".join(conditions)}"')
    if "sdist" in package:
        lines.append(f"sdist = {file_entry(package['sdist'])}")
    wheels = "".join(f"    {file_entry(wheel)},\n" for wheel in package.get("wheels", []))
    if wheels:
        lines.append(f"wheels = [\n{wheels}]")
    return "\n".join(lines) + "\n"


def file_entry(file):
    name = unquote(file["url"].partition("#")[0].rpartition("/")[2])
    return f'{{ path = ".wheels/{name}", hashes = {{ sha256 = "{file["hashes"]["sha256"]}" }} }}'


if __name__ == "__main__":
    sys.exit(main())
