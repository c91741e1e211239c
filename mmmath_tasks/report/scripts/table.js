// Tables: a click on a head sorts by that column, the highest first; once more, the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const sort = button("", () => {
      const up = head.getAttribute("aria-sort") === (column ? "descending" : null), sign = up ? 1 : -1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = ({ cells }) => (column ? Number(cells[column].dataset.order ?? NaN) : cells[column].textContent);
      const first = (x, y) => (column ? Number.isNaN(x) - Number.isNaN(y) || sign * (x - y) || 0 : sign * natural(x, y));
      body.append(...[...body.rows].sort((a, b) => first(order(a), order(b))));
    });
    sort.className = "sort";
    sort.append(...head.childNodes);
    head.append(sort);
  });
}
