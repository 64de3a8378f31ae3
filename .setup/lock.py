"""Write requirements.lock: `python3 .setup/lock.py`, with uv on the PATH.

A section holds what its purpose needs beside the sections before it, one version for all supported
Pythons where there is one, with the hashes of all files. A pylock.toml would have to name the
addresses of an index, and the pip of a new environment may not read it.
"""

import re
import subprocess
import sys

from bootstrap import LOCK, ROOT, SECTIONS

HEAD = "# Written by .setup/lock.py. A section adds to those before it.\n"
COMMAND = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version=3.11"]
COMMAND += ["--fork-strategy=fewest", "--generate-hashes", "--no-header", "--no-annotate"]
COMMAND += ["--no-emit-index-url", "--no-emit-find-links", "requirements.txt", "--constraints=-"]


def main():
    known = {}
    text = HEAD
    for number, section in enumerate(SECTIONS):
        # The first section is requirements.txt, the others are groups of pyproject.toml.
        groups = [f"--group={group}" for group in SECTIONS[1 : number + 1]]
        pins = {pin: block for pin, block in resolve(groups, known).items() if pin not in known}
        text += f"# {section}\n" + "".join(pins.values())
        known.update(pins)
    LOCK.write_text(text, encoding="utf-8")


def resolve(groups, known):
    """Resolve requirements.txt and groups; return the lines of each package by their first one."""
    constraints = "\n".join(pin.rstrip(" \\") for pin in known)
    run = subprocess.run(
        [*COMMAND, *groups],
        cwd=str(ROOT),
        input=constraints,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    blocks = re.findall(r"^\S.*\n(?:^[ ]+--hash.*\n)+", run.stdout, re.MULTILINE)
    return {block.partition("\n")[0]: block for block in blocks}


if __name__ == "__main__":
    sys.exit(main())
