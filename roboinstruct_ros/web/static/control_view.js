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
  byId("control").hidden = !others.length;
  byId("control").replaceChildren(...others.map((one) => (typeof one === "string" ? make("span", {}, one) : one)));
});

// Named where it was not this device.
export const drawAuthor = whenChanged((author, window) => {
  const own = author === you?.name;
  const elsewhere = own && window && window !== WINDOW ? t("control.other_window") : "";
  byId("author").textContent = !author || own ? elsewhere : t("control.author", { who: author === "kiosk" ? t("control.own_screen") : author });
});
