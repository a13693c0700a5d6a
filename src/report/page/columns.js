"use strict";
// The columns of the table of values, and what is known of a value.

// Columns: what is shown, what is sorted by, whether it is a number. `pair`: only with two dumps; `single`: only with one;
// `most`: how many pixels a column of texts takes at most.
const COLUMNS = [
  { title: "#", get: (value) => value.id, number: true },
  { title: "Value", get: (value) => value.name, name: true },
  { title: "Op", get: (value) => value.op, most: 96 },
  { title: "Verdict", get: (value) => (value.compared ? value.compared.verdict : ""), pair: true, most: 96,
    bad: (value) => differs(value) },
  { title: "Max |A-B|", get: (value) => value.compared && value.compared.max_abs, number: true, pair: true },
  { title: "Cosine", get: (value) => value.compared && value.compared.cosine, number: true, pair: true },
  { title: "SNR dB", get: (value) => value.compared && value.compared.snr_db, number: true, digits: 3, pair: true },
  { title: "Type", get: (value) => side(value).type, most: 128 },
  { title: "NaN", get: (value) => side(value).stats.nan || null, number: true, bad: (value) => side(value).stats.nan > 0 },
  { title: "Inf", get: (value) => infinities(side(value)) || null, number: true, bad: (value) => infinities(side(value)) > 0 },
  { title: "Min", get: (value) => side(value).stats.min, number: true },
  { title: "Max", get: (value) => side(value).stats.max, number: true },
  { title: "Mean", get: (value) => side(value).stats.mean, number: true, single: true },
  { title: "Std", get: (value) => side(value).stats.std, number: true, single: true },
  { title: "Zeros %", get: zeroShare, number: true, digits: 3, single: true },
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

function cellText(column, value) {
  const got = column.get(value);
  return column.number ? short(got, column.digits || 4) : got;
}

// Columns for these values: those in which something stands, each as wide as its longest text; the names' column takes
// what is left.
function fittedColumns(values, pair, table) {
  const context = document.createElement("canvas").getContext("2d");
  const { fontSize, fontFamily } = getComputedStyle(table), padding = 10, arrow = 13;
  const widthOf = (text, weight) => {
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    return context.measureText(text).width;
  };
  const fitted = [];
  for (const column of COLUMNS) {
    if (pair ? column.single : column.pair) continue;
    let longest = "";
    for (const value of column.name ? [] : values) {
      const text = cellText(column, value);
      if (text.length > longest.length) longest = text;
    }
    if (!longest && column.number) continue;
    const width = Math.max(widthOf(longest, 400), widthOf(column.title, 600) + arrow) + padding;
    fitted.push(column.name ? { ...column } : { ...column, width: Math.ceil(Math.min(width, column.most || Infinity)) });
  }
  return fitted;
}
