"""Builds the compiled loops (src/honeyguide/_native.c) where there is a C compiler. Where there is none, or it fails,
nothing is said: Honeyguide does the same in Python, only slower.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_FLAGS = ["-O2", "-fPIC", "-ffp-contract=off"]  # the last: sums must be those of Python to the last bit
_SHARED = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]


class CompiledLoops(BuildHookInterface):  # type: ignore[type-arg]
    """Run by `pip install`, of a package and of a folder alike."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have what came of it packed."""
        del version
        if self.target_name == "wheel" and (built := compile_loops(Path(self.root) / "src" / "honeyguide")):
            build_data["artifacts"].append(f"src/honeyguide/{built.name}")
            build_data["pure_python"], build_data["infer_tag"] = False, True


def compile_loops(folder: Path) -> Path | None:
    """Compile the loops beside their source; None if that cannot be done here."""
    source, built = folder / "_native.c", folder / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    built.unlink(missing_ok=True)  # of an older source, perhaps
    if os.name == "nt":
        return None
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    half = built.with_suffix(f".{os.getpid()}")
    include = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, *_FLAGS, *_SHARED, include, str(source), "-o", str(half), "-lm"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603 - our own words
        half.replace(built)
    except (OSError, subprocess.SubprocessError):
        half.unlink(missing_ok=True)
        return None
    return built
