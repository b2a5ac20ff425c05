// The map's editor: what is changed, what the kiosk says to it, and which kept tasks that breaks.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { MapView } from "../map_view.js";
import { day, t } from "../messages.js";
import { fault, notice } from "../notices.js";
import { PoseMarks } from "./pose_marks.js";

const CHECK_MS = 400;
const SAVED_MS = 8000;
const view = new MapView();
const marks = new PoseMarks(view, (pose) => fillPose(pose));
let seen = null;
let again = null; // what was refused because a task is running, to be sent once more

export async function showMap() {
  await take(request("GET", "/engineer/map"));
}

const room = () => seen.rooms[byId("room-chosen").selectedIndex]; // none where a new one is chosen
const entries = () => seen[byId("entry-what").value];
const number = (id) => Number(byId(id).value);

// Shows the map that a request answers with; gives whether it did.
async function take(answer) {
  fault("map-fault", "");
  byId("map-below").hidden = true;
  try {
    seen = await answer;
  } catch (error) {
    if (error.name === "BUSY" && again) {
      byId("map-below-text").textContent = error.message;
      byId("map-below").hidden = false;
    } else {
      fault("map-fault", error.message);
    }
    return false;
  }
  draw();
  return true;
}

async function send(method, path, body) {
  const ask = (more) => request(method, path, { base: seen.base, ...body, ...more });
  again = () => ask({ during_run: true });
  const done = await take(ask({}));
  if (done) saved();
  return done;
}

function saved() {
  again = null;
  notice(t("engineer.saved", { n: seen.current }), t("kept.undo"), SAVED_MS, undo);
  check();
}

const save = (changes) => (changes.length ? send("PUT", "/engineer/map", { changes }) : fault("map-fault", t("engineer.unchanged")));
const undo = () => send("POST", "/engineer/map/undo", {});

function draw() {
  byId("map-body").hidden = false;
  const place = seen.in_force
    ? t("engineer.in_force", { path: seen.path })
    : t("engineer.a_copy", { given: seen.given, path: seen.path });
  byId("map-place").textContent = seen.world ? [place, t("engineer.world_hint")].join(" ") : place;
  const rooms = seen.rooms.map(({ x, y, yaw, ...one }) => ({ ...one, pose: { x, y, yaw } }));
  view.setRooms({ rooms });
  const names = seen.rooms.map((one) => one.name);
  options("room-chosen", seen.world ? names : [...names, t("engineer.room_new")]);
  options("entry-room", seen.rooms.map((one) => one.name));
  marks.setRooms(rooms);
  fillRoom();
  drawEntries();
  byId("map-undo").disabled = !seen.undo;
  byId("versions").replaceChildren(...seen.versions.toReversed().map((one) => make("li", { "aria-current": one.number === seen.current ? "true" : null },
    t(one.number === seen.current ? "engineer.version_now" : "engineer.version", { n: one.number, more: [one.what, one.by && t("engineer.by", { who: one.by }), day(one.saved)].filter(Boolean).join(", ") }))));
}

function options(id, names) {
  const at = Math.max(0, byId(id).selectedIndex);
  byId(id).replaceChildren(...names.map((name) => make("option", {}, name)));
  byId(id).selectedIndex = Math.min(at, names.length - 1);
}

function fillRoom() {
  const one = room();
  byId("room-name").value = one?.name ?? "";
  byId("room-aliases").value = one?.aliases.join(", ") ?? "";
  byId("room-save").textContent = t(one ? "engineer.room_save" : "engineer.room_add");
  byId("room-remove").disabled = !one;
  if (one) return fillPose(one);
  for (const name of ["x", "y", "yaw"]) byId(`room-${name}`).value = ""; // it takes a press on the map
  marks.show("");
}

function fillPose({ x, y, yaw }) {
  for (const [name, value] of Object.entries({ x, y, yaw })) byId(`room-${name}`).value = Number(value.toFixed(3));
  marks.show(room()?.name ?? "", { x, y, yaw });
}

function saveRoom(event) {
  event.preventDefault();
  const pose = { x: number("room-x"), y: number("room-y"), yaw: number("room-yaw") };
  const others = byId("room-aliases").value.split(",").map((one) => one.trim()).filter(Boolean);
  const changes = [];
  if (!room()) {
    const added = byId("room-name").value;
    changes.push({ do: "add_room", name: added, ...pose });
    if (others.length) changes.push({ do: "set_aliases", room: added, aliases: others });
    return save(changes);
  }
  const { name, aliases, x, y, yaw } = room();
  if (pose.x !== x || pose.y !== y || pose.yaw !== yaw) changes.push({ do: "place_room", room: name, ...pose });
  if (others.join("\n") !== aliases.join("\n")) changes.push({ do: "set_aliases", room: name, aliases: others });
  if (byId("room-name").value !== name) changes.push({ do: "rename_room", room: name, name: byId("room-name").value });
  save(changes);
}

async function removeRoom() {
  if (!await save([{ do: "remove_room", room: room().name }])) return;
  byId("room-chosen").selectedIndex = 0;
  fillRoom();
}

// People and things

function drawEntries() {
  const what = byId("entry-what").value;
  const open = entries() === null;
  byId("entry-open").textContent = open
    ? t("engineer.open")
    : t(seen.world ? "engineer.simulated" : "engineer.only_these");
  byId("entry-room").hidden = byId("entry-room-label").hidden = !seen.world;
  const added = t(what === "people" ? "engineer.new_person" : "engineer.new_thing");
  options("entry-chosen", [added, ...(entries() ?? []).map((one) => (one.room ? `${one.name}, ${one.room}` : one.name))]);
  fillEntry();
}

function fillEntry() {
  const one = entries()?.[byId("entry-chosen").selectedIndex - 1];
  byId("entry-name").value = one?.name ?? "";
  if (one?.room) byId("entry-room").value = one.room;
  byId("entry-save").textContent = t(one ? "engineer.save" : "engineer.add");
  byId("entry-remove").disabled = !one;
}

function saveEntry(event) {
  event.preventDefault();
  const what = byId("entry-what").value;
  const index = byId("entry-chosen").selectedIndex - 1;
  const now = { what, name: byId("entry-name").value.trim(), room: seen.world ? byId("entry-room").value : "" };
  const before = entries()?.[index];
  if (before && before.name === now.name && before.room === now.room) return save([]);
  return save([before ? { do: "change", index, ...now } : { do: "add", ...now }]);
}

function removeEntry() {
  save([{ do: "remove", what: byId("entry-what").value, index: byId("entry-chosen").selectedIndex - 1 }]);
}

// The kept tasks

async function check() {
  let state;
  try {
    state = await request("GET", "/engineer/library-check");
  } catch (error) {
    byId("check-text").textContent = error.message;
    return;
  }
  const newly = state.broken.filter((one) => !one.before);
  const tasks = t("engineer.kept_tasks_n", { n: state.total });
  if (state.running) byId("check-text").textContent = t(state.total ? "engineer.check_running" : "engineer.check_begun", { done: state.done, total: state.total });
  else if (state.fault) byId("check-text").textContent = t("engineer.check_failed", { text: state.fault });
  else if (!state.total) byId("check-text").textContent = t("engineer.check_none");
  else byId("check-text").textContent = t(newly.length ? "engineer.check_breaks" : "engineer.check_fine", { tasks, broken: newly.length });
  byId("check-broken").replaceChildren(...state.broken.map((one) => make("li", {}, t(one.before ? "engineer.broken_before" : "engineer.broken", one))));
  if (state.running) setTimeout(check, CHECK_MS);
}

export function armMap() {
  byId("room").addEventListener("submit", saveRoom);
  byId("room-chosen").addEventListener("change", fillRoom);
  for (const id of ["room-x", "room-y", "room-yaw"]) {
    byId(id).addEventListener("input", () => marks.show(room()?.name ?? "", { x: number("room-x"), y: number("room-y"), yaw: number("room-yaw") }));
  }
  byId("room-remove").addEventListener("click", removeRoom);
  byId("entry").addEventListener("submit", saveEntry);
  byId("entry-what").addEventListener("change", () => { byId("entry-chosen").selectedIndex = 0; drawEntries(); });
  byId("entry-chosen").addEventListener("change", fillEntry);
  byId("entry-remove").addEventListener("click", removeEntry);
  byId("map-undo").addEventListener("click", undo);
  byId("map-anyway").addEventListener("click", async () => { if (await take(again())) saved(); });
}
