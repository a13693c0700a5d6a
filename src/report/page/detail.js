"use strict";
// What is shown of the chosen value.

class Detail {
  constructor(pair, fetchElements) {
    this.pair = pair;
    this.fetchElements = fetchElements;
    this.charts = [];
    for (const id of ["view", "scale", "batch"]) {
      document.getElementById(id).addEventListener("input", () => this.draw());
    }
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (Math.abs(contentRect.width - width) > 24 && this.value) this.draw();
      width = contentRect.width;
    }).observe(document.getElementById("detail"));
  }

  async show(value) {
    this.value = value;
    document.getElementById("value-name").textContent = value.name;
    document.getElementById("value-facts").textContent = factsOf(value);
    document.getElementById("view").value = value.view;
    document.getElementById("batch").value = 0;
    this.showVerdict();
    this.showStatistics();
    if (!value.elements) {
      document.getElementById("pictures").replaceChildren(element("p", "reading ..."));
      value.elements = await this.fetchElements(value);
      if (this.value !== value) return;  // another one was chosen meanwhile
    }
    for (const name of ["a", "b", "diff"]) decode(value.elements[name]);
    this.draw();
  }

  showVerdict() {
    const line = document.getElementById("value-verdict"), { compared } = this.value;
    line.hidden = !compared;
    if (!compared) return;
    line.className = differs(this.value) ? "bad" : "good";
    line.textContent = compared.reason ? `${compared.verdict}: ${compared.reason}` : compared.verdict;
  }

  draw() {
    const { elements } = this.value;
    if (!elements) return;
    for (const each of this.charts) each.destroy();
    this.charts = [];
    const view = document.getElementById("view").value, box = document.getElementById("pictures");
    box.replaceChildren();
    const tensors = [elements.a, elements.b, elements.diff];
    const first = tensors.find(Boolean);
    document.getElementById("picture-note").textContent = first ? reductionText(first, side(this.value).shape) : "";
    const planes = first && planesOf(first, view);
    document.getElementById("batch-label").hidden = !planes || planes.batches < 2 || view === "numbers";
    if (planes) document.getElementById("batch").max = planes.batches - 1;
    if (!first || view === "numbers") {
      this.drawNumbers(box);
    } else if (view === "line") {
      const holder = element("div");
      box.append(holder);
      holder.style.width = "100%";
      this.charts.push(lineChart(holder, tensors, this.pair ? ["A", "B", "|A-B|"] : ["value"]));
    } else {
      this.drawPictures(box, view);
    }
    this.drawHistograms();
  }

  drawNumbers(box) {
    const { first_a: a, first_b: b } = this.value.elements;
    [[a, this.pair ? "A" : "First elements"], [b, "B"]].forEach(([texts, name]) => {
      if (!texts || texts.length === 0) return;
      const figure = element("figure");
      figure.append(element("figcaption", name), element("pre", texts.join("  ")));
      box.append(figure);
    });
    if (!box.firstChild) box.append(element("p", "no elements are stored of this value"));
  }

  drawPictures(box, view) {
    const { a, b, diff } = this.value.elements, scale = document.getElementById("scale").value;
    const batch = Math.max(0, Number(document.getElementById("batch").value) || 0);
    const shown = [[a, this.pair ? "A" : "", scale], [b, "B", scale], [diff, "|A-B|", "cividis"]].filter(([tensor]) => tensor);
    const common = scaleRange([a, b], scale);
    const room = shown.length > 1 ? Math.max(150, Math.floor((box.clientWidth - 27) / 3)) : box.clientWidth;
    for (const [tensor, name, colours] of shown) {
      const range = tensor === diff ? scaleRange([diff], "cividis") : common;
      const figure = element("figure"), caption = element("figcaption"), canvas = element("canvas", undefined, "picture");
      const under = element("span");
      caption.append(name, ` ${short(range[0], 4)} `, drawRamp(colours), ` ${short(range[1], 4)} `, under);
      figure.append(caption, canvas);
      if (shown.length > 1) figure.style.width = `${room}px`;
      box.append(figure);
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${name || "values"} from ${short(range[0])} to ${short(range[1])}`);
      const find = drawPicture(canvas, tensor, view, batch, range, colours, room, 340);
      canvas.addEventListener("mousemove", (event) => {
        const at = find(event.offsetX / canvas.clientWidth * canvas.width, event.offsetY / canvas.clientHeight * canvas.height);
        under.textContent = at < 0 ? "" : `${indexText(tensor, at)} ≈ ${short(numberOf(tensor, at))}`;
      });
      canvas.addEventListener("mouseleave", () => { under.textContent = ""; });
    }
  }

  drawHistograms() {
    const box = document.getElementById("histogram"), { a, b, compared } = this.value;
    box.replaceChildren();
    const chart = histogramChart(box, [a, b]);
    if (chart) this.charts.push(chart);
    document.getElementById("histogram-title").hidden = !chart;
    if (!compared || !compared.histogram) return;
    const title = element("h3", "Histogram of |A-B|");
    box.append(title);
    const difference = differenceChart(box, compared.histogram);
    if (difference) this.charts.push(difference); else title.remove();
  }

  showStatistics() {
    const body = document.querySelector("#statistics tbody");
    const { a, b, compared } = this.value, sides = [a, b].filter(Boolean);
    body.replaceChildren();
    const row = (name, texts) => {
      if (texts.every((text) => text === "" || text === undefined)) return;
      const line = element("tr"), head = element("th", name);
      head.scope = "row";
      line.append(head, ...texts.map((text) => element("td", text)));
      body.append(line);
    };
    if (this.pair) row("", [a ? "A" : "", b ? "B" : ""].filter(Boolean));
    for (const [name, key] of [["elements", "count"], ["minimum", "min"], ["maximum", "max"], ["mean", "mean"],
      ["standard deviation", "std"], ["L2 norm", "l2"], ["zeros", "zeros"], ["NaN", "nan"], ["+Inf", "pos_inf"],
      ["-Inf", "neg_inf"], ["first NaN or Inf at", "first_bad"]]) {
      row(name, sides.map((each) => short(each.stats[key])));
    }
    if (!compared) return;
    for (const [name, key] of [["elements outside tolerance", "outside"], ["max |A-B|", "max_abs"], ["mean |A-B|", "mean_abs"],
      ["max relative", "max_rel"], ["cosine", "cosine"], ["SNR dB", "snr_db"], ["max ULP", "max_ulp"],
      ["NaN in A only", "nan_only_a"], ["NaN in B only", "nan_only_b"], ["Inf differs", "inf_differs"]]) {
      row(name, [short(compared[key])]);
    }
    if (compared.worst_index !== null && compared.max_abs > 0) {
      row(`worst at element ${compared.worst_index}`, [short(compared.worst_a), short(compared.worst_b)]);
    }
  }
}

function factsOf(value) {
  const types = [value.a, value.b].filter(Boolean).map((each) => each.type);
  const type = types.length === 2 && types[0] !== types[1] ? types.join(" and ") : types[0];
  const op = value.domain ? `${value.domain}::${value.op}` : value.op;
  const parts = [`#${value.id}`, value.node ? `${op} ${value.node}` : op, type];
  if (value.scope) parts.push(`in ${value.scope}`);
  if (value.output) parts.push("output of the model");
  return parts.filter(Boolean).join(" · ");
}

// What the picture leaves out.
function reductionText(reduced, shape) {
  const kept = reduced.dims.join("×");
  if (reduced.dims.every((dim, i) => dim === shape[i])) return `all elements, ${kept}`;
  const thinned = reduced.steps.some((step) => step > 1);
  return `${kept} of ${shape.join("×")} elements` + (thinned ? `, every [${reduced.steps.join(",")}]th` : "");
}
