"use strict";
// The table of values: sorted, filtered, chosen from.

// Columns: what is shown, what is sorted by, whether it is a number. `pair`: only with two dumps.
const COLUMNS = [
  { title: "#", get: (value) => value.id, number: true },
  { title: "Value", get: (value) => value.name, name: true },
  { title: "Op", get: (value) => value.op },
  { title: "Verdict", get: (value) => (value.compared ? value.compared.verdict : ""), pair: true,
    bad: (value) => differs(value) },
  { title: "Max |A-B|", get: (value) => value.compared && value.compared.max_abs, number: true, pair: true },
  { title: "Cosine", get: (value) => value.compared && value.compared.cosine, number: true, pair: true },
  { title: "SNR dB", get: (value) => value.compared && value.compared.snr_db, number: true, pair: true },
  { title: "Type", get: (value) => side(value).type },
  { title: "NaN", get: (value) => side(value).stats.nan || null, number: true, bad: (value) => side(value).stats.nan > 0 },
  { title: "Inf", get: (value) => infinities(side(value)) || null, number: true, bad: (value) => infinities(side(value)) > 0 },
  { title: "Min", get: (value) => side(value).stats.min, number: true },
  { title: "Max", get: (value) => side(value).stats.max, number: true },
  { title: "Mean", get: (value) => side(value).stats.mean, number: true, single: true },
  { title: "Std", get: (value) => side(value).stats.std, number: true, single: true },
  { title: "Zeros %", get: zeroShare, number: true, single: true },
];

function side(value) {
  return value.a || value.b;
}

function infinities({ stats }) {
  return stats.pos_inf + stats.neg_inf;
}

function zeroShare(value) {
  const { zeros, count } = side(value).stats;
  return count > 0 && zeros > 0 ? 100 * zeros / count : null;
}

function differs(value) {
  return Boolean(value.compared) && !["identical", "close"].includes(value.compared.verdict);
}

function hasNotFinite(value) {
  return [value.a, value.b].some((each) => each && each.stats.nan + infinities(each) > 0);
}

function isBad(value) {
  return value.compared ? differs(value) : hasNotFinite(value);
}

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

class ValueTable {
  constructor(values, pair, onChoose) {
    this.values = values;
    this.columns = COLUMNS.filter((column) => !(pair ? column.single : column.pair));
    this.onChoose = onChoose;
    this.sorted = { column: this.columns[0], down: false };
    this.rows = new Map();
    this.body = document.querySelector("#table tbody");
    this.addHeader();
    this.addOps();
    for (const id of ["filter", "op", "bad-only"]) {
      document.getElementById(id).addEventListener("input", () => this.show());
    }
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.onChoose(Number(row.dataset.id));
    });
  }

  addHeader() {
    const head = document.querySelector("#table thead tr");
    for (const column of this.columns) {
      const cell = element("th", undefined, column.number ? "number" : "");
      cell.scope = "col";
      const button = element("button", column.title);
      button.type = "button";
      button.addEventListener("click", () => this.sortBy(column));
      cell.append(button);
      column.cell = cell;
      head.append(cell);
    }
  }

  addOps() {
    const counts = new Map();
    for (const value of this.values) counts.set(value.op, (counts.get(value.op) || 0) + 1);
    const select = document.getElementById("op");
    select.append(new Option("all op types", ""));
    for (const [op, count] of [...counts].sort((a, b) => b[1] - a[1])) {
      select.append(new Option(`${op} (${count})`, op));
    }
  }

  sortBy(column) {
    const again = this.sorted.column === column;
    // Of numbers the greatest are looked for, of anything else the first.
    this.sorted = { column, down: again ? !this.sorted.down : Boolean(column.number) && column.title !== "#" };
    this.show();
  }

  rowOf(value) {
    let row = this.rows.get(value.id);
    if (row) return row;
    row = element("tr");
    row.dataset.id = value.id;
    for (const column of this.columns) {
      const got = column.get(value);
      const cell = element("td", column.number ? short(got) : got, column.number ? "number" : "");
      if (column.name) {  // of a long name the end is what tells it from others
        cell.className = "name";
        cell.replaceChildren(element("bdi", got));
      }
      if (column.bad && column.bad(value)) cell.classList.add("bad");
      if (!column.number) cell.title = got;
      row.append(cell);
    }
    this.rows.set(value.id, row);
    return row;
  }

  matching() {
    const words = document.getElementById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const op = document.getElementById("op").value, badOnly = document.getElementById("bad-only").checked;
    return this.values.filter((value) => {
      if (op && value.op !== op) return false;
      if (badOnly && !isBad(value)) return false;
      const text = `${value.name} ${value.op} ${value.node} ${side(value).type}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  show() {
    const { column, down } = this.sorted;
    const shown = this.matching();
    const order = (a, b) => {
      const x = column.get(a), y = column.get(b);
      if (x === y) return a.id - b.id;
      if (x === null || x === undefined) return 1;  // what isn't there comes last either way
      if (y === null || y === undefined) return -1;
      return (x < y ? -1 : 1) * (down ? -1 : 1);
    };
    this.shown = shown.sort(order);
    this.body.replaceChildren(...this.shown.map((value) => this.rowOf(value)));
    for (const each of this.columns) {
      each.cell.setAttribute("aria-sort", each === column ? (down ? "descending" : "ascending") : "none");
      each.cell.firstChild.textContent = each.title + (each === column ? (down ? " ▾" : " ▴") : "");
    }
    document.getElementById("shown").textContent = `${shown.length} of ${this.values.length}`;
  }

  mark(id, scroll) {
    for (const row of this.body.querySelectorAll('[aria-selected="true"]')) row.removeAttribute("aria-selected");
    const row = this.rows.get(id);
    if (!row) return;
    row.setAttribute("aria-selected", "true");
    if (scroll) row.scrollIntoView({ block: "nearest" });
  }

  // The value `step` rows from the one with this id, among those shown and, if asked for, bad ones.
  neighbour(id, step, badOnly) {
    const at = this.shown.findIndex((value) => value.id === id);
    for (let i = at + step; i >= 0 && i < this.shown.length; i += step) {
      if (!badOnly || isBad(this.shown[i])) return this.shown[i].id;
    }
    return id;
  }
}
