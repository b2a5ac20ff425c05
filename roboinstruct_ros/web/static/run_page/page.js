// One recorded run: everything on the page stands at the moment that the scrubber says.

import { byId, make, makeSvg } from "./dom.js";
import { day, inTenths, known, t } from "./messages.js";
import { MapView } from "./map_view.js";
import { learn, told } from "./words.js";
import { drawCode, drawPlan, drawTries, drawVerdict, show } from "./program_view.js";

const SHORTEST = 0.5; // s; a run that ends at once still has a scrubber
const LONGEST_PLAY = 30; // s in which a long run is played

const run = JSON.parse(byId("data").textContent);
learn(run.phrases);
const times = [run.ended - run.begun, ...run.calls.map((call) => call.ended ?? call.began), run.poses.at(-1)?.[0] ?? 0];
const duration = Math.max(SHORTEST, ...times);
const map = new MapView();
const drives = ["drive", "drive done"].map((name) => makeSvg("polyline", { class: name }));

// The last of a list that is sorted by time which has begun; -1 before the first.
function lastBegun(list, time, begins) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (begins(list[middle]) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const points = (poses) => poses.map(([, x, y]) => `${x * 100},${-y * 100}`).join(" ");

function poseAt(time) {
  const index = Math.max(0, lastBegun(run.poses, time, (pose) => pose[0]));
  const [a, b] = [run.poses[index], run.poses[index + 1] ?? run.poses[index]];
  const part = b[0] > a[0] ? Math.max(0, Math.min(1, (time - a[0]) / (b[0] - a[0]))) : 0;
  const turn = Math.atan2(Math.sin(b[3] - a[3]), Math.cos(b[3] - a[3]));
  return [a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2]), a[3] + part * turn, b !== a && (a[1] !== b[1] || a[2] !== b[2])];
}

function cameOf(call) {
  const tried = call.tries.length ? t("replay.tries", { n: call.tries.length }) : "";
  const held = call.paused ? `${t("call.held")} ${inTenths(call.paused)} s` : "";
  const tries = [tried, held].filter(Boolean).join(", ");
  if (call.error) return `${told(call.error_msg)} ${tries}`;
  if (call.ended === null) return t("replay.cut_off");
  return `${call.result === null ? "" : `→ ${JSON.stringify(call.result)}`} ${tries}`;
}

function row(call) {
  const end = call.ended ?? duration;
  const share = (value) => `${(100 * Math.max(0, Math.min(1, value / duration))).toFixed(3)}%`;
  const bar = make("span", { class: "took", style: `left: ${share(call.began)}; width: ${share(end - call.began)}` });
  const given = call.arguments.map((value) => JSON.stringify(value)).join(", ");
  const classes = [call.error && "failed", call.tries.length && "tried"].filter(Boolean).join(" ");
  return make("li", { class: classes || null, title: t("replay.line", { n: call.line }), onclick: () => seek(call.began) },
    make("span", {}, make("span", { class: "call" }, `${call.skill}(${given})`), " ", make("span", { class: "came" }, cameOf(call))),
    make("span", { class: "lane" }, bar), make("span", { class: "seconds" }, `${inTenths(end - call.began - call.paused)} s`));
}

const rows = run.calls.map(row);
let now = 0;

function seek(time) {
  now = Math.max(0, Math.min(duration, time));
  byId("scrub").value = now;
  byId("time").textContent = t("replay.at", { now: inTenths(now), end: inTenths(duration) });
  const index = lastBegun(run.calls, now, (call) => call.began);
  const call = run.calls[index];
  const over = now >= duration && run.outcome === "succeeded";
  rows.forEach((one, number) => one.classList.toggle("now", number === index));
  if (call) show(byId("calls-scroll"), rows[index]);
  drawCode(run.program, over ? 0 : call?.line ?? 0, run.verdict?.violations ?? [], false);
  drawPlan(run.steps, over ? 0 : call?.line ?? 0, "running");
  map.setTask(run.program, call?.skill === "go_to" && (call.ended ?? duration) > now ? call.arguments[0] : undefined);
  const world = run.worlds[Math.max(0, lastBegun(run.worlds, now, (one) => one.at))];
  if (world) map.setWorld(world);
  if (!run.poses.length) return;
  const [x, y, yaw, moving] = poseAt(now);
  map.setRobot(x, y, yaw, moving);
  const driven = run.poses.slice(0, lastBegun(run.poses, now, (pose) => pose[0]) + 1);
  drives[1].setAttribute("points", points([...driven, [now, x, y]]));
  byId("where").textContent = t("map.where", { room: map.roomAt(x, y) ?? t("map.between") });
}

let playing = 0;

function play(on) {
  cancelAnimationFrame(playing);
  byId("play").textContent = t(on ? "run.pause" : "replay.play");
  byId("play").setAttribute("aria-pressed", on);
  playing = 0;
  if (!on) return;
  const speed = Math.max(1, duration / LONGEST_PLAY);
  let last = performance.now();
  const step = (moment) => {
    seek(now + (speed * (moment - last)) / 1000);
    last = moment;
    if (now < duration) playing = requestAnimationFrame(step);
    else play(false);
  };
  if (now >= duration) seek(0);
  playing = requestAnimationFrame(step);
}

byId("title").textContent = run.instruction || t("replay.program");
byId("outcome").textContent = known(`phase.${run.outcome}`) ?? t("replay.cut_off");
byId("outcome").dataset.outcome = run.outcome;
byId("when").textContent = day(run.begun);
byId("failure").textContent = told(run.error_msg);
byId("calls").append(...rows);
byId("scrub").max = duration;
byId("scrub").addEventListener("input", (event) => {
  play(false);
  seek(Number(event.target.value));
});
byId("play").addEventListener("click", () => play(!playing));
if (parent !== window) {
  addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.repeat) parent.postMessage("Escape", "*"); });
}
map.setRooms({ rooms: run.rooms });
map.layers.trails.append(...drives);
drives[0].setAttribute("points", points(run.poses));
drawVerdict(run.verdict, "");
drawTries(run.drafts.filter((draft) => draft.verdict?.status !== "accepted"), "running");
seek(0);
