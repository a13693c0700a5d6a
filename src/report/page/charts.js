"use strict";
// Charts by uPlot, in the page's colours.

function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axisStyle(extra) {
  return { stroke: cssColour("--faint"), grid: { stroke: cssColour("--line"), width: 1 },
    ticks: { stroke: cssColour("--line"), width: 1 }, font: "11px system-ui, sans-serif", ...extra };
}

function chart(box, title, data, series, options) {
  const width = Math.max(240, box.clientWidth || 480);
  return new uPlot({
    width, height: 170, ...options,
    legend: { show: true, live: true }, cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false }, ...(options.scales || {}) },
    axes: [axisStyle({ size: 34, values: options.xValues }), axisStyle({ size: 56, values: (_, ticks) => ticks.map(short) })],
    series: [{ label: title, value: (_, x) => (x === null ? "" : options.xText ? options.xText(x) : short(x)) }, ...series],
  }, data, box);
}

function bars(label, colour) {
  return { label, stroke: colour, fill: colour + "99", width: 1, points: { show: false },
    paths: uPlot.paths.bars({ size: [1, Infinity], align: 1, gap: 0 }), value: (_, y) => short(y) };
}

// Counts of a histogram between min and max, spread over as many bins between low and high: a bin's count goes to those
// that it overlaps, by how far it does.
function rebinned(stats, low, high) {
  const bins = stats.histogram.length, counts = new Array(bins).fill(0);
  const scale = high > low ? bins / (high - low) : 0, width = (stats.max - stats.min) / bins * scale;
  stats.histogram.forEach((count, i) => {
    const from = (stats.min - low) * scale + i * width;
    for (let at = Math.min(bins - 1, Math.floor(from)); at < bins && (at < from + width || width === 0); ++at) {
      const part = width > 0 ? (Math.min(at + 1, from + width) - Math.max(at, from)) / width : 1;
      counts[at] += count * Math.max(0, part);
      if (width === 0) break;
    }
  });
  return counts;
}

// Histograms of one side or two on one axis.
function histogramChart(box, sides) {
  const there = sides.filter((side) => side && side.stats.histogram);
  if (there.length === 0) return null;
  const low = Math.min(...there.map((side) => side.stats.min)), high = Math.max(...there.map((side) => side.stats.max));
  const bins = there[0].stats.histogram.length;
  const step = (high - low) / bins || 1;
  const x = Array.from({ length: bins }, (_, i) => low + i * step);
  const names = there.length === 1 ? ["elements"] : ["A", "B"];
  const colours = [cssColour("--bar"), cssColour("--bar2")];
  return chart(box, "from", [x, ...there.map((side) => (there.length === 1 ? side.stats.histogram : rebinned(side.stats, low, high)))],
    there.map((_, i) => bars(names[i], colours[i])),
    { scales: { x: { time: false, range: () => [low, low + bins * step] }, y: { range: (_, __, most) => [0, most * 1.05 || 1] } } });
}

// How often |A-B| has which magnitude: bins of a factor of 10 from 1e-16.
function differenceChart(box, counts) {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return null;
  let last = counts.length - 1;
  while (counts[last] === 0) --last;
  const x = [], y = [];
  for (let i = first; i <= last; ++i) {
    x.push(i - 16);
    y.push(counts[i]);
  }
  const power = (exponent) => `1e${exponent}`;
  return chart(box, "|A-B| from", [x, y], [bars("elements", cssColour("--bar2"))], {
    scales: { x: { time: false, range: () => [first - 16, last - 15] }, y: { range: (_, __, most) => [0, most * 1.05 || 1] } },
    xValues: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? power(tick) : "")), xText: power,
  });
}

function lineChart(box, tensors, names) {
  const there = tensors.map((tensor, i) => ({ tensor, name: names[i] })).filter((each) => each.tensor);
  const count = there[0].tensor.codes.length, step = there[0].tensor.steps.length ? Math.max(...there[0].tensor.steps) : 1;
  const x = Array.from({ length: count }, (_, i) => i * step);
  const colours = [cssColour("--bar"), cssColour("--bar2"), cssColour("--bad")];
  const lines = there.map(({ tensor }) => Array.from({ length: count }, (_, i) => {
    const number = numberOf(tensor, i);
    return Number.isFinite(number) ? number : null;
  }));
  return chart(box, "index", [x, ...lines], there.map(({ name }, i) => (
    { label: name, stroke: colours[i], width: 1.25, points: { show: count <= 64 }, value: (_, y) => short(y) })), { height: 240 });
}
