"use strict";
// Puts the page together. Every text of the dump gets in by textContent.

const live = document.documentElement.dataset.mode === "live";
const report = JSON.parse(document.getElementById("data").textContent);
report.values.forEach((value, id) => { value.id = id; });
const pair = report.dumps.length === 2;
const token = new URLSearchParams(location.search).get("token");

function address(path) {
  return token ? `${path}?token=${encodeURIComponent(token)}` : path;
}

async function fetchElements(value) {
  const nothing = { a: null, b: null, diff: null, first_a: [], first_b: [] };
  if (!live) return nothing;
  const answer = await fetch(address(`/layer/${value.id}`));
  if (!answer.ok) return nothing;
  return (await answer.json()).elements;
}

function showHead() {
  const [a, b] = report.dumps;
  const name = (path) => path.split("/").pop() || path;
  const title = pair ? `A ${name(a.model)} (${a.folder}) and B ${name(b.model)} (${b.folder})` : name(a.model || a.folder);
  document.getElementById("title").textContent = title;
  document.title = `${title} - onnx-expose`;
  const runtime = a.runtime.version ? `ONNX Runtime ${a.runtime.version}, ${a.runtime.provider}, optimisation ${a.runtime.opt_level}` : "";
  const inputs = a.inputs.map((input) => `${input.name} ${input.type} from ${input.source}`);
  const many = inputs.length > 3 ? [...inputs.slice(0, 3), `and ${inputs.length - 3} more inputs`] : inputs;
  const hash = a.sha256 ? `sha256 ${a.sha256.slice(0, 12)}` : "";
  document.getElementById("facts").textContent = [pair ? "" : a.model, hash, runtime, ...many, ...a.notes].filter(Boolean).join(" · ");
}

function card(number, text, kind, id) {
  const item = element("li", undefined, kind);
  let holder = item;
  if (id !== undefined) {
    holder = element("button");
    holder.type = "button";
    holder.addEventListener("click", () => choose(id, true));
    item.append(holder);
  }
  const strong = element("b", number);
  strong.title = number;
  holder.append(strong, element("span", text));
  document.getElementById("cards").append(item);
}

function showCards() {
  const { values } = report;
  document.getElementById("cards").replaceChildren();
  card(String(values.length), "values");
  if (pair) {
    const different = values.filter(differs);
    card(String(different.length), "differ", different.length ? "bad" : "good", different.length ? different[0].id : undefined);
    const first = report.first_divergence[0];
    if (first !== undefined) card(values[first].name, `difference begins here (${values[first].op})`, "bad", first);
    const identical = values.filter((value) => value.compared && value.compared.verdict === "identical");
    card(String(identical.length), "identical");
  }
  const bad = values.filter(hasNotFinite);
  card(String(bad.length), "with NaN or Inf", bad.length ? "bad" : "good", bad.length ? bad[0].id : undefined);
  const zero = values.filter((value) => side(value).stats.count > 0 && side(value).stats.zeros === side(value).stats.count);
  if (zero.length) card(String(zero.length), "all zero", "", zero[0].id);
  const largest = values.filter((value) => greatest(value) !== null).sort((x, y) => greatest(y) - greatest(x))[0];
  if (largest) card(short(greatest(largest)), "greatest magnitude", "", largest.id);
  if (!pair && report.dumps[0].outputs_unchanged !== null) {
    const same = report.dumps[0].outputs_unchanged;
    card(same ? "yes" : "no", "outputs as of the untouched model", same ? "good" : "bad");
  }
}

let chosen = -1;
function choose(id, scroll) {
  if (!report.values[id]) return;
  chosen = id;
  table.mark(id, scroll);
  strip.mark(id);
  detail.show(report.values[id]);
  history.replaceState(null, "", `#${id}`);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inField = /^(input|select)$/i.test(event.target.tagName);
  if (event.key === "Escape" && inField) return event.target.blur();
  if (inField) return undefined;
  const move = (step, badOnly) => choose(table.neighbour(chosen, step, badOnly), true);
  const inList = event.target === document.body || event.target.id === "table-box" || event.target.id === "strip";
  const actions = {
    j: () => move(1), k: () => move(-1), n: () => move(1, true), N: () => move(-1, true),
    "/": () => document.getElementById("filter").focus(),
    v: () => {
      const view = document.getElementById("view");
      view.selectedIndex = (view.selectedIndex + 1) % view.options.length;
      detail.draw();
    },
    ...(inList ? { ArrowDown: () => move(1), ArrowUp: () => move(-1), ArrowRight: () => move(1), ArrowLeft: () => move(-1) } : {}),
  };
  if (!actions[event.key]) return undefined;
  event.preventDefault();
  return actions[event.key]();
}

// A run that goes on: asked for again until it is done, then the page is loaded anew.
function followRun() {
  const line = document.getElementById("progress");
  line.hidden = !live || report.complete !== false;
  if (line.hidden) return;
  line.textContent = `the run goes on: ${report.values.length} values so far`;
  setInterval(async () => {
    const answer = await fetch(address("/api/manifest"));
    if (!answer.ok) return;
    const now = await answer.json();
    if (now.complete !== false || now.values.length !== report.values.length) location.reload();
  }, 1000);
}

showHead();
showCards();
document.getElementById("bad-label").textContent = pair ? "only what differs" : "only NaN, Inf";
const table = new ValueTable(report.values, pair, (id) => choose(id, false));
const strip = new Strip(report.values, pair, (id) => choose(id, true));
const detail = new Detail(pair, fetchElements);
table.show();
followRun();
document.addEventListener("keydown", onKey);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => choose(chosen, false));
const wanted = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : NaN;
const start = [wanted, report.first_divergence[0], (report.values.find(isBad) || {}).id, 0].find((id) => report.values[id]);
choose(start, true);
