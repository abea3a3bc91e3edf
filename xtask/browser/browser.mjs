// A real browser that is kept off the network.

import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Packages lie in the build folder, not beside these scripts.
const require = createRequire(join(process.env.WAYVEIL_NODE ?? process.cwd(), "index.js"));
const { chromium } = require("playwright-core");

/// The source of axe-core, to be run inside a page.
export const axeSource = require("axe-core").source;

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
];

/// Names lead nowhere; only this machine can be reached, by its number.
const LOOPBACK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/// Runs `work` with a browser whose profile is empty, and closes it whatever happens. With `network` it
/// reaches services on this machine, whose certificates are their own.
export async function withBrowser(work, { network = false } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "wayveil-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.WAYVEIL_CHROMIUM ?? "/usr/bin/chromium",
    args: network ? [...FLAGS, LOOPBACK] : FLAGS,
    // No page here may reach anything, not even by mistake.
    offline: !network,
    ignoreHTTPSErrors: network,
    timeout: 60_000,
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/// Opens a page and waits until its script says that it is ready. What went wrong is in `faults`.
export async function open(browser, url, { width, height = 900, dark = false, print = false, patience = 15_000 }) {
  const page = await browser.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      faults.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    const to = request.url();
    if (to !== url && !to.startsWith("data:") && !to.startsWith("blob:")) {
      faults.push(`asks for ${to}`);
    }
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: dark ? "dark" : "light",
    media: print ? "print" : "screen",
    reducedMotion: "reduce",
  });
  await page.goto(url, { waitUntil: "load", timeout: 30_000 });
  const ready = () => document.documentElement.dataset.ready === "true";
  await page.waitForFunction(ready, null, { timeout: patience }).catch(() => {
    faults.push("its script never said that it is ready");
  });
  return { page, faults };
}
