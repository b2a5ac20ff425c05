// Whose the control is, the way to ask for it, and who asked for a task.

import { request, WINDOW } from "./connection.js";
import { byId, make, whenChanged } from "./dom.js";
import { t } from "./messages.js";
import { toastError } from "./notices.js";

let you = null;
let control = { holder: null, asking: null };

export function takeControl(message) {
  if (message.type !== "snapshot" && message.type !== "control") return;
  you = message.you ?? you;
  control = message.control;
  draw(you, control);
}

const send = (path, body) => () => request("POST", `/control/${path}`, body).catch(toastError);
const button = (text, onclick) => make("button", { type: "button", class: "quiet", onclick }, text);
const called = (device) => (device.id === "local" ? t("control.own_screen") : device.name);

const draw = whenChanged((me, { holder, asking }) => {
  byId("engineer-link").hidden = me?.role !== "engineer";
  const mine = holder?.id === me?.id;
  const others = [];
  if (me?.role === "viewer") {
    others.push(t("control.viewer"));
  } else if (mine && asking) {
    others.push(t("control.asked", { who: called(asking) }));
    others.push(button(t("control.give"), send("answer", { give: true })), button(t("control.keep"), send("answer", { give: false })));
  } else if (holder && !mine) {
    others.push(t("control.held", { who: called(holder) }));
    if (asking?.id === me?.id) others.push(t("control.waiting"));
    else others.push(button(t("control.ask"), send("ask")));
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
  const elsewhere = own && window && window !== WINDOW ? t("control.other_window") : "";
  byId("author").textContent = !author || own ? elsewhere : t("control.author", { who: author === "kiosk" ? t("control.own_screen") : author });
});

byId("history-title")?.after(make("a", { href: "/devices", class: "devices-link" }, t("devices.title")));
byId("code-fold")?.before(make("a", { href: "/engineer", class: "engineer-link", id: "engineer-link", hidden: true }, t("engineer.link")));
