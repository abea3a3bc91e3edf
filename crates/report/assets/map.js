
// Zooming and panning of maps: the view box is the part of the map that is seen.
const LEVELS = [0.9, 1.8, 3.6, 7.2];

function setUpMap(figure) {
  const drawing = figure.querySelector(".drawing"), svg = drawing.querySelector("svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const perKm = Number(svg.dataset.perKm), scale = svg.querySelector(".scale");
  const most = 60;
  let zoom = 1, x = 0, y = 0, waiting = false;

  function draw() {
    waiting = false;
    const near = Math.max(1, zoom);
    x = Math.min(Math.max(x, 0), width - width / near);
    y = Math.min(Math.max(y, 0), height - height / near);
    svg.setAttribute("viewBox", `${x} ${y} ${width / near} ${height / near}`);
    // How many units of the map a pixel of the screen is, before zooming.
    const shown = svg.clientWidth || width;
    const unit = Math.max(0.6, width / shown);
    svg.style.setProperty("--t", unit / near);
    svg.style.setProperty("--m", Math.sqrt(unit) / near);
    svg.dataset.level = LEVELS.filter((level) => near / unit >= level).length;
    drawing.classList.toggle("zoomed", near > 1);
    if (scale && perKm > 0) drawScale(near, unit);
  }

  function drawScale(near, unit) {
    const room = 110 * unit / near / perKm;
    const power = Math.pow(10, Math.floor(Math.log10(room)));
    const km = [5, 2, 1].map((digit) => digit * power).find((value) => value <= room) || power;
    const size = unit / near;
    scale.setAttribute("transform", `translate(${x + 12 * size} ${y + height / near - 10 * size}) scale(${size})`);
    scale.querySelector("path").setAttribute("d", `M0 -5v5h${km * perKm / size}v-5`);
    scale.querySelector("text").textContent = km < 1 ? `${+(km * 1000).toPrecision(1)} m` : `${km} km`;
  }

  function soon() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  // Zooms so that the point of the map under a place of the screen stays there.
  function zoomBy(factor, clientX, clientY) {
    const box = svg.getBoundingClientRect();
    const px = clientX === undefined ? 0.5 : (clientX - box.left) / box.width;
    const py = clientY === undefined ? 0.5 : (clientY - box.top) / box.height;
    const next = Math.min(Math.max(zoom * factor, 1), most);
    x += px * width * (1 / zoom - 1 / next);
    y += py * height * (1 / zoom - 1 / next);
    zoom = next;
    hideTip();
    soon();
  }

  function panBy(dx, dy) {
    const box = svg.getBoundingClientRect();
    x -= dx / box.width * width / zoom;
    y -= dy / box.height * height / zoom;
    soon();
  }

  // Brings a mark into view.
  panners.set(drawing, (mark) => {
    const box = svg.getBoundingClientRect(), at = mark.getBoundingClientRect();
    const dx = box.left + box.width / 2 - at.left - at.width / 2;
    const dy = box.top + box.height / 2 - at.top - at.height / 2;
    if (zoom === 1 || (Math.abs(dx) < box.width * 0.45 && Math.abs(dy) < box.height * 0.45)) return;
    panBy(dx, dy);
    draw();
  });

  function reset() {
    zoom = 1; x = 0; y = 0;
    hideTip();
    soon();
  }

  figure.querySelector(".tools").addEventListener("click", (event) => {
    const what = event.target.dataset.zoom;
    if (what === "in") zoomBy(1.6);
    if (what === "out") zoomBy(1 / 1.6);
    if (what === "reset") reset();
  });
  for (const box of figure.querySelectorAll("[data-layer]")) {
    const show = () => svg.classList.toggle(`no-${box.dataset.layer}`, !box.checked);
    box.addEventListener("change", show);
    show();
  }
  drawing.addEventListener("wheel", (event) => {
    const meant = event.ctrlKey || event.metaKey || document.activeElement === drawing;
    if (!meant) return;
    event.preventDefault();
    zoomBy(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 150), event.clientX, event.clientY);
  }, { passive: false });
  drawing.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (event.key === "+" || event.key === "=") zoomBy(1.6);
    else if (event.key === "-") zoomBy(1 / 1.6);
    else if (event.key === "0") reset();
    else if (pan && zoom > 1) panBy(...pan);
    else return;
    event.preventDefault();
  });

  // One finger or the mouse pans, two fingers pinch.
  const held = new Map();
  drawing.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (zoom > 1 || held.size > 1) drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const spread = () => {
      const [a, b] = [...held.values()];
      return Math.hypot(a.x - b.x, a.y - b.y) || 1;
    };
    const wide = held.size === 2 ? spread() : 0;
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    before.x = event.clientX;
    before.y = event.clientY;
    if (held.size === 2) {
      const [a, b] = [...held.values()];
      zoomBy(spread() / wide, (a.x + b.x) / 2, (a.y + b.y) / 2);
    } else if (zoom > 1) {
      drawing.classList.add("held");
      hideTip();
      panBy(dx, dy);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    drawing.addEventListener(end, (event) => {
      held.delete(event.pointerId);
      drawing.classList.remove("held");
    });
  }
  if (window.ResizeObserver) new ResizeObserver(soon).observe(svg);
  addEventListener("beforeprint", () => { reset(); draw(); });
  draw();
}

document.querySelectorAll("figure.map").forEach(setUpMap);
