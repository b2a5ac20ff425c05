// The stack's events as they come: the last ones, those with some words, and all of them as a file.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { t } from "../messages.js";
import { toast } from "../notices.js";
import { searched } from "../words.js";
import { time } from "./told.js";

const KEPT = 500;
let events = [];
let missed = 0;
let paused = false;
let asking = false;
let armed = false;
let shownNumber = -1;

const line = (event) => JSON.stringify(event);
const wanted = () => {
  const fits = searched(byId("events-filter").value);
  return events.filter((event) => fits(line(event)));
};
const asLines = () => wanted().map((event) => `${line(event)}\n`).join("");

export async function showEvents() {
  arm();
  if (paused || asking) return;
  asking = true;
  try {
    const last = events.at(-1)?.number ?? 0;
    const told = await request("GET", `/engineer/events?after=${last}`);
    if (told.events.length && told.events[0].number <= last) events = []; // the kiosk was started anew
    events = [...events, ...told.events].slice(-KEPT);
    missed += last ? told.missed : 0;
    if (told.events.length) draw();
  } catch (error) {
    toast(error.message, "bad");
  }
  asking = false;
}

function draw() {
  const list = byId("events-list").parentElement;
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  byId("events-missed").textContent = missed ? t("engineer.missed", { n: missed }) : "";
  const open = new Set([...byId("events-list").querySelectorAll("details[open]")].map((one) => one.dataset.number));
  byId("events-list").replaceChildren(...wanted().map((event) => row(event, open.has(String(event.number)))));
  if (atEnd && events.at(-1)?.number !== shownNumber) list.scrollTop = list.scrollHeight;
  shownNumber = events.at(-1)?.number;
}

const row = (event, open) => make("li", {}, make("details", { "data-number": event.number, open },
  make("summary", {}, `${time(event.stamp)} ${event.source}: ${event.kind}`),
  make("pre", {}, JSON.stringify({ task_id: event.task_id, ...event.data }, null, 1))));

function arm() {
  if (armed) return;
  armed = true;
  byId("events-filter").addEventListener("input", draw);
  byId("events-pause").addEventListener("click", () => {
    paused = !paused;
    byId("events-pause").setAttribute("aria-pressed", String(paused));
    byId("events-pause").textContent = t(paused ? "run.go_on" : "run.pause");
  });
  byId("events-copy").addEventListener("click", () => navigator.clipboard.writeText(asLines())
    .then(() => toast(t("engineer.copied"), "good"), () => toast(t("engineer.no_copy"), "bad")));
  byId("events-save").addEventListener("click", () => {
    URL.revokeObjectURL(byId("events-save").href);
    byId("events-save").href = URL.createObjectURL(new Blob([asLines()], { type: "application/jsonl" }));
  });
}
