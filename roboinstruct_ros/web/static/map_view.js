// The map: rooms, doors, things, people, and the robot on its way. Lengths here are cm, y down.

import { byId, make, makeSvg } from "./dom.js";
import { acrossWalls, around, beside, boundsOf, follow, inRoom, inside, Labels, overlap } from "./map_labels.js";
import { t } from "./messages.js";

const CM = 100;
const MARGIN = 30;
const DOOR = 90;
const CROWDED = 5; // cm for a pixel; on a smaller map only what the program names is labelled
const ROBOT = 38; // radius of its body and edge
const HOLDING = 50; // and of what it holds
const FINGER = 14; // pixels to either side
const TRAIL_STEP = 8;
const TRAIL_MOST = 600;

const at = (x, y) => [x * CM, -y * CM];
const path = (points) => points.map((p) => p.join(",")).join(" ");

export class MapView {
  #rooms = [];
  #px = 1; // cm on the map for one pixel on the screen
  #labels = []; // boxes of the names that are drawn
  #edge = null; // box of what is seen
  #asked = ""; // name that was touched last
  #world = { doors: [], objects: [], people: [], held: "" };
  #wanted = "";
  #here = null;
  #size = 1; // of the robot, of its own; on a small screen it must still be found
  pose = null; // of the robot, m
  #goal = undefined;
  #robotBoxes = []; // and what it holds
  #ghostBoxes = [];
  #avoided = []; // boxes of what moves, where names were last put around them
  #trail = [];

  constructor() {
    this.box = byId("map");
    const group = (name) => makeSvg("g", { class: name });
    this.layers = Object.fromEntries(["rooms", "doors", "trails", "things", "names", "people"].map((n) => [n, group(n)]));
    this.trail = makeSvg("polyline", { class: "trail" });
    this.layers.trails.append(this.trail);
    this.robot = makeSvg("g", { class: "robot", visibility: "hidden" },
      makeSvg("circle", { class: "robot-body", r: 34 }),
      makeSvg("path", { class: "robot-nose", d: "M30 0 L6 -15 L6 15 Z" }),
      makeSvg("circle", { class: "robot-held", r: 13, cx: 34, visibility: "hidden" }));
    this.heldName = makeSvg("text", { class: "tag" });
    this.ghost = makeSvg("g", { class: "ghost", visibility: "hidden" }, makeSvg("circle"));
    this.ghostName = makeSvg("text", { class: "tag ghost-name" });
    this.svg = makeSvg("svg", { role: "img", "aria-label": t("map.robot") },
      ...Object.values(this.layers), this.robot, this.heldName, this.ghost, this.ghostName);
    this.box.append(this.svg);
    new ResizeObserver(() => this.#scale()).observe(this.svg);
  }

  setRooms(map) {
    this.#rooms = map.rooms.filter((room) => room.polygon.length).map((room) => ({ ...room, corners: room.polygon.map(([x, y]) => at(x, y)) }));
    [this.#here, this.#goal] = [null, undefined];
    this.box.closest(".map-card").hidden = !map.rooms.length; // a robot that is in no room
    const all = this.#rooms.flatMap((room) => room.corners);
    if (!all.length) return this.layers.rooms.replaceChildren();
    const [left, top, right, bottom] = boundsOf(all);
    const [width, height] = [right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
    this.svg.setAttribute("viewBox", `${left - MARGIN} ${top - MARGIN} ${width} ${height}`);
    this.layers.rooms.replaceChildren(...this.#rooms.map((room) => (room.shape = makeSvg("polygon", { class: "room", points: path(room.corners) }, makeSvg("title", {}, room.name)))));
    this.#scale();
  }

  setWorld(world) {
    this.#world = world;
    redrawDoors(this.layers.doors, this.#rooms, world.doors);
    this.robot.lastChild.setAttribute("visibility", world.held ? "inherit" : "hidden");
    this.#moved();
    this.#drawNames();
  }

  // `program` marks the things it names; `goal` is the room that the robot drives to now.
  setTask(program, goal) {
    const wanted = (program.match(/(["'])(?:(?!\1).)*\1/g) ?? []).join(" ").toLowerCase();
    const next = this.#named(goal);
    if (wanted === this.#wanted && next === this.#goal) return;
    this.#goal?.shape.classList.remove("goal");
    next?.shape.classList.add("goal");
    [this.#wanted, this.#goal] = [wanted, next];
    this.#drawNames();
  }

  roomAt(x, y) {
    const [px, py] = at(x, y);
    return this.#rooms.find((room) => inside(room.corners, px, py))?.name ?? null;
  }

  // The name of what is under a finger: somebody, something, else the room. It is shown where it had no place.
  named(event) {
    const { x, y } = this.#under(event);
    const away = (one) => Math.hypot(one.x * CM - x, -one.y * CM - y);
    const near = [...this.#world.people, ...this.#world.objects].sort((a, b) => away(a) - away(b))[0];
    this.#asked = (near && away(near) <= FINGER * this.#px ? near.name : this.roomAt(x / CM, -y / CM)) ?? "";
    this.#drawNames();
    return this.#asked;
  }

  // Where a finger is, m.
  placeAt(event) {
    const { x, y } = this.#under(event);
    return { x: x / CM, y: -y / CM };
  }

  #under({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // Where a room of that name or alias is gone to, m.
  placeOf(name) {
    return this.#named(name)?.pose ?? null;
  }

  // A robot that is not there; null takes it away.
  setGhost(pose, held = "", bad = false) {
    this.ghost.setAttribute("visibility", pose ? "visible" : "hidden");
    this.ghostName.textContent = "";
    this.#ghostBoxes = [];
    if (!pose) return this.#drawNames();
    const [px, py] = at(pose.x, pose.y);
    const radius = Math.max(34, 12 * this.#px);
    this.ghost.setAttribute("transform", `translate(${px} ${py})`);
    this.ghost.classList.toggle("bad", bad);
    this.ghost.firstChild.setAttribute("r", radius);
    const name = follow(this.ghostName, held, px, py, radius, 13 * this.#px, this.#edge);
    this.#ghostBoxes = [around(px, py, radius), ...(name ? [name] : [])];
    this.#makeWay();
  }

  #named(name) {
    const folded = String(name ?? "").toLowerCase();
    return this.#rooms.find((room) => [room.name, ...room.aliases].some((n) => n.toLowerCase() === folded));
  }

  setRobot(x, y, yaw, moving) {
    const [px, py] = at(x, y);
    this.pose = { x, y };
    this.robot.setAttribute("visibility", "visible");
    this.robot.setAttribute("transform", `translate(${px} ${py}) rotate(${(-yaw * 180) / Math.PI})`);
    this.robot.classList.toggle("moving", moving);
    this.#moved();
    const last = this.#trail.at(-1);
    if (!last || Math.hypot(px - last[0], py - last[1]) > TRAIL_STEP) {
      this.#trail.push([px, py]);
      if (this.#trail.length > TRAIL_MOST) this.#trail.shift();
      this.trail.setAttribute("points", path(this.#trail));
    }
    const here = this.roomAt(x, y);
    if (here !== this.#here) {
      this.#here = here;
      for (const room of this.#rooms) room.shape.classList.toggle("here", room.name === here);
      this.#drawNames();
    } else this.#makeWay();
    this.#placeBubble();
  }

  clearTrail() {
    this.#trail = this.#trail.slice(-1);
    this.trail.setAttribute("points", "");
  }

  say(text) {
    this.bubble?.remove();
    clearTimeout(this.bubbleTimer);
    this.bubble = text ? make("div", { class: "bubble", "aria-hidden": "true" }, text) : null;
    if (!text) return;
    this.box.append(this.bubble);
    this.#placeBubble();
    this.bubbleTimer = setTimeout(() => this.say(""), 3500 + 60 * text.length);
  }

  #placeBubble() {
    if (!this.bubble) return;
    const robot = this.robot.getBoundingClientRect(), box = this.box.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    const middle = robot.left + robot.width / 2 - box.left;
    const left = Math.max(6, Math.min(middle - width / 2, box.width - width - 6));
    const above = robot.top - box.top - height - 12;
    this.bubble.classList.toggle("below", above < 4);
    this.bubble.style.left = `${left}px`;
    this.bubble.style.top = `${above < 4 ? robot.bottom - box.top + 12 : above}px`;
    this.bubble.style.setProperty("--tip", `${Math.max(14, Math.min(middle - left, width - 14))}px`);
  }

  #scale() {
    const width = this.svg.viewBox.baseVal?.width, height = this.svg.viewBox.baseVal?.height;
    const shown = this.svg.getBoundingClientRect();
    if (!width || !shown.width) return;
    this.#px = Math.max(width / shown.width, height / shown.height);
    const { x, y } = this.svg.viewBox.baseVal;
    this.#edge = [x, y, x + width, y + height];
    this.#size = Math.max(1, (10 * this.#px) / 34);
    for (const part of this.robot.children) part.setAttribute("transform", `scale(${this.#size})`);
    this.#moved();
    this.#drawNames();
    this.#placeBubble();
  }

  // The robot is elsewhere, or holds something else.
  #moved() {
    if (!this.pose || !this.#edge) return;
    const [x, y] = at(this.pose.x, this.pose.y);
    const radius = (this.#world.held ? HOLDING : ROBOT) * this.#size;
    const held = follow(this.heldName, this.#world.held, x, y, radius, 13 * this.#px, this.#edge);
    this.#robotBoxes = [around(x, y, radius), ...(held ? [held] : [])];
  }

  // Names go out of the way of what moves, and come back behind it.
  #makeWay() {
    const moving = [...this.#robotBoxes, ...this.#ghostBoxes];
    const far = moving.some(([left, top], i) => Math.hypot(left - this.#avoided[i]?.[0], top - this.#avoided[i]?.[1]) > 3 * ROBOT * this.#size);
    if (far || moving.length !== this.#avoided.length || moving.some((box) => this.#labels.some((label) => overlap(box, label)))) this.#drawNames();
  }

  // First what counts most: the rooms of the robot and of its goal, rooms, people, things; who finds no place is a dot.
  #drawNames() {
    if (!this.#edge) return;
    const { people, objects } = this.#world;
    const roomy = this.#px < CROWDED;
    const counts = ({ name }) => this.#wanted.includes(name.toLowerCase()) || name === this.#asked;
    const dots = [
      ...people.map((one) => ({ one, kind: "person", r: roomy ? 6 : 4, shown: true, first: counts(one) })),
      ...objects.map((one) => {
        const here = roomy && this.#here !== null && this.roomAt(one.x, one.y) === this.#here;
        return { one, kind: "object", r: counts(one) ? 4.5 : roomy ? 3 : 1.8, shown: counts(one) || here, first: counts(one) };
      }),
    ].map((dot) => ({ ...dot, x: dot.one.x * CM, y: -dot.one.y * CM, r: dot.r * this.#px }));
    this.#avoided = [...this.#robotBoxes, ...this.#ghostBoxes];
    const wide = this.#avoided.map(([left, top, right, bottom]) => [left - ROBOT / 2, top - ROBOT / 2, right + ROBOT / 2, bottom + ROBOT / 2]);
    const labels = new Labels(this.#edge, this.#rooms, wide, dots.map(({ x, y, r }) => around(x, y, r)));
    this.layers.names.replaceChildren(...this.#roomNames(labels));
    for (const kind of ["person", "object"]) {
      const of = dots.filter((dot) => dot.kind === kind).sort((a, b) => b.first - a.first || b.shown - a.shown);
      this.layers[kind === "person" ? "people" : "things"].replaceChildren(...of.flatMap((dot) => this.#dot(dot, labels)));
    }
    this.#labels = labels.taken.slice(wide.length);
  }

  #roomNames(labels) {
    const base = 11.5 * this.#px;
    const first = ({ name }) => [this.#asked, this.#here, this.#goal?.name].includes(name);
    const put = new Map();
    for (const room of [...this.#rooms].sort((a, b) => first(b) - first(a))) {
      // Where there is no place for it, only the room that counts now has a name, across its walls.
      const name = labels.put("room-name", inRoom(room, base), { walls: Infinity }) ?? (first(room) ? labels.put("room-name", acrossWalls(room, base, this.#edge)) : null);
      if (name) put.set(room, name);
    }
    return this.#rooms.map((room) => put.get(room)).filter(Boolean);
  }

  #dot({ one, kind, x, y, r, shown, first }, labels) {
    const dot = makeSvg("circle", { class: `${kind}${kind === "person" || shown ? "" : " faint"}`, cx: x, cy: y, r }, makeSvg("title", {}, one.name));
    // What nobody has asked for takes no other's place: a thing's name no dot, a person's on a small map no other room.
    const cost = first ? {} : kind === "object" ? { dots: Infinity } : { walls: this.#px < CROWDED ? 2 : Infinity };
    const name = shown ? labels.put(`${kind}-name${first && kind === "object" ? " wanted" : ""}`, beside(one.name, x, y, r, 11 * this.#px, this.#edge), cost) : null;
    return name ? [dot, name] : [dot];
  }
}

// A door lies in a wall; the nearest wall of any room gives its direction.
const redrawDoors = (layer, rooms, doors) => {
  layer.replaceChildren(...doors.map((door) => {
    const [x, y] = at(door.x, door.y);
    let best = [Infinity, 1, 0];
    for (const { corners } of rooms) {
      corners.forEach(([ax, ay], i) => {
        const [bx, by] = corners[(i + 1) % corners.length];
        const length = Math.hypot(bx - ax, by - ay) || 1;
        const along = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length ** 2));
        const away = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
        if (away < best[0]) best = [away, (bx - ax) / length, (by - ay) / length];
      });
    }
    const [, dx, dy] = best;
    const half = DOOR / 2;
    return makeSvg("line", { class: `door${door.open ? "" : " shut"}`, x1: x - dx * half, y1: y - dy * half, x2: x + dx * half, y2: y + dy * half },
      makeSvg("title", {}, door.open ? door.name : t("map.closed", { name: door.name })));
  }));
};

// Draws poses that come 20 times a second as one smooth motion, a little behind.
export class Glide {
  #shown = null;
  #target = null;
  #last = 0;
  #running = false;

  constructor(draw) {
    this.draw = draw;
  }

  to(pose) {
    this.#target = pose;
    const jump = !this.#shown || Math.hypot(pose.x - this.#shown.x, pose.y - this.#shown.y) > 1.5;
    if (jump || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#shown = { ...pose };
      this.draw(this.#shown, false);
    } else if (!this.#running) {
      this.#running = true;
      this.#last = performance.now();
      requestAnimationFrame((now) => this.#step(now));
    }
  }

  #step(now) {
    const part = 1 - Math.exp(-(now - this.#last) / 70);
    this.#last = now;
    const { x, y, yaw } = this.#target;
    const turn = Math.atan2(Math.sin(yaw - this.#shown.yaw), Math.cos(yaw - this.#shown.yaw));
    const left = Math.hypot(x - this.#shown.x, y - this.#shown.y) + Math.abs(turn) * 0.2;
    const arrived = left < 0.004;
    const take = arrived ? 1 : part;
    this.#shown = { x: this.#shown.x + take * (x - this.#shown.x), y: this.#shown.y + take * (y - this.#shown.y), yaw: this.#shown.yaw + take * turn };
    this.draw(this.#shown, !arrived);
    this.#running = !arrived;
    if (!arrived) requestAnimationFrame((next) => this.#step(next));
  }
}
