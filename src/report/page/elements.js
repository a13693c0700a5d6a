"use strict";
// Reduced tensors: one byte an element (see reduced_tensor.h), decoded here.

function decode(reduced) {
  if (!reduced) return null;
  if (!(reduced.codes instanceof Uint8Array)) {
    const text = atob(reduced.codes);
    reduced.codes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  }
  return reduced;
}

function numberOf(reduced, at) {
  const code = reduced.codes[at];
  if (code === 0) return NaN;
  if (code === 1) return -Infinity;
  if (code === 255) return Infinity;
  return reduced.offset + (code - 2) * reduced.scale;
}

function rangeOf(reduced) {
  let low = Infinity, high = -Infinity;
  for (const code of reduced.codes) {
    if (code < 2 || code === 255) continue;
    if (code < low) low = code;
    if (code > high) high = code;
  }
  if (low > high) return [0, 0];
  return [reduced.offset + (low - 2) * reduced.scale, reduced.offset + (high - 2) * reduced.scale];
}

function product(numbers) {
  return numbers.reduce((a, b) => a * b, 1);
}

// The tensor as batches of planes of rows: sizes and how far apart elements are, for a view.
function planesOf(reduced, view) {
  const dims = reduced.dims, rank = dims.length;
  const strides = dims.map((_, axis) => product(dims.slice(axis + 1)));
  if (view === "line" || rank < 2) {
    const count = product(dims);
    return { batches: 1, planes: 1, height: 1, width: count, batch: 0, plane: 0, row: 0, column: 1 };
  }
  const axis = view === "nhwc" && rank >= 3
    ? { plane: rank - 1, row: rank - 3, column: rank - 2 }
    : { plane: rank - 3, row: rank - 2, column: rank - 1 };
  const outer = dims.slice(0, view === "nhwc" && rank >= 3 ? rank - 3 : Math.max(0, rank - 3));
  const has = axis.plane >= 0;
  return {
    batches: product(outer), planes: has ? dims[axis.plane] : 1, height: dims[axis.row], width: dims[axis.column],
    batch: outer.length ? strides[outer.length - 1] : 0, plane: has ? strides[axis.plane] : 0,
    row: strides[axis.row], column: strides[axis.column],
  };
}

// "[0,12,3]" of an element of the reduced tensor, in the tensor itself.
function indexText(reduced, at) {
  const index = [];
  for (let axis = reduced.dims.length; axis-- > 0;) {
    index.unshift((at % reduced.dims[axis]) * reduced.steps[axis]);
    at = Math.floor(at / reduced.dims[axis]);
  }
  return `[${index.join(",")}]`;
}

function short(number, digits = 5) {
  if (number === null || number === undefined) return "";
  if (typeof number !== "number" || !Number.isFinite(number)) return String(number);
  if (Number.isInteger(number) && Math.abs(number) < 1e7) return String(number);
  const size = Math.abs(number);
  if (size < 1e-3 || size >= 1e7) return number.toExponential(digits - 2).replace("e+", "e");
  return String(Number(number.toPrecision(digits)));
}
