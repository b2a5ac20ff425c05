// The program that is looked at, and everything that the verifier has found out about it.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { toast } from "../notices.js";
import { drawCode } from "../program_view.js";
import { seconds } from "../words.js";
import { atLine, facts, fault, violationTold } from "./told.js";

const STATUS = { accepted: "✓ accepted", rejected: "✕ rejected", undecided: "? undecided" };
const listeners = new Set();
const programs = new Map(); // by the option's value: words, and the source where it is known
let source = "";

export const chosenSource = () => source;
export const whenChosen = (listener) => listeners.add(listener);

export async function showPrograms() {
  try {
    const [tasks, kept] = await Promise.all([request("GET", "/tasks"), request("GET", "/library")]);
    offer(tasks.filter((task) => task.source), kept);
  } catch (error) {
    toast(error.message, "bad");
  }
  await choose();
}

function offer(tasks, kept) {
  const before = byId("chosen").value;
  programs.clear();
  for (const task of tasks.reverse()) programs.set(`task ${task.id}`, { words: task.text, source: task.source });
  for (const one of kept) programs.set(`kept ${one.id}`, { words: one.words });
  const options = [...programs].map(([value, one]) => make("option", { value }, `${value.startsWith("kept") ? "Kept: " : ""}${one.words}`));
  byId("chosen").replaceChildren(...options);
  if (programs.has(before)) byId("chosen").value = before;
  byId("chosen").hidden = !options.length;
  byId("chooser-none").hidden = Boolean(options.length);
}

async function choose() {
  const value = byId("chosen").value;
  const one = programs.get(value);
  if (!one) return;
  fault("verdict-fault", "");
  try {
    one.source ??= (await request("GET", `/library/${encodeURIComponent(value.slice(5))}/file`)).source;
    source = one.source;
    for (const listener of listeners) listener();
    if (!byId("program").hidden) drawVerdict(await request("POST", "/engineer/verdict", { source }));
  } catch (error) {
    byId("verdict-whole").replaceChildren();
    fault("verdict-fault", error.message);
  }
}

function drawVerdict(verdict) {
  const { coverage } = verdict;
  const listed = (title, lines) => (lines.length ? [make("h3", {}, title), make("ul", { class: "told" }, ...lines)] : []);
  const said = (one) => make("li", {}, atLine(one.line, one.message));
  byId("verdict-whole").replaceChildren(
    make("p", {}, make("span", { class: "badge", "data-status": verdict.status }, STATUS[verdict.status])),
    facts([
      ["Worlds tried", `${verdict.paths.toLocaleString("en")}, ${verdict.exhaustive ? "none left out (exhaustive)" : "not all there are"}`],
      ["Lines reached", `${coverage.lines_reached} of ${coverage.lines}`],
      ["Branches reached", `${coverage.branches_reached} of ${coverage.branches}`],
      ["Time", seconds(verdict.duration)],
      ["Program", verdict.program_sha256.slice(0, 12)],
      ["Rules", verdict.rules_sha256.slice(0, 12)],
    ]),
    ...listed("Violations", verdict.violations.map(violationTold)),
    ...listed("Assumptions", verdict.assumptions.map((one) => make("li", {}, `${one.lines.length > 1 ? "Lines" : "Line"} ${one.lines.join(", ")}: ${one.message}`))),
    ...listed("Warnings", verdict.warnings.map(said)));
  drawCode(source, 0, verdict.violations, false);
}

export const armChooser = () => byId("chosen").addEventListener("change", choose);
