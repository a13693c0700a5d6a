"use strict";
// The rows of the table: of thousands only those in view are elements.

const SPARE_ROWS = 20;  // above and below the view

class Rows {
  // make(item): the row of an item; all rows are of one height.
  constructor(box, table, make) {
    this.box = box;
    this.table = table;
    this.make = make;
    this.height = 22;
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show(items) {
    this.items = items;
    this.first = undefined;
    this.table.setAttribute("aria-rowcount", items.length + 1);
    this.draw();
  }

  // Scrolls as little as it takes to see a row.
  reveal(index) {
    const { box } = this, top = index * this.height;
    const room = box.clientHeight - this.table.tHead.offsetHeight - this.height;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top > box.scrollTop + room) box.scrollTop = top - room;
    this.draw();
  }

  draw() {
    const { box, items, height } = this;
    const inView = Math.ceil(box.clientHeight / height), top = Math.floor(box.scrollTop / height);
    const first = Math.max(0, Math.floor(top / SPARE_ROWS - 1) * SPARE_ROWS);
    const last = Math.min(items.length, first + inView + 3 * SPARE_ROWS);
    if (first === this.first && last === this.last) return;
    Object.assign(this, { first, last });
    const rows = items.slice(first, last).map((item, i) => {
      const row = this.make(item);
      row.setAttribute("aria-rowindex", first + i + 2);  // the header is the first
      return row;
    });
    this.table.tBodies[0].replaceChildren(...this.space(first), ...rows, ...this.space(items.length - last));
    const real = rows.length ? rows[0].getBoundingClientRect().height : 0;
    if (real > 0 && Math.abs(real - height) > 0.01) {  // with fonts of another size
      this.height = real;
      this.draw();
    }
  }

  space(count) {
    if (count === 0) return [];
    const row = element("tr"), cell = element("td");
    row.setAttribute("aria-hidden", "true");
    cell.colSpan = this.table.tHead.rows[0].cells.length;
    cell.style.height = `${count * this.height}px`;
    row.append(cell);
    return [row];
  }
}
