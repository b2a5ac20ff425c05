// What is approved in advance: the times, the start that comes, and the way to say not now.

import { request } from "./connection.js";
import { coverMain } from "./cover.js";
import { byId, make, whenChanged } from "./dom.js";
import { toast } from "./notices.js";
import { serverTime, store } from "./store.js";
import { errorLine } from "./words.js";

const RULE = "This approves the program above in advance: this very program, in your name, for these times only. "
  + "A minute before each start this page announces it, and anybody can say not now. "
  + "The robot checks the program again then. It does not start while it is busy, after a Stop, or when no page is open. "
  + "A start that is missed is told, and not made up for.";
const FIRST_AHEAD = 3600; // s; what the form proposes

let schedule = { zone: "", utc_offset: 0, held: false, coming: null, tasks: [], not_run: [] };
let ends = 0; // page time of the coming start, ms
let spoken = "";
let wanted = ""; // task whose times are to be chosen as soon as it is ready

const send = (method, path, body) => request(method, path, body)
  .catch((error) => toast(errorLine(error.name, error.message), "bad"));
// Wall clock of the robot, whatever zone this page is in.
const shown = (local) => new Date(local).toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const hour = (local) => new Date(local).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

export function takeSchedule(message) {
  if (message.type !== "snapshot" && message.type !== "schedule") return;
  schedule = message.schedule;
  if (schedule.coming) ends = performance.now() + schedule.coming.left * 1000;
  drawComing(schedule.coming && { ...schedule.coming, left: 0 });
  drawPlanned(schedule.held, schedule.tasks, schedule.not_run);
  count();
}

// The start that comes

const drawComing = whenChanged((coming) => {
  byId("coming")?.remove();
  if (!coming) return;
  const notNow = () => send("POST", `/schedule/${coming.id}/not-now`, { due: coming.due });
  byId("banners").after(make("div", { id: "coming", class: "banner coming", role: "alert" },
    make("p", {}, `The robot starts by itself: “${coming.words}”. ${coming.approved_by === "kiosk" ? "It was approved in advance at the robot's own screen." : `${coming.approved_by} approved it in advance.`}`),
    make("span", { id: "coming-left", role: "timer", "aria-live": "off", "aria-label": "Time to the start" }),
    make("button", { type: "button", class: "quiet", onclick: notNow }, "Not now")));
  speak(`In a minute I start by myself: ${coming.words}. Touch “Not now” if I should not.`, `${coming.id} ${coming.due}`);
});

function speak(text, key) {
  if (spoken === key || !("speechSynthesis" in window)) return;
  spoken = key;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  speechSynthesis.speak(said);
}

function count() {
  const box = byId("coming-left");
  if (box) box.textContent = `${Math.max(0, Math.ceil((ends - performance.now()) / 1000))} s`;
}
setInterval(count, 250);

// What is planned

const drawPlanned = whenChanged((held, tasks, notRun) => {
  const box = byId("planned");
  box.hidden = !tasks.length && !notRun.length;
  const row = (tone, text, ...more) => make("div", { class: `planned-row ${tone}` }, make("p", {}, ...text), ...more);
  const button = (text, onclick, label) => make("button", { type: "button", class: "quiet", "aria-label": label, onclick }, text);
  box.replaceChildren(make("h3", {}, "At their times"),
    held ? row("bad", ["Nothing starts by itself, because Stop was pressed."],
      button("Let them start again", () => send("POST", "/schedule/go-on"))) : "",
    ...tasks.map(({ id, words, local, daily, approved_by: by }) => row("",
      [`${words} `, make("span", { class: "when" }, daily ? `Daily at ${hour(local)}, next ${shown(local)}. Approved by ${by}.` : `Once, ${shown(local)}. Approved by ${by}.`)],
      button("Cancel", () => send("DELETE", `/schedule/${id}`), `Cancel: ${words}`))),
    ...notRun.map(({ words, local, why }) => row("bad", [`Not run: ${words} `, make("span", { class: "when" }, `${shown(local)}: ${why}.`)])));
});

// Choosing a time

export const openWhenReady = (id) => { wanted = id; };
export const drawLater = (now) => {
  byId("at-a-time").hidden = !now?.schedulable;
  if (wanted && now?.id === wanted && now.schedulable) { wanted = ""; open(now); }
  if (!byId("later").hidden && byId("later").dataset.task !== now?.id) close();
};

function open(now) {
  byId("later").dataset.task = now.id;
  byId("later-words").textContent = now.text;
  byId("later-plan").replaceChildren(...now.steps.map(({ text }) => make("li", {}, text)));
  const next = new Date((serverTime() + schedule.utc_offset + FIRST_AHEAD) * 1000).toISOString();
  byId("later-day").value = next.slice(0, 10);
  byId("later-time").value = next.slice(11, 16);
  byId("later-zone").textContent = `Times are those of the robot's clock (${schedule.zone}).`;
  fault("");
  byId("later").hidden = false;
  coverMain();
  byId("later-day").focus();
}

function close() {
  byId("later").hidden = true;
  coverMain();
  const button = byId("at-a-time");
  (button.offsetParent ? button : byId("words")).focus();
}

function fault(text) {
  byId("later-error").textContent = text;
  byId("later-error").hidden = !text;
}

async function approve() {
  const now = store.tasks.get(byId("later").dataset.task);
  const at = `${byId("later-day").value}T${byId("later-time").value}`;
  try {
    const made = await request("POST", `/tasks/${now.id}/schedule`, { sha256: now.sha256, at, daily: byId("later-daily").value === "daily" });
    close();
    toast(made.daily ? `It starts daily at ${hour(made.local)}, next ${shown(made.local)}.` : `It starts ${shown(made.local)}.`, "good");
  } catch (error) {
    fault(errorLine(error.name, error.message));
  }
}

export function armSchedule(task) {
  byId("pause").before(make("button", { id: "at-a-time", class: "quiet", type: "button", hidden: true, "aria-label": "At a time or daily…", onclick: () => open(task()) }, "Later…"));
  const labelled = (text, field) => make("label", {}, text, field);
  // As beside the plan: no Enter approves what moves the robot.
  const go = make("button", { class: "primary", type: "button", onclick: approve }, "Approve for these times");
  go.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  const form = make("form", { id: "later-form", autocomplete: "off" },
    labelled("How often", make("select", { id: "later-daily" }, make("option", { value: "once" }, "Once"), make("option", { value: "daily" }, "Daily"))),
    labelled("Day, or first day", make("input", { id: "later-day", type: "date", required: true })),
    labelled("Time", make("input", { id: "later-time", type: "time", required: true })),
    go,
    make("button", { class: "quiet", type: "button", onclick: close }, "Close"),
    make("p", { id: "later-error", class: "inline-error", role: "alert", hidden: true }));
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("toasts").before(make("section", { id: "later", class: "later cover", role: "dialog", "aria-modal": "true", "aria-labelledby": "later-title", hidden: true },
    make("h2", { id: "later-title" }, "At a time or daily"),
    make("p", { id: "later-words", class: "question-text" }),
    make("ol", { id: "later-plan" }),
    make("p", { class: "rule" }, RULE),
    form,
    make("p", { id: "later-zone", class: "rule" })));
}
