"""The data sets that the store keeps: one file each, named by the fingerprint."""

import secrets
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from labelrank_core.data import Dataset
from labelrank_core.experiments.config import ConfigError
from labelrank_core.experiments.database import explained
from labelrank_core.experiments.dataset_file import (
    DAMAGED,
    dataset_arrays,
    dataset_of,
    packed,
    unpacked,
)

# A data set is kept before its experiment is, so a new file that no experiment names may be needed.
_SPARED_SECONDS = 3600.0


class DataFolder:
    """Data sets as files in a folder, which is created with the first one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, dataset: Dataset) -> str:
        """Keep a data set and return its fingerprint."""
        path = self.path / f"{dataset.fingerprint}.npz"
        with explained(self.path):
            self.path.mkdir(exist_ok=True, mode=0o700)
            if not path.exists():
                part = self.path / f"{dataset.fingerprint}.{secrets.token_hex(4)}.part"
                try:
                    part.write_bytes(packed(dataset_arrays(dataset)))
                    part.replace(path)
                except OSError:
                    with suppress(OSError):
                        part.unlink(missing_ok=True)
                    raise
        return dataset.fingerprint

    def read(self, fingerprint: str) -> Dataset:
        """Read a data set, without its findings; a ConfigError where it is gone or has changed."""
        path = self.path / f"{fingerprint}.npz"
        with explained(self.path):
            # A config may say anything: never use it as a path.
            plain = fingerprint.isascii() and fingerprint.isalnum() and len(fingerprint) <= 128
            if not (plain and path.exists()):
                raise ConfigError(f"The data set {fingerprint!r} is not kept here any more.")
            content = path.read_bytes()
        try:
            dataset = dataset_of(unpacked(content))
        except DAMAGED as error:
            raise ConfigError(f"The kept data set {fingerprint!r} is damaged: {error}") from None
        if dataset.fingerprint != path.stem:
            raise ConfigError(f"The kept data set {dataset.name!r} has changed on disk.")
        return dataset

    def remove_unused(self, freed: Collection[str], in_use: Collection[str]) -> None:
        """Remove unused files: those just freed, and others if they are old."""
        for path in self.path.glob("*"):
            fingerprint = path.name.split(".")[0]
            with explained(self.path), suppress(FileNotFoundError):
                old = time.time() - path.stat().st_mtime > _SPARED_SECONDS
                orphan = path.suffix == ".part" and old
                unused = fingerprint not in in_use and (fingerprint in freed or old)
                if path.suffix in (".npz", ".part") and (orphan or unused):
                    path.unlink()
