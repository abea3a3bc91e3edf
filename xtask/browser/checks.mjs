// What must hold for a page, whatever it shows. Each check returns the faults that it finds.

import { axeSource } from "./browser.mjs";

/// Every plot and map is drawn: a picture with a name, of some size, with something in it.
export async function plotsAreDrawn(page) {
  return page.evaluate(() => {
    const faults = [];
    const plots = [...document.querySelectorAll("figure.plot")];
    if (plots.length === 0) faults.push("the page has no plot");
    for (const plot of plots) {
      // What is folded away is drawn when it is unfolded.
      for (let at = plot.closest("details:not([open])"); at; at = at.parentElement.closest("details:not([open])")) {
        at.open = true;
      }
      const name = plot.id || "a plot without id";
      const svg = plot.querySelector("svg");
      if (!svg) {
        faults.push(`${name}: nothing is drawn`);
        continue;
      }
      const box = svg.getBoundingClientRect();
      if (box.width < 100 || box.height < 20) {
        faults.push(`${name}: only ${Math.round(box.width)} by ${Math.round(box.height)} pixels`);
      }
      const marks = [...svg.querySelectorAll("path, circle, rect, line, polyline, polygon, ellipse")];
      const seen = marks.filter((mark) => {
        const at = mark.getBoundingClientRect();
        return at.width > 0 || at.height > 0;
      });
      if (seen.length < 1) faults.push(`${name}: nothing in it is seen`);
      if (svg.outerHTML.match(/NaN|undefined|Infinity/)) faults.push(`${name}: not a number`);
      if (!svg.querySelector("title")?.textContent.trim()) faults.push(`${name}: has no title`);
      if (!plot.querySelector("figcaption")?.textContent.trim()) faults.push(`${name}: has no caption`);
    }
    return faults;
  });
}

/// Nothing sticks out to the side, so that nobody scrolls in two directions.
export async function fitsItsWidth(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width + 1) return [];
    const wide = [...document.body.querySelectorAll("*")].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.right > width + 1 && getComputedStyle(element).position !== "fixed";
    });
    const names = wide.slice(0, 3).map((element) => `${element.tagName}#${element.id}.${element.className.baseVal ?? element.className}`);
    return [`sticks out to the side at ${width} pixels: ${names.join(", ")}`];
  });
}

/// axe-core finds nothing serious.
export async function isAccessible(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter((violation) => ["serious", "critical"].includes(violation.impact))
    .map((violation) => {
      const at = violation.nodes.slice(0, 2).map((node) => node.target.join(" ")).join("; ");
      return `axe ${violation.id} (${violation.impact}): ${violation.help}, at ${at}`;
    });
}

/// Dark mode is dark and light mode is light.
export async function hasItsLight(page, dark) {
  const shade = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const paint = canvas.getContext("2d");
    paint.fillStyle = getComputedStyle(document.body).backgroundColor;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  });
  if (dark && shade > 0.25) return [`dark mode is light (${shade.toFixed(2)})`];
  if (!dark && shade < 0.75) return [`light mode is dark (${shade.toFixed(2)})`];
  return [];
}

/// On paper nothing is folded away and nothing waits for a hand.
export async function printsWhole(page) {
  const faults = await page.evaluate(() => {
    const shown = (element) => element.getClientRects().length > 0;
    const faults = [];
    for (const button of document.querySelectorAll("button, input")) {
      // The heading of a column that can be sorted is its name, and belongs on paper.
      if (shown(button) && !button.closest("th")) faults.push(`a ${button.tagName.toLowerCase()} is printed: ${button.textContent.trim() || button.id}`);
    }
    for (const plot of document.querySelectorAll("figure.plot")) {
      if (!plot.closest("details") && !shown(plot)) faults.push(`${plot.id} is not printed`);
    }
    return faults.slice(0, 3);
  });
  const paper = await page.pdf({ format: "A4", printBackground: true });
  const pages = (paper.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
  if (pages < 1 || pages > 80) faults.push(`${pages} sheets of paper`);
  return faults;
}

/// A map grows by its keys and says what is under the pointer or the focus.
export async function mapsAnswer(page) {
  const faults = [];
  for (const map of await page.locator("[data-map]").all()) {
    const name = await map.evaluate((element) => element.closest("figure")?.id ?? "a map");
    await map.scrollIntoViewIfNeeded();
    const look = () => map.evaluate((element) => (element.querySelector("[data-zoom]") ?? element).outerHTML.slice(0, 400));
    const before = await look();
    await map.focus();
    await page.keyboard.press("+");
    if ((await look()) === before) faults.push(`${name}: the key + does nothing`);
    await page.keyboard.press("0");
    if ((await look()) !== before) faults.push(`${name}: the key 0 does not bring it back`);
  }
  const mark = page.locator("figure.plot svg [data-tip]:visible").first();
  if ((await mark.count()) > 0) {
    await mark.scrollIntoViewIfNeeded();
    await mark.dispatchEvent("pointerenter");
    await mark.dispatchEvent("pointerover");
    await mark.dispatchEvent("pointermove", { clientX: 100, clientY: 100 });
    const tip = page.locator("[role=tooltip]");
    const words = (await tip.count()) > 0 && (await tip.first().isVisible()) ? await tip.first().textContent() : "";
    if (!words.trim()) faults.push("nothing is said of a mark under the pointer");
  }
  return faults;
}
