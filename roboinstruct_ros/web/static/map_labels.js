// Where the names on the map stand: measured in the page's own letters, never over each other, the robot or the
// edge, and inside the walls where there is a place. Lengths are cm, y down; a box is [left, top, right, bottom].

import { makeSvg } from "./dom.js";

const LINE = 1.15; // from line to line, of the letters' size, as the two below
const AIR = 0.14; // around a name
const EDGE = 0.45; // from a wall to the name of its room
const SIZES = [1, 0.85, 0.7]; // of a room's name
const THIRDS = [0, 1, 0.5]; // where it stands in what is left of its room
const MEASURED = 100; // px
const REMEMBERED = 2000; // texts

const canvas = document.createElement("canvas").getContext("2d");
const known = new Map();

// Width of a text, and how far it reaches above and below its line, in letters of size 1; the widest weight.
function measured(text) {
  if (known.has(text)) return known.get(text);
  canvas.font = `bold ${MEASURED}px ${getComputedStyle(document.body).fontFamily}`;
  const { width, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = canvas.measureText(text);
  if (known.size > REMEMBERED) known.clear();
  const found = { width: width / MEASURED, above: above / MEASURED, below: below / MEASURED };
  known.set(text, found);
  return found;
}

export const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const within = (box, edge) => box[0] >= edge[0] && box[1] >= edge[1] && box[2] <= edge[2] && box[3] <= edge[3];
export const around = (x, y, r) => [x - r, y - r, x + r, y + r];

export function boundsOf(corners) {
  const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export function inside(corners, x, y) {
  let found = false;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found;
  });
  return found;
}

// Whether the line from a to b goes through a box (Liang and Barsky).
function cuts([ax, ay], [bx, by], [left, top, right, bottom]) {
  let [from, to] = [0, 1];
  for (const [way, room] of [[ax - bx, ax - left], [bx - ax, right - ax], [ay - by, ay - top], [by - ay, bottom - ay]]) {
    if (way === 0) {
      if (room < 0) return false;
    } else if (way < 0) from = Math.max(from, room / way);
    else to = Math.min(to, room / way);
  }
  return from <= to;
}

// A text of some lines whose box has its left upper corner there.
function textAt(lines, size, left, top) {
  const [width, height] = extent(lines, size);
  return { lines, size, left, base: top + measured(lines[0]).above * size, box: [left, top, left + width, top + height] };
}

function extent(lines, size) {
  const { above, below } = measured(lines[0]);
  return [size * Math.max(...lines.map((line) => measured(line).width)), size * (above + below + LINE * (lines.length - 1))];
}

// The words of a name on as few lines as are no longer than that, and at most one word too long.
function wrapped(name, size, most) {
  const lines = [""];
  for (const word of name.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (lines.at(-1) && measured(longer).width * size > most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// Places for the name of a room inside it: large letters first, along its walls first.
export function* inRoom(room, base) {
  const [left, top, right, bottom] = boundsOf(room.corners);
  for (const size of SIZES.map((part) => part * base)) {
    const wide = right - left - 2 * EDGE * base, high = bottom - top - 2 * EDGE * base;
    const lines = wrapped(room.name, size, wide);
    const [width, height] = extent(lines, size);
    if (width > wide || height > high) continue;
    for (const down of THIRDS) {
      for (const along of THIRDS) {
        const [x, y] = [left + EDGE * base + along * (wide - width), top + EDGE * base + down * (high - height)];
        if (inside(room.corners, x + width / 2, y + height / 2)) yield textAt(lines, size, x, y);
      }
    }
  }
}

// Places for a name on one line at a room, or just below or above it, that may go across its walls.
export function* acrossWalls(room, base, edge) {
  const [left, top, right, bottom] = boundsOf(room.corners);
  for (const size of SIZES.map((part) => part * base)) {
    const [width, height] = extent([room.name], size);
    const rows = Math.max(1, Math.floor((bottom - top) / height));
    for (const row of [...Array(rows).keys(), rows, -1, rows + 1, -2]) {
      const y = (top + bottom - rows * height) / 2 + row * height;
      for (const x of [left + EDGE * base, (left + right - width) / 2, right - width - EDGE * base]) {
        yield textAt([room.name], size, into(x, width, size, edge), y);
      }
    }
  }
}

const into = (left, width, size, edge) => Math.max(edge[0] + 1.1 * AIR * size, Math.min(left, edge[2] - width - 1.1 * AIR * size));

// Places beside a dot: right, left, below, above, and at its corners.
export function* beside(name, x, y, radius, size, edge) {
  const [width, height] = extent([name], size);
  const away = radius + AIR * size;
  const corner = 0.7 * radius;
  const at = (left, top) => textAt([name], size, left, top);
  yield at(x + away, y - height / 2);
  yield at(x - away - width, y - height / 2);
  yield at(into(x - width / 2, width, size, edge), y + away);
  yield at(into(x - width / 2, width, size, edge), y - away - height);
  for (const left of [x + corner, x - corner - width]) {
    for (const top of [y + corner, y - corner - height]) yield at(left, top);
  }
}

export class Labels {
  // Args: edge, what of the map is seen; rooms with their corners; taken, boxes that no name may cover; dots, that it better leaves free.
  constructor(edge, rooms, taken, dots) {
    this.edge = edge;
    this.rooms = rooms;
    this.taken = [...taken];
    this.dots = dots;
  }

  // The first place that is free and the best of its kind; null where there is none.
  // Args: what it costs to go across walls, and over dots; Infinity, it does not.
  put(kind, places, { walls = 2, dots = 1 } = {}) {
    let best = null, least = Infinity;
    for (const place of places) {
      const box = aired(place);
      if (!within(box, this.edge) || this.taken.some((other) => overlap(other, box))) continue;
      const cost = (this.#crosses(place.box) ? walls : 0) + (this.dots.some((dot) => overlap(dot, place.box)) ? dots : 0);
      if (cost < least) [best, least] = [place, cost];
      if (cost === 0) break;
    }
    if (!best) return null;
    this.taken.push(best.box);
    return drawn(kind, best);
  }

  #crosses(box) {
    return this.rooms.some(({ corners }) => corners.some((a, i) => cuts(a, corners[(i + 1) % corners.length], box)));
  }
}

function aired({ box: [left, top, right, bottom], size }) {
  const air = AIR * size;
  return [left - air, top - air, right + air, bottom + air];
}

const drawn = (kind, { lines, size, left, base }) => makeSvg("text", { class: kind, "font-size": size },
  ...lines.map((line, i) => makeSvg("tspan", { x: left, y: base + LINE * size * i }, line)));

function cut(text, most) {
  if (measured(text).width <= most) return text;
  const letters = [...text];
  while (letters.length > 1 && measured(`${letters.join("")}…`).width > most) letters.pop();
  return `${letters.join("")}…`;
}

// The name of what moves, kept inside the edge; its box.
export function follow(text, name, x, y, radius, size, edge) {
  const shown = cut(name, (edge[2] - edge[0]) / size - 3 * AIR);
  text.textContent = shown;
  text.setAttribute("font-size", size);
  if (!name) return null;
  const all = [...beside(shown, x, y, radius, size, edge)];
  const [right, left, below, above] = all;
  const place = [above, below, right, left, ...all].find((one) => within(aired(one), edge)) ?? above;
  text.setAttribute("x", place.left);
  text.setAttribute("y", place.base);
  return aired(place);
}
