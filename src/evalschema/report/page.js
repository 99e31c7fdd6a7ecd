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
  const rows = [...list.querySelectorAll("li")].map((row, order) => ({
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
  // messages have code between backticks, the page has elements
  const plain = (text) => text.replaceAll("`", "").toLowerCase();
  // a browser lays out a part at a time, when it comes into view
  const PART = 50;
  const show = (found) => {
    const parts = [];
    for (let start = 0; start < found.length; start += PART) {
      const part = document.createElement("ol");
      part.className = start + PART < found.length ? "part" : "part rest";
      for (const each of found.slice(start, start + PART)) part.append(each.row);
      parts.push(part);
    }
    list.replaceChildren(...parts);
    shown.textContent = found.length === rows.length ? `${rows.length} shown` : `${found.length} of ${rows.length} shown`;
  };

  const filtered = () => {
    const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    const { kind, code } = form.elements;
    const path = form.elements.file.value.trim().toLowerCase();
    const words = plain(form.elements.text.value.trim());
    return rows.filter((each) => {
      if (!severities.has(each.severity) || (kind.value && each.kind !== kind.value)) return false;
      if ((code.value && each.code !== code.value) || !each.path.includes(path)) return false;
      if (words) each.text ??= plain(each.row.textContent);
      return !words || each.text.includes(words);
    });
  };

  let current = rows.slice();
  const apply = () => {
    const by = form.elements.sort.value;
    const sign = form.elements.reverse.checked ? -1 : 1;
    const found = filtered().sort((a, b) => sign * compare[by](a, b) || a.order - b.order);
    if (found.length === current.length && found.every((each, i) => each === current[i])) return;
    current = found;
    show(found);
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
