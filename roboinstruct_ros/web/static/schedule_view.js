// What is approved in advance: the times, the start that comes, and the way to say not now.

import { request } from "./connection.js";
import { coverMain } from "./cover.js";
import { byId, make, whenChanged } from "./dom.js";
import { language, sentence, t } from "./messages.js";
import { fault, toast, toastError } from "./notices.js";
import { serverTime, store, wholeWords } from "./store.js";
import { errorLine, langOf, told } from "./words.js";

const FIRST_AHEAD = 3600; // s; what the form proposes

let schedule = { zone: "", utc_offset: 0, held: false, coming: null, tasks: [], not_run: [] };
let ends = 0; // page time of the coming start, ms
let spoken = "";
let wanted = ""; // task whose times are to be chosen as soon as it is ready
let sending = false; // an approval in advance

const send = (method, path, body) => request(method, path, body).catch(toastError);
// Wall clock of the robot, whatever zone this page is in, and whatever hour that leaves out.
const wall = (local, parts) => new Date(`${local}Z`).toLocaleString(language, { ...parts, hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const shown = (local) => wall(local, { weekday: "short", day: "numeric", month: "short" });
const hour = (local) => wall(local, {});

export function takeSchedule(message) {
  if (message.type !== "snapshot" && message.type !== "schedule") return;
  schedule = message.schedule;
  if (schedule.coming) ends = performance.now() + schedule.coming.left * 1000;
  drawComing(schedule.coming && { ...schedule.coming, left: 0, aloud: null });
  // The robot says it itself, where it can.
  if (schedule.coming?.aloud === false) speak(t("schedule.spoken", { words: schedule.coming.words }), `${schedule.coming.id} ${schedule.coming.due}`);
  drawPlanned(schedule.held, schedule.tasks, schedule.not_run);
  count();
}

// The start that comes

const approvedBy = (who) => (who === "kiosk" ? t("schedule.approved_here") : t("schedule.approved_by", { who }));

const drawComing = whenChanged((coming) => {
  byId("coming")?.remove();
  if (!coming) return;
  const notNow = () => send("POST", `/schedule/${coming.id}/not-now`, { due: coming.due });
  byId("banners").after(make("div", { id: "coming", class: "banner coming", role: "alert" },
    make("p", {}, t("schedule.coming", { words: coming.words, approved: approvedBy(coming.approved_by) })),
    make("span", { id: "coming-left", role: "timer", "aria-live": "off", "aria-label": t("schedule.left") }),
    make("button", { type: "button", class: "quiet", onclick: notNow }, t("schedule.not_now"))));
});

function speak(text, key) {
  if (spoken === key || !("speechSynthesis" in window)) return;
  spoken = key;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = language;
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
  box.replaceChildren(make("h3", {}, t("schedule.title")),
    held ? row("bad", [t("schedule.held")],
      button(t("schedule.go_on"), () => send("POST", "/schedule/go-on"))) : "",
    ...tasks.map(({ id, words, local, daily, approved_by: by }) => row("",
      [make("span", { lang: "en" }, words), " ", make("span", { class: "when" }, t(daily ? "schedule.daily" : "schedule.once", { time: hour(local), next: shown(local), who: by }))],
      button(t("schedule.cancel"), () => send("DELETE", `/schedule/${id}`), t("schedule.cancel_name", { words })))),
    ...notRun.map(({ words, local, why, phrase }) => row("bad", [t("schedule.not_run"), " ", make("span", { lang: "en" }, words), " ",
      make("span", { class: "when", lang: langOf(why, phrase) }, t("schedule.why", { time: shown(local), why: told(why, phrase) }))])));
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
  byId("later-words").textContent = wholeWords(now);
  byId("later-plan").replaceChildren(...now.steps.map(({ text, said }) => make("li", {}, said ? sentence(said) : text)));
  const next = new Date((serverTime() + schedule.utc_offset + FIRST_AHEAD) * 1000).toISOString();
  // A program that nobody has seen run does not start by itself.
  byId("later-rule").textContent = t(now.succeeded ? "schedule.rule" : "schedule.first");
  byId("later-go").disabled = !now.succeeded;
  byId("later-day").value = next.slice(0, 10);
  byId("later-time").value = next.slice(11, 16);
  byId("later-zone").textContent = t("schedule.zone", { zone: schedule.zone });
  fault("later-error", "");
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

async function approve() {
  if (sending) return; // the second of two clicks
  sending = true;
  const now = store.tasks.get(byId("later").dataset.task);
  const at = `${byId("later-day").value}T${byId("later-time").value}`;
  try {
    const made = await request("POST", `/tasks/${now.id}/schedule`, { sha256: now.sha256, at, daily: byId("later-daily").value === "daily" });
    close();
    toast(t(made.daily ? "schedule.made_daily" : "schedule.made_once", { time: hour(made.local), next: shown(made.local) }), "good");
  } catch (error) {
    fault("later-error", errorLine(error.name, error.message));
  }
  sending = false;
}

export function armSchedule(task) {
  byId("at-a-time").addEventListener("click", () => open(task()));
  byId("later-go").addEventListener("click", approve);
  // As beside the plan: no Enter approves what moves the robot.
  byId("later-go").addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  byId("later-form").addEventListener("submit", (event) => event.preventDefault());
  byId("later-close").addEventListener("click", close);
}
