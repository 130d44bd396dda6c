"use strict";
// The search of the index page; the address keeps the question, so that it can be linked to.
{
  const { readQuestion, readRows, shown, valueOf, less, WrongQuestion } = globalThis.atlasQuery;
  const atlas = globalThis.atlasData, rows = readRows(atlas), pages = new Set(atlas.pages);
  const at = id => document.getElementById(id);
  const form = at("search"), result = at("found"), said = at("said"), more = at("more");
  const STEP = 25, NAME = /^\s*(?:ccsim:)?C(\d)\.(\d+)(?:\/.*)?$|^\s*some_functions:n=(\d),chosen=(\d+)\s*$/;
  let most = STEP, order = { by: "", down: false };

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function concepts(row) {
    const found = [];
    for (let f = 0; f < 1 << row.points; f += 1) {
      if (Math.floor(row.chosen / 2 ** f) % 2) {
        found.push(Array.from({ length: row.points }, (_, x) => f >> x & 1).join(""));
      }
    }
    return found;
  }

  function json(row) {  // as `ccsim atlas show --json`
    const values = Object.fromEntries(Object.keys(row.known).map(name => [name, shown(name, row.known)]));
    const instance = `some_functions:n=${row.points},chosen=${row.chosen}`;
    const data = { identifier: "ccsim:" + row.identifier, instance, classes: row.classes, concepts: concepts(row), values };
    return URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
  }

  function named(text) {
    const match = NAME.exec(text);
    if (!match) return null;
    const points = Number(match[1] ?? match[3]), chosen = Number(match[2] ?? match[4]);
    const row = rows.find(each => each.points === points && each.chosen === chosen);
    if (row || !pages.has(`C${points}.${chosen}`)) return row ? [row] : [];
    location.assign(`C${points}.${chosen}.html`);
    return [];
  }

  function answer(text, points) {  // the rows, those that are open, and what was asked
    const one = named(text);
    if (one) return { held: one, open: [], asked: [], points: 5 };
    if (!text.trim()) return { held: rows.filter(row => row.points <= points), open: [], asked: [], points };
    const question = readQuestion(text, atlas), within = Math.min(points, question.points);
    const held = [], open = [];
    for (const row of rows) {
      if (row.points > within) continue;
      const verdict = question.holds(row.known);
      if (verdict) held.push(row); else if (verdict === null) open.push(row);
    }
    return { held, open, asked: question.asked, points: within };
  }

  function sorted(list) {
    if (!order.by) return order.down ? [...list].reverse() : list;
    const lower = row => valueOf(order.by.replace("dim(", "size("), row.known)?.[0];
    const before = (a, b) => {
      const [x, y] = [lower(a), lower(b)];
      if (!x || !y) return x ? -1 : y ? 1 : 0;
      const direction = less(x, y) ? -1 : less(y, x) ? 1 : 0;
      return order.down ? -direction : direction;
    };
    return [...list].sort(before);
  }

  function head(names) {
    const cells = ["", ...names].map(name => {
      const arrow = order.by === name ? (order.down ? " \u2193" : " \u2191") : "";
      const button = element("button", { type: "button", class: "plain" }, (name || "class") + arrow);
      button.onclick = () => {
        order = { by: name, down: order.by === name && !order.down };
        run();
      };
      const state = order.by === name ? (order.down ? "descending" : "ascending") : "none";
      return element("th", { scope: "col", "aria-sort": state }, button);
    });
    return element("thead", {}, element("tr", {}, ...cells, element("th", { scope: "col" }, "list of concepts"), element("th", { scope: "col" }, "JSON")));
  }

  function line(row, names) {
    const name = pages.has(row.identifier) ? element("a", { href: row.identifier + ".html" }, row.identifier) : row.identifier;
    const many = row.classes > 1 ? ` (first of ${row.classes})` : "";
    const cell = value => element("td", {}, Object.hasOwn(row.known, value) || value.includes("(") ? shown(value, row.known) : "unknown");
    const link = element("a", { href: "#", download: row.identifier + ".json" }, "JSON");
    link.onclick = () => { link.href = json(row); };
    const listed = element("td", { class: "concepts" }, concepts(row).join(" "));
    return element("tr", {}, element("th", { scope: "row" }, name, many), ...names.map(cell), listed, element("td", {}, link));
  }

  function tableOf(list, asked, caption) {
    const names = [...new Set(["points", "concepts", "vc", "littlestone", ...asked])];
    const body = element("tbody", {}, ...sorted(list).slice(0, most).map(row => line(row, names)));
    const whole = element("table", {}, element("caption", {}, caption), head(names), body);
    return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, whole);
  }

  function run() {
    const text = at("q").value, points = Number(at("points").value);
    const parts = new URLSearchParams();
    if (text.trim()) parts.set("q", text);
    if (points < 5) parts.set("points", points);
    if (order.by || order.down) parts.set("sort", (order.down ? "-" : "") + order.by);
    const address = "#" + parts;
    if (address !== location.hash && (location.hash || address !== "#")) history.replaceState(null, "", address);
    result.replaceChildren();
    said.className = "verdict";
    try {
      const found = answer(text, points), number = list => list.reduce((total, row) => total + row.classes, 0);
      const looked = number(rows.filter(row => row.points <= found.points));
      const open = found.open.length ? `, open for ${number(found.open)}, where bounds do not coincide` : "";
      const until = found.points < points ? ` (a quantity is unknown on more than ${found.points} points)` : "";
      said.textContent = `Searched ${looked} classes on 1 to ${found.points} points${until}: holds for ${number(found.held)}${open}.`;
      if (found.held.length) result.append(tableOf(found.held, found.asked, "Classes for which it holds"));
      if (found.open.length) result.append(tableOf(found.open, found.asked, "Classes for which it is open"));
      more.hidden = Math.max(found.held.length, found.open.length) <= most;
    } catch (error) {
      if (!(error instanceof WrongQuestion)) throw error;
      said.className = "verdict bad";
      said.textContent = "Question: " + error.message;
      more.hidden = true;
    }
  }

  function fromAddress() {
    const parts = new URLSearchParams(location.hash.slice(1)), sort = parts.get("sort") ?? "";
    at("q").value = parts.get("q") ?? "";
    at("points").value = /^[1-5]$/.test(parts.get("points")) ? parts.get("points") : "5";
    order = { by: sort.replace(/^-/, ""), down: sort.startsWith("-") };
    if (order.by && !rows.some(row => row.known[order.by.replace("dim(", "size(")] || order.by.startsWith("messages("))) order = { by: "", down: false };
    most = STEP;
    run();
  }

  form.onsubmit = event => { event.preventDefault(); order = { by: "", down: false }; most = STEP; run(); };
  at("points").onchange = () => { most = STEP; run(); };
  more.onclick = () => { most *= 4; run(); };
  window.onhashchange = fromAddress;
  form.hidden = false;
  fromAddress();
}
