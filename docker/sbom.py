"""What is in the image, as CycloneDX 1.6 on standard output: the Python packages and the packages of Debian.

    /opt/venv/bin/python sbom.py REPORT NHVIZ

REPORT is what pip wrote with --report: the hash of each file that it installed. NHVIZ is the folder of the package.
The Dockerfile runs this. Only the standard library is used, and nothing of the time or place of the build is told.
"""

import json
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path
from typing import Any
from urllib.parse import quote

Component = dict[str, Any]


def purl(name: str, version: str) -> str:
    """The address of a Python package."""
    return f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"


def hashes(report: Path) -> dict[str, str]:
    """The SHA-256 of the file from which each package was installed."""
    installed = [(one["metadata"], one["download_info"]) for one in json.loads(report.read_text())["install"]]
    return {
        purl(facts["name"], facts["version"]): file["archive_info"]["hashes"]["sha256"] for facts, file in installed
    }


def licences(facts: PackageMetadata) -> list[dict[str, Any]]:
    """An SPDX expression where the package has one, else the words that it uses itself."""
    if expression := facts.get("License-Expression"):
        return [{"expression": expression}]
    classified = [text.split(" :: ")[-1] for text in facts.get_all("Classifier", []) if text.startswith("License :: ")]
    first_line = (facts.get("License") or "").strip().split("\n")[0]
    names = [name for name in classified if name != "OSI Approved"] or [first_line]
    return [{"license": {"name": name}} for name in names if name]


def python_package(found: Distribution, known: dict[str, str]) -> Component:
    """A Python package; without a hash if the base image brought it along."""
    name, address = found.metadata["Name"], purl(found.metadata["Name"], found.version)
    component: Component = {"type": "library", "name": name, "version": found.version, "purl": address}
    if terms := licences(found.metadata):
        component["licenses"] = terms
    if address in known:
        component["hashes"] = [{"alg": "SHA-256", "content": known[address]}]
    return component


def python_packages(known: dict[str, str]) -> Iterator[Component]:
    """Those of this environment, and those of the base image."""
    folders = [sysconfig.get_path("purelib"), sysconfig.get_path("purelib", vars={"base": sys.base_prefix})]
    for found in distributions(path=list(dict.fromkeys(folders))):
        yield python_package(found, known)


def interpreter() -> Component:
    """Python itself, which the base image has from its sources."""
    version = platform.python_version()
    return {"type": "platform", "name": "python", "version": version, "purl": f"pkg:generic/python@{version}"}


def debian_packages() -> Iterator[Component]:
    """What dpkg knows to be installed."""
    layout = "${db:Status-Abbrev}\t${Package}\t${Version}\t${Architecture}\n"
    listed = subprocess.run(["dpkg-query", "-W", "-f", layout], check=True, capture_output=True, text=True).stdout
    distro = platform.freedesktop_os_release()["VERSION_ID"]
    for line in listed.splitlines():
        status, name, version, processor = line.split("\t")
        if status.startswith("ii"):
            address = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={processor}&distro=debian-{distro}"
            yield {"type": "library", "name": name, "version": version, "purl": address}


def main(report: str, package: str) -> None:
    """Print the list."""
    text = Path(package, "__init__.py").read_text()
    version = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert version is not None
    components = [interpreter(), *python_packages(hashes(Path(report))), *debian_packages()]
    by_address = {component["purl"]: component | {"bom-ref": component["purl"]} for component in components}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "nhviz", "version": version[1]}},
        "components": [by_address[address] for address in sorted(by_address)],
    }
    print(json.dumps(bill, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
