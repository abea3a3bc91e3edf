// How long a page takes until it can be used, in a real browser.
//
//     node measure.mjs TIMES PAGE.html...
//
// A page can be used when its script has set everything up and the main thread answers: the later of its
// own mark and of the next frame after it. Beside it, in the same run, the same browser opens an empty
// page: that is the floor. Prints one JSON object.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { open, withBrowser } from "./browser.mjs";

const EMPTY = `<!doctype html><html lang="en"><title>Nothing</title><body><script>
document.documentElement.dataset.ready = "true"; performance.mark("wayveil-ready");
</script></body></html>`;

/// Milliseconds from the start of the navigation until the page is set up and has drawn a frame.
async function opening(browser, file) {
  const { page, faults } = await open(browser, pathToFileURL(file).href, { width: 1200 });
  const times = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await frame();
    const mark = performance.getEntriesByName("wayveil-ready")[0]?.startTime;
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    // How long the page needs to answer once it says that it is ready.
    const asked = performance.now();
    await frame();
    return { usable: Math.max(mark ?? Infinity, paint), answer: performance.now() - asked };
  });
  await page.close();
  return { ...times, faults };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const [times, ...files] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "wayveil-measure-"));
const empty = join(folder, "empty.html");
writeFileSync(empty, EMPTY);
try {
  const results = await withBrowser(async (browser) => {
    const all = [];
    // The first page of a browser pays for its start.
    await opening(browser, empty);
    for (const file of files.map((name) => resolve(name))) {
      const ours = [];
      const floor = [];
      for (let run = 0; run < Number(times); run += 1) {
        ours.push(await opening(browser, file));
        floor.push(await opening(browser, empty));
      }
      const usable = ours.map((run) => run.usable);
      all.push({
        page: file.split("/").at(-1),
        bytes: statSync(file).size,
        runs: usable.length,
        usable_ms: { median: median(usable), worst: Math.max(...usable) },
        answer_ms: { median: median(ours.map((run) => run.answer)), worst: Math.max(...ours.map((run) => run.answer)) },
        empty_page_ms: median(floor.map((run) => run.usable)),
        faults: ours.flatMap((run) => run.faults),
      });
    }
    return all;
  });
  console.log(JSON.stringify(results, null, 2));
  process.exitCode = results.some((result) => result.faults.length > 0) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
