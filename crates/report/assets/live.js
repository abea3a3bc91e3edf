
// News of the service that this page came from. Numbers of the open round are written into their places; when
// anything else has changed the page is fetched again, and the parts that differ are taken over.
const live = document.getElementById("live");
const SOON = 2_000, LATER = 15_000, LATEST = 60_000;
let timer = 0, failures = 0, heardAt = null, asking = false, samples = [];

const grouped = (value) => {
  const digits = String(value);
  return digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;
};

function duration(seconds) {
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60, unit = (value, name) => `${value}\u00a0${name}`;
  if (days) return `${unit(days, "d")} ${unit(hours, "h")}`;
  if (hours) return `${unit(hours, "h")} ${unit(minutes, "min")}`;
  return minutes ? `${unit(minutes, "min")} ${unit(seconds % 60, "s")}` : unit(seconds, "s");
}

// Writes what differs, so that nothing flickers and nothing is read out twice.
function write(selector, words) {
  for (const element of live.querySelectorAll(selector)) {
    if (element.textContent !== words) element.textContent = words;
  }
}

function showNumbers(status) {
  const round = status.round;
  const before = status.closed.reduce((sum, closed) => sum + closed.answers, 0);
  write("[data-field=all]", grouped(before + (round ? round.answers : 0)));
  if (round) showRound(round);
  if (status.outcomes) showService(status);
}

function showRound(round) {
  const track = live.querySelector(".track");
  const missing = round.quorum - round.answers;
  const towards = missing > 0
    ? `${grouped(missing)} more for the quorum of ${grouped(round.quorum)}`
    : `the quorum of ${grouped(round.quorum)} is reached`;
  write("[data-field=answers]", grouped(round.answers));
  write("[data-field=left]", duration(round.closes_in_seconds));
  write("[data-field=towards]", towards);
  if (!track) return;
  const bar = track.querySelector("[role=progressbar]"), most = Number(track.dataset.most);
  const reached = Math.floor(Math.min(round.answers, most) * 1000 / most);
  track.querySelector("[data-field=reached]").setAttribute("width", reached);
  bar.setAttribute("aria-valuenow", round.answers);
  bar.setAttribute("aria-valuetext", `${grouped(round.answers)} answers, ${towards}`);
}

// The rate is that of the last half minute, by the clock of the service.
function showService(status) {
  const counted = status.outcomes.counted, at = status.uptime_ms;
  if (samples.length && at < samples.at(-1).at) samples = [];
  samples.push({ counted, at });
  while (samples.length > 2 && at - samples[0].at > 30_000) samples.shift();
  const passed = at - samples[0].at;
  if (passed > 0) {
    const rate = (counted - samples[0].counted) * 1000 / passed;
    write("[data-field=rate]", rate >= 100 ? grouped(Math.round(rate)) : String(+rate.toPrecision(2)));
    write("[data-field=over]", "in the last half minute");
  }
  for (const [name, count] of Object.entries(status.outcomes)) {
    write(`[data-outcome="${name}"]`, grouped(count));
    const tile = live.querySelector(`.tiles [data-outcome="${name}"]`);
    if (tile) tile.closest("li").classList.toggle("alarm", count > 0);
  }
}

// How parts that can be unfolded came; what is otherwise now was done by hand.
const came = new WeakMap();

function remember(part) {
  for (const details of part.querySelectorAll("details[id]")) came.set(details, details.open);
}

// Takes over a part of the page as it is now: what was folded by hand stays so, and the focus where it was.
function takeOver(old, part) {
  remember(part);
  for (const details of old.querySelectorAll("details[id]")) {
    const now = part.querySelector(`#${CSS.escape(details.id)}`);
    if (now && details.open !== came.get(details)) now.open = details.open;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const owner = focused && focused.closest("[id]"), isSummary = focused && focused.matches("summary");
  hideTip();
  old.replaceWith(part);
  part.querySelectorAll(".drawing").forEach(setUpDrawing);
  part.querySelectorAll("figure.map").forEach(setUpMap);
  setUpTables(part);
  if (!owner) return;
  const place = document.getElementById(owner.id) || part;
  const again = isSummary ? place.querySelector("summary") : place.querySelector("[tabindex='0'], button, a");
  if (again) again.focus({ preventScroll: true });
}

async function refresh() {
  const reply = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(20_000) });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = page.getElementById("live");
  for (const part of [...fresh.querySelectorAll("[data-part]")]) {
    const old = document.getElementById(part.id);
    if (old && old.dataset.part !== part.dataset.part) takeOver(old, document.adoptNode(part));
  }
  live.dataset.revision = fresh.dataset.revision;
  document.title = page.title;
  document.getElementById("said").textContent = page.title;
}

function showReach(reached) {
  const banner = document.getElementById("unreached");
  live.classList.toggle("stale", !reached);
  if (reached) banner.hidden = true;
  else if (banner.hidden) {
    const since = heardAt ? ` What is shown is of ${heardAt.toLocaleTimeString()}.` : "";
    banner.querySelector("p").textContent = `The service cannot be reached.${since} This page goes on trying.`;
    banner.hidden = false;
  }
}

async function ask() {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  let wait = SOON;
  try {
    const headers = { "wayveil-protocol": "1" };
    const reply = await fetch(live.dataset.poll, { headers, cache: "no-store", signal: AbortSignal.timeout(10_000) });
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    const status = await reply.json();
    if (status.campaign !== live.dataset.campaign) location.reload();
    if (status.revision !== live.dataset.revision) await refresh();
    showNumbers(status);
    heardAt = new Date();
    failures = 0;
    showReach(true);
    // A campaign that has ended stays as it is, and nobody looks at a page that is not seen.
    if (status.state !== "running" || document.hidden) wait = LATER;
  } catch {
    failures += 1;
    wait = Math.min(SOON * 2 ** failures, LATEST);
    showReach(false);
  } finally {
    asking = false;
    timer = setTimeout(ask, wait);
  }
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
addEventListener("online", ask);
remember(live);
ask();
