// Whose the control is, the way to ask for it, and who asked for a task.

import { request, WINDOW } from "./connection.js";
import { byId, make, whenChanged } from "./dom.js";
import { toast } from "./notices.js";
import { errorLine } from "./words.js";

let you = null;
let control = { holder: null, asking: null };

export function takeControl(message) {
  if (message.type !== "snapshot" && message.type !== "control") return;
  you = message.you ?? you;
  control = message.control;
  draw(you, control);
}

const send = (path, body) => () => request("POST", `/control/${path}`, body)
  .catch((error) => toast(errorLine(error.name, error.message), "bad"));
const button = (text, onclick) => make("button", { type: "button", class: "quiet", onclick }, text);
const called = (device) => (device.id === "local" ? "The robot's own screen" : device.name);

const draw = whenChanged((me, { holder, asking }) => {
  byId("engineer-link").hidden = me?.role !== "engineer";
  const mine = holder?.id === me?.id;
  const others = [];
  if (me?.role === "viewer") {
    others.push("This device may watch, and stop the robot.");
  } else if (mine && asking) {
    others.push(`${called(asking)} asks for control. It gets it in half a minute unless you keep it.`);
    others.push(button("Give control", send("answer", { give: true })), button("Keep control", send("answer", { give: false })));
  } else if (holder && !mine) {
    others.push(`${called(holder)} has control. You can watch, and stop the robot.`);
    if (asking?.id === me?.id) others.push("Asked for it; waiting for the answer.");
    else others.push(button("Ask for control", send("ask")));
  }
  box().hidden = !others.length;
  box().replaceChildren(...others.map((one) => (typeof one === "string" ? make("span", {}, one) : one)));
});

function box() {
  if (!byId("control")) byId("banners").after(make("div", { id: "control", class: "banner control", role: "status" }));
  return byId("control");
}

// Named where it was not this device.
export const drawAuthor = whenChanged((author, window) => {
  if (!byId("author")) byId("status").before(make("span", { id: "author", class: "facts" }));
  const own = author === you?.name;
  const elsewhere = own && window && window !== WINDOW ? "asked for in another window" : "";
  byId("author").textContent = !author || own ? elsewhere : `asked for by ${author === "kiosk" ? "the robot's own screen" : author}`;
});

byId("history-title")?.after(make("a", { href: "/devices", class: "devices-link" }, "Devices"));
byId("code-fold")?.before(make("a", { href: "/engineer", class: "engineer-link", id: "engineer-link", hidden: true }, "Engineer"));
