// Toasts that go by themselves, and banners that stay as long as what they say is so.

import { byId, make } from "./dom.js";
import { t } from "./messages.js";
import { errorLine } from "./words.js";

const TOAST_MS = 5000;
const MOST = 3;

export const toast = (text, tone = "") => put(text, tone, TOAST_MS, { "aria-label": t("close") }, "×");

// For the end of a request that was refused.
export const toastError = (error) => toast(errorLine(error.name, error.message), "bad");

// A toast with something to do about it, as long as that can be done.
export const notice = (text, what, limit, act) => put(text, "", limit, { class: "act" }, what, act);

function put(text, tone, limit, attributes, what, act = () => {}) {
  const box = byId("toasts");
  const note = make("div", { class: `toast ${tone}` },
    make("p", {}, text),
    make("button", { type: "button", ...attributes, onclick: () => { note.remove(); act(); } }, what));
  for (const old of [...box.children]) if (old.firstChild.textContent === text) old.remove();
  box.append(note);
  while (box.children.length > MOST) box.firstChild.remove();
  box.scrollTop = box.scrollHeight;
  setTimeout(() => note.remove(), limit);
}

// What is wrong, at the place where it is; no text: nothing.
export function fault(id, text) {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

// For who hears the page.
export function tellAloud(text) {
  const log = byId("speech");
  log.append(make("p", {}, text));
  while (log.children.length > 20) log.firstChild.remove();
}

export function banner(key, text) {
  const box = byId("banners");
  const old = box.querySelector(`[data-key="${key}"]`);
  if (!text) {
    old?.remove();
  } else if (old) {
    if (old.textContent !== text) old.textContent = text;
  } else {
    box.append(make("p", { class: "banner bad", "data-key": key }, text));
  }
}
