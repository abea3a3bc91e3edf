
// Tables are sorted by clicking on the title of a column. Buttons are made when a table is first seen.
function valueOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.v || cell.textContent;
  const number = Number(text.replace(/[\u202f\u00a0\s%]/g, "").replace("−", "-"));
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return a.localeCompare(b);
}

function setUpTable(table) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2 || table.dataset.sorts) return;
  table.dataset.sorts = "true";
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending"
        || (!head.hasAttribute("aria-sort") && head.classList.contains("n"));
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
      rows.sort((a, b) => down ? compare(b[0], a[0]) : compare(a[0], b[0]));
      body.append(...rows.map((row) => row[1]));
    });
  });
}

function setUpTables(part) {
  for (const table of part.querySelectorAll("table.sortable")) {
    const details = table.closest("details");
    if (!details || details.open) setUpTable(table);
    else details.addEventListener("toggle", () => setUpTable(table));
  }
}

setUpTables(document);
