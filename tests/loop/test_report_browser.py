"""The HTML report in headless Chromium, driven over its debugging pipe: layout, colour schemes, console, network."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from hotloop.model.finding import Finding
from hotloop.model.problem import Work
from hotloop.report.pages.html import run as html
from hotloop.report.view import build

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SAMPLE = runpy.run_path(str(Path(__file__).parents[1] / "unit" / "report" / "conftest.py"))["sample"]
OVERFLOWING = """
(() => {
  const width = document.documentElement.clientWidth;
  const boxed = e => e.closest('.scroll, pre') !== null;
  return [...document.body.querySelectorAll('*')]
    .filter(e => e.getClientRects().length && !boxed(e.parentElement) && e.getBoundingClientRect().right > width + 0.5)
    .map(e => `${e.tagName} ${e.className.baseVal ?? e.className} ${(e.textContent || '').slice(0, 40)}`);
})()
"""
CLIPPED_LABELS = """
[...document.querySelectorAll('svg.plot')].filter(s => s.getClientRects().length).flatMap(s => {
  const box = s.getBoundingClientRect();
  return [...s.querySelectorAll('text')].filter(t => {
    const r = t.getBoundingClientRect();
    return r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1;
  }).map(t => t.textContent);
})
"""
COLLIDING_LABELS = """
[...document.querySelectorAll('svg.plot')].filter(s => s.getClientRects().length).flatMap(s => {
  const all = [...s.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  return all.flatMap(([a, p], i) => all.slice(i + 1)
    .filter(([, q]) => Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 &&
                       Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4)
    .map(([b]) => `${a} | ${b}`));
})
"""
CONTRAST = """
(() => {
  const parse = text => {
    const c = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    c.fillStyle = text; c.fillRect(0, 0, 1, 1);
    return [...c.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] / 255 + under[i] * (1 - top[3] / 255));
  const ground = e => {
    if (e === null) return parse('Canvas').slice(0, 3);
    const own = parse(getComputedStyle(e).backgroundColor);
    return own[3] === 255 ? own.slice(0, 3) : over(own, ground(e.parentElement));
  };
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.tagName === 'title') continue;
    const style = getComputedStyle(e), svg = e.closest('svg') !== null;
    const ink = light(parse(svg ? style.fill : style.color)), paper = light(ground(svg ? e.closest('svg') : e));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${e.tagName} ${e.textContent.slice(0, 30)}`);
  }
  return low;
})()
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path (apt-get install chromium)"),
]


class Browser:
    """Chromium's DevTools protocol over its pipe (file descriptors 3 and 4): JSON messages that end with a NUL."""

    def __init__(self, profile: Path) -> None:
        down, self.to = os.pipe()
        self.back, up = os.pipe()
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--remote-debugging-pipe",
        ]
        command = [CHROMIUM, *flags, f"--user-data-dir={profile}", "about:blank"]
        script = f'exec "$@" 3<&{down} 4>&{up}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "sh", *command],
            pass_fds=(down, up),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self.events: list[dict] = []
        self.number = 0
        self.pending = b""
        self.session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params):
        """Send one command and return its result; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != self.number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _receive(self) -> dict:
        while b"\0" not in self.pending:
            chunk = os.read(self.back, 1 << 16)
            assert chunk, "Chromium ended"
            self.pending += chunk
        message, _, self.pending = self.pending.partition(b"\0")
        return json.loads(message)

    def await_event(self, method: str) -> None:
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._receive())

    def open(self, page: Path, width: int, scheme: str, media: str = "screen") -> None:
        mobile = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=mobile)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", media=media, features=[feature])
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        self.await_event("Page.loadEventFired")

    def value(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def screenshot(self, file: Path) -> None:
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        file.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """What the page wrote to the console or logged, and which addresses it asked for beyond its own file."""
        self.call("Page.getLayoutMetrics")  # a round trip, so that late events have arrived
        logged = [
            json.dumps(event["params"])
            for event in self.events
            if event.get("method") in {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        ]
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return logged + [url for url in asked if not url.startswith(("file:", "data:"))]

    def close(self) -> None:
        self.call("Browser.close")
        self.process.wait(timeout=20)
        os.close(self.to)
        os.close(self.back)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    running = Browser(tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return written(tmp_path_factory.mktemp("page") / "report.html", SAMPLE())


def written(file: Path, record) -> Path:
    file.write_text(html.render(build(record)), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 375, 720, 1280])
def test_page_fits_is_silent_and_stays_offline(browser, page, width, scheme):
    browser.open(page, width, scheme)
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(OVERFLOWING) == []
    assert browser.value(CLIPPED_LABELS) == []
    assert browser.value(COLLIDING_LABELS) == []
    assert browser.complaints() == []
    if folder := os.environ.get("HOTLOOP_SCREENSHOTS"):
        browser.screenshot(Path(folder) / f"report-{width}-{scheme}.png")


def crowded():
    """Sixty steps of small gains on memory-bound work, and six peers within a few percent of each other."""
    record = SAMPLE()
    first = record.steps[0]
    outcome = first.outcome

    def timed(share: float):
        samples = tuple(dataclasses.replace(s, wall_ns=s.wall_ns * share) for s in outcome.samples)
        return dataclasses.replace(outcome, samples=samples)

    steps = tuple(
        dataclasses.replace(
            record.steps[2], index=i, outcome=timed(0.97**i), technique=f"a-technique-with-a-long-name-{i}"
        )
        for i in range(1, 60)
    )
    names = ("a library with a remarkably long name and its settings, 128 threads", "B", "C 1.0", "D", "E 2.1", "F")
    peers = tuple(
        dataclasses.replace(record.peers[0], name=name, outcome=timed(0.2 + 0.002 * i)) for i, name in enumerate(names)
    )
    work = Work(flops=1e9, bytes=1.1e9)
    return dataclasses.replace(record, steps=(first, *steps), peers=peers, work=work, winner=59)


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_crowded_plots_stay_legible(browser, tmp_path, width):
    browser.open(written(tmp_path / "crowded.html", crowded()), width, "light")
    assert browser.value(OVERFLOWING) == []
    assert browser.value(CLIPPED_LABELS) == []
    assert browser.value(COLLIDING_LABELS) == []


def test_the_instruments_see_what_is_wrong(browser, page):
    """Each measurement of these tests reports a page that was broken on purpose."""
    browser.open(page, 375, "light")
    browser.value("document.querySelector('h1').style.width = '600px'")
    assert browser.value(OVERFLOWING) != []
    assert browser.value("document.documentElement.scrollWidth") > 375
    browser.value("document.querySelector('.lead').style.color = '#999'")
    assert any("P 16.4" in low for low in browser.value(CONTRAST))
    browser.value("document.querySelectorAll('svg.narrow text').forEach(t => t.setAttribute('x', 330))")
    assert browser.value(CLIPPED_LABELS) != []
    browser.value("document.querySelectorAll('svg.narrow text').forEach(t => t.setAttribute('y', 100))")
    assert browser.value(COLLIDING_LABELS) != []
    browser.value("console.error('heard')")
    assert any("heard" in complaint for complaint in browser.complaints())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_text_has_enough_contrast_in_both_schemes(browser, page, width, scheme):
    browser.open(page, width, scheme)
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value(CONTRAST) == []


def test_schemes_differ(browser, page):
    grounds = []
    for scheme in ("light", "dark"):
        browser.open(page, 1280, scheme)
        grounds.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1]


def test_opened_evidence_still_fits_a_phone(browser, page):
    browser.open(page, 375, "light")
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value(OVERFLOWING) == []


def test_phone_gets_the_narrow_plots_and_desktop_the_wide_ones(browser, page):
    shown = "[...document.querySelectorAll('svg.plot')].filter(s => s.getClientRects().length).map(s => s.classList[1])"
    browser.open(page, 375, "light")
    assert set(browser.value(shown)) == {"narrow"}
    browser.open(page, 1280, "light")
    assert set(browser.value(shown)) == {"wide"}


def test_hostile_names_stay_text(browser, tmp_path):
    attack = (
        "<script>console.log('run')</script><img src=https://example.org/x onerror=console.log(1)>\"'`|" + "W" * 300
    )
    record = SAMPLE()
    finding = Finding(rule=attack, message=attack, share=0.5, evidence=(attack,), suggests=(attack,), misleads=attack)
    hostile = tuple(
        dataclasses.replace(s, technique=attack, change=attack, why=attack, reason=attack) for s in record.steps
    )
    peers = tuple(dataclasses.replace(peer, name=attack) for peer in record.peers)
    record = dataclasses.replace(
        record, title=attack, problem=attack, stop_reason=attack, steps=hostile, peers=peers, findings=(finding,),
        conditions=((attack, attack),), command=(attack,),
    )  # fmt: skip
    for width in (375, 1280):
        browser.open(written(tmp_path / "hostile.html", record), width, "light")
        assert browser.value("document.querySelectorAll('script, img').length") == 0
        assert browser.value(OVERFLOWING) == []
        assert browser.value(CLIPPED_LABELS) == []
        assert browser.complaints() == []


def test_paper_shows_folded_evidence(browser, page):
    browser.open(page, 1280, "dark", media="print")
    visible = "document.querySelector('details .inside').checkVisibility({contentVisibilityAuto: true})"
    assert browser.value(visible)
    assert browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
