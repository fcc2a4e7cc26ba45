"""Take docs/picture.png, the picture of the README: the Suslov lab in a headless chromium.

.venv/bin/python -m docs.make_picture
"""

import socket
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PORT = 8062


def main() -> None:
    """Serve the dashboard, open a lab, scrub to the middle of its motion, take the picture."""
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--bind",
        f"127.0.0.1:{PORT}",
        "--no-control-socket",
        "app:create_server()",
    ]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for_server()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"http://127.0.0.1:{PORT}/suslov?step=0.02")
            page.wait_for_timeout(4000)
            page.locator(".tabs").get_by_text("RP²", exact=True).click()
            page.wait_for_timeout(1500)
            page.locator("#clock").fill("420")
            page.wait_for_timeout(1500)
            page.screenshot(path=str(Path(__file__).parent / "picture.png"))
            browser.close()
    finally:
        server.terminate()
        server.wait(20)


def wait_for_server() -> None:
    """Return when the server accepts connections."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
            return
        except OSError:
            subprocess.run(["sleep", "0.2"], check=True)
    raise RuntimeError("the dashboard did not start")


if __name__ == "__main__":
    main()
