"""Puts QMD, and a Node that is new enough for it, into the cache folder."""

import json
import os
import pathlib
import shutil
import subprocess

from measure import StepFailed

OLDEST_NODE = 22


def cache_folder():
    named = os.environ.get("MINDFILE_BENCH_CACHE")
    shared = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    return pathlib.Path(named or f"{shared}/mindfile-bench").absolute()


def install_qmd(version):
    """Answers the launcher and the folder of the Node that runs it."""
    if not shutil.which("npm"):
        raise StepFailed("npm was not found; QMD is installed with it")
    node = node_folder()
    folder = install(f"@tobilu/qmd@{version}", f"qmd-{version}", node)
    return folder / "node_modules/.bin/qmd", node


def node_folder():
    found = shutil.which("node")
    if found and major(found) >= OLDEST_NODE:
        return pathlib.Path(found).parent
    return install(f"node@{OLDEST_NODE}", f"node-{OLDEST_NODE}", None) / "node_modules/.bin"


def major(node):
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(answer.strip().removeprefix("v").split(".")[0])


def install(package, name, node):
    """Installs aside and renames, so that an interrupted install is never taken for a whole one."""
    folder = cache_folder() / name
    if folder.exists():
        return folder
    aside = folder.with_name(f"{name}.partial")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    (aside / "package.json").write_text(json.dumps({"private": True}))
    npm_install(package, aside, node)
    aside.rename(folder)
    return folder


def npm_install(package, folder, node):
    environment = dict(os.environ)
    if node:
        environment["PATH"] = f"{node}:{environment['PATH']}"
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", package]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise StepFailed(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr[-2000:]}")
