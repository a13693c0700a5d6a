"use strict";
// The graph's order as a strip of cells, one a value.

const log10 = (number) => (number > 0 ? Math.log10(number) : null);
const powerText = (exponent) => short(Number((10 ** exponent).toPrecision(2)));
const greatest = (value) => {
  const { min, max } = side(value).stats;
  return min === undefined ? null : Math.max(Math.abs(min), Math.abs(max));
};

// What the strip can be coloured by: a number for each value (null: nothing to say) and how its ends are written.
const STRIP_BY = [
  { name: "error: max |A-B|, log", pair: true, get: (value) => value.compared && log10(value.compared.max_abs), text: powerText },
  { name: "error: 1 - cosine, log", pair: true, text: powerText,
    get: (value) => (value.compared && value.compared.cosine !== null ? log10(Math.max(1e-16, 1 - value.compared.cosine)) : null) },
  { name: "range: greatest magnitude, log", get: (value) => log10(greatest(value)), text: powerText },
  { name: "standard deviation, log", get: (value) => log10(side(value).stats.std), text: powerText },
  { name: "share of zeros", get: (value) => (side(value).stats.count ? side(value).stats.zeros / side(value).stats.count : null), text: (x) => `${Math.round(100 * x)} %` },
  { name: "NaN and Inf, share", text: (x) => `${short(100 * x)} %`,
    get: (value) => (side(value).stats.count ? (side(value).stats.nan + infinities(side(value))) / side(value).stats.count : null) },
];

class Strip {
  constructor(values, pair, onChoose) {
    this.values = values;
    this.kinds = STRIP_BY.filter((kind) => pair || !kind.pair);
    this.canvas = document.getElementById("strip");
    this.select = document.getElementById("strip-by");
    this.kinds.forEach((kind, i) => this.select.append(new Option(kind.name, i)));
    this.select.addEventListener("input", () => this.draw());
    this.canvas.addEventListener("click", (event) => onChoose(this.at(event)));
    this.canvas.addEventListener("mousemove", (event) => {
      const value = values[this.at(event)];
      document.getElementById("strip-hover").textContent = value ? `${value.id} ${value.op} ${value.name}` : "";
    });
    this.canvas.setAttribute("aria-valuemax", Math.max(0, values.length - 1));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const place = Math.floor((event.clientX - box.left) / box.width * this.values.length);
    return Math.max(0, Math.min(this.values.length - 1, place));
  }

  draw() {
    const kind = this.kinds[Number(this.select.value)];
    const numbers = this.values.map(kind.get);
    const known = numbers.filter((number) => number !== null && Number.isFinite(number));
    const low = Math.min(...known), high = Math.max(...known), table = colourTable("cividis");
    const pixels = window.devicePixelRatio || 1, canvas = this.canvas;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * pixels));
    canvas.height = Math.round(canvas.clientHeight * pixels);
    const context = canvas.getContext("2d"), cell = canvas.width / Math.max(1, this.values.length);
    this.values.forEach((value, i) => {
      const number = numbers[i];
      const place = high > low ? (number - low) / (high - low) : 0;
      const colour = number === null || !Number.isFinite(number) ? null : table[Math.round(255 * place)];
      context.fillStyle = colour ? `rgb(${colour})` : cssColour("--line");
      const left = Math.floor(i * cell), width = Math.max(1, Math.ceil((i + 1) * cell) - left - (cell > 4 * pixels ? 1 : 0));
      context.fillRect(left, 0, width, canvas.height);
      if (hasNotFinite(value)) {
        context.fillStyle = `rgb(${NAN_COLOUR})`;
        context.fillRect(left, 0, width, canvas.height / 3);
      }
      if (value.id === this.chosen) {
        context.fillStyle = cssColour("--text");
        context.fillRect(left - pixels, canvas.height * 0.8, Math.max(width, 3 * pixels), canvas.height * 0.2);
      }
    });
    const legend = document.getElementById("strip-legend");
    legend.replaceChildren();
    if (known.length === 0) return;
    legend.append(kind.text(low), drawRamp("cividis"), kind.text(high), " · magenta: NaN or Inf");
  }

  mark(id) {
    this.chosen = id;
    const value = this.values[id];
    this.canvas.setAttribute("aria-valuenow", id);
    this.canvas.setAttribute("aria-valuetext", `${value.op} ${value.name}`);
    this.draw();
  }
}
