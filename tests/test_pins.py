"""Nothing that is installed floats: packages by version and hash, images by digest; and the list of them all."""

import importlib.util
import json
import re
import sys
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
SOURCES = {
    "requirements/run.in": "requirements.txt",
    "requirements/dev.in": "requirements-dev.txt",
    "requirements/build.in": "requirements/build.txt",
    "requirements/pins.in": "requirements/pins.txt",
}
"""What was chosen, and where it is pinned with all that it needs."""
SHA256 = r"sha256:[0-9a-f]{64}"
NOT_PINNED = {"nhviz", "pip"}
"""This package itself, and what comes with Python."""


def entries(file):
    """The requirements of a file, a line for each, without comments."""
    text = re.sub(r"\s*\\\n\s*", " ", re.sub(r"^\s*#.*\n", "", (ROOT / file).read_text(), flags=re.MULTILINE))
    return text.splitlines()


def pinned(file):
    """Version by name."""
    needs = [Requirement(entry.partition(" --hash")[0]) for entry in entries(file)]
    return {canonicalize_name(need.name): str(need.specifier) for need in needs}


def chosen(file):
    """Version by name, of this file and those that it refers to."""
    found = {}
    for line in entries(file):
        if line.startswith("-r "):
            found |= chosen(f"requirements/{line.removeprefix('-r ')}")
        else:
            name, version = line.split("==")
            found[name] = f"=={version}"
    return found


@pytest.mark.parametrize("file", SOURCES.values())
def test_every_package_has_one_version_and_its_hashes(file):
    assert entries(file)
    for entry in entries(file):
        assert re.fullmatch(rf"[\w-]+==[\w.]+( ; [^#]+?)?( --hash={SHA256})+", entry), entry
    assert len(pinned(file)) == len(entries(file))


@pytest.mark.parametrize(("source", "file"), SOURCES.items())
def test_what_was_chosen_is_what_is_pinned(source, file):
    assert chosen(source).items() <= pinned(file).items()


def test_one_package_has_one_version_in_all_files():
    everything = pinned("requirements-dev.txt")
    for file in ("requirements.txt", "requirements/build.txt"):
        assert pinned(file).items() <= everything.items()


@pytest.mark.parametrize("file", [*SOURCES, *SOURCES.values()])
def test_the_files_name_no_address(file):
    assert not re.search(r"://|--(extra-)?index|--find-links|--trusted", (ROOT / file).read_text())


def test_everything_that_is_installed_is_pinned():
    installed = {canonicalize_name(found.metadata["Name"]): f"=={found.version}" for found in distributions()}
    floating = {name: version for name, version in installed.items() if name not in NOT_PINNED}
    assert floating.items() <= pinned("requirements-dev.txt").items()


def test_images_are_named_by_tag_and_digest():
    bases = re.findall(r"^ARG BASE=(.*)$", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)) == {"$BASE"}
    images = re.findall(r"^    image: (.*)$", (ROOT / "compose.yaml").read_text(), flags=re.MULTILINE)
    assert len(bases) == 1
    assert "nhviz" in images
    for image in bases + [image for image in images if image != "nhviz"]:
        assert re.fullmatch(rf"[a-z]+:\d+\.\d+\.\d+-[a-z-]+@{SHA256}", image), image


def test_the_list_of_an_image_has_version_licence_and_hash(tmp_path):
    loader = importlib.util.spec_from_file_location("sbom", ROOT / "docker" / "sbom.py")
    sbom = importlib.util.module_from_spec(loader)
    loader.loader.exec_module(sbom)
    numpy = distribution("numpy")
    report = tmp_path / "report.json"
    file = {"archive_info": {"hashes": {"sha256": "ab" * 32}}}
    facts = {"name": "NumPy", "version": numpy.version}
    report.write_text(json.dumps({"install": [{"metadata": facts, "download_info": file}]}))
    listed = {part["purl"]: part for part in sbom.python_packages(sbom.hashes(report))}
    found = listed[f"pkg:pypi/numpy@{numpy.version}"]
    assert found["hashes"] == [{"alg": "SHA-256", "content": "ab" * 32}]
    assert "BSD-3-Clause" in found["licenses"][0]["expression"]
    assert "hashes" not in listed[f"pkg:pypi/flask-caching@{distribution('flask-caching').version}"]
    assert sbom.interpreter()["version"] == ".".join(map(str, sys.version_info[:3]))
