// Watches real campaigns in a real browser: to completion, through an outage, and to failure.
//
//     node dashboard.mjs WAYVEIL CROWD FOLDER [PICTURES]
//
// Exits with 1 where something is wrong. With a folder for pictures, takes them on the way.

import { join } from "node:path";

import { withBrowser } from "./browser.mjs";
import { Campaign } from "./campaign.mjs";
import { fitsItsWidth, hasItsLight, isAccessible, plotsAreDrawn } from "./checks.mjs";

const [wayveil, crowd, folder, pictures] = process.argv.slice(2);
const PATIENCE = 30_000;
const faults = [];

function expect(what, holds, found = "") {
  if (!holds) faults.push(`${what}${found === "" ? "" : `: ${JSON.stringify(found)}`}`);
}

/// Opens a page that is served, and listens to what it does. Nothing may be asked of another host.
async function look(browser, url) {
  const page = await browser.newPage();
  const view = { page, heard: [], outage: false };
  page.on("console", (message) => {
    const expected = view.outage && /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !expected) view.heard.push(message.text());
  });
  page.on("pageerror", (error) => view.heard.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${url}/`) && !to.startsWith("data:")) view.heard.push(`asks for ${to}`);
  });
  await page.setViewportSize({ width: 1200, height: 1000 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${url}/`, { waitUntil: "load" });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: PATIENCE });
  // A page that is loaded again forgets this.
  await page.evaluate(() => { window.sinceTheStart = true; });
  return view;
}

const text = (page, selector) => page.locator(selector).first().textContent();
const headline = (page) => text(page, "[data-headline]");
const number = (words) => Number(words.replace(/[^0-9]/g, ""));

async function until(page, words) {
  const seen = (words) => document.querySelector("[data-headline]").textContent === words;
  await page.waitForFunction(seen, words, { timeout: PATIENCE }).catch(() => {});
  expect("the page tells how it stands", (await headline(page)) === words, await headline(page));
}

async function picture(page, name, view = {}) {
  if (!pictures) return;
  await page.setViewportSize({ width: view.width ?? 1200, height: view.height ?? 1000 });
  await page.emulateMedia({ colorScheme: view.dark ? "dark" : "light", reducedMotion: "reduce" });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: view.full ?? false, animations: "disabled" });
}

/// What holds for every page of the project, at every width and in both lights.
async function looksRight(view, name, checks) {
  for (const width of [400, 1600]) {
    for (const dark of [false, true]) {
      await view.page.setViewportSize({ width, height: 900 });
      await view.page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
      const light = (page) => hasItsLight(page, dark);
      for (const check of [...checks, light, fitsItsWidth, isAccessible]) {
        for (const fault of await check(view.page)) {
          faults.push(`${name}, ${width} pixels, ${dark ? "dark" : "light"}: ${fault}`);
        }
      }
    }
  }
}

/// Without scripts a page shows how it stands when it is opened.
async function withoutScripts(browser, url) {
  const page = await browser.newPage();
  const session = await browser.newCDPSession(page);
  await session.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.goto(`${url}/`);
  const body = await page.locator("main").innerText();
  expect("it is told without scripts", /Round 0/.test(body) && /What is promised/.test(body), body.slice(0, 200));
  await page.close();
}

async function namesNoPlace(page, when) {
  const html = await page.content();
  for (const name of Campaign.names()) expect(`${when}: no place on the public page`, !html.includes(name), name);
}

/// The headlines that a page shows, one after the other, until `done`.
async function headlines(page, done) {
  const seen = [];
  while (!done()) {
    const now = await headline(page);
    if (seen.at(-1) !== now) seen.push(now);
    await page.waitForTimeout(150);
  }
  return seen;
}

async function toCompletion(browser, campaign) {
  const everybody = await look(browser, campaign.url);
  const operator = await look(browser, campaign.operatorUrl);
  await withoutScripts(browser, campaign.url);
  await namesNoPlace(everybody.page, "at the start");
  let over = false;
  const answering = campaign.answer().finally(() => { over = true; });
  const halfway = picturesHalfway(operator.page, everybody.page, () => over);
  const [seen, state] = await Promise.all([headlines(everybody.page, () => over), answering]);
  await halfway;
  expect("the crowd saw the end", state === "complete", state);
  expect("rounds went by without a reload", seen.filter((it) => /^Round/.test(it)).length >= 4, seen);
  for (const { page } of [everybody, operator]) await until(page, "Complete");
  await compare(everybody.page, operator.page, campaign);
  await mapAnswers(operator.page);
  await namesNoPlace(everybody.page, "at the end");
  await picture(operator.page, "complete", { full: true });
  await picture(operator.page, "complete-dark", { full: true, dark: true });
  await picture(operator.page, "complete-narrow", { width: 400, full: true });
  await picture(everybody.page, "public-complete", { full: true });
  await looksRight(everybody, "everybody's page", []);
  await looksRight(operator, "the operator's page", [plotsAreDrawn]);
  await outage(campaign, everybody, operator);
  for (const { page, heard } of [everybody, operator]) {
    expect("the page was never loaded again", await page.evaluate(() => window.sinceTheStart === true));
    faults.push(...heard);
    await page.close();
  }
}

/// Pictures of a running campaign, while fragments are asked about.
async function picturesHalfway(page, everybody, over) {
  while (!over() && !/^Round ([7-9]|1\d)$/.test(await headline(page))) await page.waitForTimeout(150);
  await picture(everybody, "public-running", { height: 1150 });
  await picture(page, "running", { height: 2300 });
  const state = page.locator(".tree .state").first();
  expect("fragments are shown while it runs", (await state.count()) > 0);
}

async function compare(everybody, operator, campaign) {
  const status = campaign.status();
  for (const page of [everybody, operator]) {
    const all = number(await text(page, "[data-field=all]"));
    expect("answers in all rounds", all === status.found.answers, [all, status.found.answers]);
    const found = number(await text(page, ".banner.good p"));
    expect("fragments that were found", found === status.found.fragments, [found, status.found.fragments]);
    const rows = await page.locator("table.rounds tbody tr").evaluateAll((rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.textContent)).filter((cells) => cells[4] === "closed"));
    const told = rows.map((cells) => Number(cells[3].replace(/\D/g, "")));
    const closed = status.closed.map((round) => round.answers);
    expect("answers of each round", JSON.stringify(told) === JSON.stringify(closed), [told, closed]);
  }
  const admitted = await operator.locator(".tree .state.yes").count();
  expect("the tree has what was found", admitted === status.found.fragments, [admitted, status.found.fragments]);
  expect("something is found", admitted > 3, admitted);
  const tree = await operator.locator(".tree").innerText();
  expect("places and ways that most people go", /Mill Lane/.test(tree) && /→/.test(tree), tree.slice(0, 300));
  const rate = await text(operator, "[data-field=over]");
  expect("the rate is of now", rate === "in the last half minute", rate);
  await campaign.published();
  expect("the release is there", campaign.manifest().method !== undefined);
}

/// Circles and arrows are drawn, and the map grows by its keys after it was taken over.
async function mapAnswers(page) {
  const map = page.locator("#admitted-map .drawing");
  expect("places on the map", (await map.locator("circle.place").count()) > 2);
  expect("arrows on the map", (await map.locator(".flow").count()) > 0);
  const box = () => map.locator("svg").getAttribute("viewBox");
  const before = await box();
  await map.focus();
  await page.keyboard.press("+");
  await page.waitForTimeout(100);
  expect("the map grows by a key", (await box()) !== before, before);
  await page.keyboard.press("0");
  await page.keyboard.press("n");
  expect("a mark is told", /about .* people/.test(await text(page, ".tip")), await text(page, ".tip"));
  await page.keyboard.press("Escape");
}

/// A service that is away is told, and so is that it is back.
async function outage(campaign, ...views) {
  for (const view of views) view.outage = true;
  await campaign.stop();
  for (const { page } of views) {
    await page.bringToFront();
    await page.evaluate(() => dispatchEvent(new Event("online")));
    const banner = page.locator("#unreached");
    await banner.waitFor({ state: "visible", timeout: PATIENCE }).catch(() => {});
    expect("an outage is told", /cannot be reached/.test(await banner.innerText()), await banner.innerText());
    await picture(page, `outage-${views.findIndex((view) => view.page === page)}`);
  }
  await campaign.start();
  for (const view of views) {
    await view.page.evaluate(() => dispatchEvent(new Event("online")));
    const banner = view.page.locator("#unreached");
    await banner.waitFor({ state: "hidden", timeout: PATIENCE }).catch(() => {});
    expect("the end of an outage is told", await banner.isHidden());
    view.outage = false;
  }
}

async function toFailure(browser, campaign) {
  const views = [await look(browser, campaign.url), await look(browser, campaign.operatorUrl)];
  for (const { page, heard } of views) {
    await until(page, "Failed");
    const why = await text(page, ".banner.alarm:not(#internal-note):not(#unreached)");
    expect("why it failed is told", /round 0 had 0 answers/.test(why), why);
    expect("the page was never loaded again", await page.evaluate(() => window.sinceTheStart === true));
    faults.push(...heard);
  }
  await picture(views[0].page, "failed", { full: true });
  await looksRight(views[0], "a failure", []);
  await picture(views[1].page, "failed-operator", { full: true });
  for (const { page } of views) await page.close();
}

const programs = { wayveil, crowd };
const RULES = [
  ["whole", { openFor: "10m", quorum: 20, enough: 90 }, toCompletion],
  ["failing", { openFor: "4s", quorum: 20 }, toFailure],
];
await withBrowser(async (browser) => {
  for (const [name, rules, watch] of RULES) {
    const campaign = new Campaign(programs, join(folder, name), rules);
    try {
      await campaign.start();
      await watch(browser, campaign);
    } catch (error) {
      faults.push(`${name}: ${error.stack}`);
    } finally {
      await campaign.end();
    }
  }
}, { network: true });
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(faults.length === 0 ? "campaigns are watched as they should be" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
