// The map: rooms, doors, things, people, and the robot on its way. Lengths here are cm, y down.

import { byId, make, makeSvg } from "./dom.js";
import { t } from "./messages.js";

const CM = 100;
const MARGIN = 30;
const DOOR = 90;
const CROWDED = 5; // cm for a pixel; on a smaller map only what the program names is labelled
const LETTER = 0.6; // width of one, of the letters' size
const SMALLEST = 0.7; // letters of a room's name, of their usual size
const FINGER = 14; // pixels to either side
const TRAIL_STEP = 8;
const TRAIL_MOST = 600;

const at = (x, y) => [x * CM, -y * CM];
const path = (points) => points.map((p) => p.join(",")).join(" ");

export class MapView {
  #rooms = [];
  #px = 1; // cm on the map for one pixel on the screen
  #labels = [];
  #world = { doors: [], objects: [], people: [], held: "" };
  #wanted = "";
  #here = null;
  pose = null; // of the robot, m
  #goal = undefined;
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
    this.heldName = makeSvg("text", { class: "tag", "text-anchor": "middle" });
    this.ghost = makeSvg("g", { class: "ghost", visibility: "hidden" }, makeSvg("circle"), makeSvg("text", { class: "tag", "text-anchor": "middle" }));
    this.svg = makeSvg("svg", { role: "img", "aria-label": t("map.robot") },
      ...Object.values(this.layers), this.robot, this.heldName, this.ghost);
    this.box.append(this.svg);
    new ResizeObserver(() => this.#scale()).observe(this.svg);
  }

  setRooms(map) {
    this.#rooms = map.rooms.filter((room) => room.polygon.length).map((room) => ({ ...room, corners: room.polygon.map(([x, y]) => at(x, y)) }));
    [this.#here, this.#goal] = [null, undefined];
    this.box.closest(".map-card").hidden = !map.rooms.length; // a robot that is in no room
    const all = this.#rooms.flatMap((room) => room.corners);
    if (!all.length) return this.layers.rooms.replaceChildren();
    const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
    const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
    this.svg.setAttribute("viewBox", `${left} ${top} ${Math.max(...xs) + MARGIN - left} ${Math.max(...ys) + MARGIN - top}`);
    this.layers.rooms.replaceChildren(...this.#rooms.map((room) => (room.shape = makeSvg("polygon", { class: "room", points: path(room.corners) }, makeSvg("title", {}, room.name)))));
    this.#scale();
  }

  setWorld(world) {
    this.#world = world;
    this.#drawDoors(world.doors);
    this.#drawThings();
    this.robot.lastChild.setAttribute("visibility", world.held ? "inherit" : "hidden");
    this.heldName.textContent = world.held;
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
    this.#drawThings();
  }

  roomAt(x, y) {
    const [px, py] = at(x, y);
    return this.#rooms.find((room) => inside(room.corners, px, py))?.name ?? null;
  }

  // The name of what is under a finger: somebody, something, else the room.
  named(event) {
    const { x, y } = this.#under(event);
    const away = (one) => Math.hypot(one.x * CM - x, -one.y * CM - y);
    const near = [...this.#world.people, ...this.#world.objects].sort((a, b) => away(a) - away(b))[0];
    return near && away(near) <= FINGER * this.#px ? near.name : this.roomAt(x / CM, -y / CM);
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
    if (!pose) return;
    const [px, py] = at(pose.x, pose.y);
    const [body, tag] = this.ghost.children;
    this.ghost.setAttribute("transform", `translate(${px} ${py})`);
    this.ghost.classList.toggle("bad", bad);
    body.setAttribute("r", Math.max(34, 12 * this.#px));
    tag.textContent = held;
    tag.setAttribute("y", -Math.max(40, 15 * this.#px));
    tag.setAttribute("font-size", 13 * this.#px);
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
    this.heldName.setAttribute("x", px);
    this.heldName.setAttribute("y", py - 44);
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
      this.#drawThings();
    }
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
    this.heldName.setAttribute("font-size", 13 * this.#px);
    // On a small screen the robot must still be found.
    const size = Math.max(1, (10 * this.#px) / 34);
    for (const part of this.robot.children) part.setAttribute("transform", `scale(${size})`);
    this.#drawNames();
    this.#placeBubble();
    this.#drawThings();
  }

  #drawNames() {
    const base = 11.5 * this.#px;
    this.#labels = [];
    this.layers.names.replaceChildren(...this.#rooms.flatMap((room) => {
      const xs = room.corners.map((p) => p[0]), ys = room.corners.map((p) => p[1]);
      const left = Math.min(...xs) + 0.5 * base, top = Math.min(...ys) + 1.35 * base;
      const width = Math.max(...xs) - left - 0.2 * base;
      const longest = Math.max(...room.name.split(" ").map((word) => word.length));
      const size = Math.max(SMALLEST * base, Math.min(base, width / (LETTER * longest)));
      const fit = wrapped(room.name, width / (LETTER * size));
      const fits = LETTER * longest * size <= width && top + 1.15 * size * (fit.length - 1) < Math.max(...ys);
      // Where there is no place for it, only the room that counts now has a name, across its walls.
      if (!fits && room.name !== this.#here && room !== this.#goal) return [];
      const lines = fits ? fit : [room.name];
      this.#labels.push([left, top - size, left + 0.6 * size * Math.max(...lines.map((l) => l.length)), top + 1.15 * size * (lines.length - 1)]);
      return makeSvg("text", { class: "room-name", "font-size": size },
        ...lines.map((line, i) => makeSvg("tspan", { x: left, y: top + 1.15 * size * i }, line)));
    }));
  }

  #drawDoors(doors) {
    redrawDoors(this.layers.doors, this.#rooms, doors);
  }

  #drawThings() {
    const size = 11 * this.#px;
    const { x: left, y: top, width, height } = this.svg.viewBox.baseVal;
    // beyond the edge nothing can be read
    const taken = [...this.#labels, [-Infinity, -Infinity, left, Infinity], [-Infinity, -Infinity, Infinity, top],
      [left + width, -Infinity, Infinity, Infinity], [-Infinity, top + height, Infinity, Infinity]];
    const roomy = this.#px < CROWDED;
    const people = this.#world.people.map((person) => {
      const [x, y] = at(person.x, person.y);
      const radius = (roomy ? 6 : 4) * this.#px;
      const dot = makeSvg("circle", { class: "person", cx: x, cy: y, r: radius }, makeSvg("title", {}, person.name));
      if (!roomy && !this.#wanted.includes(person.name.toLowerCase())) return [dot];
      taken.push([x - radius, y - radius, x + radius, y + radius]);
      return [dot, ...labelled("person-name", person.name, x, y, radius, size, taken)];
    });
    const rated = this.#world.objects.map((thing) => {
      const wanted = this.#wanted.includes(thing.name.toLowerCase());
      const here = roomy && this.#here !== null && this.roomAt(thing.x, thing.y) === this.#here;
      return { thing, wanted, here };
    });
    // What the program names comes first, then what is around the robot; the rest are dots.
    rated.sort((a, b) => b.wanted - a.wanted || b.here - a.here);
    const things = rated.map(({ thing, wanted, here }) => {
      const [x, y] = at(thing.x, thing.y);
      const r = (wanted ? 4.5 : roomy ? 3 : 1.8) * this.#px;
      const dot = makeSvg("circle", { class: `object${wanted || here ? "" : " faint"}`, cx: x, cy: y, r }, makeSvg("title", {}, thing.name));
      if (!wanted && !here) return [dot];
      return [dot, ...labelled(`object-name${wanted ? " wanted" : ""}`, thing.name, x, y, r, size, taken)];
    });
    this.layers.people.replaceChildren(...people.flat());
    this.layers.things.replaceChildren(...things.flat());
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

function inside(corners, x, y) {
  let found = false;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found;
  });
  return found;
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// A name beside a dot, or below or above it, where nothing else is written; else the dot is all.
function labelled(kind, name, x, y, radius, size, taken) {
  const half = 0.3 * size * name.length, away = radius + 0.2 * size;
  const places = [[x + away, y - 0.55 * size], [x - away - 2 * half, y - 0.55 * size], [x - half, y + radius], [x - half, y - radius - 1.1 * size]];
  const boxes = places.map(([left, top]) => [left, top, left + 2 * half, top + 1.1 * size]);
  const free = boxes.find((box) => !taken.some((other) => overlap(other, box)));
  if (!free) return [];
  taken.push(free);
  return [makeSvg("text", { class: kind, x: free[0], y: free[1] + 0.9 * size, "font-size": size }, name)];
}

// Lines of at most so many letters, but for longer words.
function wrapped(name, most) {
  const lines = [""];
  for (const word of name.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

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
