// Takes the pictures of pages that the documentation shows.
//
//     node screenshots.mjs SHOTS.json
//
// The file lists pictures: {"page", "to", "width", "height", "dark", "selector", "full"}. With a selector the
// picture is of that part alone; with `full`, of the whole page.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

import { open, withBrowser } from "./browser.mjs";

const shots = JSON.parse(readFileSync(process.argv[2], "utf8"));
let failed = 0;
await withBrowser(async (browser) => {
  for (const shot of shots) {
    const url = pathToFileURL(resolve(shot.page)).href;
    const { page, faults } = await open(browser, url, shot);
    const what = shot.selector ? page.locator(shot.selector).first() : page;
    if (shot.selector) await what.scrollIntoViewIfNeeded();
    await what.screenshot({ path: shot.to, fullPage: shot.selector ? undefined : Boolean(shot.full), animations: "disabled" });
    console.log(`${shot.to}: ${shot.width} pixels wide${shot.dark ? ", dark" : ""}`);
    for (const fault of faults) {
      failed += 1;
      console.log(`  ${fault}`);
    }
    await page.close();
  }
});
process.exitCode = failed === 0 ? 0 : 1;
