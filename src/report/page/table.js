"use strict";
// The table of values: sorted, filtered, chosen from.

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

class ValueTable {
  constructor(values, pair, onChoose) {
    this.values = values;
    const table = document.getElementById("table");
    this.columns = fittedColumns(values, pair, table);
    this.onChoose = onChoose;
    this.sorted = { column: this.columns[0], down: false };
    this.made = new Map();
    this.rows = new Rows(document.getElementById("table-box"), table, (value) => this.rowOf(value));
    this.addHeader(table);
    this.addOps();
    for (const id of ["filter", "op", "bad-only"]) {
      document.getElementById(id).addEventListener("input", () => this.show());
    }
    table.tBodies[0].addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-id]");
      if (row) this.onChoose(Number(row.dataset.id));
    });
  }

  addHeader(table) {
    const nameWidth = 90;  // at least
    table.style.minWidth = `${this.columns.reduce((sum, { width }) => sum + (width || nameWidth), 0)}px`;
    for (const column of this.columns) {
      const cell = element("th", undefined, column.number ? "number" : "");
      cell.scope = "col";
      if (column.width) cell.style.width = `${column.width}px`;
      const button = element("button", column.title);
      button.type = "button";
      button.addEventListener("click", () => this.sortBy(column));
      cell.append(button);
      column.cell = cell;
      table.tHead.rows[0].append(cell);
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
    const known = this.made.get(value.id);
    if (known) return known;
    const row = element("tr");
    row.dataset.id = value.id;
    for (const column of this.columns) {
      const text = cellText(column, value);
      const cell = element("td", text, column.number ? "number" : "");
      if (column.name) {  // of a long name the end is what tells it from others
        cell.className = "name";
        cell.replaceChildren(element("bdi", text));
      }
      if (column.bad && column.bad(value)) cell.classList.add("bad");
      if (!column.number) cell.title = text;
      row.append(cell);
    }
    this.setChosen(row, value.id === this.chosen);
    this.made.set(value.id, row);
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
    this.rows.show(this.shown);
    for (const each of this.columns) {
      each.cell.setAttribute("aria-sort", each === column ? (down ? "descending" : "ascending") : "none");
      each.cell.firstChild.textContent = each.title + (each === column ? (down ? " ▾" : " ▴") : "");
    }
    document.getElementById("shown").textContent = `${shown.length} of ${this.values.length}`;
  }

  setChosen(row, chosen) {
    if (chosen) row.setAttribute("aria-selected", "true"); else row.removeAttribute("aria-selected");
  }

  mark(id, scroll) {
    for (const [each, chosen] of [[this.chosen, false], [id, true]]) {
      const row = this.made.get(each);
      if (row) this.setChosen(row, chosen);
    }
    this.chosen = id;
    const at = scroll ? this.shown.findIndex((value) => value.id === id) : -1;
    if (at >= 0) this.rows.reveal(at);
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
