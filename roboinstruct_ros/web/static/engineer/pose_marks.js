// Where the robot stops in each room, on the kiosk's own drawing of the map; a press puts the chosen one.

import { makeSvg } from "../dom.js";

const CM = 100;
const AROUND = 2; // m shown around poses where no room has an outline
const TURN_FROM = 0.2; // m that a finger has to be pulled before it turns the robot

export class PoseMarks {
  #rooms = [];
  #from = null;

  constructor(view, placed) {
    this.view = view;
    this.placed = placed;
    this.layer = makeSvg("g", { class: "poses" });
    view.svg.append(this.layer);
    view.svg.classList.add("editable");
    view.svg.addEventListener("pointerdown", (event) => this.#press(event));
    view.svg.addEventListener("pointermove", (event) => this.#pull(event));
    for (const end of ["pointerup", "pointercancel"]) view.svg.addEventListener(end, () => (this.#from = null));
  }

  setRooms(rooms) {
    this.#rooms = rooms;
    if (rooms.some((room) => room.polygon.length)) return;
    const xs = rooms.map((room) => room.pose.x), ys = rooms.map((room) => room.pose.y);
    const [left, top] = [Math.min(...xs) - AROUND, Math.max(...ys) + AROUND];
    const [width, height] = [Math.max(...xs) + AROUND - left, top - Math.min(...ys) + AROUND];
    this.view.svg.setAttribute("viewBox", [left, -top, width, height].map((m) => m * CM).join(" "));
  }

  // A room that is chosen and not there yet has no name here, and no pose before the first press.
  show(chosen, pose) {
    const rooms = chosen || !pose ? this.#rooms : [...this.#rooms, { name: "", pose }];
    this.layer.replaceChildren(...rooms.map((room) => {
      const { x, y, yaw } = room.name === chosen ? pose : room.pose;
      const turn = (-yaw * 180) / Math.PI;
      return makeSvg("g", { class: `pose${room.name === chosen ? " chosen" : ""}`, transform: `translate(${x * CM} ${-y * CM}) rotate(${turn})` },
        makeSvg("circle", { r: 30 }), makeSvg("path", { d: "M52 0 L22 -18 L22 18 Z" }), makeSvg("title", {}, room.name));
    }));
  }

  #press(event) {
    if (event.button !== 0) return;
    this.#from = { ...this.view.placeAt(event), yaw: 0 };
    this.view.svg.setPointerCapture(event.pointerId);
    this.placed(this.#from);
  }

  #pull(event) {
    if (!this.#from) return;
    const { x, y } = this.view.placeAt(event);
    const [dx, dy] = [x - this.#from.x, y - this.#from.y];
    if (Math.hypot(dx, dy) >= TURN_FROM) this.placed({ ...this.#from, yaw: Math.atan2(dy, dx) });
  }
}
