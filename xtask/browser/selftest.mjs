// Checks the checks: a sound page passes, and each page with a planted fault is caught.
//
//     node selftest.mjs

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { withBrowser } from "./browser.mjs";
import { faultsOf } from "./check.mjs";

const PLOT = `<figure class="plot" id="p"><svg role="img" aria-labelledby="t" viewBox="0 0 300 100" width="300" height="100" style="max-width:100%">
<title id="t">Two bars</title><rect x="0" y="0" width="100" height="40" data-tip="one"/><rect x="0" y="50" width="200" height="40"/></svg>
<figcaption>Two bars</figcaption></figure>`;
const MAP = `<figure class="plot" id="m"><svg role="img" aria-label="A map" tabindex="0" data-map viewBox="0 0 300 100" width="300" height="100" style="max-width:100%">
<title>A map</title><g data-zoom><circle cx="50" cy="50" r="20"/><circle cx="150" cy="50" r="20"/></g></svg><figcaption>A map</figcaption></figure>`;
const SCRIPT = `const tip = document.querySelector("[role=tooltip]");
document.addEventListener("pointerover", (event) => {
  const words = event.target.dataset?.tip;
  tip.hidden = !words;
  tip.textContent = words ?? "";
});
for (const map of document.querySelectorAll("[data-map]")) {
  map.addEventListener("keydown", (event) => {
    const zoom = map.querySelector("[data-zoom]");
    if (event.key === "+") zoom.setAttribute("transform", "scale(2)");
    if (event.key === "0") zoom.removeAttribute("transform");
  });
}
document.documentElement.dataset.ready = "true";`;
const STYLE = `body { background: #fff; color: #222; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } }
@media print { button { display: none; } }`;

function html({ style = STYLE, body = PLOT + MAP, script = SCRIPT, head = "" }) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style>${head}</head>
<body><main><h1>A page</h1>${body}<button>More</button><div role="tooltip" hidden></div></main><script>${script}</script></body></html>`;
}

/// Pages, with what must be found on each; nothing on the sound one.
const CASES = [
  ["sound", {}, null],
  ["a console error", { script: `console.error("no");${SCRIPT}` }, /console error: no/],
  ["an exception", { script: `${SCRIPT}; nothing.there();` }, /uncaught: nothing is not defined/],
  ["a request", { head: `<link rel="stylesheet" href="http://127.0.0.1:9/style.css">` }, /asks for http:/],
  ["a picture from elsewhere", { body: `${PLOT}<img alt="" src="other.png">` }, /asks for file:.*other\.png/],
  ["never ready", { script: "" }, /never said that it is ready/],
  ["an empty plot", { body: `${PLOT}<figure class="plot" id="e"><svg role="img" width="300" height="90"><title>e</title></svg><figcaption>e</figcaption></figure>` }, /e: nothing in it is seen/],
  ["a plot that is no number", { body: PLOT.replace(`cx="50"`, "").replace(`width="200"`, `width="200" d="NaN"`) }, /not a number/],
  ["no plot", { body: "<p>Words</p>" }, /has no plot/],
  ["too wide", { body: `${PLOT}<p style="width:900px">wide</p>` }, /400 pixels.*sticks out/],
  ["light in the dark", { style: STYLE.replace("#111", "#fff") }, /dark mode is light/],
  ["too faint", { body: `${PLOT}<p style="color:#bbb;background:#ccc">faint</p>` }, /axe color-contrast/],
  ["a picture without words", { body: `${PLOT}<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">` }, /axe image-alt/],
  ["a map that is deaf", { script: SCRIPT.replace(`"+"`, `"x"`) }, /the key \+ does nothing/],
  ["a mark that says nothing", { script: SCRIPT.replace("tip.hidden = !words;", "") }, /nothing is said/],
  ["a button on paper", { style: STYLE.replace("display: none", "") }, /in print: a button is printed/],
];

const folder = mkdtempSync(join(tmpdir(), "wayveil-selftest-"));
let failed = 0;
try {
  await withBrowser(async (browser) => {
    for (const [name, parts, expected] of CASES) {
      const file = join(folder, "page.html");
      writeFileSync(file, html(parts));
      const faults = await faultsOf(browser, file, 2_000);
      const right = expected === null ? faults.length === 0 : faults.some((fault) => expected.test(fault));
      if (!right) {
        failed += 1;
        console.log(`${name}: expected ${expected ?? "no fault"}, found ${JSON.stringify(faults)}`);
      }
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${CASES.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
