const root = document.documentElement;
root.dataset.scripts = "true";

// A mark's tip is its <title>; taken out on first use, so that the browser does not show it as well.
const tipBox = document.querySelector(".tip");
const tips = new WeakMap();
let lit = null;

function tipOf(mark) {
  if (!tips.has(mark)) {
    const title = mark.querySelector(":scope > title");
    tips.set(mark, title ? title.textContent : "");
    if (title) title.remove();
  }
  return tips.get(mark);
}

const MARKS = "svg :is(.bar, .dot, .shade, .place, .cell, .flow)";

function hideTip() {
  if (lit) lit.classList.remove("lit");
  lit = null;
  tipBox.hidden = true;
}

function showTip(mark, x, y) {
  const words = tipOf(mark);
  if (!words) return hideTip();
  if (lit !== mark) {
    if (lit) lit.classList.remove("lit");
    mark.classList.add("lit");
    lit = mark;
    tipBox.textContent = words;
  }
  tipBox.hidden = false;
  const width = tipBox.offsetWidth, height = tipBox.offsetHeight;
  const left = Math.min(Math.max(4, x + 12), innerWidth - width - 4);
  const top = y - height - 12 < 4 ? y + 18 : y - height - 12;
  tipBox.style.left = `${Math.max(4, left)}px`;
  tipBox.style.top = `${Math.min(top, innerHeight - height - 4)}px`;
}

// By drawing: what brings a mark into view, on maps.
const panners = new WeakMap();

function showAt(drawing, mark) {
  const pan = panners.get(drawing);
  if (pan) pan(mark);
  const box = mark.getBoundingClientRect();
  showTip(mark, box.left + box.width / 2, box.top + box.height / 2);
}

// Marks with something to tell: the greatest places first, then the strongest flows, which are drawn last.
function marksOf(drawing) {
  const marks = [...drawing.querySelectorAll(MARKS)];
  const flows = marks.filter((mark) => mark.matches(".flow")).reverse();
  const order = marks.filter((mark) => !mark.matches(".flow")).concat(flows);
  return order.filter((mark) => tipOf(mark) && mark.getBoundingClientRect().width > 0);
}

function step(drawing, by) {
  const marks = marksOf(drawing);
  if (!marks.length) return;
  const now = marks.indexOf(lit);
  const next = now < 0 ? (by > 0 ? 0 : marks.length - 1) : (now + by + marks.length) % marks.length;
  showAt(drawing, marks[next]);
}

function setUpDrawing(drawing) {
  drawing.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    const mark = event.target.closest(MARKS);
    if (mark) showTip(mark, event.clientX, event.clientY);
    else hideTip();
  });
  drawing.addEventListener("pointerdown", (event) => {
    const mark = event.target.closest(MARKS);
    if (mark) showTip(mark, event.clientX, event.clientY);
  });
  drawing.addEventListener("pointerleave", hideTip);
  drawing.addEventListener("blur", hideTip);
  drawing.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hideTip();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const map = drawing.closest(".map");
    const forward = map ? "n" : "ArrowRight", back = map ? "p" : "ArrowLeft";
    if (event.key === forward) step(drawing, 1);
    else if (event.key === back) step(drawing, -1);
    else return;
    event.preventDefault();
  });
}
document.querySelectorAll(".drawing").forEach(setUpDrawing);
addEventListener("scroll", () => { if (lit) hideTip(); }, { passive: true });
