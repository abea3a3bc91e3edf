// Opens pages in a real browser and says what is wrong with them.
//
//     node check.mjs PAGE.html...
//
// Exits with 1 where something is.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

import { open, withBrowser } from "./browser.mjs";
import { fitsItsWidth, hasItsLight, isAccessible, mapsAnswer, plotsAreDrawn, printsWhole } from "./checks.mjs";

const WIDTHS = [400, 1600];

/// Everything that is wrong with a page, in the order in which it was found.
export async function faultsOf(browser, file, patience) {
  const url = pathToFileURL(resolve(file)).href;
  const faults = [];
  const look = async (how, view, checks) => {
    const { page, faults: heard } = await open(browser, url, { ...view, patience });
    const found = [];
    for (const check of checks) found.push(...(await check(page)));
    // What the page said comes last: checks may have made it say something.
    faults.push(...[...found, ...heard].map((fault) => `${how}: ${fault}`));
    await page.close();
  };
  for (const width of WIDTHS) {
    for (const dark of [false, true]) {
      const light = (page) => hasItsLight(page, dark);
      // What is unfolded by the first check is looked at by the others.
      const checks = [light, plotsAreDrawn, fitsItsWidth, isAccessible];
      await look(`${width} pixels, ${dark ? "dark" : "light"}`, { width, dark }, checks);
    }
  }
  await look("by hand", { width: 1200 }, [mapsAnswer]);
  await look("in print", { width: 794, print: true }, [printsWhole]);
  return faults;
}

async function main(files) {
  let failed = 0;
  await withBrowser(async (browser) => {
    for (const file of files) {
      const faults = await faultsOf(browser, file);
      failed += faults.length > 0;
      console.log(`${faults.length === 0 ? "ok    " : "FAULTS"} ${file}`);
      for (const fault of faults) console.log(`       ${fault}`);
    }
  });
  console.log(`${files.length - failed} passed, ${failed} failed`);
  return failed === 0 && files.length > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  process.exitCode = await main(process.argv.slice(2));
}
