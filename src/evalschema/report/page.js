"use strict";
(() => {
  const list = document.getElementById("list");
  const form = document.getElementById("filter");

  // what is folded up must be on paper all the same
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
  });

  // a link to a benchmark that is folded up opens it
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") {
      target.open = true;
      target.querySelector("summary").focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  if (!list || !form) return;
  const shown = document.getElementById("shown");
  const rows = [...list.children].map((row, order) => ({
    row, order, severity: row.className, code: row.dataset.code, kind: row.dataset.kind, file: Number(row.dataset.file),
    path: row.dataset.path.toLowerCase(), text: null,
  }));
  const RANK = { error: 0, warning: 1, info: 2 };
  const compare = {
    severity: (a, b) => RANK[a.severity] - RANK[b.severity],
    file: (a, b) => a.file - b.file,
    code: (a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
    kind: (a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0),
  };
  let sorted = "severity";

  const sort = () => {
    const by = form.elements.sort.value;
    const sign = form.elements.reverse.checked ? -1 : 1;
    if (sorted === by + sign) return;
    sorted = by + sign;
    rows.sort((a, b) => sign * compare[by](a, b) || a.order - b.order);
    const all = document.createDocumentFragment();
    for (const each of rows) all.append(each.row);
    list.append(all);
  };

  const filter = () => {
    const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    const { kind, code } = form.elements;
    const path = form.elements.file.value.trim().toLowerCase();
    const words = form.elements.text.value.trim().toLowerCase();
    let count = 0;
    for (const each of rows) {
      let fits = severities.has(each.severity) && (!kind.value || each.kind === kind.value) &&
        (!code.value || each.code === code.value) && each.path.includes(path);
      if (fits && words) {
        each.text ??= each.row.textContent.toLowerCase();
        fits = each.text.includes(words);
      }
      if (each.row.hidden === fits) each.row.hidden = !fits;
      count += fits;
    }
    shown.textContent = count === rows.length ? `${count} shown` : `${count} of ${rows.length} shown`;
  };

  const apply = () => {
    sort();
    filter();
  };
  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    // while somebody types, wait for the next letter
    waiting = setTimeout(apply, event.target.type === "search" ? 120 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply, 0));
  for (const button of document.querySelectorAll("button[data-cost]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      form.reset();
      form.elements.text.value = button.dataset.cost;
      apply();
      const heading = document.getElementById("findings");
      heading.focus({ preventScroll: true });
      heading.scrollIntoView();
    });
  }
  form.hidden = false;
  // a browser may keep what was chosen before the page was loaded again
  apply();
})();
