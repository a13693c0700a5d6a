"use strict";
// Tensors on canvases.

// Anchors of the scales, evenly apart: matplotlib's viridis and cividis (CC0); all can be told apart without red and green.
const SCALES = {
  viridis: ["440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725"],
  cividis: ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "fee838"],
  diverging: ["0b4fa0", "3f83c8", "8cb8e0", "cfe0f0", "f4f4f4", "f8dcb8", "eeb069", "d17a1f", "8f4700"],
  grey: ["000000", "ffffff"],
};
const NAN_COLOUR = [214, 39, 160], LOW_COLOUR = [0, 0, 0], HIGH_COLOUR = [255, 255, 255];

function colourTable(name) {
  const anchors = SCALES[name].map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  const table = [];
  for (let i = 0; i < 256; ++i) {
    const place = i / 255 * (anchors.length - 1);
    const left = Math.min(anchors.length - 2, Math.floor(place)), part = place - left;
    table.push([0, 1, 2].map((c) => Math.round(anchors[left][c] * (1 - part) + anchors[left + 1][c] * part)));
  }
  return table;
}

// The colour of each code of a reduced tensor, on a scale from low to high.
function colourOfCodes(reduced, [low, high], table) {
  const colours = [];
  for (let code = 0; code < 256; ++code) {
    const number = reduced.offset + (code - 2) * reduced.scale;
    const place = high > low ? (number - low) / (high - low) : 0;
    colours.push(table[Math.max(0, Math.min(255, Math.round(place * 255)))]);
  }
  colours[0] = NAN_COLOUR;
  colours[1] = LOW_COLOUR;
  colours[255] = HIGH_COLOUR;
  return colours;
}

// How planes stand in a grid that is about as wide as `room` pixels, and how large an element is drawn.
function gridOf(planes, room, tall) {
  const gap = planes.planes > 1 ? 1 : 0;
  let best = null;
  for (let columns = 1; columns <= planes.planes; ++columns) {
    const rows = Math.ceil(planes.planes / columns);
    const zoom = Math.min((room / columns - gap) / planes.width, (tall / rows - gap) / planes.height);
    if (!best || zoom > best.zoom) best = { columns, rows, zoom };
  }
  return { columns: best.columns, rows: best.rows, zoom: Math.min(24, best.zoom), gap };
}

// Draws a tensor; returns a function from a place on the canvas to the element there (or -1).
function drawPicture(canvas, reduced, view, batch, range, scale, room, tall) {
  const planes = planesOf(reduced, view);
  const grid = gridOf(planes, room, tall);
  const cellWidth = planes.width + grid.gap, cellHeight = planes.height + grid.gap;
  canvas.width = grid.columns * cellWidth;
  canvas.height = grid.rows * cellHeight;
  canvas.style.width = `${Math.max(1, Math.round(canvas.width * grid.zoom))}px`;
  canvas.style.height = `${Math.max(planes.planes === 1 && planes.height === 1 ? 24 : 1, Math.round(canvas.height * grid.zoom))}px`;
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const colours = colourOfCodes(reduced, range, colourTable(scale));
  const first = Math.min(batch, planes.batches - 1) * planes.batch;
  for (let plane = 0; plane < planes.planes; ++plane) {
    const left = (plane % grid.columns) * cellWidth, top = Math.floor(plane / grid.columns) * cellHeight;
    for (let y = 0; y < planes.height; ++y) {
      let to = 4 * ((top + y) * canvas.width + left);
      let at = first + plane * planes.plane + y * planes.row;
      for (let x = 0; x < planes.width; ++x, at += planes.column) {
        const colour = colours[reduced.codes[at]];
        image.data[to++] = colour[0];
        image.data[to++] = colour[1];
        image.data[to++] = colour[2];
        image.data[to++] = 255;
      }
    }
  }
  context.putImageData(image, 0, 0);
  return (x, y) => {
    const column = Math.floor(x / cellWidth), row = Math.floor(y / cellHeight), plane = row * grid.columns + column;
    const inX = Math.floor(x) - column * cellWidth, inY = Math.floor(y) - row * cellHeight;
    if (plane >= planes.planes || column >= grid.columns || inX >= planes.width || inY >= planes.height) return -1;
    return first + plane * planes.plane + inY * planes.row + inX * planes.column;
  };
}

// A bar with the colours of a scale.
function drawRamp(scale) {
  const canvas = document.createElement("canvas");
  canvas.className = "ramp";
  canvas.width = 256;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  colourTable(scale).forEach(([r, g, b], x) => {
    context.fillStyle = `rgb(${r},${g},${b})`;
    context.fillRect(x, 0, 1, 1);
  });
  return canvas;
}

// From low to high; around 0 for the scale that has a middle.
function scaleRange(tensors, scale) {
  const ranges = tensors.filter(Boolean).map(rangeOf);
  let low = Math.min(...ranges.map((range) => range[0])), high = Math.max(...ranges.map((range) => range[1]));
  if (scale === "diverging") {
    high = Math.max(Math.abs(low), Math.abs(high));
    low = -high;
  }
  return [low, high];
}
