// Tables: a click on a head sorts by that column, the highest first; once more, the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === (column ? "descending" : null);
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const sign = up ? 1 : -1;
      const order = (row) => {
        const cell = row.cells[column];
        return column ? Number(cell.dataset.order ?? NaN) : cell.textContent;
      };
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [order(a), order(b)];
        if (!column) return sign * x.localeCompare(y, "en", {numeric: true});
        return (Number.isNaN(x) - Number.isNaN(y)) || sign * (x - y) || 0;
      });
      body.append(...rows);
    });
  });
}
