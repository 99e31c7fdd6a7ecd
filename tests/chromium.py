"""A headless Chromium, driven over a pipe in its own protocol: no driver and no port."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.needs import need

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0
# The browser reads commands from 3 and answers to 4; copies far away are made first, for one of ours may be 3 or 4.
LAUNCHER = """
import fcntl, os, sys
far = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(far[0], 3)
os.dup2(far[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def program() -> str:
    """The browser; skips when there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    need(found, "needs Chromium")
    return str(found)


class Page:
    """One page of one browser; `events` are all that the browser told, in order."""

    def __init__(self, profile: Path) -> None:
        to_browser, self._writing = os.pipe()
        self._reading, from_browser = os.pipe()
        command = [
            sys.executable,
            "-c",
            LAUNCHER,
            str(to_browser),
            str(from_browser),
            program(),
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--no-first-run",
            f"--user-data-dir={profile}",
            "about:blank",
        ]
        with open(profile / "log", "wb") as log:
            self._browser = subprocess.Popen(
                command, pass_fds=(to_browser, from_browser), stdout=log, stderr=log, start_new_session=True
            )
        os.close(to_browser)
        os.close(from_browser)
        self.events: list[dict[str, Any]] = []
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in targets if each["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        with suppress(OSError, AssertionError):
            self._session = None
            self.call("Browser.close")
        for end in (self._writing, self._reading):
            os.close(end)
        try:
            self._browser.wait(10)
        except subprocess.TimeoutExpired:
            self._browser.kill()
            self._browser.wait()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._writing, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result

    def _message(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        parts = [self._buffer]
        while b"\0" not in parts[-1]:
            ready, _, _ = select.select([self._reading], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._reading, 1 << 20)
            assert part, "the browser is gone"
            parts.append(part)
        data, _, self._buffer = b"".join(parts).partition(b"\0")
        message: dict[str, Any] = json.loads(data)
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, path: Path) -> float:
        """Open a file, and the seconds until it could be used."""
        self.events.clear()
        began = time.monotonic()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._message()
        # two frames later the first one was painted, and the page answers
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return time.monotonic() - began

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str) -> Any:
        """Waits until an expression is true in the page."""
        end = time.monotonic() + 20
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never: {script}"
            time.sleep(0.02)
        return value

    def press(self, key: str, text: str = "", code: int = 0) -> None:
        """Press and release a key."""
        common: dict[str, Any] = {"key": key, "code": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.call("Input.insertText", text=text)

    def media(self, medium: str = "", scheme: str = "light") -> None:
        """Show the page as on paper ("print"), or in the colours of a scheme."""
        self.call(
            "Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def size(self, width: int, height: int) -> None:
        """The size of the window, in pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Write a picture of the page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def paper(self) -> bytes:
        """The page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])
